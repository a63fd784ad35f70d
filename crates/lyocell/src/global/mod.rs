//! The global pool, and fork-join without a handle.
//!
//! May import: probe, deque, pool, wait, owner, current, scheduler, fork_join.
//! Never enters: anything but the choice of a worker; what is done there is a method of it.

mod any_pool;
mod any_worker;
pub mod par;
mod spawn;

pub use any_pool::{global, global_or_init};
pub use spawn::{
    broadcast, spawn_background, spawn_background_with_handle, spawn_detached,
    spawn_detached_broadcast, spawn_detached_fifo, spawn_detached_with_handle,
};

use crate::current;
use crate::current::{AnyScope, DynWorker, Held, ScopeBody, Through, Yield, join_through};
use crate::fork_join::FnContext;
use crate::pool::Pool;
use crate::scheduler::Worker;
use any_pool::{AnyPool, join_outside, pool};
use any_worker::{with_any, with_default};
use std::panic::Location;

/// Calls `task` with the current worker, of whatever type, else on the global pool.
fn with_worker<R: Send>(task: impl FnOnce(&DynWorker) -> R + Send) -> R {
    with_any(|worker| match worker {
        Some(worker) => task(worker),
        None => {
            let mut task = Through::new(task);
            pool().run(&mut |worker| task.call(|task| task(worker)));
            task.result()
        }
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

/// Runs three closures, in parallel as far as workers are free: [`Worker::join3`] without a handle, as [`join`] is.
///
/// # Panics
/// Panics with the panic of the first of them that panics, in the order of the arguments; else as [`join`].
///
/// # Examples
/// ```
/// assert_eq!(lyocell::join3(|| 1, || "two", || 3.0), (1, "two", 3.0));
/// ```
pub fn join3<A, B, C, RA, RB, RC>(a: A, b: B, c: C) -> (RA, RB, RC)
where
    A: FnOnce() -> RA,
    B: FnOnce() -> RB + Send,
    C: FnOnce() -> RC + Send,
    RB: Send,
    RC: Send,
{
    let (a, (b, c)) = join(a, || join(b, c));
    (a, b, c)
}

/// Runs four closures, as [`join3`] runs three.
///
/// # Panics
/// As [`join3`].
///
/// # Examples
/// ```
/// assert_eq!(lyocell::join4(|| 1, || 2, || 3, || 4), (1, 2, 3, 4));
/// ```
pub fn join4<A, B, C, D, RA, RB, RC, RD>(a: A, b: B, c: C, d: D) -> (RA, RB, RC, RD)
where
    A: FnOnce() -> RA,
    B: FnOnce() -> RB + Send,
    C: FnOnce() -> RC + Send,
    D: FnOnce() -> RD + Send,
    RB: Send,
    RC: Send,
    RD: Send,
{
    let ((a, b), (c, d)) = join(|| join(a, b), || join(c, d));
    (a, b, c, d)
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
    match current::other_worker() {
        Some(worker) => worker.join(&mut |_| a(), &mut |_| b()),
        None => join_outside(a, b),
    }
}

/// Calls `body`, and has this thread run nothing else meanwhile but what descends from it: [`Worker::isolated`] without a handle, in the
/// current pool, whatever its type is. On a thread that is no worker it is a call: what `body` gives to the global pool then is a
/// call of its own, in which its caller runs nothing else in any case ([`Caller::Works`](crate::Caller::Works)).
///
/// # Panics
/// Panics with the panic of `body`.
///
/// # Examples
/// ```
/// use std::sync::OnceLock;
///
/// static TABLE: OnceLock<Vec<u64>> = OnceLock::new();
///
/// /// May be called from any task: whoever makes the table runs nothing meanwhile that may ask for it.
/// fn table() -> &'static [u64] {
///     TABLE.get_or_init(|| lyocell::isolated(|| lyocell::par::map(0..1000, |i| i * i)))
/// }
///
/// lyocell::par::for_each(0..100usize, |i| assert_eq!(table()[i], (i * i) as u64));
/// ```
pub fn isolated<R>(body: impl FnOnce() -> R) -> R {
    let mut body = Through::new(body);
    with_any(|worker| match worker {
        Some(worker) => worker.isolated(&mut || body.call(|body| body())),
        None => body.call(|body| body()),
    });
    body.result()
}

/// Calls `body`, which blocks, and has one more worker of the current pool work meanwhile, whatever its type is, if it has one to
/// spare: [`Worker::blocking`] without a handle. On a thread that is no worker it is a call.
///
/// # Panics
/// Panics with the panic of `body`.
///
/// # Examples
/// ```
/// use std::time::Duration;
///
/// lyocell::Pool::builder().spare_workers(4).build_global()?;
/// lyocell::par::for_each(0..4, |_| lyocell::blocking(|| std::thread::sleep(Duration::from_micros(10))));
/// # Ok::<(), &lyocell::BuildError>(())
/// ```
pub fn blocking<R>(body: impl FnOnce() -> R) -> R {
    let mut body = Through::new(body);
    with_any(|worker| match worker {
        Some(worker) => worker.blocking(&mut || body.call(|body| body())),
        None => body.call(|body| body()),
    });
    body.result()
}

/// Says that this thread holds something from now on, a lock, a borrow, a value that is being made, until what is returned is dropped.
///
/// A worker that waits runs other tasks, on the same thread ([`Worker::isolated`]): where one of them wants what is held, the program
/// hangs or panics, seldom and far from here. In a pool that looks for such places (`LYOCELL_CHECK_LOCKS=1` in the environment, or
/// [`Builder::check_locks`](crate::Builder::check_locks)) it is told on the standard error as soon as any such task begins
/// meanwhile, whatever it wants. Elsewhere, and on a thread that is no worker, this is a load and a branch, so that it can stay in the
/// program.
///
/// # Examples
/// ```
/// use std::sync::Mutex;
///
/// fn add_all(total: &Mutex<u64>, values: &[u64]) {
///     let mut total = total.lock().unwrap();
///     let _held = lyocell::held();
///     // Without `isolated`, this would be told.
///     *total += lyocell::isolated(|| lyocell::par::sum(values, |value| *value));
/// }
///
/// let total = Mutex::new(0);
/// lyocell::join(|| add_all(&total, &[1, 2]), || add_all(&total, &[3, 4]));
/// assert_eq!(total.into_inner().unwrap(), 10);
/// ```
#[track_caller]
pub fn held() -> Held {
    let at = Location::caller();
    with_any(|worker| worker.map_or_else(|| Held::at(None), |worker| worker.hold(at)))
}

/// Calls `body` with a scope to spawn in, on the current worker, else on the global pool, and waits for all that was spawned:
/// [`Worker::scope`] without a handle.
///
/// Its tasks are given the scope, in place of a handle. So it runs in the current pool, whatever its deque and its probe are.
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
    F: for<'scope> FnOnce(&'scope AnyScope<'scope, 'env>) -> R + Send,
    R: Send,
{
    with_worker(|worker| scope_through(body, |body| worker.scope(body)))
}

/// As [`scope`], but the body runs on this thread, whatever it is: [`Pool::in_place_scope`] without a handle.
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
    F: for<'scope> FnOnce(&'scope AnyScope<'scope, 'env>) -> R,
{
    scope_through(body, |body| {
        with_any(|worker| match worker {
            Some(worker) => worker.scope(body),
            None => pool().in_place_scope(body),
        });
    })
}

/// Passes the body of a scope through what knows neither it nor its result.
fn scope_through<'env, F, R>(body: F, open: impl FnOnce(&mut ScopeBody<'_, 'env>)) -> R
where
    F: for<'scope> FnOnce(&'scope AnyScope<'scope, 'env>) -> R,
{
    let mut body = Through::new(body);
    open(&mut |scope| body.call(|body| body(scope)));
    body.result()
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
    with_default(|worker| match worker {
        Some(worker) => worker.join_context(|_, context| a(context), |_, context| b(context)),
        None => join_context_elsewhere(&pool, a, b),
    })
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
        None => join_context_elsewhere(&|| outside() as _, a, b),
    })
}

