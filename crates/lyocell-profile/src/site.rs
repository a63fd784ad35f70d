//! Sites: how often the clock is read at the forks of one place in the program.
//!
//! The tasks of one place are mostly alike. Where they are long, the clock is read at every fork, branch and join. Where
//! they are short, it is read once in a *period*, a number of tasks that take some microseconds; it grows while that is too
//! often and shrinks at once when tasks get longer.

use crate::clock::passed;
use crate::words::Word;

/// Places are told apart by their addresses, as far as there is room; those that share a number share a period.
const SITES: usize = 64;

/// How many ticks there should be from one reading to the next: some five microseconds. To read it, and to bring the frames
/// around up to date that were open then, takes a tenth of one.
const WINDOW: u64 = 16_384;
/// Where tasks are longer than this, all their events are timed.
const LONG: u64 = 2_048;
/// The most tasks in a period. More do not make the probe cheaper.
const LONGEST_PERIOD: u64 = 1_024;
/// So many short windows in a row double the period.
const PATIENCE: u64 = 4;
/// One in so many readings where tasks are short is of a fork whose branches are timed, for the sizes of tasks.
const TIMED: u64 = 128;

#[derive(Debug, Default)]
pub(crate) struct Site {
    period: Word,
    /// The tasks of all periods that are over.
    tasks: Word,
    /// When the last period ended.
    ended: Word,
    short: Word,
    readings: Word,
    /// How many tasks a timed one stands for.
    pub(crate) weight: Word,
}

/// What a fork is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// The tasks since the last reading here.
    pub(crate) tasks: u64,
    /// All events of this fork are timed.
    pub(crate) is_precise: bool,
}

impl Site {
    /// A period of so many tasks is over, with a fork of so many: sets the next one.
    fn read(&self, now: u64, tasks: u64, forked: usize) -> Reading {
        let elapsed = passed(self.ended.get(), now);
        let is_first = self.ended.get() == 0;
        self.tasks.add(tasks);
        self.ended.set(now);
        self.readings.add(1);
        let average = elapsed / tasks.max(1);
        let is_precise = is_first || average >= LONG;
        let is_timed = is_precise || self.readings.get() % TIMED == 0;
        self.period.set(if is_precise { 1 } else { self.next_period(elapsed, tasks) });
        if is_timed {
            let weight =
                if is_precise { 1 } else { tasks.saturating_mul(TIMED) / (forked as u64).max(1) };
            self.weight.set(weight.max(1));
        }
        Reading { tasks, is_precise: is_timed }
    }

    fn next_period(&self, elapsed: u64, tasks: u64) -> u64 {
        let period = self.period.get().max(1);
        if elapsed > 4 * WINDOW {
            self.short.set(0);
            return (tasks.saturating_mul(WINDOW) / elapsed).clamp(1, period);
        }
        if elapsed > WINDOW {
            self.short.set(0);
            return period;
        }
        self.short.add(1);
        if self.short.get() < PATIENCE {
            return period;
        }
        self.short.set(0);
        (2 * period).min(LONGEST_PERIOD)
    }
}

/// The sites of a worker.
#[derive(Debug)]
pub(crate) struct Sites {
    /// How many tasks are left of each period; negative when it is over. What each fork touches.
    left: [Word; SITES],
    sites: [Site; SITES],
}

impl Sites {
    pub(crate) fn new() -> Sites {
        Sites {
            left: std::array::from_fn(|_| Word::default()),
            sites: std::array::from_fn(|_| Site::default()),
        }
    }

    /// The number of the site of the code at this address.
    #[inline(always)]
    pub(crate) fn number(address: usize) -> usize {
        (address >> 4) % SITES
    }

    pub(crate) fn site(&self, number: usize) -> &Site {
        &self.sites[number % SITES]
    }

    /// Counts tasks. Whether the period is over.
    #[inline(always)]
    pub(crate) fn count(&self, number: usize, tasks: usize) -> bool {
        let left = &self.left[number % SITES];
        let now = left.get().wrapping_sub(tasks as u64);
        left.set(now);
        now as i64 <= 0
    }

    /// The period of a site is over with a fork of so many tasks: begins the next one.
    pub(crate) fn read(&self, number: usize, now: u64, forked: usize) -> Reading {
        let reading = self.site(number).read(now, self.since_reading(number), forked);
        self.left[number % SITES].set(self.site(number).period.get());
        reading
    }

    fn since_reading(&self, number: usize) -> u64 {
        self.site(number).period.get().wrapping_sub(self.left[number % SITES].get())
    }

    /// All tasks that the worker has spawned.
    pub(crate) fn tasks(&self) -> u64 {
        let tasks = |number| self.site(number).tasks.get().wrapping_add(self.since_reading(number));
        (0..SITES).map(tasks).fold(0, u64::wrapping_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs tasks of so many ticks at a site, forked in such numbers; what readings there were.
    fn readings(
        sites: &Sites,
        site: usize,
        forks: u64,
        tasks: usize,
        ticks: u64,
        now: &mut u64,
    ) -> Vec<Reading> {
        let mut readings = Vec::new();
        for _ in 0..forks {
            *now += ticks * tasks as u64;
            if sites.count(site, tasks) {
                readings.push(sites.read(site, *now, tasks));
            }
        }
        readings
    }

    #[test]
    fn long_tasks_are_all_timed_and_short_ones_rarely() {
        let (sites, mut now) = (Sites::new(), 1_000_000);
        let long = readings(&sites, 9, 50, 1, 3 * WINDOW, &mut now);
        assert_eq!(long.len(), 50);
        assert!(long.iter().all(|reading| reading.is_precise));
        let short = readings(&sites, 9, 100_000, 1, 8, &mut now);
        assert!(short.len() < 1_500, "{}", short.len());
        // At once, when one window was long.
        readings(&sites, 9, 1_000, 1, 3 * WINDOW, &mut now);
        assert!(readings(&sites, 9, 20, 1, 3 * WINDOW, &mut now).len() == 20);
    }

    #[test]
    fn a_clock_that_steps_back_makes_no_window_long() {
        let (sites, mut now) = (Sites::new(), 1_000_000);
        readings(&sites, 3, 100, 1, 8, &mut now);
        now = 500_000;
        let later = readings(&sites, 3, 100, 1, 8, &mut now);
        assert!(later.iter().all(|reading| !reading.is_precise), "{later:?}");
    }

    #[test]
    fn every_task_is_counted() {
        let (sites, mut now) = (Sites::new(), 5);
        readings(&sites, Sites::number(0x40), 10_000, 7, 100, &mut now);
        readings(&sites, Sites::number(0x80), 333, 1, 10_000, &mut now);
        assert_eq!(sites.tasks(), 70_333);
    }
}
