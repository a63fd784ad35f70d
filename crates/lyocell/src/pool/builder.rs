//! Setting a pool up: everything that can be chosen about one.

use super::Pool;
use super::config::{Caller, Config, Exposing, WakeSteering};
use super::error::BuildError;
use super::lifetime::Start;
use super::spares::{WaysOfSpares, spare_ways};
use super::thread_builder::ThreadBuilder;
use super::watch::Watch;
use crate::current;
use crate::deque::{Deque, Split};
use crate::interrupt::Signals;
use crate::jobs::SpawnOrder;
use crate::probe::{NoProbe, Probe};
use crate::task::panic::Panic;
use crate::wait::Wait;
use std::io;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
use std::time::Duration;

/// Everything about a pool that can be set; made by [`Pool::builder`].
///
/// A clone of it builds another pool of the same kind.
///
/// # Examples
/// ```
/// let pool = lyocell::Pool::builder()
///     .workers(2)
///     .stack_size(16 << 20)
///     .thread_names(|worker| format!("solver-{worker}"))
///     .build()?;
/// assert_eq!(pool.workers(), 2);
/// # Ok::<(), lyocell::BuildError>(())
/// ```
#[doc(alias = "ThreadPoolBuilder")]
pub struct Builder<D: Deque = Split, P: Probe = NoProbe> {
    pub(crate) config: Config,
    options: D::Options,
    pub(super) watch: Option<Watch<D, P>>,
    /// What a pool with spare workers needs: what is not asked for is not linked.
    pub(super) spares: Option<WaysOfSpares<D, P>>,
}

// What is set are values and functions, which a panic leaves as they were.
impl<D: Deque, P: Probe> UnwindSafe for Builder<D, P> {}
impl<D: Deque, P: Probe> RefUnwindSafe for Builder<D, P> {}

// By hand: a derived one would ask the same of the deque and the probe.
impl<D: Deque, P: Probe> Clone for Builder<D, P> {
    fn clone(&self) -> Self {
        Builder {
            config: self.config.clone(),
            options: self.options.clone(),
            watch: self.watch.clone(),
            spares: self.spares,
        }
    }
}

impl Default for Builder {
    fn default() -> Builder {
        Builder {
            config: Config::default(),
            options: Default::default(),
            watch: None,
            spares: None,
        }
    }
}

impl<D: Deque, P: Probe> Builder<D, P> {
    /// Sets the number of workers, the caller's seat included: 1 to 1023.
    ///
    /// By default what the environment variable `LYOCELL_WORKERS` says, if it is set and not empty, else the number of
    /// processors this process may use. A number given here is not overruled by the environment. Where the system supports no
    /// threads, it is one all the same (see [without threads](crate#without-threads)).
    #[doc(alias = "num_threads")]
    #[must_use]
    pub fn workers(mut self, workers: usize) -> Self {
        self.config.workers = Some(workers);
        self
    }

    /// Sets the stack size of each thread of the pool, in bytes. By default it is 64 MiB (8 MiB where addresses have
    /// 32 bits), of which only what is used becomes memory. A caller in the seat has the stack it came with.
    #[must_use]
    pub fn stack_size(mut self, bytes: usize) -> Self {
        self.config.stack_bytes = bytes;
        self
    }

    /// Sets how many joins can be open at once on one worker: at least 1, by default 2^20 (2^12 where
    /// addresses have 32 bits; fewer where the system has no addresses for so many). Joins beyond that run in place.
    #[must_use]
    pub fn deque_capacity(mut self, tasks: usize) -> Self {
        self.config.deque_capacity = Some(tasks);
        self
    }

    /// Sets how long a worker without work searches before it parks: 100 us by default.
    ///
    /// A longer time keeps workers awake through pauses in the work; it does not keep one awake that was woken for tasks
    /// which were gone when it came. With zero, workers park after they
    /// have yielded the processor a few times, so that whoever they have asked for tasks may answer. With
    /// [`Duration::MAX`] a worker never gives up: it does not park, and it does not back off from tasks that are
    /// not worth stealing. So the work stealers of the papers wait, and so each idle worker keeps a processor busy for as
    /// long as the pool lives. Workers that may not steal from anybody while they wait ([`Wait::Leap`]) search on too.
    #[must_use]
    pub fn search_time(mut self, time: Duration) -> Self {
        self.config.search_time = time;
        self
    }

