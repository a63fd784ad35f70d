//! How a thief of a large pool holds back where others are faster.
//!
//! | where | what it finds | what it does |
//! |---|---|---|
//! | at the calls from outside, one lane that all have in common | others hold its lock | leaves the lane out of most rounds |
//! | at a split deque | another one steals at the same moment | pauses between two rounds |
//!
//! Where nearly all of a large pool search, a task or a call has many of them come for it at once, each of whom takes the line from the
//! others, and whoever shares the next task or leaves the next call waits behind them. So who comes too late comes half as often from then on,
//! to as often as it looks at one other worker; who gets something, twice as often; and who has slept, in each round, so that it does not
//! miss what it was woken for. In a small pool nobody holds back: there a round is a look at all.
//!
//! | in the simulator | before | with it |
//! |---|---|---|
//! | 32 threads that call for 16 leaves of 2 us, 48 EPYC workers | 9.1 ms (25, when the lock was on the line that says whether there are calls) | 2.3 |
//! | the same, 128 | 20.5 ms (61) | 3.1 |
//! | fifty trees of 256 leaves of 2 us, 256 EPYC workers, twelve seeds | 6.8 to 45 ms | 6.4 to 7.3 |
//!
//! Tried: coming more often again after a round in which nobody else was there (18.5 ms of 20.5); pausing at calls, too, and leaving none out (16);
//! leaving deques out of rounds, and no pauses (`skynet:5` on 48 takes 1.8 of the time, where it is 0.66); pausing at other deques, whose thieves
//! find locks taken, or places for requests (`fib:22` on 48: receiver 1.7, direct-locked 2.2, chase-lev 1.2).

use super::Worker;
use super::reach::LOOKS;
use crate::deque::Deque;
use crate::idle::Crowd;
use crate::jobs::{Busy, Job};
use crate::probe::Probe;
use crate::wait::Goal;
use lyocell_sync::{Random, spin_loop};
use std::cell::Cell;

/// Pauses between two rounds for each that it leaves out: a microsecond or some. With a quarter of it `skynet:5` took 1.3 of the
/// time on 128 workers in the simulator; with half trees on 256 took 1.02 to 1.1.
const PAUSES: u32 = 64;
/// So many times that at the most. More changes nothing.
const MOST: usize = 4;

/// Of one thief at one kind of places.
#[derive(Default)]
pub(super) struct Restraint {
    /// Of how many rounds it leaves out all but one, less one.
    left_out: Cell<usize>,
}

impl Restraint {
    /// Whether it looks in this round, at random.
    fn looks(&self, random: &Random) -> bool {
        let left_out = self.left_out.get();
        left_out == 0 || random.below(left_out + 1) == 0
    }

    /// Others were faster: of so many workers.
    fn note_busy(&self, workers: usize) {
        self.left_out.set((2 * self.left_out.get() + 1).min(workers / LOOKS));
    }

    /// It has got something.
    pub(super) fn note_success(&self) {
        self.left_out.set(self.left_out.get() / 2);
    }

    fn forget(&self) {
        self.left_out.set(0);
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// The oldest call, if this worker looks in this round and nobody else is at them.
    #[inline(never)]
    pub(super) fn steal_call(&self) -> Option<Job> {
        let restraint = &self.own.at_calls;
        if !restraint.looks(&self.own.random) {
            return None;
        }
        match self.registry().injector.steal_oldest() {
            Ok(call) => call.inspect(|_| restraint.note_success()),
            Err(Busy) => {
                self.note_busy(restraint);
                None
            }
        }
    }

    /// Another one was faster at a deque.
    pub(super) fn note_busy_deque(&self) {
        if D::LATE_THIEVES_HOLD_BACK {
            self.note_busy(&self.own.at_deques);
        }
    }

    /// Where there are fewer processors than workers few are at one place at once, and pauses would keep others off their processors.
    fn note_busy(&self, restraint: &Restraint) {
        if !self.reaches_all() && self.registry().settings.crowd == Crowd::None {
            restraint.note_busy(self.workers());
        }
    }

    /// This worker has slept.
    pub(super) fn forget_restraint(&self) {
        self.own.at_calls.forget();
        self.own.at_deques.forget();
    }

    /// Between two rounds: leaves deques alone for a while, unless what this worker waits for comes. Not for who was woken: beside a stream
    /// of empty joins it would be awake for longer, up to half of the time in the simulator, where it is 5 %.
    pub(super) fn hold_back(&self, goal: &dyn Goal) {
        for _ in 0..self.own.at_deques.left_out.get().min(MOST) {
            if self.is_wanted_at_once(goal) {
                return;
            }
            (0..PAUSES).for_each(|_| spin_loop());
        }
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
    fn who_comes_too_late_comes_less_often_but_now_and_then() {
        let restraint = Restraint::default();
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
    fn who_gets_something_or_has_slept_looks_in_each_round() {
        let restraint = Restraint::default();
        (0..4).for_each(|_| restraint.note_busy(16 * LOOKS));
        (0..4).for_each(|_| restraint.note_success());
        assert_eq!(looks(&restraint, 100), 100);
        restraint.note_busy(16 * LOOKS);
        restraint.forget();
        assert_eq!(looks(&restraint, 100), 100);
    }
}
