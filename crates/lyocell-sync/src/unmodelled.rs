//! Atomics and locks in which a model has nothing to find: the standard library's in every build of models.
//!
//! For where a thread meets only its own signal handler, where a value is no more than a hint or a count, and for locks around what
//! no protocol hangs on.

pub use crate::backend::{UnmodelledMutex as Mutex, UnmodelledMutexGuard as MutexGuard};
pub use std::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, Ordering, compiler_fence,
};
