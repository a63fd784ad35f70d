//! A latch: set once by whoever finishes, awaited by one.
//!
//! # Invariants
//! - latch-1. The setter's last access to the latch is what sets it, through a reference to the state alone: the waiter, and
//!   the latch in its frame, may be gone right after. So it has a share of its own of what unparks the waiter; but not where the waiter
//!   is awake, which nobody unparks, and which waits for this.

use super::{Goal, Subscribed};
use lyocell_sync::{AtomicU32, Ordering, Parker, Unparker};

/// Tells one waiter that what it waits for is finished.
pub(crate) struct Latch {
    state: AtomicU32,
    waiter: Unparker,
}

const UNSET: u32 = 0;
const WAITER_SLEEPS: u32 = 1;
const SET: u32 = 2;

impl Latch {
    /// For the waiter that parks with this parker.
    pub(crate) fn new(waiter: &Parker) -> Latch {
        Latch { state: AtomicU32::new(UNSET), waiter: waiter.unparker().clone() }
    }

    /// Sets it.
    ///
    /// # Safety
    /// The latch is alive. It may be gone when this returns, so it is not passed as a reference, which would have to
    /// be good until then.
    pub(crate) unsafe fn set(latch: *const Latch) {
        // SAFETY: by the caller's word, up to where it is set (latch-1).
        let state = unsafe { &(*latch).state };
        // Ordering: Release, here and below; meets the Acquire in `reached` and `subscribe`: all that was done is visible. Relaxed on
        // failure: the waiter says only that it sleeps, and takes that back no more.
        if state.compare_exchange(UNSET, SET, Ordering::Release, Ordering::Relaxed).is_ok() {
            return;
        }
        // SAFETY: as above.
        let waiter = unsafe { (*latch).waiter.clone() };
        state.store(SET, Ordering::Release);
        waiter.unpark();
    }
}

impl Goal for Latch {
    fn reached(&self) -> bool {
        // Ordering: Acquire; meets the Release in `set`.
        self.state.load(Ordering::Acquire) == SET
    }

    fn subscribe(&self) -> Subscribed {
        // Ordering: Acquire on failure; as `reached`. On success nothing is read.
        match self.state.compare_exchange(
            UNSET,
            WAITER_SLEEPS,
            Ordering::Relaxed,
            Ordering::Acquire,
        ) {
            Err(SET) => Subscribed::Reached,
            _ => Subscribed::WillUnpark,
        }
    }
}
