//! A pool: its workers, their threads, the seat for a caller, and how it ends.
//!
//! A pool of `n` workers has `n - 1` threads; the first worker is the *seat*: a thread that calls
//! [`Pool::run`] takes it and works itself, so nothing is handed over and nobody is woken for work that
//! turns out small. Who finds the seat taken leaves a call in the injector and sleeps. A pool of one
//! worker has a *stand-in*, a thread that takes the free seat when calls or detached tasks wait.
//!
//! # Invariants
//! - O1. A worker is occupied by one thread: worker 0 by who holds the seat, the others by their thread.
//! - O2. A job that is in the injector or a lane is run before the pool's threads end (E1, in `drain`).
//! - O3. Threads and callers keep `Shared` alive while they are workers.
//! - O4. The seat is free only when nothing of its occupant is left in the deque of worker 0.

use crate::builder::{Builder, Config, PanicHook, hand_panic};
use crate::current;
use crate::deque::{Deque, Split, Team};
use crate::drain::{Drain, TaskEnd};
use crate::error::BuildError;
use crate::fork::Generation;
use crate::idle::Idle;
use crate::interrupt::Ticker;
use crate::job::Job;
use crate::join::drop_quietly;
use crate::lane::Lane;
use crate::latch::Latch;
use crate::policy::Wait;
use crate::probe::{NoProbe, Phase, Probe};
use crate::profit::Profit;
use crate::seat::{Seat, Take};
use crate::steal::Found;
use crate::sync::Parker;
use crate::wait::{Goal, Marked, Worth};
use crate::worker::Worker;
use crossbeam_utils::CachePadded;
use std::panic::{AssertUnwindSafe, RefUnwindSafe, UnwindSafe, catch_unwind, resume_unwind};
use std::ptr::NonNull;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A set of workers that run fork-join tasks.
///
/// [`Pool::new`] makes one with as many workers as there are processors; [`Pool::builder`] sets
/// everything. Most programs need one pool, or none: [`join`](crate::join()) and its like use a global one.
///
/// Left alone, a pool costs no processor time: its threads sleep, and nothing wakes them.
///
/// Dropping a pool runs all detached tasks to their end and joins its threads; on one of its own
/// workers, it leaves them to end by themselves. A task of the pool that waits, through another pool or
/// thread, for the drop of its own pool waits forever.
///
/// # Examples
/// ```
/// let pool = lyocell::Pool::new()?;
/// let (a, b) = pool.run(|w| w.join(|_| 1 + 1, |_| 2 + 2));
/// assert_eq!((a, b), (2, 4));
/// # Ok::<(), lyocell::BuildError>(())
/// ```
pub struct Pool<D: Deque = Split, P: Probe = NoProbe> {
    shared: Arc<Shared<D, P>>,
    threads: Vec<JoinHandle<()>>,
}

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
    seat: Option<Seat>,
    drain: Drain,
    pub(crate) on_panic: Option<PanicHook>,
    pub(crate) generation: Generation,
}

// SAFETY: the workers' cells have one thread at a time (W1, O1); everything else is `Sync`.
unsafe impl<D: Deque, P: Probe> Sync for Shared<D, P> {}
// SAFETY: as above; what it owns may be dropped anywhere.
unsafe impl<D: Deque, P: Probe> Send for Shared<D, P> {}

// What a panic leaves behind is in order: each join and scope ends what it began (J2, R2, C1).
impl<D: Deque, P: Probe> UnwindSafe for Pool<D, P> {}
impl<D: Deque, P: Probe> RefUnwindSafe for Pool<D, P> {}

impl Pool {
    /// A pool with a worker for each processor this process may use, or as many as the environment
    /// variable `LYOCELL_WORKERS` says.
    ///
    /// # Errors
    /// If `LYOCELL_WORKERS` is set to anything but a number of workers, if there is no memory for the
    /// deques, or if a thread cannot be started.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// assert!(pool.workers() >= 1);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn new() -> Result<Pool, BuildError> {
        Pool::builder().build()
    }

    /// Sets the pool up in detail.
    pub fn builder() -> Builder {
        Builder::default()
    }
}

impl<D: Deque, P: Probe> Pool<D, P> {
    /// How many workers the pool has, the caller's seat included.
    pub fn workers(&self) -> usize {
        self.shared.workers.len()
    }

