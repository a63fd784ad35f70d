//! A lane: the queue of jobs of one worker, or of a pool's callers.
//!
//! A locked queue, and a count beside it that tells without the lock whether to bother. A job is a boxed
//! closure, so the lock's two atomic operations are the smaller part of its cost; in return there is no
//! reclamation scheme to run, nothing for Miri and ThreadSanitizer to stumble over (they know no fences that
//! order plain memory), and memory goes back when a flood of jobs is over.
//!
//! # Invariants
//! - lane-1. `count` is the length of the queue whenever the lock is free.
//! - lane-2. Nobody runs, drops or allocates a job under the lock.
//! - lane-3. Thieves never wait for the lock: one that finds it taken looks elsewhere, and must not park before
//!   it has seen the lane empty (idle-3).

use crate::sync::{AtomicUsize, Mutex, MutexGuard, Ordering};
use crate::worker::Job;
use std::collections::VecDeque;
use std::sync::{PoisonError, TryLockError};

/// The room that is kept, in jobs, when the lane runs empty; more than that is given back. Untuned.
const KEPT: usize = 256;

pub(crate) struct Lane {
    count: AtomicUsize,
    jobs: Mutex<VecDeque<Job>>,
}

impl Lane {
    pub(crate) fn new() -> Lane {
        Lane { count: AtomicUsize::new(0), jobs: Mutex::new(VecDeque::new()) }
    }

    /// Whether it holds nothing. Where a lost wake-up hangs on it, the caller has fenced.
    pub(crate) fn is_empty(&self) -> bool {
        // Ordering: Relaxed; a hint, or ordered by the caller's fence (idle-3).
        self.count.load(Ordering::Relaxed) == 0
    }

    pub(crate) fn push(&self, job: Job) {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.push_back(job);
        self.recount(&jobs);
    }

    /// Takes the newest job, which the caller runs when the lock is free again (lane-2).
    pub(crate) fn pop_newest(&self) -> Option<Job> {
        if self.is_empty() {
            return None;
        }
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        self.take(jobs, VecDeque::pop_back)
    }

    /// Takes the oldest job.
    pub(crate) fn pop_oldest(&self) -> Option<Job> {
        if self.is_empty() {
            return None;
        }
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        self.take(jobs, VecDeque::pop_front)
    }

    /// Takes the oldest job, if nobody else is about to take or leave one (lane-3).
    pub(crate) fn steal_oldest(&self) -> Option<Job> {
        if self.is_empty() {
            return None;
        }
        match self.jobs.try_lock() {
            Ok(jobs) => self.take(jobs, VecDeque::pop_front),
            Err(TryLockError::Poisoned(poison)) => {
                self.take(poison.into_inner(), VecDeque::pop_front)
            }
            Err(TryLockError::WouldBlock) => None,
        }
    }

    fn take(
        &self,
        mut jobs: MutexGuard<'_, VecDeque<Job>>,
        take: impl FnOnce(&mut VecDeque<Job>) -> Option<Job>,
    ) -> Option<Job> {
        let job = take(&mut jobs);
        if jobs.is_empty() && jobs.capacity() > KEPT {
            *jobs = VecDeque::new();
        }
        self.recount(&jobs);
        job
    }

    fn recount(&self, jobs: &VecDeque<Job>) {
        // Ordering: Relaxed; written under the lock only (lane-1), and as in `is_empty`.
        self.count.store(jobs.len(), Ordering::Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::deque::Split;
    use crate::probe::NoProbe;

    fn job() -> Job {
        // SAFETY: nothing is borrowed, and nobody runs it.
        unsafe { Job::boxed::<Split, NoProbe, _, _>(|_| (), |_| ()) }
    }

    #[test]
    fn the_room_of_a_flood_is_given_back() {
        let lane = Lane::new();
        for _ in 0..KEPT * 8 {
            lane.push(job());
        }
        assert!(lane.jobs.lock().unwrap().capacity() >= KEPT * 8);
        for taken in 0..KEPT * 8 {
            assert!(!lane.is_empty());
            let job = if taken % 2 == 0 { lane.pop_newest() } else { lane.steal_oldest() };
            assert!(job.is_some());
        }
        assert!(lane.is_empty() && lane.pop_newest().is_none() && lane.steal_oldest().is_none());
        assert!(lane.jobs.lock().unwrap().capacity() <= KEPT);
    }

    #[test]
    fn a_thief_does_not_wait_for_the_lock() {
        let lane = Lane::new();
        lane.push(job());
        let locked = lane.jobs.lock().unwrap();
        assert!(lane.steal_oldest().is_none());
        drop(locked);
        assert!(lane.steal_oldest().is_some());
    }
}
