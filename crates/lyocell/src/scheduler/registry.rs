//! The registry of a pool: what its threads and its callers share.
//!
//! The workers, who of them sleeps, the jobs from outside, the right to be the first worker (the [seat](super::seat)), how many
//! detached tasks are not over (the [drain](crate::jobs::drain)), what waits until nothing else does (the
//! [background](crate::jobs)), and the thread that interrupts workers (the [ticker](super::ticker)).
//!
//! # Invariants
//! - registry-1. A worker is occupied by one thread: worker 0 by who holds the seat, the others by their thread.
//! - registry-2. A job that is in the injector or a lane is run before the pool's threads end (drain-1, in `drain`).
//! - registry-3. Threads and callers keep the registry alive while they are workers.
//! - registry-4. The seat is left only when nothing of its occupant is left in the deque of worker 0.
//! - registry-5. What is in a worker's mail is run by that worker. Who leaves something there
//!   unparks it afterwards, and it looks there before it parks: the parker's token orders the two. Of the seat see seated-1.
//! - registry-6. A worker's mail is open while its thread is there, or may come. Who knows that it is over, or will not come,
//!   closes it, and discards what is in it; what comes later is discarded by its sender (lane-5, job-2). So nobody waits for
//!   a thread that does not read. That of the seat
//!   is never closed: if a thread to read it cannot be started, it is discarded.

use super::active::Active;
use super::confined::{Callers, Crowds};
use super::frame::Frames;
use super::hunger::Hungry;
use super::lineage::{Class, Parent};
use super::seat::Seat;
use super::spares::{SpareWays, Spares};
use super::{Locks, Threads, Ticker, Worker};
use crate::current;
use crate::deque::{Deque, PrivateTasks, Team};
use crate::idle::{Crowd, Idle, Notifier};
use crate::jobs::drain::Drain;
use crate::jobs::{
    Background, Fifo, InFrame, Job, JobSource, Lane, SpawnOrder, Ticket, UsedLanes, WorkerLane,
};
use crate::probe::{Phase, Probe};
use crate::task::Slots;
use crate::task::panic::PanicHook;
use crate::wait::{Latch, Wait};
use crossbeam_utils::CachePadded;
use lyocell_sync::{Generation, HeavyBarrier, OnceLock, Parker, Seed};
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::{Arc, Weak};
use std::time::Duration;

/// What the threads of a pool and its callers share.
pub(crate) struct Registry<D: Deque, P: Probe> {
    /// Never cloned; an `Arc`, because a moved box would claim to be the only way to the deques that the
    /// team points at.
    pub(crate) workers: Arc<[CachePadded<Worker<D, P>>]>,
    pub(crate) team: Team<D>,
    pub(crate) idle: Idle,
    pub(crate) hungry: Hungry,
    /// Interrupts owners, where that is wanted.
    pub(crate) ticker: Option<Ticker>,
    pub(crate) settings: Settings,
    /// Calls and detached tasks from outside.
    pub(super) injector: Lane,
    pub(super) used_lanes: UsedLanes,
    pub(crate) seat: CachePadded<Option<Seat<SleepingCaller>>>,
    pub(crate) drain: CachePadded<Drain>,
    pub(super) frames: Frames<D, P>,
    pub(crate) crowds: CachePadded<Crowds>,
    pub(crate) spares: CachePadded<Spares>,
    pub(crate) active: Active,
    /// Set when the pool is built, if it has spares.
    pub(crate) spare_ways: OnceLock<SpareWays<D, P>>,
    /// Where somebody wants to know what is held across waits. Boxed, for it is written and what is around is not.
    pub(super) locks: Option<Box<Locks>>,
    pub(crate) background: Background,
    /// By which thieves expose, where there is one.
    barrier: Option<HeavyBarrier>,
    pub(crate) on_panic: Option<PanicHook>,
    pub(crate) generation: Generation,
    /// The registry that this one serves for in the child of a fork.
    stands_in_for: Option<NonNull<()>>,
    /// Itself, for a thread that keeps it alive (registry-3).
    pub(super) this: Weak<Self>,
}

