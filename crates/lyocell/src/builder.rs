//! Setting a pool up: the builder, its limits, and how its threads start.

use crate::affinity;
use crate::deque::{Deque, Interrupts, Split};
use crate::error::BuildError;
use crate::idle::MAX_WORKERS;
use crate::interrupt::Ticker;
use crate::panic::{Panic, drop_quietly};
use crate::policy::Wait;
use crate::pool::Pool;
use crate::probe::{NoProbe, Probe};
use crate::slots::Slots;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The environment variable with the default number of workers.
const WORKERS_VARIABLE: &str = "LYOCELL_WORKERS";

/// Deep enough for recursions of tens of thousands of levels; only what is used becomes memory. Where addresses
/// are scarce, so that 64 workers find room.
const STACK_BYTES: usize = if usize::BITS < 64 { 8 << 20 } else { 64 << 20 };

/// So many joins can be open at once on one worker before they run in place. Only what is used becomes
/// memory; where addresses are scarce, or a tool tracks every byte, there are fewer.
const DEQUE_CAPACITY: usize = if cfg!(miri) || usize::BITS < 64 { 1 << 12 } else { 1 << 20 };

/// Longer than the pauses between the phases of most parallel programs, shorter than anybody notices on a
/// processor meter. Untuned.
const SEARCH_TIME: Duration = Duration::from_micros(100);

/// Where thieves must be awake to get what an interrupted owner gives: two periods hold a whole one, and as much
/// for a ticker or a signal that comes late. Untuned.
const SEARCH_PERIODS: u32 = 2;

/// For a worker without thieves: more joins open at once run in place, which costs the same.
const ALONE_CAPACITY: usize = 64;

pub(crate) type IndexHook = Arc<dyn Fn(usize) + Send + Sync>;
pub(crate) type PanicHook = Arc<dyn Fn(Panic) + Send + Sync>;

/// Whether a thread that calls [`Pool::run`] works itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Caller {
    /// It takes the seat of the first worker while the call lasts: nothing is handed over.
    #[default]
    Works,
    /// It hands its task to a worker and sleeps. Then every worker is a thread of the pool, which all have
    /// the stack that the builder says.
    Sleeps,
}

/// Whether workers stay on one processor each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pinning {
    /// The system places them.
    #[default]
    Off,
    /// The thread of worker `i` stays on the `i`-th processor of those the process may use, round and
    /// round. Callers are not pinned. Where the system has no such call, nothing happens.
    Compact,
}

/// Everything about a pool that can be set; made by [`Pool::builder`].
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
pub struct Builder<D: Deque = Split, P: Probe = NoProbe> {
    pub(crate) config: Config,
    options: D::Options,
    kind: PhantomData<P>,
}

/// What the builder collects.
pub(crate) struct Config {
    workers: Option<usize>,
    stack_bytes: usize,
    deque_capacity: usize,
    search_time: Duration,
    pub(crate) wait: Wait,
    interrupt: Option<Duration>,
    caller: Caller,
    pinning: Pinning,
    name: Arc<dyn Fn(usize) -> String + Send + Sync>,
    on_start: Option<IndexHook>,
    on_exit: Option<IndexHook>,
    pub(crate) on_panic: Option<PanicHook>,
}

impl Default for Builder {
    fn default() -> Builder {
        Builder { config: Config::default(), options: Default::default(), kind: PhantomData }
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            workers: None,
            stack_bytes: STACK_BYTES,
            deque_capacity: DEQUE_CAPACITY,
            search_time: SEARCH_TIME,
            wait: Wait::default(),
            interrupt: None,
            caller: Caller::default(),
            pinning: Pinning::default(),
            name: Arc::new(|worker| format!("lyocell-{worker}")),
            on_start: None,
            on_exit: None,
            on_panic: None,
        }
    }
}

impl<D: Deque, P: Probe> Builder<D, P> {
    /// How many workers the pool has, the caller's seat included: 1 to 1023.
    ///
    /// By default what the environment variable `LYOCELL_WORKERS` says, else the number of processors this
    /// process may use. A number given here is not overruled by the environment.
    #[must_use]
    pub fn workers(mut self, workers: usize) -> Self {
        self.config.workers = Some(workers);
        self
    }

    /// The stack of each thread of the pool, in bytes. By default 64 MiB (8 MiB where addresses have 32 bits), of
    /// which only what is used becomes memory. A caller in the seat has the stack it came with.
    #[must_use]
    pub fn stack_size(mut self, bytes: usize) -> Self {
        self.config.stack_bytes = bytes;
        self
    }

