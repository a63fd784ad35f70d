//! loom's primitives, and what it lacks. Of time, threads and the system a model has nothing of its own.

mod cell;
mod handshake;
mod memory;
mod mutex;
mod overwrite;
mod parker;

pub use super::native::*;

pub(crate) use super::fences as barrier;
pub use cell::RaceCell;
pub(crate) use handshake::{add_first, occupy_first, replace_first};
pub use loom::hint::spin_loop;
pub use loom::sync::Arc;
pub use loom::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
};
pub use loom::thread::yield_now;
pub use memory::Memory;
pub use mutex::{Mutex, MutexGuard};
pub use parker::{Parker, Unparker, forget_limits};
