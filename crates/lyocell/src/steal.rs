//! Thieves: whom to steal from, and running what was stolen.

use crate::deque::{Deque, Loot, Steal};
use crate::job::Job;
use crate::probe::{Event, Probe};
use crate::range::Spawns;
use crate::slots::At;
use crate::task::{Slot, Wake};
use crate::worker::Worker;
use std::cell::Cell;

/// A task that a worker has won and must run.
pub(crate) enum Found<'a> {
    /// From a deque.
    Stolen(Loot<'a>),
    /// A detached task or a call from outside.
    Job(Job),
}

/// A worker's source of random victims.
pub(crate) struct Random(Cell<u64>);

impl Random {
    pub(crate) fn seeded(worker: usize) -> Random {
        // An odd multiple of the golden ratio: distinct and never zero.
        Random(Cell::new((worker as u64 * 2 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
    }

    /// A number below `bound`, by xorshift: cheap, and good enough to choose victims.
    pub(crate) fn below(&self, bound: usize) -> usize {
        // The high half of the product: no division, and no bias worth mentioning.
        (((self.next() >> 32) * bound as u64) >> 32) as usize
    }

    /// A number in (0, 1], in steps of 2^-32.
    pub(crate) fn unit(&self) -> f64 {
        ((self.next() >> 32) + 1) as f64 / (1_u64 << 32) as f64
    }

    fn next(&self) -> u64 {
        let mut x = self.0.get();
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.0.set(x);
        x
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Steals from this victim, or asks it to share.
    pub(crate) fn steal_from(&self, victim: usize) -> Option<Found<'_>> {
        let team = &self.pool().team;
        match D::steal(team, victim, self.index(), &self.probe) {
            Steal::Task(loot) => Some(Found::Stolen(loot)),
            Steal::Busy => {
                self.probe.count(Event::Busy);
                None
            }
            Steal::Empty => {
                self.probe.count(Event::Failed);
                self.ask(team.deque(victim));
                None
            }
        }
    }

    /// Asks a victim to share, unless somebody has.
    pub(crate) fn ask(&self, victim: &D) {
        if !victim.is_asked() {
            self.probe.count(Event::Request);
        }
        victim.request();
    }

    /// Goes once round the other workers, from a random one on.
    pub(crate) fn steal_from_any(&self) -> Option<Found<'_>> {
        let workers = self.workers();
        let first = self.random.below(workers);
        let mut victims = (first..workers).chain(0..first).filter(|victim| *victim != self.index());
        let found = victims.find_map(|victim| self.steal_from(victim))?;
        self.probe.count(Event::Steal);
        Some(found)
    }

    /// Steals from whom this thief waits for, or from whom that one waits for, and so on: the
    /// transitive leapfrogging of Wool.
    pub(crate) fn steal_along(&self, thief: usize) -> Option<Found<'_>> {
        let mut at = thief;
        // A chain longer than the pool has come round.
        for _ in 0..self.workers() {
            at = self.pool().workers[at].awaited().filter(|next| *next != self.index())?;
            if let Some(found) = self.steal_from(at) {
                return Some(found);
            }
        }
        None
    }

    /// Runs a task to its end; what it panics with is kept for whoever waits for it.
    pub(crate) fn execute(&self, found: Found<'_>) {
        match found {
            Found::Stolen(Loot { owner, first, count: 1 }) => self.execute_stolen(&first, owner),
            Found::Stolen(loot) => self.execute_batch(loot),
            Found::Job(job) => job.run(self),
        }
    }

    /// Runs several stolen tasks, newest first, as their owner waits for them; the others stay open to
    /// thieves, as tasks of this worker that run tasks of another.
    fn execute_batch(&self, loot: Loot<'_>) {
        let newest = loot.count - 1;
        let run = |worker: &Self, index: usize| {
            // SAFETY: the loot is `count` slots of one array.
            let slot = unsafe { At::new(loot.first.pointer().add(newest - index)) };
            worker.execute_stolen(&slot, loot.owner);
        };
        self.fold_range(Spawns::StolenTasks, 0..loot.count, (), run, |(), ()| ());
    }

    fn execute_stolen(&self, slot: &Slot, owner: usize) {
        slot.state.mark_taken(self.index());
        // SAFETY: the slot was won from its deque (S1), and all workers of a pool have one type.
        let finished = unsafe { slot.run(std::ptr::from_ref(self).cast()) };
        // The slot is the owner's after this (S3); the pool, and so the owner's sleeper, is ours too.
        if slot.state.finish(finished) == Wake::Owner {
            self.pool().idle.unpark(owner);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn random_victims_reach_everybody() {
        for workers in [1, 2, 3, 64] {
            let random = Random::seeded(5);
            let mut met = vec![0; workers];
            (0..workers * 100).for_each(|_| met[random.below(workers)] += 1);
            assert!(met.iter().all(|times| *times > 30), "{met:?}");
        }
    }
}
