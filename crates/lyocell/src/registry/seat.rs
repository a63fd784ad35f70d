//! The seat: the right to be worker 0, which passes from thread to thread.
//!
//! ```text
//!   free --take--> occupied --leave--> free; does a job wait for somebody who found the seat occupied?
//! ```
//! A pool of one worker has a *backup thread*: a thread that takes the free seat when jobs wait.
//!
//! # Invariants
//! - seat-1. One thread at a time holds the seat.
//! - seat-2. All that a holder did as worker 0 is visible to the next one.
//! - seat-3. No job is forgotten because the seat was occupied when the backup thread looked: the holder looks for
//!   jobs once it has left, the backup thread looks before it tries the seat, and each fences before it looks. So
//!   either the backup thread finds the seat free, or the holder sees the job and calls the backup thread again.

use crate::sync::{AtomicBool, Ordering, Unparker, fence};

/// The right to be worker 0.
pub(crate) struct Seat {
    occupied: AtomicBool,
    /// Wakes the backup thread, in a pool of one worker.
    backup: Option<Unparker>,
}

/// What came of a try to take the seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum Take {
    /// The caller holds it now, and has to leave it.
    Granted,
    /// Somebody else holds it.
    Occupied,
}

impl Seat {
    /// A free seat, with a backup thread or without.
    pub(crate) fn new(backup: Option<Unparker>) -> Seat {
        Seat { occupied: AtomicBool::new(false), backup }
    }

    pub(crate) fn has_backup(&self) -> bool {
        self.backup.is_some()
    }

    /// Tries to take it.
    #[inline]
    pub(crate) fn take(&self) -> Take {
        // Ordering: Acquire; meets the Release in `leave` (seat-2). Relaxed when it is taken.
        match self.occupied.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => Take::Granted,
            Err(_) => Take::Occupied,
        }
    }

    /// The holder gets up.
    #[inline]
    pub(crate) fn leave(&self) {
        // Ordering: Release; meets the Acquire in `take`.
        self.occupied.store(false, Ordering::Release);
    }

    /// Whether a job waits: the look of seat-3.
    pub(crate) fn look(&self, jobs_wait: impl FnOnce() -> bool) -> bool {
        // Pairs with itself: one side has just left, the other is about to try the seat.
        fence(Ordering::SeqCst);
        jobs_wait()
    }

    /// Makes the backup thread look, if there is one.
    pub(crate) fn wake_backup(&self) {
        if let Some(backup) = &self.backup {
            backup.unpark();
        }
    }
}