    /// How many joins can be open at once on one worker: at least 1, by default 2^20 (2^12 where
    /// addresses have 32 bits). Joins beyond that run in place.
    #[must_use]
    pub fn deque_capacity(mut self, tasks: usize) -> Self {
        self.config.deque_capacity = tasks;
        self
    }

    /// How long a worker without work searches before it parks: 100 us by default.
    ///
    /// Longer keeps workers awake through pauses in the work; zero parks at the first yield.
    #[must_use]
    pub fn search_time(mut self, time: Duration) -> Self {
        self.config.search_time = time;
        self
    }

    /// Whether a thread that calls [`Pool::run`] works itself; it does by default.
    #[must_use]
    pub fn caller(mut self, caller: Caller) -> Self {
        self.config.caller = caller;
        self
    }

    /// Whether workers stay on one processor each; they do not by default.
    #[must_use]
    pub fn pinning(mut self, pinning: Pinning) -> Self {
        self.config.pinning = pinning;
        self
    }

    /// The name of each worker's thread; `lyocell-N` by default. A name with a NUL in it is cut there.
    #[must_use]
    pub fn thread_names(mut self, name: impl Fn(usize) -> String + Send + Sync + 'static) -> Self {
        self.config.name = Arc::new(name);
        self
    }

    /// Called by each thread of the pool, with the number of its worker, before it works. What it panics
    /// with goes where panics of detached tasks go.
    #[must_use]
    pub fn on_start(mut self, hook: impl Fn(usize) + Send + Sync + 'static) -> Self {
        self.config.on_start = Some(Arc::new(hook));
        self
    }

    /// Called by each thread of the pool, with the number of its worker, when it has done its last work.
    /// What it panics with goes where panics of detached tasks go.
    #[must_use]
    pub fn on_exit(mut self, hook: impl Fn(usize) + Send + Sync + 'static) -> Self {
        self.config.on_exit = Some(Arc::new(hook));
        self
    }

    /// Called with the panic of each detached task; by default it is dropped, as that of a detached thread.
    #[must_use]
    pub fn on_panic(mut self, hook: impl Fn(Panic) + Send + Sync + 'static) -> Self {
        self.config.on_panic = Some(Arc::new(hook));
        self
    }

    /// What a worker does while the task it waits for runs at a thief: by default it steals from the thief,
    /// then from anybody.
    #[must_use]
    pub fn wait(mut self, wait: Wait) -> Self {
        self.config.wait = wait;
        self
    }

    /// Interrupts workers in the middle of long tasks, so that they share what thieves wait for; off by default.
    ///
    /// A worker answers thieves whenever it forks or joins. If tasks run for milliseconds without doing either,
    /// those that their worker has not shared wait as long. With interrupts, a thread of the pool looks once a
    /// `period` whether somebody is asked for tasks and has some, and sends that worker's thread a signal, in
    /// whose handler it shares them. A pool where nobody wants tasks, or everybody has some to steal, is left
    /// alone. 200 us to 2 ms is a sensible period; the system keeps it roughly.
    ///
    /// [`Split`], [`Receiver`](crate::Receiver) and [`Sender`](crate::Sender) answer interrupts. The other
    /// deques need none, or cannot. What a deque does in the handler is no event for a [probe](crate::probe), and
    /// counted all the same: [`Pool::interrupts`].
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
    ///     Err(BuildError::Interrupt { source: InterruptError::Unavailable }) => Pool::new()?,
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

    /// Chooses the deque, with its default options.
    #[must_use]
    pub fn deque<D2: Deque>(self) -> Builder<D2, P> {
        Builder { config: self.config, options: D2::Options::default(), kind: PhantomData }
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
        Builder { config: self.config, options: self.options, kind: PhantomData }
    }

