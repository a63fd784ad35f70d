//! A worker's lane: the jobs that it has spawned, or taken from others, and that nobody has begun.
//!
//! A queue of Chase and Lev's ([`lyocell_queues::ShrinkingChaseLev`]): the worker pushes and takes the newest without a lock,
//! thieves take the oldest, and memory goes back when a flood is over. Where tasks are tiny, the queue's ends are what
//! two workers would send each other at each task; so a thief takes several at once, up to half, and keeps what it does not
//! run in its own lane, where others find it.
//!
//! Thieves share one handle of the queue, by a lock, for a handle is memory in each queue, and there would be one for
//! each pair of workers. The owner does not take part in that lock, unless it takes its oldest job.
//!
//! # Invariants
//! - worker_lane-1. Only the worker's occupant pushes and takes the newest (worker-1).
//! - worker_lane-2. Nobody runs, drops or allocates a job under the thieves' lock.
//! - worker_lane-3. Thieves never wait for the lock, but look elsewhere; as in lane-3.
//! - worker_lane-4. A thief that has put jobs into its own lane tells of them as of spawned ones: between the two lanes nobody
//!   sees them, and whoever has parked by then has to hear of them (idle-3).
//!
//! # What was rejected
//! - *A lock for all.* Two more atomic steps at each spawn and at each look: 20,000 empty tasks of a scope took 1.5 times
//!   rayon's time on one worker, and where two workers met at the lock each waited for it.

use crate::jobs::{Job, SpawnOrder};
use crate::owner::OwnerOnly;
use crossbeam_utils::CachePadded;
use lyocell_queues::{
    ChaseLevThief, ChaseLevWatcher, Owner, Shrinking, ShrinkingChaseLev, Steal, Thief,
};
use lyocell_sync::Mutex;
use std::cell::Cell;

/// Room for so many jobs is kept. Untuned.
const KEPT: usize = if cfg!(loom) { 2 } else { 64 };
/// So many jobs a thief takes at once, at the most. Untuned.
const BATCH: usize = if cfg!(loom) { 2 } else { 16 };

pub(crate) struct WorkerLane {
    /// By worker_lane-1.
    own: CachePadded<OwnerOnly<Own>>,
    jobs: ChaseLevWatcher<Job>,
    thief: CachePadded<Mutex<ChaseLevThief<Job, Shrinking>>>,
}

/// The owner's part.
struct Own {
    jobs: ShrinkingChaseLev<Job>,
    /// How many jobs were pushed, less those that were taken as the newest.
    height: Cell<usize>,
}

/// The height of a lane at some moment: what lies above it was pushed later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LaneHeight(usize);

impl WorkerLane {
    pub(crate) fn new() -> WorkerLane {
        let jobs = ShrinkingChaseLev::with_capacity(KEPT);
        WorkerLane {
            thief: CachePadded::new(Mutex::new(jobs.thief())),
            jobs: jobs.watcher(),
            own: CachePadded::new(OwnerOnly(Own { jobs, height: Cell::new(0) })),
        }
    }

