//! Thieves: whom to steal from, and running what was stolen.

use crate::deque::{Deque, Steal};
use crate::job::Job;
use crate::probe::Probe;
use crate::task::{Slot, Wake};
use crate::worker::Worker;
use std::cell::Cell;

/// A task that a worker has won and must run.
pub(crate) enum Found<'a> {
    /// From a deque; the slot belongs to the worker with this index.
    Stolen(&'a Slot, usize),
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
        let mut x = self.0.get();
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.0.set(x);
        // The high half of the product: no division, and no bias worth mentioning.
        ((x >> 32) * bound as u64 >> 32) as usize
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Steals from this victim, or asks it to share.
    pub(crate) fn steal_from(&self, victim: usize) -> Option<Found<'_>> {
        let deque = &self.pool().workers[victim].deque;
        match deque.steal() {
            Steal::Task(slot) => Some(Found::Stolen(slot, victim)),
            Steal::Busy => None,
            Steal::Empty => {
                deque.request();
                None
            }
        }
    }

    /// Goes once round the other workers, from a random one on.
    pub(crate) fn steal_from_any(&self) -> Option<Found<'_>> {
        let workers = self.workers();
        let first = self.random.below(workers);
        let victims = (first..workers).chain(0..first).filter(|victim| *victim != self.index());
        victims.into_iter().find_map(|victim| {
            let found = self.steal_from(victim)?;
            self.probe.stole();
            Some(found)
        })
    }

    /// Runs a task to its end; what it panics with is kept for whoever waits for it.
    pub(crate) fn execute(&self, found: Found<'_>) {
        match found {
            Found::Stolen(slot, owner) => self.execute_stolen(slot, owner),
            Found::Job(job) => job.run(self),
        }
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
