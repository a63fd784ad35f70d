//! The global pool, and fork-join without a handle.
//!
//! May import: probe, deque, pool, wait, current, scheduler, fork_join.
//! Never enters: anything but the choice of a worker; what is done there is a method of it.

mod any_worker;
pub mod par;
mod spawn;

pub use spawn::{broadcast, spawn, spawn_broadcast, spawn_fifo, spawn_with_handle};

use crate::current;
use crate::current::{AnyWorker, Through, Yield, join_through};
use crate::fork_join::{FnContext, Scope};
use crate::pool::{BuildError, Builder, Pool};
use crate::scheduler::Worker;
use any_worker::with_default;
use lyocell_sync::OnceLock;

/// Returns the pool that [`join`], [`scope`], [`spawn()`] and [`par`] use when they are called outside any
/// pool. It is built at the first use, as by [`Pool::new`], and never dropped.
///
/// # Errors
/// Fails if the pool could not be built. Later calls return the same error.
///
/// # Examples
/// ```
/// match lyocell::global() {
///     Ok(pool) => println!("{} workers", pool.workers()),
///     Err(error) => eprintln!("{error}"),
/// }
/// ```
pub fn global() -> Result<&'static Pool, &'static BuildError> {
    global_or_init(Pool::new)
}

static GLOBAL: OnceLock<Result<Pool, BuildError>> = OnceLock::new();

/// Returns the global pool; if there is none yet, the one that `build` returns becomes it.
///
/// # Errors
/// Fails if `build` fails, now or at the call that came first. Later calls return the same error.
///
/// # Examples
/// ```
/// use lyocell::Pool;
///
/// let pool = lyocell::global_or_init(|| Pool::builder().workers(2).build())?;
/// assert_eq!(pool.workers(), 2);
/// assert!(std::ptr::eq(pool, lyocell::global()?));
/// # Ok::<(), &lyocell::BuildError>(())
/// ```
pub fn global_or_init(
    build: impl FnOnce() -> Result<Pool, BuildError>,
) -> Result<&'static Pool, &'static BuildError> {
    GLOBAL.get_or_init(build).as_ref()
}

impl Builder {
    /// Builds the global pool: the one of [`global`], and of all functions without a handle outside of pools.
    ///
    /// # Errors
    /// Fails if there is a global pool already, or if it cannot be built (as [`Builder::build`]); then there will be none.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::builder().workers(2).stack_size(16 << 20).build_global()?;
    /// assert_eq!(lyocell::join(lyocell::current_num_threads, || 1), (2, 1));
    /// assert!(lyocell::Pool::builder().build_global().is_err());
    /// # Ok::<(), &lyocell::BuildError>(())
    /// ```
    pub fn build_global(self) -> Result<&'static Pool, &'static BuildError> {
        static EXISTS: BuildError = BuildError::GlobalPoolExists;
        let mut builder = Some(self);
        let pool = global_or_init(|| builder.take().expect("called once").build());
        if builder.is_some() { Err(&EXISTS) } else { pool }
    }
}

/// The global pool, for functions that cannot return an error.
fn pool() -> &'static Pool {
    global().unwrap_or_else(|error| panic!("lyocell has no global pool: {error}"))
}

/// Calls `task` with the current worker, else on the global pool.
fn with_worker<R: Send>(task: impl FnOnce(&Worker) -> R + Send) -> R {
    with_default(|worker| match worker {
        Some(worker) => task(worker),
        None => pool().run(task),
    })
}

