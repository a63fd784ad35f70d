//! How often a thief looks at the calls from outside: one lane that all thieves of a pool have in common.
//!
//! Where many search, each call that is left there has all of them come for it, and whoever leaves the next one waits behind them for the
//! line. So who finds the lane taken looks half as often from then on, as often as at one other worker at the least; who gets a job,
//! twice as often; and who has slept, in each round, so that who is woken for a call does not miss it.
//!
//! Of 32 threads, each of which called a pool twenty times for 16 leaves of 2 us, 128 workers took 3.2 ms in the simulator, and 20.5 without this,
//! 61 when the lock of the lane was on the line that says whether it is empty; 48 workers 2.3, 9.1 and 25. Tried: to look more often
//! after a look that saw nothing, too (18.5 and 7.4).

use super::reach::LOOKS;
use lyocell_sync::Random;
use std::cell::Cell;

/// Of one thief.
pub(super) struct Restraint {
    /// In how many rounds it looks once, less one.
    passed_over: Cell<usize>,
}

impl Restraint {
    pub(super) const fn new() -> Restraint {
        Restraint { passed_over: Cell::new(0) }
    }

    /// Whether it looks in this round.
    pub(super) fn looks(&self, random: &Random) -> bool {
        let passed_over = self.passed_over.get();
        passed_over == 0 || random.below(passed_over + 1) == 0
    }

    /// Others were at the lane: of so many workers.
    pub(super) fn note_busy(&self, workers: usize) {
        self.passed_over.set((2 * self.passed_over.get() + 1).min(workers / LOOKS));
    }

    /// There was a job.
    pub(super) fn note_job(&self) {
        self.passed_over.set(self.passed_over.get() / 2);
    }

    /// It has slept.
    pub(super) fn forget(&self) {
        self.passed_over.set(0);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use lyocell_sync::Seed;

    /// In how many of so many rounds it looks.
    fn looks(restraint: &Restraint, rounds: usize) -> usize {
        let random = Random::of_worker(Seed::of_this_run(), 0);
        (0..rounds).filter(|_| restraint.looks(&random)).count()
    }

    #[test]
    fn who_finds_the_lane_taken_looks_less_often_but_now_and_then() {
        let restraint = Restraint::new();
        assert_eq!(looks(&restraint, 1_000), 1_000);
        let mut before = 1_000;
        for _ in 0..3 {
            restraint.note_busy(16 * LOOKS);
            let now = looks(&restraint, 1_000);
            assert!((before / 4..before * 3 / 4).contains(&now), "{now} after {before}");
            before = now;
        }
        (0..100).for_each(|_| restraint.note_busy(16 * LOOKS));
        assert!((25..125).contains(&looks(&restraint, 1_000)), "one in 17");
    }

    #[test]
    fn who_gets_jobs_or_has_slept_looks_in_each_round() {
        let restraint = Restraint::new();
        (0..4).for_each(|_| restraint.note_busy(16 * LOOKS));
        (0..4).for_each(|_| restraint.note_job());
        assert_eq!(looks(&restraint, 100), 100);
        restraint.note_busy(16 * LOOKS);
        restraint.forget();
        assert_eq!(looks(&restraint, 100), 100);
    }

    #[test]
    fn of_few_workers_all_look_in_each_round() {
        let restraint = Restraint::new();
        (0..4).for_each(|_| restraint.note_busy(LOOKS - 1));
        assert_eq!(looks(&restraint, 100), 100);
    }
}
