//! What a worker waits for: a condition, and nothing else.

use crate::task::Slot;
use lyocell_sync::{Parker, thread, yield_now};
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

/// How often a thread that is no worker yields before it sleeps: what a worker that is awake does in a few microseconds is then over,
/// and neither of them makes a system call to sleep or to wake. With 10, two virtual processors of a Xeon: calls of 1.5 us 0.36 to 0.56 of
/// rayon's time, where they took 1.03 to 1.15, and as much less of processor time; broadcasts 0.34 for 1.31. With 4, calls of one
/// worker took 0.99. A call that wakes a worker takes no longer.
const YIELDS: u32 = if cfg!(loom) { 0 } else { 10 };

/// Waits until the goal is reached, on a thread that is no worker: a moment awake, then asleep.
pub(crate) fn sleep_until(goal: &dyn Goal, parker: &Parker) {
    for _ in 0..YIELDS {
        if goal.reached() {
            return;
        }
        yield_now();
    }
    while goal.subscribe() == Subscribed::WillUnpark {
        parker.park();
    }
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

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Comes to pass at the look with this number; and whether anybody has asked to be unparked.
    struct Soon(Cell<u32>, Cell<bool>);

    impl Goal for Soon {
        fn reached(&self) -> bool {
            self.0.set(self.0.get().saturating_sub(1));
            self.0.get() == 0
        }

        fn subscribe(&self) -> Subscribed {
            self.1.set(true);
            Subscribed::Reached
        }
    }

    #[test]
    fn what_comes_soon_is_waited_for_awake() {
        let asks = |looks| {
            let goal = Soon(Cell::new(looks), Cell::new(false));
            sleep_until(&goal, &Parker::default());
            goal.1.get()
        };
        assert!(!asks(1) && !asks(YIELDS) && asks(YIELDS + 1));
    }
}