    /// Reserves the memory and starts the threads.
    ///
    /// # Errors
    /// If a number is out of its range, if `LYOCELL_WORKERS` is needed and is no number of workers, if there
    /// is no memory for the deques, if [interrupts](Builder::interrupt) cannot be had, or if a thread cannot be
    /// started; those already started are joined.
    pub fn build(self) -> Result<Pool<D, P>, BuildError> {
        let workers = self.config.checked_workers()?;
        let asked = self.config.deque_capacity;
        if asked == 0 || asked > D::MAX_CAPACITY {
            return Err(BuildError::DequeCapacity { asked, most: D::MAX_CAPACITY });
        }
        Pool::start(self.config, &self.options, workers)
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

impl Config {
    /// For a pool without threads, deep enough for a join here and there.
    pub(crate) fn alone(on_panic: &Option<PanicHook>) -> Config {
        let deque_capacity = ALONE_CAPACITY;
        let caller = Caller::Sleeps;
        Config { deque_capacity, caller, on_panic: on_panic.clone(), ..Config::default() }
    }

    fn checked_workers(&self) -> Result<usize, BuildError> {
        match self.workers {
            Some(asked) if (1..=MAX_WORKERS).contains(&asked) => Ok(asked),
            Some(asked) => Err(BuildError::Workers { asked }),
            None => default_workers(std::env::var_os(WORKERS_VARIABLE).as_deref()),
        }
    }

    pub(crate) fn has_seat(&self) -> bool {
        self.caller == Caller::Works
    }

    /// What interrupts the workers, if that is wanted and there can be a thief.
    pub(crate) fn ticker<D: Deque>(&self, workers: usize) -> Result<Option<Ticker>, BuildError> {
        let Some(period) = self.interrupt else { return Ok(None) };
        let ticker = Ticker::new::<D>(period)?;
        Ok((workers > 1).then_some(ticker))
    }

    /// How long a worker searches before it parks.
    pub(crate) fn search_time<D: Deque>(&self) -> Duration {
        match (self.interrupt, D::INTERRUPTS) {
            (Some(period), Interrupts::AnsweredToSearchers) => {
                self.search_time.max(period.saturating_mul(SEARCH_PERIODS))
            }
            _ => self.search_time,
        }
    }

    pub(crate) fn slots(&self, workers: usize) -> Result<Slots, BuildError> {
        let deque_capacity = self.deque_capacity;
        Slots::new(deque_capacity).map_err(|_| BuildError::Memory { workers, deque_capacity })
    }

    /// Starts the thread of a worker.
    pub(crate) fn start(
        &self,
        worker: usize,
        body: impl FnOnce() + Send + 'static,
    ) -> Result<JoinHandle<()>, BuildError> {
        let (on_start, on_exit) = (self.on_start.clone(), self.on_exit.clone());
        let (on_panic, pinning) = (self.on_panic.clone(), self.pinning);
        let life = move || {
            if pinning == Pinning::Compact {
                affinity::pin(worker);
            }
            call_hook(&on_start, &on_panic, worker);
            body();
            call_hook(&on_exit, &on_panic, worker);
        };
        let name = (self.name)(worker);
        let name = name.split('\0').next().unwrap_or_default().to_owned();
        thread::Builder::new()
            .name(name)
            .stack_size(self.stack_bytes)
            .spawn(life)
            .map_err(|source| BuildError::Thread { worker, source })
    }
}

fn call_hook(hook: &Option<IndexHook>, on_panic: &Option<PanicHook>, worker: usize) {
    let Some(hook) = hook else { return };
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| hook(worker))) {
        hand_panic(on_panic, panic);
    }
}

/// Gives a panic that nobody waits for to the hook, or drops it.
pub(crate) fn hand_panic(on_panic: &Option<PanicHook>, panic: Panic) {
    match on_panic {
        Some(hook) => {
            drop_quietly(catch_unwind(AssertUnwindSafe(|| hook(panic))));
        }
        None => drop_quietly(panic),
    }
}

fn default_workers(variable: Option<&std::ffi::OsStr>) -> Result<usize, BuildError> {
    let Some(value) = variable else {
        let available = thread::available_parallelism().map_or(1, usize::from);
        return Ok(available.min(MAX_WORKERS));
    };
    let parsed = value.to_str().and_then(|text| text.trim().parse().ok());
    match parsed {
        Some(workers) if (1..=MAX_WORKERS).contains(&workers) => Ok(workers),
        _ => Err(BuildError::Environment { value: value.to_string_lossy().into_owned() }),
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn the_environment_names_a_number_of_workers_or_an_error() {
        assert_eq!(default_workers(Some("7".as_ref())).unwrap(), 7);
        for nonsense in ["", "0", "-1", "1024", "two", "1.5", "99999999999999999999"] {
            let error = default_workers(Some(nonsense.as_ref())).unwrap_err();
            assert!(error.to_string().contains(&format!("{nonsense:?}")), "{error}");
        }
        assert!(default_workers(None).unwrap() >= 1);
    }
}
