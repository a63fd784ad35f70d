//! How much of the thread's stack is left.
//!
//! A worker that waits may steal, and what it stole may wait and steal in turn: below a reserve it
//! must stop (see `wait`). So may jobs: below the reserve it takes its newest first, which is what the frame on top has
//! spawned. It must not stop there altogether, for it may wait for a job that nobody else comes to.

use lyocell_sync::stack::{lowest_address, position};
use std::cell::Cell;

/// Where the stack of a worker's thread ends.
pub(crate) struct Stack {
    end: Cell<usize>,
}

/// The reserve is one part in this many. In it a waiting worker steals only from the thief of what it
/// waits for, whose tasks would have run on this stack anyway. Untuned.
const RESERVE_SHARE: usize = 4;

/// Assumed of a caller's thread where the system does not tell: what every thread has at the least.
const ASSUMED: usize = 512 << 10;

/// Whether a waiting worker may take on any task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StackRoom {
    Plenty,
    Reserve,
}

impl Stack {
    pub(crate) fn unknown() -> Stack {
        Stack { end: Cell::new(0) }
    }

    /// Remembers this thread's stack: of what lies below here, a share is the reserve.
    pub(crate) fn measure(&self) {
        let here = position();
        let end =
            lowest_address().filter(|end| *end < here).unwrap_or(here.saturating_sub(ASSUMED));
        self.end.set(end + (here - end) / RESERVE_SHARE);
    }

    /// From now on there is only the reserve, for a model.
    #[cfg(all(test, loom))]
    pub(crate) fn exhaust(&self) {
        self.end.set(usize::MAX);
    }

    pub(crate) fn room(&self) -> StackRoom {
        if position() > self.end.get() { StackRoom::Plenty } else { StackRoom::Reserve }
    }
}
