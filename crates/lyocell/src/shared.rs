//! What the threads of a pool and its callers share: the workers, who sleeps, the jobs from outside, the seat;
//! and the lives of the pool's threads.
//!
//! # Invariants
//! - O1. A worker is occupied by one thread: worker 0 by who holds the seat, the others by their thread.
//! - O2. A job that is in the injector or a lane is run before the pool's threads end (E1, in `drain`).
//! - O3. Threads and callers keep `Shared` alive while they are workers.
//! - O4. The seat is free only when nothing of its occupant is left in the deque of worker 0.

use crate::builder::{Config, PanicHook};
use crate::current;
use crate::deque::{Deque, Team};
use crate::drain::Drain;
use crate::error::BuildError;
use crate::fork::Generation;
use crate::idle::Idle;
use crate::interrupt::Ticker;
use crate::job::Job;
use crate::lane::Lane;
use crate::policy::Wait;
use crate::probe::{Phase, Probe};
use crate::profit::Profit;
use crate::seat::{Seat, Take};
use crate::steal::Found;
use crate::sync::Parker;
use crate::wait::{Goal, Marked, Worth};
use crate::worker::Worker;
use crossbeam_utils::CachePadded;
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::Duration;

/// What the threads of a pool and its callers share.
pub(crate) struct Shared<D: Deque, P: Probe> {
    /// Never cloned; an `Arc`, because a moved box would claim to be the only way to the deques that the
    /// team points at.
    pub(crate) workers: Arc<[CachePadded<Worker<D, P>>]>,
    pub(crate) team: Team<D>,
    pub(crate) idle: Idle,
    /// Interrupts owners, where that is wanted.
    pub(crate) ticker: Option<Ticker>,
    /// What a worker does while it waits for a stolen task.
    pub(crate) wait: Wait,
    /// How long a worker searches before it parks.
    pub(crate) search_time: Duration,
    /// Calls and detached tasks from outside.
    injector: CachePadded<Lane>,
    pub(crate) seat: Option<Seat>,
    pub(crate) drain: Drain,
    pub(crate) on_panic: Option<PanicHook>,
    pub(crate) generation: Generation,
}

// SAFETY: the workers' cells have one thread at a time (W1, O1); everything else is `Sync`.
unsafe impl<D: Deque, P: Probe> Sync for Shared<D, P> {}
// SAFETY: as above; what it owns may be dropped anywhere.
unsafe impl<D: Deque, P: Probe> Send for Shared<D, P> {}

impl<D: Deque, P: Probe> Shared<D, P> {
    pub(crate) fn new(
        config: &Config,
        options: &D::Options,
        workers: usize,
    ) -> Result<(Arc<Self>, Option<Parker>), BuildError> {
        let workers: Arc<[_]> = (0..workers)
            .map(|index| {
                let slots = config.slots(workers)?;
                Ok(CachePadded::new(Worker::new(index, slots, options)))
            })
            .collect::<Result<_, BuildError>>()?;
        let stand_in = (config.has_seat() && workers.len() == 1).then(Parker::default);
        let caller = stand_in.as_ref().map(|parker| parker.unparker().clone());
        let seat = config.has_seat().then(|| Seat::new(caller));
        let shared = Arc::new(Shared {
            // SAFETY: the workers are on the heap, and their `Arc` is in `Shared` as well.
            team: unsafe { Team::new(workers.iter().map(|worker| &worker.deque)) },
            wait: config.wait,
            ticker: config.ticker::<D>(workers.len())?,
            idle: Idle::new(workers.iter().map(|worker| &*worker.parker)),
            workers,
            search_time: config.search_time::<D>(),
            injector: CachePadded::new(Lane::new()),
            seat,
            drain: Drain::new(),
            on_panic: config.on_panic.clone(),
            generation: Generation::now(),
        });
        for worker in shared.workers.iter() {
            worker.settle(NonNull::from(&*shared));
        }
        Ok((shared, stand_in))
    }

    fn address(&self) -> *const () {
        std::ptr::from_ref(self).cast()
    }

    /// The worker of this pool that the calling thread is.
    pub(crate) fn current(&self) -> Option<&Worker<D, P>> {
        current::worker_in(self.address())
    }

    /// All workers but one.
    pub(crate) fn others(&self, index: usize) -> impl Iterator<Item = &Worker<D, P>> {
        self.workers.iter().map(|worker| &**worker).filter(move |worker| worker.index() != index)
    }

    /// Queues a job for any worker.
    pub(crate) fn inject(&self, job: Job) {
        self.injector.push(job);
        self.announce_job();
    }

