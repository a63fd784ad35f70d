//! A lane: a queue of jobs to which any thread adds. A pool's callers have one, and each worker one for its mail; and so have
//! tasks that are to be run in the order of their spawns. What a worker spawns otherwise waits in its
//! [`WorkerLane`](super::WorkerLane).
//!
//! A locked queue, and a count on a line of its own that tells without the lock whether to bother.
//!
//! # Invariants
//! - lane-1. `count` is the length of the queue whenever the lock is free.
//! - lane-2. Nobody runs, drops or allocates a job under the lock.
//! - lane-3. Thieves never wait for the lock: one that finds it taken looks elsewhere, and must not park before
//!   it has seen the lane empty (idle-3). One whose turn it is to take the oldest job waits for it (turns-1).
//! - lane-4. No two jobs of a lane have one ticket. So who takes a job back by its ticket has the very job, and nobody
//!   else has begun it or will.
//! - lane-5. A closed lane is empty and stays so: under the lock a job is either queued before the lane is closed, and then
//!   who closes it has the job, or its sender keeps it.

use crate::jobs::Job;
use crossbeam_utils::CachePadded;
use lyocell_sync::{AtomicUsize, Mutex, MutexGuard, Ordering};
use std::collections::VecDeque;

/// The room that is kept, in jobs, when the lane runs empty; more than that is given back. Untuned.
const KEPT: usize = 256;

pub(crate) struct Lane {
    count: CachePadded<AtomicUsize>,
    queue: CachePadded<Mutex<Queue>>,
}

/// Names a job that was pushed, to whoever may want it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ticket(u64);

/// Somebody else is taking a job, or leaving one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Busy;

/// Jobs in the order in which they were pushed, and so in that of their tickets.
struct Queue {
    next: Ticket,
    jobs: VecDeque<(Ticket, Job)>,
    is_closed: bool,
}

impl Lane {
    pub(crate) fn new() -> Lane {
        let queue = Queue { next: Ticket(0), jobs: VecDeque::new(), is_closed: false };
        Lane { count: CachePadded::default(), queue: CachePadded::new(Mutex::new(queue)) }
    }

    /// Whether it holds nothing. Where a lost wake-up hangs on it, the caller has fenced.
    pub(crate) fn is_empty(&self) -> bool {
        // Ordering: Relaxed; a hint, or ordered by the caller's fence (idle-3).
        self.count.load(Ordering::Relaxed) == 0
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock()
    }

