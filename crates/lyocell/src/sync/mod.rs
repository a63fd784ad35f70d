//! The primitives that threads share memory by: those that the protocols are written in.
//!
//! Built as usual, everything here is `std` or crossbeam and costs nothing. Built with
//! `--cfg loom`, the same names are loom's, so the models explore the very code that ships. What the queues need too
//! has its home in [`lyocell_queues::sync`]. Besides, only the models
//! and some constants, which keep models small, depend on that.
//!
//! May import: nothing.
//! Never enters: what a thread does without others; that is in [`outside`](crate::outside).

mod barrier;
#[cfg(loom)]
mod under_loom;
#[cfg(not(loom))]
mod zeroed;

/// The atomics, locks and cells, which the queues need too: `std`'s or loom's.
pub(crate) use lyocell_queues::sync::{
    AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, Mutex, MutexGuard, Ordering, Overwrite,
    RaceCell as UnsafeCell, fence, spin_loop, try_lock, yield_now,
};

pub(crate) use barrier::HeavyBarrier;
pub(crate) use barrier::{Issued, light};
#[cfg(not(loom))]
pub(crate) use crossbeam_utils::sync::{Parker, Unparker};
#[cfg(loom)]
pub use under_loom::address_limit;
#[cfg(loom)]
pub(crate) use under_loom::*;
#[cfg(not(loom))]
pub use zeroed::address_limit;
#[cfg(not(loom))]
pub(crate) use zeroed::{Memory, OutOfMemory};

/// Atomics that are the standard library's in every build, models included: where a thread meets only its own
/// signal handler, or where the value is no more than a hint or a count. A model has nothing to find there.
pub(crate) mod unmodelled {
    pub(crate) use std::sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, Ordering, compiler_fence,
    };
}