/// How the workers of a pool behave; it never changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// What a worker does while it waits for a stolen task.
    pub(crate) wait: Wait,
    /// How long a worker searches before it parks.
    pub(crate) search_time: Duration,
    pub(crate) crowd: Crowd,
    /// In which order a worker takes up its own jobs.
    pub(crate) order: SpawnOrder,
    /// What a caller on the seat runs while it waits.
    pub(crate) callers: Callers,
    pub(crate) threads: Threads,
    pub(crate) sharing: Sharing,
    /// How many workers are in background tasks at a time, at the most.
    pub(crate) background: usize,
}

/// When owners share what can be had by their own doing only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// Before anybody asks (worker-5), and all while somebody has nothing to run (hunger-1).
    Ahead,
    /// When somebody has asked: whoever searches does so again and again, and whoever parks before it does (idle-6).
    WhenAsked,
}

/// A caller that sleeps until its call is over, or until it has the seat and makes the call itself.
pub(crate) struct SleepingCaller {
    pub(crate) call: Ticket,
    /// Set at the end of the call, or by who hands the seat over and has taken the call back.
    pub(crate) latch: InFrame<Latch>,
}

/// What a registry is made of.
pub(crate) struct Parts {
    /// What the workers draw at random hangs on it, and on their numbers.
    pub(crate) seed: Seed,
    /// The arrays of the workers, one each.
    pub(crate) slots: Vec<Slots>,
    /// How many of the workers, the last ones, are spares.
    pub(crate) spares: usize,
    /// The workers of each node of the memory, where thieves prefer those of their own.
    pub(crate) nodes: Vec<Range<usize>>,
    pub(crate) settings: Settings,
    pub(crate) ticker: Option<Ticker>,
    /// Whether callers may be worker 0.
    pub(crate) has_seat: bool,
    /// Whether worker 0 is whoever calls, and no thread of the pool.
    pub(crate) first_calls: bool,
    pub(crate) barrier: Option<HeavyBarrier>,
    pub(crate) on_panic: Option<PanicHook>,
    pub(crate) locks: Option<Box<Locks>>,
    /// The address of the registry that it serves for in the child of a fork.
    pub(crate) stands_in_for: Option<NonNull<()>>,
}

// SAFETY: the workers' cells have one thread at a time (worker-1, registry-1); everything else is `Sync`.
unsafe impl<D: Deque, P: Probe> Sync for Registry<D, P> {}
// SAFETY: as above; what it owns may be dropped anywhere.
unsafe impl<D: Deque, P: Probe> Send for Registry<D, P> {}

impl<D: Deque, P: Probe> Registry<D, P> {
    /// A registry with a worker for each array of slots. A pool of one worker with a seat needs a backup thread, if it has threads
    /// at all, which parks on the second thing returned.
    pub(crate) fn new(parts: Parts, options: &D::Options) -> (Arc<Self>, Option<Parker>) {
        let new_worker = |(index, slots)| {
            let near = parts.nodes.iter().find(|node| node.contains(&index));
            let near = near.cloned().unwrap_or_default();
            CachePadded::new(Worker::<D, P>::new(index, slots, options, parts.seed, near))
        };
        let workers: Arc<[_]> = parts.slots.into_iter().enumerate().map(new_worker).collect();
        let has_threads = parts.settings.threads == Threads::Some;
        let is_one = workers.len() - parts.spares == 1;
        let backup = (has_threads && parts.has_seat && is_one).then(Parker::default);
        let caller = backup.as_ref().map(|parker| parker.unparker().clone());
        let seat = parts.has_seat.then(|| Seat::new(caller));
        let active = Active::new(workers.len() - parts.spares, parts.first_calls);
        let registry = Arc::new_cyclic(|this| Registry {
            this: this.clone(),
            // SAFETY: the workers are on the heap, and their `Arc` is in the registry as well.
            team: unsafe { Team::new(workers.iter().map(|worker| &worker.owner.deque)) },
            settings: parts.settings,
            ticker: parts.ticker,
            idle: Idle::new(workers.iter().map(|worker| &worker.own.parker), parts.settings.crowd),
            hungry: Hungry::new(),
            used_lanes: UsedLanes::new(workers.len()),
            workers,
            injector: Lane::new(),
            seat: CachePadded::new(seat),
            drain: CachePadded::new(Drain::new()),
            frames: Frames::new(),
            crowds: CachePadded::new(Crowds::new()),
            spares: CachePadded::new(Spares::new(parts.spares)),
            active,
            spare_ways: OnceLock::new(),
            locks: parts.locks,
            background: Background::new(parts.settings.background),
            barrier: parts.barrier,
            on_panic: parts.on_panic,
            generation: Generation::now(),
            stands_in_for: parts.stands_in_for,
        });
        for worker in registry.workers.iter() {
            worker.attach(NonNull::from(&*registry));
            let _ = worker.request_unless_stealable();
        }
        (registry, backup)
    }

