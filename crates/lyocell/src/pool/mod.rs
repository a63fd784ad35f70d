//! A pool, as its user has it: how it starts, what it is asked to do, and how it ends.
//!
//! A pool of `n` workers has `n - 1` threads; the first worker is the *seat*: a thread that calls
//! [`Pool::run`] takes it and works itself, so nothing is handed over and nobody is woken for work that
//! turns out small. Who finds the seat taken leaves a call in the injector, queues up for the seat and sleeps, until a
//! worker has made the call or the seat is handed over. A pool of one worker has a *backup thread*, a thread that takes
//! its turn on the seat when detached tasks wait.
//!
//! | file | what |
//! |---|---|
//! | `builder`, `config`, `error` | setting a pool up, what is checked about it, what can go wrong |
//! | `threads` | what its threads do with their lives, and who sits on the seat |
//! | `calls` | how work comes in from outside: calls, joins without a worker, detached tasks |
//! | `after_fork` | what becomes of a pool in the child of a `fork()` |
//!
//! May import: limits, sync, outside, probe, task, deque, interrupt, registry, wait, worker, fork_join.
//! Never enters: how tasks are found and run. A pool that is built is left to its workers.

mod after_fork;
mod builder;
mod calls;
mod config;
mod error;
mod threads;

pub use builder::Builder;
pub use config::{Caller, Exposing, Pinning, WakeSteering};
pub use error::BuildError;

use crate::deque::{Deque, Split};
use crate::fork_join::Scope;
use crate::outside::thread::{self, JoinHandle};
use crate::probe::{Counters, NoProbe, Probe};
use crate::registry::Registry;
use crate::wait::Latch;
use crate::worker::{Worker, current};
use config::Config;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

/// A set of workers that run fork-join tasks.
///
/// [`Pool::new`] builds one with as many workers as there are processors; [`Pool::builder`] sets
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
    registry: Arc<Registry<D, P>>,
    threads: Vec<JoinHandle<()>>,
}

// What a panic leaves behind is in order: each join and scope ends what it began (join-2, range-2, scope-1).
impl<D: Deque, P: Probe> UnwindSafe for Pool<D, P> {}
impl<D: Deque, P: Probe> RefUnwindSafe for Pool<D, P> {}

impl Pool {
    /// Builds a pool with a worker for each processor this process may use, or as many as the environment
    /// variable `LYOCELL_WORKERS` says.
    ///
    /// # Errors
    /// Fails if `LYOCELL_WORKERS` is set to anything but a number of workers, if there is no memory for the
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

    /// Returns a builder, to set a pool up in detail.
    pub fn builder() -> Builder {
        Builder::default()
    }
}

impl<D: Deque, P: Probe> Pool<D, P> {
    /// Returns the number of workers, the caller's seat included.
    pub fn workers(&self) -> usize {
        self.registry.workers.len()
    }

