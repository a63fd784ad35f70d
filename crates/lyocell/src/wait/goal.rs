//! What a worker waits for: a condition, and nothing else.

use crate::task::Slot;
use lyocell_sync::thread;
use std::time::Duration;

/// What a worker waits for.
pub(crate) trait Goal {
    /// Whether it has come to pass. If so, all that led to it is visible.
    fn reached(&self) -> bool;

    /// Asks that the worker be unparked when it comes to pass.
    fn subscribe(&self) -> Subscribed;
}

/// Whether the wish to be unparked came in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subscribed {
    WillUnpark,
    Reached,
}

/// How long a worker in the child of a fork sleeps before it looks again, at first and at most: what it waits for mostly never
/// comes.
const LOOKS: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(128));

/// Looks until the goal is reached, as a worker in the child of a fork, which nobody unparks (after_fork-4).
#[cold]
pub(crate) fn look_until(goal: &dyn Goal) {
    let (mut pause, longest) = LOOKS;
    while !goal.reached() {
        thread::sleep(pause);
        pause = longest.min(2 * pause);
    }
}

/// A stolen task is finished, or given back.
pub(crate) struct TaskBack<'a>(pub(crate) &'a Slot);

impl Goal for TaskBack<'_> {
    fn reached(&self) -> bool {
        self.0.state.load().is_back()
    }

    fn subscribe(&self) -> Subscribed {
        match self.0.state.note_sleeping().is_back() {
            true => Subscribed::Reached,
            false => Subscribed::WillUnpark,
        }
    }
}
