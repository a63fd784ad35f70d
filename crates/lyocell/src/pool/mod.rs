//! A pool, as its user has it: how it starts, what it is asked to do, and how it ends.
//!
//! A pool of `n` workers has `n - 1` threads; the first worker is the *seat*: a thread that calls [`Pool::run`] takes it and works itself,
//! so nothing is handed over and nobody is woken for work that turns out small. Who finds it taken is a spare worker, or leaves a call in
//! the injector, queues up for the seat and sleeps, until a worker has made the call or the seat is handed over. A pool of one worker has
//! a *backup thread*, which takes its turn on the seat when detached tasks wait. Where there are no threads, a pool has a seat only.
//!
//! | file | what |
//! |---|---|
//! | `builder`, `config`, `error` | setting a pool up, what is checked about it, what can go wrong |
//! | `lifetime` | how it begins, and how it ends |
//! | `nodes` | where workers stay, and which of them are on which node of the memory |
//! | `spares` | how spare workers are set up |
//! | `thread_builder` | a thread that is yet to be started, by whomever |
//! | `threads` | what its threads do with their lives, and who sits on the seat |
//! | `watch` | how many workers are active, and a thread that follows the number of processors |
//! | `calls` | how calls come in from outside, and joins without a worker |
//! | `detached` | tasks that nobody waits for, and broadcasts |
//! | `running` | a call that is awaited, and cancelled when it is not any more |
//!
//! May import: limits, cancel, probe, task, deque, idle, interrupt, wait, jobs, owner, current, scheduler, fork_join.
//! Never enters: how tasks are found and run. A pool that is built is left to its workers.

mod builder;
mod calls;
mod config;
mod detached;
mod error;
mod lifetime;
mod nodes;
mod running;
mod spares;
mod thread_builder;
mod threads;
mod watch;

pub use builder::Builder;
pub use config::{Caller, Exposing, Pinning, WakeSteering};
pub use error::BuildError;
pub use running::Running;
pub use thread_builder::ThreadBuilder;

use crate::current::TaskHandle;
use crate::deque::{Deque, Split};
use crate::fork_join::Scope;
use crate::probe::{Counters, NoProbe, Probe};
use crate::scheduler::{Registry, Worker};
use lyocell_sync::thread::JoinHandle;
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
/// workers, it leaves them to end by themselves, as it does with threads that the program has started
/// ([`Builder::build_with`]). A task of the pool that waits, through another pool or
/// thread, for the drop of its own pool waits forever.
///
/// # Examples
/// ```
/// let pool = lyocell::Pool::new()?;
/// let (a, b) = pool.run(|w| w.join(|_| 1 + 1, |_| 2 + 2));
/// assert_eq!((a, b), (2, 4));
/// # Ok::<(), lyocell::BuildError>(())
/// ```
#[doc(alias = "ThreadPool")]
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

    /// Builds a pool with so many workers, the caller's seat included: 1 to 1023. `LYOCELL_WORKERS` does not overrule it.
    ///
    /// # Errors
    /// Fails as [`Builder::build`] does.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::with_workers(2)?;
    /// assert_eq!(pool.run(|w| w.workers()), 2);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn with_workers(workers: usize) -> Result<Pool, BuildError> {
        Pool::builder().workers(workers).build()
    }

    /// Returns a builder, to set a pool up in detail.
    pub fn builder() -> Builder {
        Builder::default()
    }
}

impl<D: Deque, P: Probe> Pool<D, P> {
    /// Returns the number of workers, the caller's seat and [spare](Builder::spare_workers) workers included. Where the system supports no
    /// threads it is one.
    pub fn workers(&self) -> usize {
        self.registry.workers.len()
    }

    /// Runs `task` on a worker of this pool and returns what it returns.
    ///
    /// Called from outside, the calling thread takes the free seat and runs the task itself. If the seat is taken, it is a [spare
    /// worker](Builder::spare_workers) meanwhile if one is free, and else sleeps until a worker has run the task, or until the seat
    /// is handed over to it. If the pool was built without a seat, a worker runs it. Called from a task of this pool, it is a plain call.
    ///
    /// While a caller on the seat waits for a part of its task, it runs what descends from that, and nothing of other calls, unless
    /// the pool was built with [`Caller::WorksForAll`].
    ///
    /// A caller that is a worker of another pool leaves the seat alone and goes on working in its own pool until the task is over, so
    /// pools may call each other in any order and number. A pool that is mostly called that way should be built with
    /// [`Caller::Sleeps`]: then all its workers have threads.
    ///
    /// # Panics
    /// Panics with the panic of `task`.
    ///
    /// # Fairness
    /// Callers who wait get the seat in the order in which they came, before any that come later. Where there is but one worker, at most
    /// 61 detached tasks run between one of them and the next. A worker takes up the oldest call that waits at the latest after 182
    /// other things, one of which may be half of a long call.
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
    #[doc(alias = "install")]
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
    /// pool.spawn_detached(move |_| send.send(6 * 7).unwrap());
    /// assert_eq!(receive.recv(), Ok(42));
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn spawn_detached<F>(&self, task: F)
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