    /// What names the pool: its registry's address, which its stand-in has too.
    pub(crate) fn identity(&self) -> *const () {
        self.stands_in_for.map_or(std::ptr::from_ref(self).cast(), |registry| registry.as_ptr())
    }

    /// The worker of this pool that the calling thread is; in the child of a fork that of its stand-in, within a call that
    /// this serves, or the one that it was before.
    pub(crate) fn current(&self) -> Option<&Worker<D, P>> {
        // SAFETY: this pool's, and its stand-in's, are of this type.
        unsafe { current::worker_in(self.identity()) }
    }

    /// The barrier by which thieves expose, in a pool whose deque allows that.
    pub(crate) fn barrier(&self) -> Option<&HeavyBarrier> {
        let can = D::PRIVATE_TASKS == PrivateTasks::Exposed;
        self.barrier.as_ref().filter(|barrier| can && barrier.works())
    }

    /// The barrier, where there was one when the pool was built.
    pub(crate) fn any_barrier(&self) -> Option<&HeavyBarrier> {
        self.barrier.as_ref()
    }

    /// All workers but one.
    pub(crate) fn others(&self, index: usize) -> impl Iterator<Item = &Worker<D, P>> {
        // By its place, not by what it says: to look at the worker would fetch a line of it.
        let workers = self.workers.iter().enumerate().filter(move |(at, _)| *at != index);
        workers.map(|(_, worker)| &**worker)
    }

    /// Queues a job for any worker that may run it.
    pub(crate) fn inject(&self, job: Job) {
        match self.class_of(Parent::of_job(job.origin())) {
            Class::Foreground => {
                self.injector.push(job);
                self.announce_job();
            }
            Class::Background => self.leave_to_background(job),
        }
    }

    /// Queues a call for any worker; [`Registry::announce_call`] has to follow. The caller can have it back as long as
    /// nobody has begun it.
    pub(crate) fn queue_call(&self, call: Job) -> Ticket {
        self.injector.push(call)
    }

    /// Takes a call back, unless somebody has begun it.
    pub(crate) fn take_back(&self, call: Ticket) -> Option<Job> {
        self.injector.take_back(call)
    }

    /// Queues a job, on the lane of the calling worker if it is one of ours: it is made for that.
    #[inline(always)]
    pub(crate) fn submit(&self, job: impl FnOnce(Option<&Worker<D, P>>) -> Job) {
        let spawner = if self.generation.is_past() { None } else { self.current() };
        let job = job(spawner);
        match spawner {
            Some(worker) => worker.spawn(job),
            None => self.submit_from_elsewhere(job),
        }
    }

    #[inline(never)]
    fn submit_from_elsewhere(&self, job: Job) {
        self.here(|registry| match registry.current() {
            Some(worker) => worker.spawn(job),
            None => registry.inject(job),
        });
    }

