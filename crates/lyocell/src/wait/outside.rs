//! How a thread that is no worker waits: a moment awake, where that was enough before, then asleep.

use super::{Goal, Subscribed};
use lyocell_sync::{Instant, Parker, thread_local, yield_now};
use std::cell::Cell;
use std::time::Duration;

/// How often it yields before it sleeps: what a worker that is awake does in a few microseconds is then over,
/// and neither of them makes a system call to sleep or to wake. On two virtual processors of a Xeon: calls of 1.5 us 0.36 to 0.56 of
/// rayon's time, where they took 1.03 to 1.15, and as much less of processor time; broadcasts 0.34 for 1.31. With 10, sums of
/// 10,000 numbers on one worker took 1.11, where it is 0.56; with 4, calls of 1.5 us 0.99.
const YIELDS: u32 = 20;
/// A wait that takes longer is none for staying awake, however few yields it took: in each of them another thread of this processor may
/// have run its task to the end. While one stays awake beside such, the system sees no reason to move any to a processor that idles.
const SHORT: Duration = Duration::from_micros(30);
/// At most so many waits it sleeps at once, after others that took longer than its yields. Where it yields each time, calls of 12 us, each of
/// a loop on one worker, take 1.27 of rayon's processor time.
const MOST_ASLEEP: u32 = 15;

thread_local! {
    // How many waits of this thread to sleep at once: of the next ones, and after the last that took long.
    static ASLEEP: Cell<(u32, u32)> = const { Cell::new((0, 0)) };
}

/// Waits until the goal is reached.
pub(crate) fn sleep_until(goal: &dyn Goal, parker: &Parker) {
    // Models have no moments.
    if !cfg!(loom) && is_reached_soon(goal, || is_short_since(Instant::now())) {
        return;
    }
    while goal.subscribe() == Subscribed::WillUnpark {
        parker.park();
    }
}

fn is_short_since(begin: Instant) -> impl Fn() -> bool {
    move || begin.elapsed() < SHORT
}

/// Stays awake for the goal, if it is the time for that, as long as the wait is short.
fn is_reached_soon<C: Fn() -> bool>(goal: &dyn Goal, begin: impl FnOnce() -> C) -> bool {
    let (next, last) = ASLEEP.with(Cell::get);
    if next > 0 {
        ASLEEP.with(|asleep| asleep.set((next - 1, last)));
        return false;
    }
    let is_short = begin();
    let mut yields = 0;
    let is_reached = loop {
        match goal.reached() {
            false if yields < YIELDS && is_short() => yield_now(),
            is_reached => break is_reached,
        }
        yields += 1;
    };
    let is_soon = is_reached && is_short();
    let more = if is_soon { 0 } else { (2 * last + 1).min(MOST_ASLEEP) };
    ASLEEP.with(|asleep| asleep.set((more, more)));
    is_reached
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Comes to pass at the look with this number.
    struct Soon(Cell<u32>);

    impl Goal for Soon {
        fn reached(&self) -> bool {
            self.0.set(self.0.get().saturating_sub(1));
            self.0.get() == 0
        }

        fn subscribe(&self) -> Subscribed {
            Subscribed::Reached
        }
    }

    /// Whether a thread stays awake until this look, if the waits are short so long.
    fn stays_awake(looks: u32, short: u32) -> bool {
        let asked = Cell::new(0);
        is_reached_soon(&Soon(Cell::new(looks)), || {
            || {
                asked.set(asked.get() + 1);
                asked.get() <= short
            }
        })
    }

    const NEVER_LONG: u32 = u32::MAX;

    fn count_awake(waits: u32) -> usize {
        (0..waits).filter(|_| stays_awake(1, NEVER_LONG)).count()
    }

    #[test]
    fn what_comes_soon_is_waited_for_awake() {
        assert!(stays_awake(1, NEVER_LONG) && stays_awake(YIELDS + 1, NEVER_LONG));
        assert!(!stays_awake(YIELDS + 2, NEVER_LONG));
    }

    #[test]
    fn after_long_waits_a_thread_seldom_stays_awake() {
        // One asleep after the first, three after the next, and so on.
        for asleep in [1, 3, 7, 15, 15] {
            assert!(!stays_awake(YIELDS + 2, NEVER_LONG));
            assert_eq!(count_awake(asleep), 0);
        }
        assert_eq!(count_awake(20), 20);
    }

    #[test]
    fn a_wait_of_few_yields_may_be_long() {
        assert!(!stays_awake(YIELDS, 2), "it gives up");
        assert_eq!(count_awake(1), 0);
        assert!(stays_awake(3, 2), "it comes in a yield that takes long");
        assert_eq!(count_awake(3), 0);
        assert_eq!(count_awake(3), 3);
    }
}
