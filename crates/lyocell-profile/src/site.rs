//! Sites: how often the clock is read at the forks of one place in the program.
//!
//! The tasks of one place are mostly alike. Where they are long, the clock is read at every fork, branch and join. Where
//! they are short, it is read once in a *period*, a number of tasks that take some microseconds; it grows while that is too
//! often and shrinks at once when tasks get longer. How long one period is, is drawn at random around that, and so is which
//! of them ends with a fork whose branches are timed: a recursion has a rhythm of its own, often in powers of two.

use crate::clock::passed;
use crate::words::Word;

/// Places are told apart by their addresses, as far as there is room; those that share a number share a period.
const SITES: usize = 64;

/// How many ticks there should be from one reading to the next: some five microseconds. To read it, and to bring the frames
/// around up to date that were open then, takes a tenth of one.
const WINDOW: u64 = 16_384;
/// Where tasks are longer than this, all their events are timed.
pub(crate) const LONG: u64 = 2_048;
/// A span may be so long because of what was lumped together where tasks are short. One window may be four times as long as it
/// should be before periods get shorter, and of `fib:27`, whose span is below a microsecond, 10 to 60 us were seen.
pub(crate) const LUMPS: u64 = 16 * WINDOW;
/// The most tasks in a period. More do not make the probe cheaper.
const LONGEST_PERIOD: u64 = 1_024;
/// So many short windows in a row double the period.
const PATIENCE: u64 = 4;
/// One in so many readings where tasks are short is of a fork whose branches are timed, for the sizes of tasks: four readings and a
/// lock for the work of some thousand tasks.
const TIMED: u64 = 8;

#[derive(Debug, Default)]
pub(crate) struct Site {
    /// How many tasks a period has on average.
    usual: Word,
    /// The tasks of the current one.
    period: Word,
    /// The tasks of all periods that are over.
    tasks: Word,
    /// When the last period ended.
    ended: Word,
    short: Word,
    random: Word,
    /// How many tasks one stands for that is timed as one of many.
    pub(crate) weight: Word,
}

/// Whether the events of a fork are timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timed {
    No,
    /// As those of all forks here.
    AsAll,
    /// As those of one among many, for whose sizes its own stand.
    AsSample,
}

/// What a fork is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// The tasks since the last reading here.
    pub(crate) tasks: u64,
    pub(crate) timed: Timed,
}

impl Site {
    /// A period of so many tasks is over, with a fork of so many: sets the next one.
    fn read(&self, now: u64, tasks: u64, forked: usize) -> Reading {
        let elapsed = passed(self.ended.get(), now);
        let is_first = self.ended.get() == 0;
        self.tasks.add(tasks);
        self.ended.set(now);
        let average = elapsed / tasks.max(1);
        let is_precise = is_first || average >= LONG;
        let before = self.usual.get().max(1);
        self.usual.set(if is_precise { 1 } else { self.next_period(elapsed, tasks) });
        self.period.set(self.draw(self.usual.get()));
        let timed = match () {
            () if is_precise => Timed::AsAll,
            () if (self.random.get() >> 40) % TIMED == 0 => {
                self.weight.set((before * TIMED / (forked as u64).max(1)).max(1));
                Timed::AsSample
            }
            () => Timed::No,
        };
        Reading { tasks, timed }
    }

    /// A number of tasks around this one, at random (xorshift; Marsaglia 2003).
    fn draw(&self, usual: u64) -> u64 {
        let mut random = self.random.get() | 1 << 63;
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        self.random.set(random);
        (usual - usual / 2 + (random >> 20) % usual).max(1)
    }

    fn next_period(&self, elapsed: u64, tasks: u64) -> u64 {
        let period = self.usual.get().max(1);
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
        assert!(long.iter().all(|reading| reading.timed == Timed::AsAll));
        let short = readings(&sites, 9, 100_000, 1, 8, &mut now);
        assert!(short.len() < 1_500, "{}", short.len());
        // At once, when one window was long.
        readings(&sites, 9, 1_000, 1, 3 * WINDOW, &mut now);
        assert!(readings(&sites, 9, 20, 1, 3 * WINDOW, &mut now).len() == 20);
    }

    /// Whatever the rhythm of the program is: tasks that are timed come at all places of it, and stand for as many as there are.
    #[test]
    fn samples_stand_for_all_and_keep_no_time() {
        let (sites, mut now, mut weights) = (Sites::new(), 1_000_000, 0);
        const RHYTHM: usize = 1_024;
        const TASKS: usize = RHYTHM << 13;
        let mut places = [0_u32; 8];
        for task in 0..TASKS {
            now += 8;
            if sites.count(5, 1) && sites.read(5, now, 1).timed == Timed::AsSample {
                weights += sites.site(5).weight.get();
                places[task % RHYTHM * places.len() / RHYTHM] += 1;
            }
        }
        let share = weights as f64 / TASKS as f64;
        assert!((0.8..1.25).contains(&share), "{share}");
        let fair = places.iter().sum::<u32>() / 8;
        assert!(places.iter().all(|count| (fair / 2..2 * fair).contains(count)), "{places:?}");
    }

    #[test]
    fn a_clock_that_steps_back_makes_no_window_long() {
        let (sites, mut now) = (Sites::new(), 1_000_000);
        readings(&sites, 3, 100, 1, 8, &mut now);
        now = 500_000;
        let later = readings(&sites, 3, 100, 1, 8, &mut now);
        assert!(later.iter().all(|reading| reading.timed != Timed::AsAll), "{later:?}");
    }

    #[test]
    fn every_task_is_counted() {
        let (sites, mut now) = (Sites::new(), 5);
        readings(&sites, Sites::number(0x40), 10_000, 7, 100, &mut now);
        readings(&sites, Sites::number(0x80), 333, 1, 10_000, &mut now);
        assert_eq!(sites.tasks(), 70_333);
    }
}