    /// Queues a job that is to run after those queued so before it, on the calling worker if it is one of ours. In the child
    /// of a fork the queue is the stand-in's: another's may be in the middle of something for ever.
    ///
    /// # Safety
    /// `fifo` gives the queue for a worker, which is there until the job is over.
    pub(crate) unsafe fn submit_fifo<'a>(
        &self,
        job: impl FnOnce(Option<&Worker<D, P>>) -> Job,
        fifo: impl FnOnce(usize) -> &'a Fifo,
    ) {
        if self.generation.is_past() {
            return self.by_stand_in(|worker| {
                // SAFETY: a stand-in is there until all its jobs are over.
                unsafe { worker.queue_fifo(job(Some(worker)), &worker.fifo) }
            });
        }
        match self.current() {
            // SAFETY: by the caller's word.
            Some(worker) => unsafe { worker.queue_fifo(job(Some(worker)), fifo(worker.index())) },
            None => self.inject(job(None)),
        }
    }

    /// Leaves a job to each worker but one; that of a worker which will have no thread is discarded.
    pub(crate) fn post_to_each(
        &self,
        but: Option<usize>,
        mut job: impl FnMut(&Self, usize) -> Job,
    ) {
        self.here(|registry| {
            let readers = (0..registry.workers.len()).filter(|index| Some(*index) != but);
            readers.for_each(|worker| registry.post(worker, job(registry, worker)));
            registry.have_mail_read();
        });
    }

    /// Leaves a job, which may be discarded, for this worker alone (registry-5), or discards it (registry-6).
    pub(crate) fn post(&self, worker: usize, job: Job) {
        match self.workers[worker].mail.push_if_open(job) {
            Ok(()) => {
                self.idle.unpark(worker);
                self.call_in_reader(worker);
            }
            Err(job) => job.discard(&*self.workers[worker]),
        }
    }

    /// The thread of this worker is over, or will not come (registry-6).
    pub(crate) fn note_absent(&self, worker: usize) {
        let worker = &*self.workers[worker];
        worker.mail.close().into_iter().for_each(|job| job.discard(worker));
    }

    pub(crate) fn announce_job(&self) {
        self.idle.notify_of_call(Notifier::GoesOn);
        self.call_in();
        self.wake_backup();
    }

    /// A call waits for any worker. The backup thread is left alone where the caller can make the call itself.
    pub(crate) fn announce_call(&self, caller: Notifier) {
        self.idle.notify_of_call(caller);
        self.call_in();
        if self.seat_for_callers().is_none() {
            self.wake_backup();
        }
    }

    /// The seat, unless this thread is a worker already (current-1) or nobody may sit.
    pub(crate) fn seat_for_callers(&self) -> Option<&Seat<SleepingCaller>> {
        self.seat.as_ref().filter(|_| !current::is_worker())
    }

    pub(crate) fn wake_everybody(&self) {
        self.idle.unpark_all();
        self.ticker.as_ref().inspect(|ticker| ticker.rouse());
        self.spares.wake_all();
        self.active.wake_watcher();
        self.wake_backup();
    }

    /// Has the backup thread look, or whoever takes its place (alone-2).
    pub(super) fn wake_backup(&self) {
        match self.settings.threads {
            Threads::Some => _ = self.seat.as_ref().inspect(|seat| seat.wake_backup()),
            Threads::None => self.sit_down_for_jobs(),
        }
    }

    /// Whether a job waits anywhere.
    pub(crate) fn has_jobs(&self) -> bool {
        !self.injector.is_empty()
            || self.used_lanes.from(0).any(|worker| !self.workers[worker].lane.is_empty())
    }

    /// One place for those who look at one worker, so that a program has the panic of a wrong number once.
    #[inline(never)]
    pub(super) fn worker(&self, index: usize) -> &Worker<D, P> {
        &self.workers[index]
    }

    /// Whether a task waits that somebody can have or ask for.
    pub(crate) fn has_tasks(&self) -> bool {
        self.workers.iter().any(|worker| {
            worker.has_or_keeps_tasks() && self.has_room_for(self.oldest_class(worker.index))
        })
    }

    /// A job for this worker (registry-2): its own newest, the oldest call, or somebody else's oldest; but now and
    /// then one whose turn it is (turns-1).
    pub(crate) fn find_job(&self, worker: &Worker<D, P>) -> Option<Job> {
        self.find_job_in_turn(worker)
            .or_else(|| worker.own_job())
            .or_else(|| self.find_job_elsewhere(worker))
    }

    /// A job that comes before all else, if it is a job's turn.
    #[inline(always)]
    pub(crate) fn find_job_in_turn(&self, worker: &Worker<D, P>) -> Option<Job> {
        match self.settings.order {
            SpawnOrder::Fair => self.oldest_job_of(worker.own.turns.next()?, worker),
            SpawnOrder::NewestFirst | SpawnOrder::OldestFirst => None,
        }
    }

    #[cold]
    fn oldest_job_of(&self, source: JobSource, worker: &Worker<D, P>) -> Option<Job> {
        match source {
            // frame-4.
            JobSource::Injector if worker.is_in_frame() => None,
            JobSource::Injector => self.injector.pop_oldest(),
            JobSource::OwnLane => worker.mail.pop_oldest().or_else(|| worker.lane.pop_oldest()),
            JobSource::OtherLane(at) => self.other_lane(worker, at).pop_oldest(),
        }
    }

    /// A job for this worker where little of its stack is left: its newest, whatever the order is, and without turns. That is
    /// what the frame on top has spawned, if anybody has; an older one would wait for its own on top of that, and so on, a
    /// frame a job.
    pub(crate) fn find_job_on_short_stack(&self, worker: &Worker<D, P>) -> Option<Job> {
        worker.newest_job().or_else(|| self.find_job_elsewhere(worker))
    }

    /// The oldest call, or another worker's oldest job.
    pub(crate) fn find_job_elsewhere(&self, worker: &Worker<D, P>) -> Option<Job> {
        if worker.is_in_frame() {
            // frame-4.
            return self.steal_job(worker);
        }
        worker.steal_call().or_else(|| self.steal_job(worker))
    }

    /// The lane of another worker if there is one, each in its turn.
    fn other_lane(&self, worker: &Worker<D, P>, at: usize) -> &WorkerLane {
        &self.workers[(worker.index() + 1 + at) % self.workers.len()].lane
    }

    fn steal_job(&self, worker: &Worker<D, P>) -> Option<Job> {
        let is_used = self.background.is_used();
        let others = self.others_with_jobs(worker.index());
        let mut others = others.filter(|other| !is_used || worker.may_rob(other.index));
        if is_used || worker.owner.depth() > 0 {
            // Within a join it takes no more than it runs: in its lane others would lie above the height of a `join_context`, and
            // come before its `b`. And those of a batch may be of two classes.
            return others.find_map(|other| other.lane.steal_one());
        }
        let mut others = others.filter(|other| !other.lane.is_empty());
        let (job, kept) = others.find_map(|other| {
            // What it keeps goes to its own.
            worker.note_use_of_lane();
            other.lane.steal_oldest(&worker.lane, self.settings.order)
        })?;
        if kept > 0 {
            // worker_lane-4.
            self.idle.notify_of_spawn();
        }
        Some(job)
    }

    /// Makes this thread the worker until it ends; it is not interrupted. The registry is never freed then.
    pub(crate) fn occupy_for_good(self: &Arc<Self>, index: usize) {
        // Once for the worker, which stays linked though its thread's presence may be over.
        std::mem::forget(Arc::clone(self));
        let worker = &self.workers[index];
        worker.owner.probe.enter(Phase::Application);
        worker.note_fed();
        // SAFETY: the workers are the registry's, which has just been leaked.
        unsafe { current::occupy_for_good(&**worker) };
    }

    /// Makes this thread the worker while `body` runs, open to interrupts if the pool has them.
    pub(crate) fn occupy(&self, index: usize, body: &mut dyn FnMut(&Worker<D, P>)) {
        current::occupy(&*self.workers[index], |worker| {
            let _open = self.ticker.as_ref().map(|ticker| ticker.open(worker));
            body(worker)
        })
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::lines::hold_lines;

    #[test]
    fn no_line_has_two_writers() {
        use crate::deque::Split;
        use crate::probe::NoProbe;
        hold_lines!(Registry<Split, NoProbe>:
            workers: Nobody,
            team: Nobody,
            idle: Anybody,
            hungry: Anybody,
            ticker: Nobody,
            settings: Nobody,
            injector: Anybody,
            used_lanes: Anybody,
            seat: Callers,
            drain: Anybody,
            frames: Nobody,
            crowds: Anybody,
            spares: Anybody,
            active: Nobody,
            spare_ways: Nobody,
            locks: Nobody,
            background: Anybody,
            barrier: Nobody,
            on_panic: Nobody,
            generation: Nobody,
            stands_in_for: Nobody,
            this: Nobody,
        );
    }
}