    /// As a thread leaves it that is in the middle of something when the process forks.
    #[cfg(all(test, unix, not(any(loom, miri))))]
    pub(crate) fn locked(&self) -> impl Sized + '_ {
        self.thief.lock()
    }

    /// Whether it holds nothing. Where a lost wake-up hangs on it, the caller has fenced (idle-3).
    pub(crate) fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// How many jobs it holds; a hint to anybody but the owner.
    pub(crate) fn len(&self) -> usize {
        self.jobs.len()
    }

    /// Owner: a height that tells the jobs that will be pushed from those that have been.
    #[inline(always)]
    pub(crate) fn height(&self) -> LaneHeight {
        LaneHeight(self.own.height.get())
    }

    /// Owner.
    #[inline]
    pub(crate) fn push(&self, job: Job) {
        let Ok(()) = self.own.jobs.push(job) else { unreachable!("this queue grows") };
        self.own.height.set(self.own.height.get().wrapping_add(1));
    }

    /// Owner: takes the newest job.
    #[inline]
    pub(crate) fn pop_newest(&self) -> Option<Job> {
        let job = self.own.jobs.take()?;
        self.own.height.set(self.own.height.get().wrapping_sub(1));
        Some(job)
    }

    /// Owner: takes the newest job, if it lies above the height. What was pushed after jobs below the height had been taken
    /// may lie below it as well, and is not found.
    pub(crate) fn pop_newest_since(&self, height: LaneHeight) -> Option<Job> {
        let above = self.own.height.get().wrapping_sub(height.0) as isize;
        if above > 0 { self.pop_newest() } else { None }
    }

    /// Anybody whose turn it is: takes the oldest job.
    pub(crate) fn pop_oldest(&self) -> Option<Job> {
        if self.is_empty() {
            return None;
        }
        let thief = self.thief.lock();
        loop {
            match thief.steal() {
                Steal::Taken(job) => return Some(job),
                Steal::Empty => return None,
                // The owner has won the last one, or moved to another array.
                Steal::Busy => {}
            }
        }
    }

    /// Takes the oldest jobs, up to half of what there is, unless somebody else does (worker_lane-3). The first is returned,
    /// the others go to the lane of the thief, who is told how many these are.
    pub(crate) fn steal_oldest(&self, to: &WorkerLane, order: SpawnOrder) -> Option<(Job, usize)> {
        if self.is_empty() {
            return None;
        }
        let mut batch = [const { None }; BATCH];
        let taken = self.fill(&mut batch)?;
        let (first, others) = batch[..taken].split_first_mut()?;
        let others = others.iter_mut().filter_map(Option::take);
        // So that the thief takes them up oldest first, too.
        match order {
            SpawnOrder::OldestFirst => others.for_each(|job| to.push(job)),
            SpawnOrder::Fair | SpawnOrder::NewestFirst => others.rev().for_each(|job| to.push(job)),
        }
        Some((first.take()?, taken - 1))
    }

    /// Takes the oldest job, unless somebody else does (worker_lane-3).
    pub(crate) fn steal_one(&self) -> Option<Job> {
        if self.is_empty() {
            return None;
        }
        self.thief.try_lock()?.steal().taken()
    }

    /// Takes jobs, the oldest first, and tells how many. The places are there before (worker_lane-2).
    fn fill(&self, batch: &mut [Option<Job>]) -> Option<usize> {
        let thief = self.thief.try_lock()?;
        let half = (self.jobs.len() / 2).clamp(1, BATCH);
        let mut taken = 0;
        for place in &mut batch[..half] {
            *place = thief.steal().taken();
            if place.is_none() {
                break;
            }
            taken += 1;
        }
        Some(taken)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::deque::Split;
    use crate::probe::NoProbe;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, mpsc};

    type Worker = crate::scheduler::Worker<Split, NoProbe>;

    /// A pool whose one worker runs what a test has moved about, to see which it is.
    fn numbers_of(jobs: impl IntoIterator<Item = Job>, sent: &mpsc::Receiver<usize>) -> Vec<usize> {
        let pool = crate::Pool::builder().workers(1).build().unwrap();
        let jobs: Vec<Job> = jobs.into_iter().collect();
        pool.run(|worker| jobs.into_iter().for_each(|job| job.run(worker)));
        sent.try_iter().collect()
    }

    /// A lane with this many jobs, each of which sends its number, from the oldest.
    fn lane_of(count: usize) -> (WorkerLane, mpsc::Receiver<usize>) {
        let lane = WorkerLane::new();
        let (send, sent) = mpsc::channel();
        for number in 0..count {
            let send = send.clone();
            // SAFETY: nothing is borrowed, and workers of this type run it.
            lane.push(unsafe {
                Job::simple(None, move |_: &Worker| send.send(number).unwrap(), |_: &Worker| ())
            });
        }
        (lane, sent)
    }

    fn rest(lane: &WorkerLane) -> impl Iterator<Item = Job> {
        std::iter::from_fn(|| lane.pop_newest())
    }

    #[test]
    fn a_thief_takes_half_and_takes_it_up_oldest_first() {
        let many = if cfg!(miri) { 2 * BATCH + 1 } else { 1000 };
        for (count, taken) in [(1, 1), (2, 1), (3, 1), (7, 3), (many, BATCH)] {
            for order in [SpawnOrder::Fair, SpawnOrder::NewestFirst, SpawnOrder::OldestFirst] {
                let (lane, sent) = lane_of(count);
                let own = WorkerLane::new();
                let (first, kept) = lane.steal_oldest(&own, order).unwrap();
                assert_eq!(kept, taken - 1);
                let next = std::iter::from_fn(|| match order {
                    SpawnOrder::OldestFirst => own.pop_oldest(),
                    SpawnOrder::Fair | SpawnOrder::NewestFirst => own.pop_newest(),
                });
                let stolen: Vec<Job> = [first].into_iter().chain(next).collect();
                let expected: Vec<usize> = (0..taken).collect();
                assert_eq!(numbers_of(stolen, &sent), expected, "{order:?} of {count}");
                let left: Vec<usize> = (taken..count).rev().collect();
                assert_eq!(numbers_of(rest(&lane), &sent), left);
                assert!(lane.is_empty() && lane.steal_oldest(&own, order).is_none());
            }
        }
    }

    #[test]
    fn a_thief_does_not_wait_for_another_and_the_owner_for_none() {
        let (lane, sent) = lane_of(3);
        let own = WorkerLane::new();
        let locked = lane.thief.lock();
        assert!(lane.steal_oldest(&own, SpawnOrder::Fair).is_none());
        let newest = lane.pop_newest().unwrap();
        drop(locked);
        let (oldest, _) = lane.steal_oldest(&own, SpawnOrder::Fair).unwrap();
        assert_eq!(numbers_of([newest, oldest], &sent), [2, 0]);
        assert_eq!(numbers_of(rest(&lane), &sent), [1]);
    }

    #[test]
    fn what_is_newer_than_a_mark_is_taken_newest_first() {
        let (lane, sent) = lane_of(2);
        let height = lane.height();
        assert!(lane.pop_newest_since(height).is_none());
        let (more, more_sent) = lane_of(2);
        while let Some(job) = more.pop_oldest() {
            lane.push(job);
        }
        assert_ne!(lane.height(), height);
        let newer: Vec<Job> = std::iter::from_fn(|| lane.pop_newest_since(height)).collect();
        assert_eq!(numbers_of(newer, &more_sent), [1, 0]);
        assert_eq!(numbers_of(rest(&lane), &sent), [1, 0]);
    }

    #[test]
    fn the_room_of_a_flood_is_given_back() {
        let times = if cfg!(miri) { 8 } else { 64 };
        let (lane, sent) = lane_of(KEPT * times);
        let flooded = lane.own.jobs.footprint().bytes;
        assert_eq!(numbers_of(rest(&lane), &sent).len(), KEPT * times);
        assert!(lane.own.jobs.footprint().bytes < 4 * flooded / times);
    }

    /// One spawns and takes, others take by all ways there are: each job is run once.
    #[test]
    fn each_job_is_run_once_among_thieves() {
        let jobs = if cfg!(miri) { 60 } else { 100_000 };
        let runs: Arc<Vec<AtomicUsize>> =
            Arc::new((0..jobs).map(|_| AtomicUsize::new(0)).collect());
        let pool = crate::Pool::builder().workers(3).build().unwrap();
        pool.scope(|scope| {
            for job in 0..jobs {
                let runs = Arc::clone(&runs);
                scope.spawn(move |_| _ = runs[job].fetch_add(1, Ordering::Relaxed));
            }
        });
        assert!(runs.iter().all(|runs| runs.load(Ordering::Relaxed) == 1));
    }
}