/// Runs `a` and `b`, in parallel if another worker is free: [`Worker::join`] without a handle.
///
/// Inside a task it uses the worker that runs the task, else the global pool. `a` always runs on the calling thread
/// and need not be [`Send`]; so does `b`, unless a worker has begun it by then. Looking up the worker costs about as
/// much as the join: in the finest recursions, pass the handle along.
///
/// # Panics
/// Panics with the panic of `a`, else with that of `b`. Panics also if the global pool is needed and could not be
/// built: call [`global`] first where that must be handled.
///
/// # Examples
/// ```
/// fn sum(values: &[u64]) -> u64 {
///     if values.len() < 2 {
///         return values.iter().sum();
///     }
///     let (left, right) = values.split_at(values.len() / 2);
///     let (a, b) = lyocell::join(|| sum(left), || sum(right));
///     a + b
/// }
/// assert_eq!(sum(&[1, 2, 3, 4, 5]), 15);
/// ```
///
/// What crosses threads must be fit for it:
///
/// ```compile_fail
/// let here = std::rc::Rc::new(1);
/// lyocell::join(|| (), || println!("{here}"));
/// ```
pub fn join<A, B, RA, RB>(a: A, b: B) -> (RA, RB)
where
    A: FnOnce() -> RA,
    B: FnOnce() -> RB + Send,
    RB: Send,
{
    with_default(|worker| match worker {
        Some(worker) => worker.join(|_| a(), |_| b()),
        None => join_elsewhere(a, b),
    })
}

/// On a worker of another type than the default one, or from outside.
#[cold]
#[inline(never)]
fn join_elsewhere<A, B, RA, RB>(a: A, b: B) -> (RA, RB)
where
    A: FnOnce() -> RA,
    B: FnOnce() -> RB + Send,
    RB: Send,
{
    join_through(a, b, join_erased)
}

fn join_erased(a: &mut dyn FnMut(), b: &mut (dyn FnMut() + Send)) {
    current::with_any(|worker| match worker {
        Some(worker) => worker.join(a, b),
        None => pool().registry().join_outside(a, b),
    });
}

/// [`Worker::scope`] on the current worker, else on the global pool.
///
/// # Panics
/// Panics as [`Worker::scope`] does. Panics also if the global pool is needed and could not be built, see [`global`].
///
/// # Examples
/// ```
/// let mut results = vec![0; 4];
/// lyocell::scope(|s| {
///     for (i, result) in results.iter_mut().enumerate() {
///         s.spawn(move |_| *result = i * i);
///     }
/// });
/// assert_eq!(results, [0, 1, 4, 9]);
/// ```
pub fn scope<'env, F, R>(body: F) -> R
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> R + Send,
    R: Send,
{
    with_worker(|worker| worker.scope(body))
}

/// [`Pool::in_place_scope`] on the current pool, else on the global one: the body runs on this thread.
///
/// # Panics
/// As [`scope`].
///
/// # Examples
/// ```
/// let mut results = [0; 4];
/// let here = std::rc::Rc::new(10);
/// lyocell::in_place_scope(|s| {
///     for (i, result) in results.iter_mut().enumerate() {
///         let base = *here;
///         s.spawn(move |_| *result = base + i);
///     }
/// });
/// assert_eq!(results, [10, 11, 12, 13]);
/// ```
pub fn in_place_scope<'env, F, R>(body: F) -> R
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> R,
{
    with_default(|worker| match worker {
        Some(worker) => worker.scope(body),
        None => pool().in_place_scope(body),
    })
}

/// [`Worker::join_context`] on the current worker, else on the global pool; from outside both closures are told that they
/// migrated.
///
/// # Panics
/// As [`Worker::join_context`], and if the global pool is needed and could not be built, see [`global`].
///
/// # Examples
/// ```
/// let (a, b) = lyocell::join_context(|c| c.migrated(), |c| c.migrated());
/// assert_eq!((a, b), (true, true));
/// let pool = lyocell::Pool::builder().workers(1).build()?;
/// let (a, b) = pool.run(|_| lyocell::join_context(|c| c.migrated(), |c| c.migrated()));
/// assert_eq!((a, b), (false, false));
/// # Ok::<(), lyocell::BuildError>(())
/// ```
#[inline]
pub fn join_context<A, B, RA, RB>(a: A, b: B) -> (RA, RB)
where
    A: FnOnce(FnContext) -> RA + Send,
    B: FnOnce(FnContext) -> RB + Send,
    RA: Send,
    RB: Send,
{
    join_context_or_in(pool, a, b)
}

