//! The one place that knows loom: atomics, locks and cells under one name each, `std`'s as a rule, loom's with `--cfg loom`,
//! and with `--cfg delays` such as come late now and then.
//!
//! Public for Lyocell's runtime, which is modelled under the same names; not part of the interface.

mod cell;
#[cfg(delays)]
mod delayed;
mod handshake;
mod overwrite;

pub use cell::RaceCell;
pub(crate) use handshake::{Handshake, add_first, replace_first};
pub use overwrite::Overwrite;

#[cfg(loom)]
pub use loom::sync::{
    Arc, Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence},
};
#[cfg(not(loom))]
pub use std::sync::{
    Arc, Mutex, MutexGuard,
    atomic::{Ordering, fence},
};

#[cfg(delays)]
use delayed as atomic;
#[cfg(not(any(loom, delays)))]
use std::sync::atomic;

#[cfg(all(not(loom), target_has_atomic = "64"))]
pub use atomic::AtomicU64;
#[cfg(not(loom))]
pub use atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize};

#[cfg(loom)]
pub use loom::{hint::spin_loop, thread::yield_now};
#[cfg(not(loom))]
pub use std::{hint::spin_loop, thread::yield_now};

/// The word in which an index and a tag are together: 64 bits where the target has such atomics (also most 32-bit ones);
/// elsewhere tags and indices are half as wide.
#[cfg(any(loom, target_has_atomic = "64"))]
pub(crate) type Word = u64;
#[cfg(not(any(loom, target_has_atomic = "64")))]
pub(crate) type Word = usize;

#[cfg(any(loom, target_has_atomic = "64"))]
pub(crate) type AtomicWord = AtomicU64;
#[cfg(not(any(loom, target_has_atomic = "64")))]
pub(crate) type AtomicWord = AtomicUsize;

/// The lock's content if the lock is free.
#[cfg(not(loom))]
pub fn try_lock<T>(lock: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match lock.try_lock() {
        Ok(content) => Some(content),
        // No code of the user's runs under a lock here, so a poisoned one guards whole content.
        Err(std::sync::TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(std::sync::TryLockError::WouldBlock) => None,
    }
}

/// The lock's content. Loom does not explore what others may do before a `try_lock`, so the models wait.
#[cfg(loom)]
pub fn try_lock<T>(lock: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    lock.lock().ok()
}