    /// As a thread leaves it that is in the middle of something when the process forks.
    #[cfg(all(test, unix, not(any(loom, miri))))]
    pub(crate) fn locked(&self) -> impl Sized + '_ {
        self.lock()
    }

    pub(crate) fn push(&self, job: Job) -> Ticket {
        self.push_locked(&mut self.lock(), job)
    }

    fn push_locked(&self, queue: &mut Queue, job: Job) -> Ticket {
        let ticket = queue.next;
        queue.next = Ticket(ticket.0 + 1);
        queue.jobs.push_back((ticket, job));
        self.recount(queue);
        ticket
    }

    /// Adds the job unless the lane is closed: then its sender has it back (lane-5).
    pub(crate) fn push_if_open(&self, job: Job) -> Result<(), Job> {
        let mut queue = self.lock();
        if queue.is_closed {
            return Err(job);
        }
        self.push_locked(&mut queue, job);
        Ok(())
    }

    /// Closes it, and returns what is in it, the oldest first (lane-5).
    pub(crate) fn close(&self) -> Vec<Job> {
        let jobs = {
            let mut queue = self.lock();
            queue.is_closed = true;
            let jobs = std::mem::take(&mut queue.jobs);
            self.recount(&queue);
            jobs
        };
        jobs.into_iter().map(|(_, job)| job).collect()
    }

    /// Takes the oldest job, which the caller runs when the lock is free again (lane-2).
    pub(crate) fn pop_oldest(&self) -> Option<Job> {
        if self.is_empty() { None } else { self.take_oldest() }
    }

    #[inline(never)]
    fn take_oldest(&self) -> Option<Job> {
        self.take(self.lock(), VecDeque::pop_front)
    }

    /// Takes the oldest job, if there is one and nobody else is about to take or leave one (lane-3).
    pub(crate) fn steal_oldest(&self) -> Result<Option<Job>, Busy> {
        if self.is_empty() {
            return Ok(None);
        }
        let queue = self.queue.try_lock().ok_or(Busy)?;
        Ok(self.take(queue, VecDeque::pop_front))
    }

    /// Takes the job with this ticket, unless somebody has (lane-4). Costs as many moves as there are jobs between it
    /// and the nearer end.
    pub(crate) fn take_back(&self, ticket: Ticket) -> Option<Job> {
        self.take(self.lock(), |jobs| {
            let place = jobs.binary_search_by_key(&ticket, |(ticket, _)| *ticket).ok()?;
            jobs.remove(place)
        })
    }

    /// Takes the oldest job of which this is true.
    pub(crate) fn take_first(&self, is_wanted: &dyn Fn(&Job) -> bool) -> Option<Job> {
        if self.is_empty() {
            return None;
        }
        self.take(self.lock(), |jobs| {
            let place = (0..jobs.len()).find(|place| is_wanted(&jobs[*place].1))?;
            jobs.remove(place)
        })
    }

    fn take(
        &self,
        mut queue: MutexGuard<'_, Queue>,
        take: impl FnOnce(&mut VecDeque<(Ticket, Job)>) -> Option<(Ticket, Job)>,
    ) -> Option<Job> {
        let (_, job) = take(&mut queue.jobs)?;
        if queue.jobs.is_empty() && queue.jobs.capacity() > KEPT {
            queue.jobs = VecDeque::new();
        }
        self.recount(&queue);
        Some(job)
    }

    fn recount(&self, queue: &Queue) {
        // Ordering: Relaxed; written under the lock only (lane-1), and as in `is_empty`.
        self.count.store(queue.jobs.len(), Ordering::Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::jobs::{Boxes, Runner};

    struct Nobody;

    impl Runner for Nobody {
        fn boxes(&self) -> &Boxes {
            unreachable!("nobody runs a job")
        }
    }

    fn job() -> Job {
        // SAFETY: nothing is borrowed, and nobody runs it.
        unsafe { Job::simple::<Nobody, _, _>(None, |_| (), |_| ()) }
    }

    /// Whether it is a job, which is done with then.
    fn is_job(job: Option<Job>) -> bool {
        job.map(|job| job.discard(&Nobody)).is_some()
    }

    fn stolen(lane: &Lane) -> Option<Job> {
        lane.steal_oldest().expect("nobody else is there")
    }

    #[test]
    fn the_room_of_a_flood_is_given_back() {
        let lane = Lane::new();
        for _ in 0..KEPT * 8 {
            lane.push(job());
        }
        assert!(lane.lock().jobs.capacity() >= KEPT * 8);
        for taken in 0..KEPT * 8 {
            assert!(!lane.is_empty());
            let job = if taken % 2 == 0 { lane.pop_oldest() } else { stolen(&lane) };
            assert!(is_job(job));
        }
        assert!(lane.is_empty() && !is_job(lane.pop_oldest()) && !is_job(stolen(&lane)));
        assert!(lane.lock().jobs.capacity() <= KEPT);
    }

    #[test]
    fn a_thief_does_not_wait_for_the_lock() {
        let lane = Lane::new();
        lane.push(job());
        let locked = lane.lock();
        assert!(matches!(lane.steal_oldest(), Err(Busy)));
        drop(locked);
        assert!(is_job(stolen(&lane)));
    }

    #[test]
    fn a_closed_lane_gives_out_what_it_has_and_takes_nothing() {
        let lane = Lane::new();
        assert!(lane.push_if_open(job()).is_ok());
        lane.push(job());
        let closed = lane.close();
        assert_eq!(closed.len(), 2);
        closed.into_iter().for_each(|job| job.discard(&Nobody));
        assert!(is_job(lane.push_if_open(job()).err()));
        assert!(lane.is_empty() && !is_job(lane.pop_oldest()) && lane.close().is_empty());
    }

    #[test]
    fn a_ticket_is_good_for_one_job_once() {
        let lane = Lane::new();
        let tickets: Vec<Ticket> = (0..5).map(|_| lane.push(job())).collect();
        assert!(is_job(lane.take_back(tickets[2])) && !is_job(lane.take_back(tickets[2])));
        assert!(is_job(lane.pop_oldest()) && is_job(lane.take_back(tickets[4])));
        // What was taken from the new end does not come back under the same number.
        let later = lane.push(job());
        assert!(!is_job(lane.take_back(tickets[0])) && !is_job(lane.take_back(tickets[4])));
        for ticket in [later, tickets[3], tickets[1]] {
            assert!(!lane.is_empty() && is_job(lane.take_back(ticket)));
        }
        assert!(lane.is_empty());
    }
}