    /// Sets whether a thread that calls [`Pool::run`] works itself. By default it does.
    #[must_use]
    pub fn caller(mut self, caller: Caller) -> Self {
        self.config.caller = caller;
        self
    }

    /// Makes the thread that builds the pool its worker 0, for as long as the thread lives.
    ///
    /// Other callers sleep, as with [`Caller::Sleeps`]. The thread works for the pool only while it waits: in a join, a scope or
    /// a loop, or in [`Worker::yield_now`](crate::Worker::yield_now). In between, what was spawned on it may be taken by the
    /// other workers, if there are any. Hooks of threads are not called on it, and it is not
    /// [interrupted](Builder::interrupt).
    ///
    /// The memory of such a pool is never freed. When the pool is dropped, its threads end.
    ///
    /// # Errors
    /// [`Builder::build`] fails if the thread is a worker already; [`Builder::build_with`] also if it has become one meanwhile, by
    /// another pool that was built to start a thread of this one.
    ///
    /// # Source
    /// `use_current_thread` of rayon.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::builder().workers(2).use_current_thread().build()?;
    /// assert_eq!(lyocell::current_thread_index(), Some(0));
    /// assert_eq!(pool.run(|w| w.index()), 0);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    #[must_use]
    pub fn use_current_thread(mut self) -> Self {
        self.config.use_current_thread = true;
        self
    }

    /// Sets in which order a worker takes up the tasks that were spawned on it. By default newest first, with turns for
    /// the oldest.
    ///
    /// # Examples
    /// ```
    /// use lyocell::{Caller, Pool, SpawnOrder};
    ///
    /// let pool = Pool::builder().workers(1).spawn_order(SpawnOrder::OldestFirst).build()?;
    /// let (send, receive) = std::sync::mpsc::channel();
    /// pool.run(|w| (0..3).for_each(|i| {
    ///     let send = send.clone();
    ///     w.spawn_detached(move |_| send.send(i).unwrap());
    /// }));
    /// drop(send);
    /// assert_eq!(receive.iter().collect::<Vec<_>>(), [0, 1, 2]);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    #[must_use]
    pub fn spawn_order(mut self, order: SpawnOrder) -> Self {
        self.config.spawn_order = order;
        self
    }

    /// Sets how many workers may be in [background tasks](Pool::spawn_background) at a time: at least 1, by default all.
    ///
    /// A worker counts from its first background task until it finds something else, also while that task gives way to a call. By default
    /// there is no bound, for an idle worker helps nobody, and what is in the background gives way at each fork. Give a
    /// number where background tasks have leaves that take long, so that some workers are never in one; and where they take memory each.
    /// A thread that calls [`Pool::run`] and takes the seat begins none in any case, so a pool has one worker more than its threads
    /// for what is called.
    ///
    /// A worker that waits for the handle of a background task, or yields, may run one beyond that number: it may be the one that is
    /// waited for.
    ///
    /// # Errors
    /// [`Builder::build`] fails if it is zero.
    ///
    /// # Examples
    /// ```
    /// use std::sync::Mutex;
    ///
    /// static SPARE: Mutex<Vec<u8>> = Mutex::new(Vec::new());
    ///
    /// let pool = lyocell::Pool::builder().workers(4).background_workers(1).build()?;
    /// let tasks: Vec<_> = (0..10)
    ///     .map(|i| pool.spawn_background_with_handle(move |_| {
    ///         // One at a time: nobody else has it.
    ///         SPARE.try_lock().unwrap().push(i);
    ///     }))
    ///     .collect();
    /// tasks.into_iter().for_each(|task| task.join());
    /// assert_eq!(*SPARE.lock().unwrap(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    #[must_use]
    pub fn background_workers(mut self, workers: usize) -> Self {
        self.config.background_workers = Some(workers);
        self
    }

