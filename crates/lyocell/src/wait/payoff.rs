//! Whether the tasks that an idle worker steals are worth stealing.
//!
//! A steal costs thief and owner some hundred nanoseconds between them. A thief whose stolen tasks are
//! over in less only slows the owner down: it should rather back off (see `idle`).

use std::cell::Cell;
use std::time::Duration;

/// Whether the tasks a worker finds are worth being awake for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Payoff {
    Unknown,
    /// The last one was over at once; of those together it is not known.
    Crumb,
    Good,
    TooSmall,
}

/// Judges whether tasks are worth being awake for. A worker that has to be awake whatever it finds has none.
pub(crate) trait Appraiser {
    /// Judges what so many tasks that took so long together, and those before them, came to; and asks whether others back off, if it
    /// hangs on that.
    fn judge(&self, took: Duration, tasks: usize, others_back_off: &dyn Fn() -> bool) -> Payoff;
}

/// What the steals of one thief came to lately.
#[derive(Default)]
pub(crate) struct RecentSteals {
    tasks: Cell<usize>,
    spent: Cell<Duration>,
}

/// How many tasks are judged together: in irregular trees most stolen tasks are tiny and a few are not, and of windows of 64 one in some
/// fourteen had none of those. With windows of 64, and of 8 where another backs off, all backed off beside such trees: uts:T3 took 1.16 to 1.19
/// times as long on 4 workers in the simulator whose nodes take 60 ns, 1.08 on 8. Who finds nothing else after a crumb does not wait
/// for a window (`after_crumb` of a search).
const WINDOW: usize = 256;
/// As many are enough where another thief backs off: each thief has to see its window first, at the cost of an owner of crumbs. Without it 20,000
/// tiny joins beside 15 thieves took up to 2.4 ms in the simulator, 0.85 with this.
const SHORT_WINDOW: usize = 32;

/// On average a task should take this long; the two readings of the clock are in it. Above the clock's cost of some 40 ns, and what
/// a stolen line takes between dies and sockets, 130 to 270 ns: with 150 ns crumbs looked like work there, and 20,000 tiny joins
/// beside 3 to 15 thieves took 1 to 28 ms in the simulator. Any from 300 to 2,000 ns is as good.
const WORTH_STEALING: Duration = Duration::from_nanos(300);

/// What takes less is a crumb: with the lines that come from another die an empty task takes up to some 400 ns. With 300 ns 20,000 tiny joins
/// beside 11 thieves took 1.8 times as long as alone on the simulated EPYC.
const CRUMB: Duration = Duration::from_nanos(600);

/// How long so many tasks should take.
fn worth_stealing(tasks: usize) -> Duration {
    WORTH_STEALING.saturating_mul(u32::try_from(tasks).unwrap_or(u32::MAX))
}

impl Appraiser for RecentSteals {
    /// Judges the window that these tasks complete.
    fn judge(&self, took: Duration, tasks: usize, others_back_off: &dyn Fn() -> bool) -> Payoff {
        let spent = self.spent.get() + took;
        let tasks = self.tasks.get() + tasks;
        if spent >= worth_stealing(tasks.max(WINDOW)) {
            self.begin();
            return Payoff::Good;
        }
        let are_too_small = || spent < worth_stealing(tasks) && others_back_off();
        if tasks >= WINDOW || tasks >= SHORT_WINDOW && are_too_small() {
            self.begin();
            return Payoff::TooSmall;
        }
        self.spent.set(spent);
        self.tasks.set(tasks);
        if took < CRUMB { Payoff::Crumb } else { Payoff::Unknown }
    }
}

impl RecentSteals {
    fn begin(&self) {
        self.spent.set(Duration::ZERO);
        self.tasks.set(0);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    const NOBODY_ELSE: &dyn Fn() -> bool = &|| false;

    #[test]
    fn one_long_task_is_worth_a_window_of_short_ones() {
        let recent = RecentSteals::default();
        assert_eq!(recent.judge(worth_stealing(WINDOW), 1, NOBODY_ELSE), Payoff::Good);
        assert_eq!(recent.tasks.get(), 0);
    }

    #[test]
    fn a_window_of_short_tasks_is_not_worth_it_and_the_next_is_judged_by_itself() {
        let recent = RecentSteals::default();
        let little = WORTH_STEALING - Duration::from_nanos(1);
        for _ in 0..2 {
            (1..WINDOW)
                .for_each(|_| assert_eq!(recent.judge(little, 1, NOBODY_ELSE), Payoff::Crumb));
            assert_eq!(recent.judge(little, 1, NOBODY_ELSE), Payoff::TooSmall);
        }
    }

    #[test]
    fn a_window_is_good_as_soon_as_it_has_taken_long_enough() {
        let recent = RecentSteals::default();
        (1..WINDOW)
            .for_each(|_| assert_eq!(recent.judge(WORTH_STEALING, 1, NOBODY_ELSE), Payoff::Crumb));
        assert_eq!(recent.judge(WORTH_STEALING, 1, NOBODY_ELSE), Payoff::Good);
        (1..WINDOW / 2).for_each(|_| {
            assert_eq!(recent.judge(2 * WORTH_STEALING, 1, NOBODY_ELSE), Payoff::Unknown)
        });
        assert_eq!(recent.judge(2 * WORTH_STEALING, 1, NOBODY_ELSE), Payoff::Good);
    }

    #[test]
    fn a_short_window_is_enough_where_others_back_off() {
        let recent = RecentSteals::default();
        let little = WORTH_STEALING - Duration::from_nanos(1);
        (1..SHORT_WINDOW)
            .for_each(|_| assert_eq!(recent.judge(little, 1, &|| true), Payoff::Crumb));
        assert_eq!(recent.judge(little, 1, &|| true), Payoff::TooSmall);
        (0..SHORT_WINDOW)
            .for_each(|_| assert_eq!(recent.judge(WORTH_STEALING, 1, &|| true), Payoff::Crumb));
    }

    #[test]
    fn several_at_once_are_judged_as_so_many() {
        let recent = RecentSteals::default();
        assert_eq!(recent.judge(worth_stealing(WINDOW), 2 * WINDOW, NOBODY_ELSE), Payoff::TooSmall);
        assert_eq!(recent.judge(worth_stealing(2 * WINDOW), 2 * WINDOW, NOBODY_ELSE), Payoff::Good);
        assert_eq!(recent.judge(WORTH_STEALING, WINDOW / 2, NOBODY_ELSE), Payoff::Crumb);
        assert_eq!(recent.judge(WORTH_STEALING, WINDOW / 2, NOBODY_ELSE), Payoff::TooSmall);
    }
}