    /// Runs `task` on a worker of this pool and returns what it returns.
    ///
    /// Called from outside, the calling thread takes the free seat and runs the task itself. If the seat is
    /// taken, it sleeps until a worker has run the task, or until the seat is handed over to it. If the pool was
    /// built without a seat, a worker runs it. Called from a task of this pool, it is a plain call.
    ///
    /// A caller that is a worker of another pool leaves the seat alone and goes on working in its own pool
    /// until the task is over, so pools may call each other in any order and number. A pool that is mostly
    /// called that way should be built with [`Caller::Sleeps`]: then all its workers
    /// have threads.
    ///
    /// # Panics
    /// Panics with the panic of `task`.
    ///
    /// # Fairness
    /// Callers who wait get the seat in the order in which they came, before any that come later. Where there is but
    /// one worker, at most 61 detached tasks run between one of them and the next. A worker takes up the oldest call
    /// that waits at the latest after 182 other things.
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
        self.registry.run(task)
    }

    /// Spawns `task`, which runs some time on some worker. Nobody waits for it.
    ///
    /// The task is allocated. For tasks that borrow, use [`Pool::scope`](Pool::scope).
    ///
    /// # Fairness
    /// Newer tasks may come before older ones, but not for ever. Of 183 things that a worker does in a row, joins of
    /// others and calls included, one is the oldest task that was spawned from outside, one the oldest that was spawned
    /// on this worker, and one the oldest of another worker, each of these in turn; if there is such a task. Where
    /// there is but one worker, at most 61 calls of [`Pool::run`] come before 61 of the tasks that wait.
    ///
    /// # Panics
    /// `spawn` itself does not panic. A panic of `task` goes to the hook of [`Builder::on_panic`]; without a hook it
    /// is dropped.
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
        self.registry.spawn_detached(task);
    }

    /// [`Worker::scope`] on this pool, from any thread.
    ///
    /// # Panics
    /// Panics as [`Worker::scope`] does.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// let mut halves = [0, 0];
    /// pool.scope(|s| {
    ///     for half in &mut halves {
    ///         s.spawn(|_| *half = 21);
    ///     }
    /// });
    /// assert_eq!(halves.iter().sum::<i32>(), 42);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn scope<'env, F, R>(&self, body: F) -> R
    where
        F: for<'scope> FnOnce(&'scope Scope<'scope, 'env, D, P>) -> R + Send,
        R: Send,
    {
        self.run(|w| w.scope(body))
    }

    /// Returns the probes of the workers, in the order of their numbers.
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
        self.registry.workers.iter().map(|worker| &worker.probe)
    }

    /// Returns the counters of what was done when workers were [interrupted](Builder::interrupt), in the order of the
    /// workers' numbers.
    ///
    /// # Examples
    /// ```
    /// use lyocell::probe::Event;
    ///
    /// let pool = lyocell::Pool::new()?;
    /// let interrupts: usize = pool.interrupts().map(|done| done.counts().of(Event::Interrupt)).sum();
    /// assert_eq!(interrupts, 0, "nobody asked for any");
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn interrupts(&self) -> impl Iterator<Item = &Counters> {
        self.registry.workers.iter().map(|worker| &worker.interrupt.done)
    }

    pub(crate) fn registry(&self) -> &Registry<D, P> {
        &self.registry
    }

    /// Starts the threads of a pool; if one fails, those before it are joined.
    pub(crate) fn start(
        config: Config,
        options: &D::Options,
        workers: usize,
    ) -> Result<Pool<D, P>, BuildError> {
        let (registry, backup) = Registry::new(config.parts::<D>(workers)?, options);
        let mut pool = Pool { registry, threads: Vec::new() };
        pool.threads.extend(pool.registry.start_ticker()?);
        if let Some(parker) = backup {
            let registry = Arc::clone(&pool.registry);
            let body = Box::new(move || registry.serve_as_backup(&parker));
            pool.threads.push(config.start(0, body)?);
        }
        let first = if pool.registry.seat.is_some() { 1 } else { 0 };
        // Each thread keeps the registry alive (registry-3).
        for worker in first..workers {
            let registry = Arc::clone(&pool.registry);
            let steering = config.wake_steering;
            let body = Box::new(move || registry.serve(worker, steering));
            // On an error the pool is dropped here, which joins the threads so far.
            pool.threads.push(config.start(worker, body)?);
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
        let registry = &self.registry;
        if registry.generation.is_past() {
            // The threads are in another process, and what they hold is not ours to free.
            return std::mem::forget(std::mem::take(&mut self.threads));
        }
        registry.drain.close();
        registry.wake_everybody();
        if registry.current().is_some() {
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

/// Has a thread join the threads of a pool, and works in this thread's own pool meanwhile (current-1): what is
/// outstanding there may need it.
fn join_beside(threads: Vec<JoinHandle<()>>) {
    current::waiting(|parker, wait| {
        let latch = &Latch::new(parker);
        let join_and_tell = move || {
            join_all(threads);
            // SAFETY: the scope of threads below ends before the latch does.
            unsafe { Latch::set(latch) };
        };
        thread::scope(|scope| {
            if thread::Builder::new().spawn_scoped(scope, join_and_tell).is_ok() {
                wait(latch);
            }
            // Without a thread the pool's threads end by themselves.
        });
    });
}