    /// Sets whether a worker that is woken is steered away from its waker's processor. By default it is where the process may use
    /// sixteen processors at the most; on more of them the system finds a free one by itself.
    ///
    /// [`WakeSteering`] says what that does, and when to turn it off.
    ///
    /// # Examples
    /// ```
    /// use lyocell::{Pool, WakeSteering};
    ///
    /// let pool = Pool::builder().wake_steering(WakeSteering::Off).build()?;
    /// assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    #[must_use]
    pub fn wake_steering(mut self, steering: WakeSteering) -> Self {
        self.config.wake_steering = Some(steering);
        self
    }

    /// Whether thieves may share the tasks that an owner keeps to itself, if it does not answer them.
    ///
    /// By default they do: an owner that runs a long leaf cannot keep a task from an idle worker for longer than about a
    /// millisecond, mostly for some tens of microseconds. Deques whose tasks are all shared, and those that hand
    /// tasks over in messages, take no notice of this.
    ///
    /// # Cost
    /// None for the owner. To the thief an attempt costs a system call of a few microseconds, during which other threads of
    /// the process may be interrupted.
    ///
    /// # Source
    /// Ours, on the asymmetric fences of Ladan-Mozes, Lee and Vyukov (2011).
    ///
    /// # Examples
    /// ```
    /// use lyocell::{Exposing, Pool};
    ///
    /// let pool = Pool::builder().exposing(Exposing::Off).build()?;
    /// assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    #[must_use]
    pub fn exposing(mut self, exposing: Exposing) -> Self {
        self.config.exposing = exposing;
        self
    }

    /// Has the pool look for what is held across waits: the first time that a worker begins a task which does not descend from there,
    /// it tells so on the standard error, with the place of [`held`](crate::held()), once for each place. By default nobody looks,
    /// unless the environment variable `LYOCELL_CHECK_LOCKS` is `1`.
    ///
    /// # Cost
    /// A way up the steals for each task that is stolen while its thread holds something.
    #[must_use]
    pub fn check_locks(mut self, check: bool) -> Self {
        self.config.check_locks = check;
        self
    }

    /// Sets the name of each worker's thread, `lyocell-N` by default. A name is cut at the first NUL in it.
    #[must_use]
    pub fn thread_names(mut self, name: impl Fn(usize) -> String + Send + Sync + 'static) -> Self {
        self.config.name = Arc::new(name);
        self
    }

    /// Sets a function that each thread of the pool calls as its worker, with the worker's number, before it works. A panic of
    /// this function goes where panics of detached tasks go.
    #[must_use]
    pub fn on_start(mut self, hook: impl Fn(usize) + Send + Sync + 'static) -> Self {
        self.config.on_start = Some(Arc::new(hook));
        self
    }

    /// Sets a function that each thread of the pool calls as its worker, with the worker's number, when it has done its last
    /// work. A panic of this function goes where panics of detached tasks go.
    #[must_use]
    pub fn on_exit(mut self, hook: impl Fn(usize) + Send + Sync + 'static) -> Self {
        self.config.on_exit = Some(Arc::new(hook));
        self
    }

    /// Sets a function that is called with the panic of each detached task. By default such a panic is dropped, like
    /// that of a detached thread.
    #[must_use]
    pub fn on_panic(mut self, hook: impl Fn(Panic) + Send + Sync + 'static) -> Self {
        self.config.on_panic = Some(Arc::new(hook));
        self
    }

    /// Sets what a worker does while the task that it waits for runs at a thief. By default it steals from the thief,
    /// then from anybody.
    #[must_use]
    pub fn wait(mut self, wait: Wait) -> Self {
        self.config.wait = wait;
        self
    }