    /// Queues a job, on the lane of the calling worker if it is one of ours.
    pub(crate) fn submit(&self, job: Job) {
        match self.current() {
            Some(worker) => {
                worker.lane.push(job);
                self.announce_job();
            }
            None => self.inject(job),
        }
    }

    fn announce_job(&self) {
        self.idle.notify_of_call();
        self.call_stand_in();
    }

    pub(crate) fn wake_everybody(&self) {
        self.idle.unpark_all();
        self.ticker.as_ref().inspect(|ticker| ticker.rouse());
        self.call_stand_in();
    }

    fn call_stand_in(&self) {
        self.seat.as_ref().inspect(|seat| seat.call_stand_in());
    }

    /// Whether a job waits anywhere.
    pub(crate) fn has_jobs(&self) -> bool {
        !self.injector.is_empty() || self.workers.iter().any(|worker| !worker.lane.is_empty())
    }

    /// A job for this worker: its own newest, the oldest call, or somebody else's oldest.
    pub(crate) fn find_job(&self, worker: &Worker<D, P>) -> Option<Job> {
        worker
            .lane
            .pop_newest()
            .or_else(|| self.injector.steal_oldest())
            .or_else(|| self.others(worker.index()).find_map(|other| other.lane.steal_oldest()))
    }

    /// Whether the pool's threads end.
    pub(crate) fn is_over(&self) -> bool {
        self.drain.is_over()
    }

    /// The life of a thread of the pool.
    pub(crate) fn serve(&self, worker: usize) {
        self.idle.settle(worker);
        let closing = Closing { shared: self, profit: Profit::default() };
        self.occupy(worker, |worker| worker.work_until(&closing));
    }

    /// The life of the stand-in: takes the free seat while jobs wait.
    pub(crate) fn stand_in(&self, parker: &Parker) {
        while !self.drain.is_over() {
            match self.take_seat_for_jobs() {
                Some(seated) => seated.occupy(|worker| {
                    while let Some(job) = self.find_job(worker) {
                        job.run(worker);
                    }
                }),
                None => parker.park(),
            }
        }
    }

    /// Takes the free seat, unless this thread is a worker already (K1).
    pub(crate) fn take_seat(&self) -> Option<Seated<'_, D, P>> {
        if current::is_worker() {
            return None;
        }
        let seat = self.seat.as_ref()?;
        (seat.take() == Take::Taken).then(|| Seated { shared: self, seat })
    }

    /// Takes the seat if a job waits and it is free.
    fn take_seat_for_jobs(&self) -> Option<Seated<'_, D, P>> {
        let seat = self.seat.as_ref()?;
        seat.look(|| self.has_jobs()).then(|| self.take_seat()).flatten()
    }
}

/// The seat, taken.
pub(crate) struct Seated<'a, D: Deque, P: Probe> {
    shared: &'a Shared<D, P>,
    seat: &'a Seat,
}

impl<D: Deque, P: Probe> Seated<'_, D, P> {
    /// Works as worker 0; the seat is left when the body ends or unwinds.
    pub(crate) fn occupy<R>(self, body: impl FnOnce(&Worker<D, P>) -> R) -> R {
        self.shared.workers[0].probe.enter(Phase::Application);
        self.shared.occupy(0, body)
    }
}

impl<D: Deque, P: Probe> Drop for Seated<'_, D, P> {
    fn drop(&mut self) {
        // The lane and the probe are ours (W1) until we leave.
        self.shared.workers[0].probe.enter(Phase::Idle);
        let may_wait = !self.shared.workers[0].lane.is_empty() || self.seat.has_stand_in();
        self.seat.leave();
        // Whoever is left to run jobs may have found the seat taken (T3).
        if may_wait && self.seat.look(|| self.shared.has_jobs()) {
            self.shared.announce_job();
        }
    }
}

/// The pool is closing, and nothing is outstanding: what a thread of the pool works for.
struct Closing<'a, D: Deque, P: Probe> {
    shared: &'a Shared<D, P>,
    profit: Profit,
}

impl<D: Deque, P: Probe> Goal for Closing<'_, D, P> {
    fn reached(&self) -> bool {
        self.shared.drain.is_over()
    }

    fn mark(&self) -> Marked {
        // Who closes wakes everybody.
        if self.reached() { Marked::Reached } else { Marked::WillUnpark }
    }

    fn execute<D2: Deque, P2: Probe>(&self, worker: &Worker<D2, P2>, found: Found<'_>) -> Worth {
        let worth = self.profit.measure(|| worker.execute(found));
        if worth == Worth::Good {
            self.shared.idle.reward();
        }
        worth
    }
}
