//! The seat: the right to be worker 0, which passes from thread to thread.
//!
//! ```text
//!   free --take--> taken --leave--> free; does a job wait for somebody who found the seat taken?
//! ```
//! A pool of one worker has a *stand-in*: a thread that takes the free seat when jobs wait.
//!
//! # Invariants
//! - T1. One thread at a time holds the seat.
//! - T2. All that a holder did as worker 0 is visible to the next one.
//! - T3. No job is forgotten because the seat was taken when the stand-in looked: the holder looks for
//!   jobs once it has left, the stand-in looks before it tries the seat, and each fences before it looks. So
//!   either the stand-in finds the seat free, or the holder sees the job and calls the stand-in again.

use crate::sync::{AtomicBool, Ordering, Unparker, fence};

/// The right to be worker 0.
pub(crate) struct Seat {
    taken: AtomicBool,
    /// Wakes the stand-in, in a pool of one worker.
    stand_in: Option<Unparker>,
}

/// What came of a try to take the seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum Take {
    /// The caller holds it now, and has to leave it.
    Taken,
    /// Somebody else holds it.
    Occupied,
}

impl Seat {
    /// A free seat, with a stand-in or without.
    pub(crate) fn new(stand_in: Option<Unparker>) -> Seat {
        Seat { taken: AtomicBool::new(false), stand_in }
    }

    pub(crate) fn has_stand_in(&self) -> bool {
        self.stand_in.is_some()
    }

    /// Tries to take it.
    #[inline]
    pub(crate) fn take(&self) -> Take {
        // Ordering: Acquire; meets the Release in `leave` (T2). Relaxed when it is taken.
        match self.taken.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => Take::Taken,
            Err(_) => Take::Occupied,
        }
    }

    /// The holder gets up.
    #[inline]
    pub(crate) fn leave(&self) {
        // Ordering: Release; meets the Acquire in `take`.
        self.taken.store(false, Ordering::Release);
    }

    /// Whether a job waits: the look of T3.
    pub(crate) fn look(&self, jobs_wait: impl FnOnce() -> bool) -> bool {
        // Pairs with itself: one side has just left, the other is about to try the seat.
        fence(Ordering::SeqCst);
        jobs_wait()
    }

    /// Makes the stand-in look, if there is one.
    pub(crate) fn call_stand_in(&self) {
        if let Some(stand_in) = &self.stand_in {
            stand_in.unpark();
        }
    }
}
