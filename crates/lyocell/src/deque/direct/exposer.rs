//! The one exposer of a direct task stack, and the slot that it is at.
//!
//! The owner reads the slot when it resets the frontier, to take the exposer's mark off its claim (direct-4).
//!
//! # Invariants
//! - exposer-1. One thief at a time posts, and it is done with the slot that was posted before, its own or another's.

use lyocell_sync::{AtomicUsize, Mutex, MutexGuard, Ordering};

/// Where exposers of one deque take turns.
#[derive(Default)]
pub(super) struct Exposer {
    /// Held by the one exposer. Nobody waits for it.
    turn: Mutex<()>,
    /// The index of a slot. It stays when the exposer is done.
    posted: AtomicUsize,
}

/// The turn of one exposer.
pub(super) struct Turn<'a> {
    posted: &'a AtomicUsize,
    _turn: MutexGuard<'a, ()>,
}

impl Exposer {
    /// Thief: exposes now, unless another one does.
    pub(super) fn enter(&self) -> Option<Turn<'_>> {
        self.turn.try_lock().map(|turn| Turn { posted: &self.posted, _turn: turn })
    }

    /// Owner: the slot that was posted last, the first one if none was.
    pub(super) fn posted(&self) -> usize {
        // Ordering: Acquire; meets the Release in `post`: what those who posted before have offered is seen.
        self.posted.load(Ordering::Acquire)
    }
}

impl Turn<'_> {
    /// Tells the owner which slot is going to be marked.
    pub(super) fn post(&self, index: usize) {
        // Ordering: Release; meets the Acquire in `posted`.
        self.posted.store(index, Ordering::Release);
    }
}