    /// Runs `task` on a worker of this pool and returns what it returns.
    ///
    /// Called from outside, the calling thread takes the free seat and runs the task itself. If the seat is
    /// taken, or the pool was built without one, a worker runs it and the caller sleeps. Called from a task
    /// of this pool, it is a plain call.
    ///
    /// A caller that is a worker of another pool leaves the seat alone and goes on working in its own pool
    /// until the task is over, so pools may call each other in any order and number. A pool that is mostly
    /// called that way should be built with [`Caller::Sleeps`](crate::Caller::Sleeps): then all its workers
    /// have threads.
    ///
    /// # Panics
    /// With the panic of `task`.
    ///
    /// # Cost
    /// With a free seat, tens of nanoseconds; else a hand-over to another thread and back.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// let text = String::from("borrowed, not moved");
    /// assert_eq!(pool.run(|_| text.len()), 19);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn run<F, R>(&self, task: F) -> R
    where
        F: FnOnce(&Worker<D, P>) -> R + Send,
        R: Send,
    {
        self.shared.run(task)
    }

    /// Runs `task` some time, on some worker; nobody waits for it.
    ///
    /// The task is allocated. For tasks that borrow, use [`Pool::scope`](Pool::scope).
    ///
    /// # Panics
    /// Not itself. A panic in `task` goes to [`Builder::on_panic`], or is dropped there.
    ///
    /// # Examples
    /// ```
    /// use std::sync::mpsc;
    ///
    /// let pool = lyocell::Pool::new()?;
    /// let (send, receive) = mpsc::channel();
    /// pool.spawn(move |_| send.send(6 * 7).unwrap());
    /// assert_eq!(receive.recv(), Ok(42));
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn spawn<F>(&self, task: F)
    where
        F: FnOnce(&Worker<D, P>) + Send + 'static,
    {
        self.shared.spawn_detached(task);
    }

    /// The probes of the workers, in the order of their numbers.
    ///
    /// # Examples
    /// ```
    /// use lyocell::probe::{Counters, Event};
    ///
    /// let pool = lyocell::Pool::builder().probe::<Counters>().build()?;
    /// pool.run(|w| w.join(|w| w.join(|_| (), |_| ()), |_| ()));
    /// let spawned: usize = pool.probes().map(|probe| probe.counts().of(Event::Spawn)).sum();
    /// assert_eq!(spawned, 2);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn probes(&self) -> impl Iterator<Item = &P> {
        self.shared.workers.iter().map(|worker| &worker.probe)
    }

    /// How many [interrupts](Builder::interrupt) the workers have had.
    pub fn interrupts(&self) -> usize {
        self.shared.workers.iter().map(|worker| worker.interrupt.handled()).sum()
    }

    pub(crate) fn shared(&self) -> &Shared<D, P> {
        &self.shared
    }

    /// Starts the threads of a pool; if one fails, those before it are joined.
    pub(crate) fn start(
        config: Config,
        options: &D::Options,
        workers: usize,
    ) -> Result<Pool<D, P>, BuildError> {
        let (shared, stand_in) = Shared::new(&config, options, workers)?;
        let mut pool = Pool { shared, threads: Vec::new() };
        pool.threads.extend(pool.shared.start_ticker()?);
        if let Some(parker) = stand_in {
            let shared = Arc::clone(&pool.shared);
            pool.threads.push(config.start(0, move || shared.stand_in(&parker))?);
        }
        let first = if pool.shared.seat.is_some() { 1 } else { 0 };
        for worker in first..workers {
            let shared = Arc::clone(&pool.shared);
            // On an error the pool is dropped here, which joins the threads so far.
            pool.threads.push(config.start(worker, move || shared.serve(worker))?);
        }
        Ok(pool)
    }
}

impl<D: Deque, P: Probe> std::fmt::Debug for Pool<D, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("deque", &D::NAME).field("workers", &self.workers()).finish()
    }
}

impl<D: Deque, P: Probe> Drop for Pool<D, P> {
    fn drop(&mut self) {
        let shared = &self.shared;
        if shared.generation.is_past() {
            // The threads are in another process, and what they hold is not ours to free.
            return std::mem::forget(std::mem::take(&mut self.threads));
        }
        shared.drain.close();
        shared.wake_everybody();
        if shared.current().is_some() {
            // One of the threads to join may be this one, or wait for the task that drops us.
            return;
        }
        let threads = std::mem::take(&mut self.threads);
        if current::is_worker() {
            join_beside(threads);
        } else {
            join_all(threads);
        }
    }
}

fn join_all(threads: Vec<JoinHandle<()>>) {
    for thread in threads {
        // A thread of ours catches what users' code throws; if it panicked, it is over as well.
        let _ = thread.join();
    }
}