    /// Calls `body` on this thread, with a scope to spawn tasks of this pool in, and waits for all that was spawned.
    ///
    /// Unlike [`Pool::scope`] it takes no seat and hands nothing over: `body` may use what is bound to the calling thread,
    /// which may be a worker of another pool, of this one or of none. Meanwhile a worker works in its own pool; another thread
    /// sleeps.
    ///
    /// # Panics
    /// Panics as [`Worker::scope`] does.
    ///
    /// # Source
    /// `in_place_scope` of rayon.
    ///
    /// # Examples
    /// ```
    /// use std::rc::Rc;
    ///
    /// let pool = lyocell::Pool::new()?;
    /// let here = Rc::new(std::thread::current().id());
    /// let mut there = None;
    /// pool.in_place_scope(|s| {
    ///     s.spawn(|_| there = Some(std::thread::current().id()));
    ///     assert_eq!(*here, std::thread::current().id());
    /// });
    /// assert!(there.is_some());
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn in_place_scope<'env, F, R>(&self, body: F) -> R
    where
        F: for<'scope> FnOnce(&'scope Scope<'scope, 'env, D, P>) -> R,
    {
        self.registry.scope_here(body)
    }

    /// Spawns `task` as [`Pool::spawn_detached`] does, and returns a handle to what it returns.
    ///
    /// [`TaskHandle::join`] waits for it, on a worker by working; and a handle is a [`Future`].
    ///
    /// # Examples
    /// ```
    /// use std::pin::pin;
    /// use std::sync::Arc;
    /// use std::task::{Context, Poll, Wake, Waker};
    /// use std::thread::{self, Thread};
    ///
    /// let pool = lyocell::Pool::new()?;
    /// let sum = pool.spawn_detached_with_handle(|w| w.map_reduce(0..100, |x| x, || 0, |a, b| a + b));
    /// assert_eq!(sum.join(), 4950);
    ///
    /// // A future that is awaited by an executor of a few lines.
    /// struct Unpark(Thread);
    /// impl Wake for Unpark {
    ///     fn wake(self: Arc<Self>) {
    ///         self.0.unpark();
    ///     }
    /// }
    /// let handle = pool.spawn_detached_with_handle(|_| 6);
    /// let mut task = pin!(async { handle.await * 7 });
    /// let waker = Waker::from(Arc::new(Unpark(thread::current())));
    /// let answer = loop {
    ///     match task.as_mut().poll(&mut Context::from_waker(&waker)) {
    ///         Poll::Ready(answer) => break answer,
    ///         Poll::Pending => thread::park(),
    ///     }
    /// };
    /// assert_eq!(answer, 42);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn spawn_detached_with_handle<F, T>(&self, task: F) -> TaskHandle<T>
    where
        F: FnOnce(&Worker<D, P>) -> T + Send + 'static,
        T: Send + 'static,
    {
        self.registry.spawn_detached_with_handle(task)
    }

    /// Spawns `task` as [`Pool::spawn_detached`] does, but a worker takes up what was spawned on it in this way in the order of the
    /// spawns.
    ///
    /// # Panics
    /// As [`Pool::spawn_detached`].
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::builder().workers(1).build()?;
    /// let (send, receive) = std::sync::mpsc::channel();
    /// pool.run(|w| (0..3).for_each(|i| {
    ///     let send = send.clone();
    ///     w.spawn_detached_fifo(move |_| send.send(i).unwrap());
    /// }));
    /// drop(send);
    /// assert_eq!(receive.iter().collect::<Vec<_>>(), [0, 1, 2]);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn spawn_detached_fifo<F>(&self, task: F)
    where
        F: FnOnce(&Worker<D, P>) + Send + 'static,
    {
        self.registry.spawn_detached_fifo(task);
    }

    /// Spawns `task` in the background: it runs when nothing else waits. Nobody waits for it.
    ///
    /// A background task begins on a thread of the pool that finds no other task and no call. What it forks, loops over and spawns in scopes
    /// is background work too, and idle workers share in it. When a call comes, or another task, and nobody is idle, a worker in a
    /// background task runs that first, at the next fork, on top of the task: then it goes on. A loop forks every few microseconds, or
    /// items; a leaf in which nothing is forked is not interrupted, so let leaves be short.
    ///
    /// A task that it spawns with [`Pool::spawn_detached`] is an ordinary one. In [`Worker::isolated`] it does not give way. It runs others
    /// where it forks, so what is said of locks in [`Worker::join`] holds at each fork of it.
    ///
    /// # Fairness
    /// Background tasks do not wait for ever: of 976 things that a thread of the pool takes up in a row while some wait, one is the oldest of
    /// them; and one that has begun runs to its next fork at the latest after 61 things that came before. [`Builder::background_workers`]
    /// says how many workers are in background tasks at a time.
    ///
    /// # Panics
    /// As [`Pool::spawn_detached`].
    ///
    /// # Cost
    /// That of a detached task. Joins cost what they did. While there is background work, who has won a task looks of which class it is, and a
    /// call that is in the pool shares a task at its first fork.
    ///
    /// # Source
    /// Ours. The request by which it gives way is that of Lace (van Dijk and van de Pol 2014).
    ///
    /// # Examples
    /// ```
    /// use std::sync::mpsc;
    ///
    /// let pool = lyocell::Pool::new()?;
    /// let (send, receive) = mpsc::channel();
    /// // An index is made anew, with all workers that have nothing else to do.
    /// pool.spawn_background(move |w| send.send(w.sum(0..1_000_000_u64, |i| i % 7)).unwrap());
    /// // Meanwhile calls are served.
    /// assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
    /// assert_eq!(receive.recv(), Ok(2_999_997));
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn spawn_background<F>(&self, task: F)
    where
        F: FnOnce(&Worker<D, P>) + Send + 'static,
    {
        self.registry.spawn_background(task);
    }

    /// Spawns `task` as [`Pool::spawn_background`] does, and returns a handle to what it returns.
    ///
    /// A worker that waits for it, by [`TaskHandle::join`], runs background tasks meanwhile, whatever it runs itself: the one that it waits
    /// for may be the next. Better wait on a thread that is no worker. For what a background task gives way to is run on top of it: were
    /// it to wait for the end of that task, neither would end.
    ///
    /// # Panics
    /// As [`Pool::spawn_detached`]. [`TaskHandle::join`] panics where it would wait for a task that has given way to its caller; where others
    /// stand between the two, it hangs.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::builder().workers(1).build()?;
    /// let sum = pool.spawn_background_with_handle(|w| w.sum(0..100_u32, |i| i));
    /// assert_eq!(sum.join(), 4950);
    /// assert_eq!(pool.run(|w| w.spawn_background_with_handle(|_| 6).join() * 7), 42);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn spawn_background_with_handle<F, T>(&self, task: F) -> TaskHandle<T>
    where
        F: FnOnce(&Worker<D, P>) -> T + Send + 'static,
        T: Send + 'static,
    {
        self.registry.spawn_background_with_handle(task)
    }

    /// Calls `task` once on each worker of the pool, and returns what the calls return, in the order of the workers' numbers.
    ///
    /// The caller, if it is a worker of the pool, makes its own call at once, when it has left the others theirs. Each of these
    /// calls it when it has nothing of its own to do, and before it steals. A worker that is in a long task
    /// keeps the call waiting, and so does one whose thread is yet to start. A thread that has ended, or is never started, is left
    /// out, and so are [spare](Builder::spare_workers) workers.
    ///
    /// Worker 0 has no thread of its own, unless the pool is built with [`Caller::Sleeps`]: it is whoever is on the seat. That thread
    /// makes the call when it waits for something, or at the end of what it runs. If the seat is free, the caller takes it for the
    /// call; and if the caller is another worker already, a thread is started that does.
    ///
    /// # Panics
    /// Panics with the first panic of a call, when all calls are over.
    ///
    /// # Source
    /// `broadcast` of rayon.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::with_workers(3)?;
    /// assert_eq!(pool.broadcast(|w| w.index() * 2), [0, 2, 4]);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn broadcast<F, R>(&self, task: F) -> Vec<R>
    where
        F: Fn(&Worker<D, P>) -> R + Sync,
        R: Send,
    {
        self.registry.broadcast(task)
    }

    /// Spawns `task` on each worker of the pool, as [`Pool::broadcast`] does. Nobody waits for it.
    ///
    /// # Panics
    /// As [`Pool::spawn_detached`].
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::with_workers(3)?;
    /// let (send, receive) = std::sync::mpsc::channel();
    /// pool.spawn_detached_broadcast(move |w| send.send(w.index()).unwrap());
    /// assert_eq!(receive.iter().sum::<usize>(), 0 + 1 + 2);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn spawn_detached_broadcast<F>(&self, task: F)
    where
        F: Fn(&Worker<D, P>) + Send + Sync + 'static,
    {
        self.registry.spawn_detached_broadcast(task);
    }

    /// Calls `body` with the worker of this pool that the calling thread is, if it is one.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// let index = || pool.with_current(|worker| worker.map(|w| w.index()));
    /// assert_eq!(index(), None);
    /// assert!(pool.run(|_| index()).is_some());
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn with_current<R>(&self, body: impl FnOnce(Option<&Worker<D, P>>) -> R) -> R {
        body(self.registry.current())
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
        self.registry.workers.iter().map(|worker| worker.owner.probe.get())
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
        self.registry.workers.iter().map(|worker| &worker.owner.interrupt.done)
    }

    pub(crate) fn registry(&self) -> &Registry<D, P> {
        &self.registry
    }
}

impl<D: Deque, P: Probe> std::fmt::Debug for Pool<D, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("deque", &D::NAME).field("workers", &self.workers()).finish()
    }
}