/// On a worker of another type than the default one, or from outside.
#[cold]
#[inline(never)]
fn join_context_elsewhere<A, B, RA, RB>(
    outside: &dyn Fn() -> &'static dyn AnyPool,
    a: A,
    b: B,
) -> (RA, RB)
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
    outside: &dyn Fn() -> &'static dyn AnyPool,
    a: &mut (dyn FnMut(bool) + Send),
    b: &mut (dyn FnMut(bool) + Send),
) {
    with_any(|worker| match worker {
        Some(worker) => worker.join_context(a, b),
        None => outside().run(&mut |worker| {
            worker.join_context(&mut |_| a(true), &mut |_| b(true));
        }),
    });
}

/// Calls `body` with the worker that runs the current task, if there is one: a handle where none was passed.
///
/// A worker of a pool with another deque or with a probe is not found this way, for it is of another type: there,
/// [`Pool::with_current`] of the pool finds it.
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
    current::with_occupied(|worker| worker.map(|worker| worker.index()))
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
    with_any(|worker| worker.map_or_else(|| pool().workers(), |worker| worker.workers()))
}

/// [`Worker::yield_now`] on the current worker; `None` outside of pools.
pub fn yield_now() -> Option<Yield> {
    current::with_occupied(|worker| worker.map(|worker| worker.yield_now()))
}

/// [`Worker::yield_local`] on the current worker; `None` outside of pools.
pub fn yield_local() -> Option<Yield> {
    with_any(|worker| worker.map(|worker| worker.yield_local()))
}

/// [`Worker::has_pending_tasks`] of the current worker; `None` outside of pools.
pub fn current_thread_has_pending_tasks() -> Option<bool> {
    with_any(|worker| worker.map(|worker| worker.has_pending_tasks()))
}
