//! When the owner of a deque may deal next: a Poisson process.
//!
//! The date is public, so that thieves need not disturb an owner before it is due. It is kept in a machine
//! word of ticks that wraps around: a date counts as ahead only if no draw could have put it further, so a
//! date long past is mistaken for one to come for a moment at most, once in a wrap.
//!
//! Source: Acar, Charguéraud and Rainey 2013, section 2: the interval is -delta ln x (Knuth), with x uniform
//! in (0, 1].

use lyocell_sync::{AtomicUsize, Ordering, Random, clock_ns};
use std::time::Duration;

/// Nanoseconds in a tick: so that on 32 bits, too, the ticks wrap around no sooner than in an hour.
const TICK_NANOS: u64 = if usize::BITS < 64 { 1024 } else { 1 };

/// In ticks: after about a microsecond an owner that has found nobody waiting looks round again, which costs about a
/// tenth of that among 64 workers. Untuned.
const SOON: usize = 1024 / TICK_NANOS as usize;

/// `-ln x` is at most this for the smallest x that is drawn.
const LONGEST_DRAW: usize = 23;

/// A moment, in ticks, modulo a machine word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment(usize);

impl Moment {
    /// The present, by the system's monotonic clock: portable, and seldom enough read that the time-stamp
    /// counter would gain nothing.
    pub(super) fn now() -> Moment {
        Moment((clock_ns() / TICK_NANOS) as usize)
    }

    /// Whether this is a moment to come, as seen `now`, no more than `most` ticks ahead.
    fn is_ahead(self, now: Moment, most: usize) -> bool {
        let ticks = self.0.wrapping_sub(now.0);
        ticks != 0 && ticks <= most
    }
}

/// The dates of one owner. Others look at them for a hint only: a date may pass, and the next be drawn, before they have asked.
pub(super) struct Schedule {
    date: AtomicUsize,
    delta: usize,
    random: Random,
}

impl Schedule {
    /// One that is due now, and then every `delta` on average.
    pub(super) fn new(delta: Duration, random: Random) -> Schedule {
        let ticks = delta.as_nanos() / u128::from(TICK_NANOS);
        // Beyond this, a date could not be told from a past one.
        let most = usize::MAX / 2 / LONGEST_DRAW;
        Schedule {
            date: AtomicUsize::new(Moment::now().0),
            delta: usize::try_from(ticks).unwrap_or(most).min(most),
            random,
        }
    }

    /// From now on dates and targets are drawn from here.
    pub(super) fn draw_from(&mut self, random: Random) {
        self.random = random;
    }

    /// Anybody: whether the owner may deal.
    pub(super) fn is_due(&self, now: Moment) -> bool {
        // Ordering: Relaxed; a date carries no data.
        let date = Moment(self.date.load(Ordering::Relaxed));
        !date.is_ahead(now, self.delta * LONGEST_DRAW)
    }

    /// Owner: draws the next date.
    pub(super) fn draw(&self, now: Moment) {
        let interval = -self.random.unit().ln() * self.delta as f64;
        let date = now.0.wrapping_add(interval as usize);
        // Ordering: Relaxed; as above.
        self.date.store(date, Ordering::Relaxed);
    }

    /// Owner: nobody waited. Not to look at every push for somebody who does, it looks again a little later.
    pub(super) fn look_again_soon(&self, now: Moment) {
        // Ordering: Relaxed; as above.
        self.date.store(now.0.wrapping_add(self.delta.min(SOON)), Ordering::Relaxed);
    }

    /// Owner: a number below `bound`, to choose a target.
    pub(super) fn target(&self, bound: usize) -> usize {
        self.random.below(bound)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use lyocell_sync::Seed;

    fn random() -> Random {
        Random::of_worker(Seed::of_this_run(), 7)
    }

    #[test]
    fn a_date_ahead_is_told_from_one_past_across_the_wrap() {
        for now in [0, 1, 1000, usize::MAX / 2, usize::MAX - 3, usize::MAX] {
            let at = |ticks: usize| Moment(now.wrapping_add(ticks));
            let now = Moment(now);
            assert!((1..=10).all(|ticks| at(ticks).is_ahead(now, 10)));
            assert!((11..99).all(|ticks| !at(ticks).is_ahead(now, 10)));
            assert!((0..99).all(|ticks| !Moment(now.0.wrapping_sub(ticks)).is_ahead(now, 10)));
            assert!(!at(usize::MAX / 2).is_ahead(now, usize::MAX / 4));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "safe arithmetic, and much of it")]
    fn intervals_have_the_mean_and_never_pass_the_longest() {
        let schedule = Schedule::new(Duration::from_micros(100), random());
        let start = Moment(usize::MAX - 50);
        let draws = 20_000;
        let sum: f64 = (0..draws)
            .map(|_| {
                schedule.draw(start);
                let interval = schedule.date.load(Ordering::Relaxed).wrapping_sub(start.0);
                assert!(interval <= schedule.delta * LONGEST_DRAW);
                interval as f64
            })
            .sum();
        let mean = sum / f64::from(draws) / schedule.delta as f64;
        assert!((0.95..1.05).contains(&mean), "{mean}");
    }

    #[test]
    fn due_at_first_then_not_before_its_date() {
        let schedule = Schedule::new(Duration::from_secs(1), random());
        let now = Moment::now();
        assert!(schedule.is_due(now));
        schedule.draw(now);
        let date = schedule.date.load(Ordering::Relaxed);
        assert!(!schedule.is_due(Moment(date.wrapping_sub(1))));
        assert!(schedule.is_due(Moment(date)));
    }

    #[test]
    fn whoever_found_nobody_waiting_looks_again_before_a_date_could_come() {
        for delta in [Duration::ZERO, Duration::from_nanos(TICK_NANOS), Duration::MAX] {
            let schedule = Schedule::new(delta, random());
            let now = Moment::now();
            schedule.look_again_soon(now);
            assert_eq!(schedule.is_due(now), delta.is_zero());
            assert!(schedule.is_due(Moment(now.0.wrapping_add(SOON))));
        }
    }

    #[test]
    fn no_delay_is_always_due_and_the_longest_does_not_overflow() {
        let schedule = Schedule::new(Duration::ZERO, random());
        schedule.draw(Moment(5));
        assert!(schedule.is_due(Moment(5)) && schedule.is_due(Moment(4)));
        let schedule = Schedule::new(Duration::MAX, random());
        schedule.draw(Moment(5));
        assert!(!schedule.is_due(Moment(5)));
    }
}