/// [`join_context`] for `compat/rayon-core`, whose global pool is built in another way. Not part of the interface.
#[doc(hidden)]
#[inline]
pub fn join_context_or_in<A, B, RA, RB>(outside: fn() -> &'static Pool, a: A, b: B) -> (RA, RB)
where
    A: FnOnce(FnContext) -> RA + Send,
    B: FnOnce(FnContext) -> RB + Send,
    RA: Send,
    RB: Send,
{
    with_default(|worker| match worker {
        Some(worker) => worker.join_context(|_, context| a(context), |_, context| b(context)),
        None => join_context_elsewhere(outside, a, b),
    })
}

/// On a worker of another type than the default one, or from outside.
#[cold]
#[inline(never)]
fn join_context_elsewhere<A, B, RA, RB>(outside: fn() -> &'static Pool, a: A, b: B) -> (RA, RB)
where
    A: FnOnce(FnContext) -> RA + Send,
    B: FnOnce(FnContext) -> RB + Send,
    RA: Send,
    RB: Send,
{
    let (mut a, mut b) = (Through::new(a), Through::new(b));
    join_context_erased(
        outside,
        &mut |migrated| a.call(|a| a(FnContext::new(migrated))),
        &mut |migrated| b.call(|b| b(FnContext::new(migrated))),
    );
    (a.result(), b.result())
}

fn join_context_erased(
    outside: fn() -> &'static Pool,
    a: &mut (dyn FnMut(bool) + Send),
    b: &mut (dyn FnMut(bool) + Send),
) {
    current::with_any(|worker| match worker {
        Some(worker) => worker.join_context(a, b),
        None => outside().run(|worker| {
            AnyWorker::join_context(worker, &mut |_| a(true), &mut |_| b(true));
        }),
    });
}

/// Calls `body` with the worker that runs the current task, if there is one: a handle where none was passed.
///
/// A worker of a pool with another deque or with a probe is not found this way, for it is of another type.
///
/// # Examples
/// ```
/// let index = || lyocell::with_current(|worker| worker.map(|w| w.index()));
/// assert_eq!(index(), None);
/// let pool = lyocell::Pool::builder().workers(1).build()?;
/// assert_eq!(pool.run(|_| index()), Some(0));
/// # Ok::<(), lyocell::BuildError>(())
/// ```
#[inline]
pub fn with_current<R>(body: impl FnOnce(Option<&Worker>) -> R) -> R {
    with_default(body)
}

/// Returns the number of the worker that runs the current task, in its pool; `None` outside of pools.
///
/// # Examples
/// ```
/// assert_eq!(lyocell::current_thread_index(), None);
/// let pool = lyocell::Pool::builder().workers(1).build()?;
/// assert_eq!(pool.run(|_| lyocell::current_thread_index()), Some(0));
/// # Ok::<(), lyocell::BuildError>(())
/// ```
#[inline]
pub fn current_thread_index() -> Option<usize> {
    current::with_any(|worker| worker.map(|worker| worker.index()))
}

/// Returns the number of workers of the current pool, else of the global one.
///
/// # Panics
/// Panics if the global pool is needed and could not be built, see [`global`].
///
/// # Examples
/// ```
/// let pool = lyocell::Pool::builder().workers(3).build()?;
/// assert_eq!(pool.run(|_| lyocell::current_num_threads()), 3);
/// # Ok::<(), lyocell::BuildError>(())
/// ```
pub fn current_num_threads() -> usize {
    current::with_any(|worker| worker.map_or_else(|| pool().workers(), |worker| worker.workers()))
}

/// [`Worker::yield_now`] on the current worker; `None` outside of pools.
pub fn yield_now() -> Option<Yield> {
    current::with_any(|worker| worker.map(|worker| worker.yield_now()))
}

/// [`Worker::yield_local`] on the current worker; `None` outside of pools.
pub fn yield_local() -> Option<Yield> {
    current::with_any(|worker| worker.map(|worker| worker.yield_local()))
}

/// [`Worker::has_pending_tasks`] of the current worker; `None` outside of pools.
pub fn current_thread_has_pending_tasks() -> Option<bool> {
    current::with_any(|worker| worker.map(|worker| worker.has_pending_tasks()))
}
