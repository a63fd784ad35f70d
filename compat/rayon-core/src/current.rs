//! About the current thread: which of a pool's it is, and whether it has something to do.

use crate::{global::global, Yield};

/// Returns how many threads a pool can have at the most. If more are asked for, there will be so many.
pub fn max_num_threads() -> usize {
    lyocell::MAX_WORKERS
}

/// Returns the number of threads of the current pool, else of the global one.
pub fn current_num_threads() -> usize {
    lyocell::with_current(|worker| match worker {
        Some(worker) => worker.workers(),
        None => current_num_threads_elsewhere(),
    })
}

/// The same where this is no thread of a pool of rayon's interface.
#[cold]
fn current_num_threads_elsewhere() -> usize {
    match lyocell::current_thread_index() {
        Some(_) => lyocell::current_num_threads(),
        None => global().workers(),
    }
}

/// Returns the number of this thread in its pool, or `None` if it is of no pool.
#[inline]
pub fn current_thread_index() -> Option<usize> {
    lyocell::current_thread_index()
}

/// Returns whether tasks wait on this thread, or `None` if it is of no pool. A hint: others may take them at any time.
#[inline]
pub fn current_thread_has_pending_tasks() -> Option<bool> {
    lyocell::current_thread_has_pending_tasks()
}

/// Runs a task of the current pool that waits, if there is one. Returns `None` if this thread is of no pool.
pub fn yield_now() -> Option<Yield> {
    lyocell::yield_now().map(Yield::of)
}

/// As [`yield_now`], but runs only what waits on this thread.
pub fn yield_local() -> Option<Yield> {
    lyocell::yield_local().map(Yield::of)
}
