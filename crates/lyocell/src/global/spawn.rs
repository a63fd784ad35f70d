//! Detached tasks and broadcasts without a handle: they are given none either, so they run in the current pool whatever its
//! deque and its probe are.

use super::any_pool::{default_outside, pool};
use super::any_worker::{with_any, with_default};
use crate::current::{Gathered, TaskHandle, WaitFor};
use crate::scheduler::Worker;

/// Spawns `task`, which runs some time on the current pool, else on the global one. Nobody waits for it.
///
/// It is given no handle, as the closures of [`join`](super::join) are not; [`with_current`](super::with_current) finds one in it.
/// When `main` returns, the process ends, and tasks of the global pool that are not over end with it.
///
/// # Panics
/// Panics if the global pool is needed and could not be built, see [`global`](super::global). A panic of `task` does not come back
/// here, see [`Builder::on_panic`](crate::Builder::on_panic).
///
/// # Examples
/// ```
/// let (send, receive) = std::sync::mpsc::channel();
/// lyocell::spawn_detached(move || send.send("done").unwrap());
/// assert_eq!(receive.recv(), Ok("done"));
/// ```
pub fn spawn_detached<F>(task: F)
where
    F: FnOnce() + Send + 'static,
{
    // Of the default type, inside and outside: one box, and not a box in another.
    with_default(|worker| match worker.map(Worker::registry).or_else(default_outside) {
        Some(registry) => registry.spawn_detached(|_| task()),
        None => with_any(|worker| match worker {
            Some(worker) => worker.spawn_detached(Box::new(task)),
            None => pool().spawn_detached(Box::new(task)),
        }),
    });
}

/// As [`spawn_detached`], but a worker takes up what was spawned on it so in the order of the spawns:
/// [`Pool::spawn_detached_fifo`](crate::Pool::spawn_detached_fifo).
///
/// # Panics
/// As [`spawn_detached`].
pub fn spawn_detached_fifo<F>(task: F)
where
    F: FnOnce() + Send + 'static,
{
    with_any(|worker| match worker {
        Some(worker) => worker.spawn_detached_fifo(Box::new(task)),
        None => pool().spawn_detached_fifo(Box::new(task)),
    });
}

/// As [`spawn_detached`], with a handle to what the task returns: [`Pool::spawn_detached_with_handle`](crate::Pool::spawn_detached_with_handle).
///
/// # Panics
/// As [`spawn_detached`].
///
/// # Examples
/// ```
/// let answer = lyocell::spawn_detached_with_handle(|| 42);
/// assert_eq!(answer.join(), 42);
/// ```
pub fn spawn_detached_with_handle<F, T>(task: F) -> TaskHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let (handle, finish) = TaskHandle::new();
    spawn_detached(move || finish.run(task));
    handle
}

/// Spawns `task` in the background of the current pool, else of the global one: [`Pool::spawn_background`](crate::Pool::spawn_background).
///
/// # Panics
/// As [`spawn_detached`].
///
/// # Examples
/// ```
/// let (send, receive) = std::sync::mpsc::channel();
/// lyocell::spawn_background(move || send.send("some time").unwrap());
/// assert_eq!(receive.recv(), Ok("some time"));
/// ```
pub fn spawn_background<F>(task: F)
where
    F: FnOnce() + Send + 'static,
{
    with_any(|worker| match worker {
        Some(worker) => worker.spawn_background(Box::new(task)),
        None => pool().spawn_background(Box::new(task)),
    });
}

/// As [`spawn_background`], with a handle to what the task returns:
/// [`Pool::spawn_background_with_handle`](crate::Pool::spawn_background_with_handle).
///
/// # Panics
/// As [`spawn_detached`].
///
/// # Examples
/// ```
/// let answer = lyocell::spawn_background_with_handle(|| 42);
/// assert_eq!(answer.join(), 42);
/// ```
pub fn spawn_background_with_handle<F, T>(task: F) -> TaskHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let (handle, finish) = TaskHandle::new_for(WaitFor::Background);
    spawn_background(move || finish.run(task));
    handle
}

/// Has each thread of the current pool, else of the global one, call `task`, and returns the results in the order of the
/// workers: [`Pool::broadcast`](crate::Pool::broadcast).
///
/// # Panics
/// As [`Pool::broadcast`](crate::Pool::broadcast), and if the global pool is needed and could not be built, see
/// [`global`](super::global).
///
/// # Examples
/// ```
/// use lyocell::{Caller, Pool, current_thread_index};
///
/// let pool = Pool::builder().workers(3).caller(Caller::Sleeps).build()?;
/// let indices = pool.run(|_| lyocell::broadcast(current_thread_index));
/// assert_eq!(indices, [Some(0), Some(1), Some(2)]);
/// # Ok::<(), lyocell::BuildError>(())
/// ```
pub fn broadcast<F, R>(task: F) -> Vec<R>
where
    F: Fn() -> R + Sync,
    R: Send,
{
    let results = Gathered::new();
    let keep = |index| results.keep(index, task());
    with_any(|worker| match worker {
        Some(worker) => worker.broadcast(&keep),
        None => pool().broadcast(&keep),
    });
    results.into_results()
}

/// Spawns `task` on each thread of the current pool, else of the global one:
/// [`Pool::spawn_detached_broadcast`](crate::Pool::spawn_detached_broadcast).
///
/// # Panics
/// As [`spawn_detached`].
pub fn spawn_detached_broadcast<F>(task: F)
where
    F: Fn() + Send + Sync + 'static,
{
    with_any(|worker| match worker {
        Some(worker) => worker.spawn_detached_broadcast(Box::new(task)),
        None => pool().spawn_detached_broadcast(Box::new(task)),
    });
}
