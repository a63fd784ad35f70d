//! What a worker waits for: a condition, and nothing else.

use crate::task::Slot;
use lyocell_sync::{Parker, thread, thread_local, yield_now};
use std::cell::Cell;
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
/// and neither of them makes a system call to sleep or to wake. On two virtual processors of a Xeon: calls of 1.5 us 0.36 to 0.56 of
/// rayon's time, where they took 1.03 to 1.15, and as much less of processor time; broadcasts 0.34 for 1.31. With 10, sums of
/// 10,000 numbers on one worker took 1.11, where it is 0.56; with 4, calls of 1.5 us 0.99.
const YIELDS: u32 = 20;
/// At most so many waits it sleeps at once, after others that took longer than its yields. Where it yields each time, calls of 12 us, each of
/// a loop on one worker, take 1.27 of rayon's processor time.
const MOST_ASLEEP: u32 = 15;

thread_local! {
    // How many waits of this thread to sleep at once: of the next ones, and after the last that took long.
    static ASLEEP: Cell<(u32, u32)> = const { Cell::new((0, 0)) };
}

/// Waits until the goal is reached, on a thread that is no worker: a moment awake, where that was enough before, then asleep.
pub(crate) fn sleep_until(goal: &dyn Goal, parker: &Parker) {
    // Models have no moments.
    if !cfg!(loom) && is_reached_soon(goal) {
        return;
    }
    while goal.subscribe() == Subscribed::WillUnpark {
        parker.park();
    }
}

fn is_reached_soon(goal: &dyn Goal) -> bool {
    let (next, last) = ASLEEP.with(Cell::get);
    if next > 0 {
        ASLEEP.with(|asleep| asleep.set((next - 1, last)));
        return false;
    }
    for _ in 0..YIELDS {
        if goal.reached() {
            ASLEEP.with(|asleep| asleep.set((0, 0)));
            return true;
        }
        yield_now();
    }
    let more = (2 * last + 1).min(MOST_ASLEEP);
    ASLEEP.with(|asleep| asleep.set((more, more)));
    false
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

    /// Whether a thread asks to be unparked, which waits for what comes at this look.
    fn asks(looks: u32) -> bool {
        let goal = Soon(Cell::new(looks), Cell::new(false));
        sleep_until(&goal, &Parker::default());
        goal.1.get()
    }

    #[test]
    fn what_comes_soon_is_waited_for_awake() {
        assert!(!asks(1) && !asks(YIELDS) && asks(YIELDS + 1));
    }

    #[test]
    fn after_long_waits_a_thread_seldom_stays_awake() {
        let awake = |waits| (0..waits).filter(|_| !asks(1)).count();
        // One asleep after the first, three after the next, and so on.
        for asleep in [1, 3, 7, 15, 15] {
            assert!(asks(YIELDS + 1));
            assert_eq!(awake(asleep), 0);
        }
        assert_eq!(awake(20), 20);
    }
}
