//! How a thread that is no worker waits: a moment awake, where that was enough before, then asleep.
//!
//! A moment of two parts. First it keeps its processor: what a worker that is awake does in a microsecond is then over, and nobody
//! made a system call. Then it yields it, for a worker that may wait for it; and where that was needed, at once the next times.
//!
//! | of rayon's time, on two processors of an AMD EPYC | without the first part | with both |
//! |---|---|---|
//! | calls of 2 us, two workers; eight | 0.31; 0.37 | 0.12; 0.17 |
//! | sums of 10,000 numbers, two workers | 0.32 | 0.17 |
//! | broadcasts, two workers; eight | 0.31; 0.50 | 0.34; 0.50 |
//!
//! With the first part in each wait broadcasts took 0.50 on two workers and meetings of two tasks 1.36, where it is 0.81.
//!
//! It does not yield where its last sleep was long, for a thread that has yielded and then sleeps has a claim on the processor, by which
//! (Linux 6.18) it interrupts whoever runs there each time that it is woken, for the next hundreds of times. Between virtual processors
//! that takes 15 us, where the next yield of a worker that searches there takes 4: calls of 45 us on two workers took 1.29, and take 1.05.

use super::{Goal, Subscribed};
use lyocell_sync::{Instant, Parker, spin_loop, thread_local, yield_now};
use std::cell::Cell;
use std::time::Duration;

/// So long it keeps its processor. With 2 us calls of 2 us on eight workers took twice as long.
const SPINS: Duration = Duration::from_micros(3);
/// In so many waits it yields at once, after one in which it has kept its processor in vain: a worker may need that.
const WITHOUT_SPINS: u32 = 15;
/// How often it yields then. With 10, and no first part, sums of 10,000 numbers on one worker took 1.11 of rayon's time (a Xeon), for 0.56.
const YIELDS: u32 = 20;
/// A wait that takes longer is none for staying awake, however few yields it took: in each of them another thread of this processor may
/// have run its task to the end. While one stays awake beside such, the system sees no reason to move any to a processor that idles.
const SHORT: Duration = Duration::from_micros(30);
/// After a sleep that took longer it does not yield. Untuned.
const LONG: Duration = Duration::from_micros(40);
/// At most so many waits it sleeps at once, after others that took longer: what staying awake in vain costs is then little to each.
const MOST_ASLEEP: u32 = 15;

/// How this thread waits next.
#[derive(Clone, Copy)]
struct Next {
    /// How many waits to sleep at once,
    asleep: u32,
    /// and how many there were after the last that took long.
    last: u32,
    /// How many waits awake not to keep its processor in.
    without_spins: u32,
    /// How often to yield at the most. (Were it told whether to, each of the yields would be compiled by itself: a kilobyte.)
    yields: u32,
}

thread_local! {
    static NEXT: Cell<Next> = const { Cell::new(Next { asleep: 0, last: 0, without_spins: 0, yields: 0 }) };
}

/// Waits until the goal is reached.
pub(crate) fn sleep_until(goal: &dyn Goal, parker: &Parker) {
    // Models have no moments.
    if !cfg!(loom) && is_reached_soon(goal, || is_short_since(Instant::now())) {
        return;
    }
    let begin = Instant::now();
    while goal.subscribe() == Subscribed::WillUnpark {
        parker.park();
    }
    let yields = if since(begin) < LONG { YIELDS } else { 0 };
    NEXT.with(|next| next.set(Next { yields, ..next.get() }));
}

fn is_short_since(begin: Instant) -> impl Fn(Duration) -> bool {
    move |short| since(begin) < short
}

// Inlined, it would be here four times.
#[inline(never)]
fn since(begin: Instant) -> Duration {
    begin.elapsed()
}

