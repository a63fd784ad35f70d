//! Tasks of a header for which the array had no room.
//!
//! A join of ours that finds none runs both branches, in its own frame. A spawn of a header has no frame of its own: its task
//! is run at once, in a slot of its own, and what it leaves is kept here for its sync.
//!
//! # Invariants
//! - overflow-1. While anything is kept here, the head is at the end of the array whenever a task of a header spawns or syncs, and
//!   what is kept is of the newest spawns: spawns and syncs are nested, and each spawn with the head there ends up here.
//! - overflow-2. While anything is kept here, every pop is slow ([`Split::hold_pops`](crate::Split)): so its sync finds it here.

use crate::task::Slot;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// Finished tasks that nobody has synced yet, the newest last.
#[derive(Default)]
pub(crate) struct Overflow {
    // Who has spawned such a task may look at it until it is synced. A moved box would claim to be the only way to it.
    kept: RefCell<Vec<Arc<Slot>>>,
    /// The one that has been synced last, whose outcome is read at once.
    last: Cell<Option<Arc<Slot>>>,
}

impl Overflow {
    /// Keeps a finished task, and tells where it is.
    pub(crate) fn keep(&self, task: Arc<Slot>) -> *const Slot {
        let place = &raw const *task;
        self.kept.borrow_mut().push(task);
        place
    }

    /// Gives up the newest, if there is one: where its outcome is, until the next call.
    pub(crate) fn sync(&self) -> Option<*const u8> {
        let task = self.kept.borrow_mut().pop()?;
        let outcome = task.outcome();
        self.last.set(Some(task));
        Some(outcome)
    }

    /// Whether anything is kept.
    pub(crate) fn is_empty(&self) -> bool {
        self.kept.borrow().is_empty()
    }
}
