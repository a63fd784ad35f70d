//! The global pool, and fork-join without a handle.
//!
//! May import: pool, worker, fork_join.
//! Never enters: anything but the choice of a worker; what is done there is a method of it.

pub mod par;

use crate::fork_join::Scope;
use crate::pool::{BuildError, Pool};
use crate::worker::Worker;
use crate::worker::current;
use std::sync::OnceLock;

/// Returns the pool that [`join`], [`scope`], [`spawn`] and [`par`] use when they are called outside any
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
    static GLOBAL: OnceLock<Result<Pool, BuildError>> = OnceLock::new();
    GLOBAL.get_or_init(Pool::new).as_ref()
}

/// The global pool, for functions that cannot return an error.
fn pool() -> &'static Pool {
    global().unwrap_or_else(|error| panic!("lyocell has no global pool: {error}"))
}

/// Calls `task` with the current worker, else on the global pool.
fn with_worker<R: Send>(task: impl FnOnce(&Worker) -> R + Send) -> R {
    current::with_default(|worker| match worker {
        Some(worker) => task(worker),
        None => pool().run(task),
    })
}

/// Runs `a` and `b`, in parallel if another worker is free: [`Worker::join`] without a handle.
///
/// Inside a task it uses the worker that runs the task, else the global pool. (A pool with another deque
/// or with a probe is not found this way: there, use the handle.) `a` always runs on the calling thread
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
    current::with_default(|worker| match worker {
        Some(worker) => worker.join(|_| a(), |_| b()),
        None => pool().registry().join_outside(a, b),
    })
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

/// Spawns `task`, which runs some time on the current pool, else on the global one. Nobody waits for it.
///
/// # Panics
/// Panics if the global pool is needed and could not be built, see [`global`]. A panic of `task` does not come back
/// here, see [`Builder::on_panic`](crate::Builder::on_panic).
///
/// # Examples
/// ```
/// let (send, receive) = std::sync::mpsc::channel();
/// lyocell::spawn(move |_| send.send("done").unwrap());
/// assert_eq!(receive.recv(), Ok("done"));
/// ```
pub fn spawn<F>(task: F)
where
    F: FnOnce(&Worker) + Send + 'static,
{
    current::with_default(|worker| match worker {
        Some(worker) => worker.pool().spawn_detached(task),
        None => pool().spawn(task),
    });
}