    /// Has workers interrupted in the middle of long tasks, so that they share what thieves wait for. By default they
    /// are not.
    ///
    /// Choose this for [`Receiver`](crate::Receiver) and [`Sender`](crate::Sender), for the experiments of the paper, or
    /// where the system has no barrier for [`Builder::exposing`]; with that barrier [`Split`] and [`Direct`](crate::Direct) do not
    /// need it.
    ///
    /// A worker answers thieves whenever it forks or joins. If tasks run for milliseconds without doing either,
    /// those that their worker has not shared wait as long, unless thieves expose them. With interrupts, a thread of the pool looks once a
    /// `period` whether somebody is asked for tasks and has some, and sends that worker's thread a signal, in
    /// whose handler it shares them. A pool where nobody wants tasks, or everybody has some to steal, is left
    /// alone. 200 us to 2 ms is a sensible period; the system keeps it roughly.
    ///
    /// [`Split`], [`Receiver`](crate::Receiver) and [`Sender`](crate::Sender) answer interrupts. The other deques
    /// need none, or cannot. A [probe](crate::probe) is not told what a deque does in the handler;
    /// [`Pool::interrupts`] has the counts.
    ///
    /// The signal is `SIGRTMIN + 7`, and it is the library's for the rest of the process. A handler that the
    /// program has installed before is respected: then the pool is not built. One that it installs later takes
    /// the signals, and the tasks wait as they would without. A thread that calls [`Pool::run`] gets the signal
    /// only while it is in the call.
    ///
    /// The handler is installed with `SA_RESTART`, and keeps `errno`. So most system calls of a task go on as if
    /// nothing had happened; those that are never restarted (`poll`, `select`, `nanosleep` and their like) may
    /// return early with `EINTR`, which the standard library hides and C code has to expect. A task must not
    /// `exec` in place: the new program would not know the signal.
    ///
    /// # Errors
    /// [`Builder::build`] fails if the period is zero, if the deque does not answer interrupts, if the signal has
    /// a handler already, or if this is not Linux.
    ///
    /// # Cost
    /// Nothing for a join. A call of [`Pool::run`] opens and closes its thread for the signal, which takes a
    /// system call. While the ticking thread has something to look at, it costs some microseconds a period, and
    /// an interrupt about as much of the interrupted task. With [`Receiver`](crate::Receiver) and
    /// [`Sender`](crate::Sender), whose thieves must be awake to be given something, workers search for two
    /// periods before they sleep.
    ///
    /// # Source
    /// Acar, Charguéraud and Rainey 2013, section 4.
    ///
    /// # Examples
    /// ```
    /// use lyocell::{BuildError, InterruptError, Pool};
    /// use std::time::Duration;
    ///
    /// let pool = match Pool::builder().interrupt(Duration::from_micros(500)).build() {
    ///     Err(BuildError::Interrupt { source: InterruptError::Unavailable, .. }) => Pool::new()?,
    ///     built => built?,
    /// };
    /// assert_eq!(pool.run(|w| w.join(|_| "long", |_| "short")), ("long", "short"));
    /// # Ok::<(), BuildError>(())
    /// ```
    #[must_use]
    pub fn interrupt(mut self, period: Duration) -> Self {
        self.config.interrupt = Some(period);
        self
    }

    /// Chooses who is [interrupted](Builder::interrupt); by default who is asked for tasks and withholds some.
    ///
    /// # Examples
    /// ```
    /// use lyocell::{Pool, Signals};
    ///
    /// // As in the paper; without a period it changes nothing.
    /// let builder = Pool::builder().signals(Signals::All);
    /// assert_eq!(builder.build()?.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    #[must_use]
    pub fn signals(mut self, signals: Signals) -> Self {
        self.config.signals = signals;
        self
    }

    /// Chooses the kind of deque, with its default options.
    #[must_use]
    pub fn deque<D2: Deque>(self) -> Builder<D2, P> {
        Builder {
            config: self.config,
            options: D2::Options::default(),
            watch: self.watch.map(Watch::of_kind),
            spares: self.spares.map(|_| spare_ways as _),
        }
    }