/// Stays awake for the goal, if it is the time for that, as long as the wait is short.
fn is_reached_soon<C: Fn(Duration) -> bool>(goal: &dyn Goal, begin: impl FnOnce() -> C) -> bool {
    let next = NEXT.with(Cell::get);
    if let Some(asleep) = next.asleep.checked_sub(1) {
        NEXT.with(|cell| cell.set(Next { asleep, ..next }));
        return false;
    }
    let is_short = begin();
    let spins = next.without_spins == 0;
    let mut yields = 0;
    let is_reached = loop {
        if goal.reached() {
            break true;
        }
        if spins && is_short(SPINS) {
            spin_loop();
        } else if yields < next.yields && is_short(SHORT) {
            yields += 1;
            yield_now();
        } else {
            break false;
        }
    };
    // It may have come in a yield that took long.
    let more = if is_reached && is_short(SHORT) { 0 } else { (2 * next.last + 1).min(MOST_ASLEEP) };
    let without_spins = match spins {
        false => next.without_spins - 1,
        true if is_reached && yields == 0 => 0,
        true => WITHOUT_SPINS,
    };
    NEXT.with(|cell| cell.set(Next { asleep: more, last: more, without_spins, ..next }));
    is_reached
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Comes to pass at the look with this number.
    struct Soon {
        at: u32,
        looks: Cell<u32>,
    }

    impl Goal for Soon {
        fn reached(&self) -> bool {
            self.looks.set(self.looks.get() + 1);
            self.looks.get() == self.at
        }

        fn subscribe(&self) -> Subscribed {
            Subscribed::Reached
        }
    }

    /// How many looks a wait has before it is longer than [`SPINS`], where each takes as long.
    const SPINNING: u32 = 7;
    /// The same of [`SHORT`].
    const SHORT_LOOKS: u32 = 40;

    /// Whether a thread stays awake until this look, in a wait that is short until that one.
    fn stays_awake_if(at: u32, short: u32) -> bool {
        let soon = Soon { at, looks: Cell::new(0) };
        is_reached_soon(&soon, || {
            |span| soon.looks.get() <= if span == SPINS { SPINNING.min(short) } else { short }
        })
    }

    fn stays_awake(at: u32) -> bool {
        stays_awake_if(at, SHORT_LOOKS)
    }

    fn let_yield(may_yield: bool) {
        let yields = if may_yield { YIELDS } else { 0 };
        NEXT.with(|next| next.set(Next { yields, ..next.get() }));
    }

    fn count_awake(waits: u32) -> usize {
        (0..waits).filter(|_| stays_awake(1)).count()
    }

    #[test]
    fn what_comes_soon_is_waited_for_awake() {
        assert!(stays_awake(1) && stays_awake(SPINNING + 1));
        let_yield(true);
        assert!(stays_awake(SPINNING + YIELDS + 1));
        assert!(stays_awake(YIELDS + 1), "it yields at once");
        assert!(!stays_awake(YIELDS + 2));
    }

    #[test]
    fn where_yields_were_needed_it_yields_at_once_the_next_times() {
        let_yield(true);
        assert!(stays_awake(SPINNING + 2));
        let without_spins = || NEXT.with(Cell::get).without_spins;
        for left in (0..WITHOUT_SPINS).rev() {
            assert!(stays_awake(2));
            assert_eq!(without_spins(), left);
        }
        assert!(stays_awake(2), "it keeps its processor, and that is enough");
        assert_eq!(without_spins(), 0);
    }

    #[test]
    fn it_yields_after_short_sleeps_only() {
        assert!(!stays_awake(SPINNING + 2));
        assert!(!stays_awake(1), "it sleeps once at once");
        let_yield(true);
        assert!(stays_awake(2));
    }

    #[test]
    fn after_long_waits_a_thread_seldom_stays_awake() {
        let_yield(true);
        // One asleep after the first, three after the next, and so on.
        for asleep in [1, 3, 7, 15, 15] {
            assert!(!stays_awake(SPINNING + YIELDS + 2));
            assert_eq!(count_awake(asleep), 0);
        }
        assert_eq!(count_awake(20), 20);
    }

    #[test]
    fn a_wait_of_few_yields_may_be_long() {
        let_yield(true);
        assert!(!stays_awake_if(4, 2), "it gives up");
        assert_eq!(count_awake(1), 0);
        assert!(stays_awake_if(3, 2), "it comes in a yield that takes long");
        assert_eq!(count_awake(3), 0);
        assert_eq!(count_awake(3), 3);
    }

    /// Comes to pass when it has slept so long.
    struct Late(Duration);

    impl Goal for Late {
        fn reached(&self) -> bool {
            false
        }

        fn subscribe(&self) -> Subscribed {
            std::thread::sleep(self.0);
            Subscribed::Reached
        }
    }

    #[test]
    fn a_long_sleep_is_noted() {
        let_yield(true);
        sleep_until(&Late(2 * LONG), &Parker::default());
        assert_eq!(NEXT.with(Cell::get).yields, 0);
    }
}