/// Has a thread join the threads of a pool, and works in this thread's own pool meanwhile (K1): what is
/// outstanding there may need it.
fn join_beside(threads: Vec<JoinHandle<()>>) {
    current::waiting(|parker, wait| {
        let latch = &Latch::new(parker);
        let join_and_tell = move || {
            join_all(threads);
            latch.set();
        };
        thread::scope(|scope| {
            if thread::Builder::new().spawn_scoped(scope, join_and_tell).is_ok() {
                wait(latch);
            }
            // Without a thread the pool's threads end by themselves.
        });
    });
}

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

    pub(crate) fn run<F, R>(&self, task: F) -> R
    where
        F: FnOnce(&Worker<D, P>) -> R + Send,
        R: Send,
    {
        if let Some(worker) = self.current() {
            return task(worker);
        }
        if self.generation.is_past() {
            return self.run_alone(task);
        }
        match self.take_seat() {
            Some(seated) => seated.occupy(task),
            None => self.call(task),
        }
    }

    /// Has a worker run the task, and waits.
    fn call<F, R>(&self, task: F) -> R
    where
        F: FnOnce(&Worker<D, P>) -> R + Send,
        R: Send,
    {
        self.call_beside(task, || ()).0
    }

    /// `join` for a thread that is no worker: it takes the seat, or has a worker run `b` meanwhile.
    pub(crate) fn join_outside<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA,
        B: FnOnce() -> RB + Send,
        RB: Send,
    {
        if self.generation.is_past() {
            return self.run_alone(|worker| worker.join(|_| a(), |_| b()));
        }
        match self.take_seat() {
            Some(seated) => seated.occupy(|worker| worker.join(|_| a(), |_| b())),
            None => {
                let (second, first) = self.call_beside(|_| b(), a);
                (first, second)
            }
        }
    }

    /// Has a worker run the task, does something here meanwhile, and waits. Resumes the panic from here,
    /// else that of the task.
    fn call_beside<F, R, H>(&self, task: F, here: impl FnOnce() -> H) -> (R, H)
    where
        F: FnOnce(&Worker<D, P>) -> R + Send,
        R: Send,
    {
        let (there, here) = current::waiting(|parker, wait| {
            let latch = Latch::new(parker);
            let mut outcome = None;
            let (place, done) = (Place(&raw mut outcome), &latch);
            let job = move |worker: &Worker<D, P>| {
                let place = place;
                let result = catch_unwind(AssertUnwindSafe(|| task(worker)));
                // SAFETY: the caller's frame waits for the latch, and looks only after it is set.
                unsafe { *place.0 = Some(result) };
                done.set();
            };
            // SAFETY: what the job borrows is in this frame, which waits for the latch whatever happens.
            self.inject(unsafe { Job::boxed(job) });
            let here = catch_unwind(AssertUnwindSafe(here));
            wait(&latch);
            (outcome.expect("the latch is set after the outcome"), here)
        });
        match (there, here) {
            (Ok(there), Ok(here)) => (there, here),
            (there, Err(panic)) => {
                drop_quietly(there);
                resume_unwind(panic)
            }
            (Err(panic), Ok(here)) => {
                drop(here);
                resume_unwind(panic)
            }
        }
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

    pub(crate) fn spawn_detached<F>(&self, task: F)
    where
        F: FnOnce(&Worker<D, P>) + Send + 'static,
    {
        if self.generation.is_past() && self.current().is_none() {
            return self.run_alone(|worker| worker.pool().spawn_detached(task));
        }
        self.drain.begin_task();
        let job = |worker: &Worker<D, P>| {
            let shared = worker.pool();
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| task(worker))) {
                hand_panic(&shared.on_panic, panic);
            }
            match shared.drain.end_task() {
                TaskEnd::Final => shared.wake_everybody(),
                TaskEnd::Usual => {}
            }
        };
        // SAFETY: the task borrows nothing.
        self.submit(unsafe { Job::boxed(job) });
    }

    fn wake_everybody(&self) {
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
    fn serve(&self, worker: usize) {
        self.idle.settle(worker);
        let closing = Closing { shared: self, profit: Profit::default() };
        self.occupy(worker, |worker| worker.work_until(&closing));
    }

    /// The life of the stand-in: takes the free seat while jobs wait.
    fn stand_in(&self, parker: &Parker) {
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
    fn take_seat(&self) -> Option<Seated<'_, D, P>> {
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

/// Where a call's outcome goes; on its way to another thread.
struct Place<T>(*mut T);

// SAFETY: the outcome is `Send`, and the two threads take turns by the latch.
unsafe impl<T> Send for Place<T> {}

/// The seat, taken.
struct Seated<'a, D: Deque, P: Probe> {
    shared: &'a Shared<D, P>,
    seat: &'a Seat,
}

impl<D: Deque, P: Probe> Seated<'_, D, P> {
    /// Works as worker 0; the seat is left when the body ends or unwinds.
    fn occupy<R>(self, body: impl FnOnce(&Worker<D, P>) -> R) -> R {
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