    /// Sets the options of the deque.
    #[must_use]
    pub fn deque_options(mut self, options: D::Options) -> Self {
        self.options = options;
        self
    }

    /// Chooses the probe.
    #[must_use]
    pub fn probe<P2: Probe>(self) -> Builder<D, P2> {
        Builder {
            config: self.config,
            options: self.options,
            watch: self.watch.map(Watch::of_kind),
            spares: self.spares.map(|_| spare_ways as _),
        }
    }

    /// Builds the pool: reserves the memory and starts the threads.
    ///
    /// # Errors
    /// Fails if a number is out of its range, if `LYOCELL_WORKERS` is needed and not a number of workers, if there
    /// is no memory for the deques, if [interrupts](Builder::interrupt) cannot be had, or if a thread cannot be
    /// started; those already started are joined. Where the system supports no threads at all, a pool [without
    /// threads](crate#without-threads) is built.
    pub fn build(self) -> Result<Pool<D, P>, BuildError> {
        self.start(&mut |thread| thread.start().map(Some))
    }

    /// Builds the pool on threads that the program starts: `spawn` is called for each, and has a thread of its making call
    /// [`ThreadBuilder::run`].
    ///
    /// Dropping such a pool does not wait for its threads. They run all detached tasks to their end, and then
    /// [`ThreadBuilder::run`] returns.
    ///
    /// # Errors
    /// Fails as [`Builder::build`] does, and with [`BuildError::Thread`] if `spawn` returns an error. Threads that run by then
    /// end by themselves. An error of the kind [`io::ErrorKind::Unsupported`] for the first of them says that there are no threads
    /// to be had: then a pool [without threads](crate#without-threads) is built.
    ///
    /// # Source
    /// `spawn_handler` of rayon.
    ///
    /// # Examples
    /// Threads that borrow.
    ///
    /// ```
    /// let greeting = String::from("hello");
    /// std::thread::scope(|threads| {
    ///     let pool = lyocell::Pool::builder().workers(2).build_with(|thread| {
    ///         let greet = || println!("{greeting} from worker {}", thread.index());
    ///         greet();
    ///         std::thread::Builder::new().spawn_scoped(threads, || thread.run())?;
    ///         Ok(())
    ///     })?;
    ///     assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
    ///     Ok::<(), lyocell::BuildError>(())
    /// })?;
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn build_with(
        mut self,
        mut spawn: impl FnMut(ThreadBuilder) -> io::Result<()>,
    ) -> Result<Pool<D, P>, BuildError> {
        self.config.spare_workers = 0;
        self.start(&mut |thread| spawn(thread).map(|()| None))
    }

    fn start(mut self, start: &mut Start<'_>) -> Result<Pool<D, P>, BuildError> {
        if self.config.use_current_thread && current::is_worker() {
            return Err(BuildError::CurrentThreadIsWorker);
        }
        let workers = self.config.checked_workers()?;
        if self.config.background_workers == Some(0) {
            return Err(BuildError::BackgroundWorkers { asked: 0 });
        }
        match self.config.deque_capacity {
            Some(asked) if asked == 0 || asked > D::MAX_CAPACITY => {
                return Err(BuildError::DequeCapacity { asked, most: D::MAX_CAPACITY });
            }
            _ => {}
        }
        self.config.nodes = self.config.find_nodes.map(|find| Arc::new(find(workers)));
        let spares = self.spares.map(|spares| spares(&self.config));
        let mut pool = Pool::start(&self.config, &self.options, workers, spares, start)?;
        if let Some(watch) = self.watch.as_ref().filter(|_| pool.workers() > 1) {
            let watcher = watch.start(&pool.registry)?;
            pool.keep(Some(watcher));
        }
        Ok(pool)
    }
}

impl<D: Deque, P: Probe> std::fmt::Debug for Builder<D, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builder")
            .field("deque", &D::NAME)
            .field("workers", &self.config.workers)
            .field("stack_size", &self.config.stack_bytes)
            .field("deque_capacity", &self.config.deque_capacity)
            .finish_non_exhaustive()
    }
}
