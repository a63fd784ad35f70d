//! `fork()`: what becomes of a pool in the child.
//!
//! The child has one thread, the one that forked. A pool from before the fork has no threads there, its
//! seat may be taken by a thread that does not exist, and its locks and lanes are as some other thread left
//! them in mid-step. So in the child none of it is touched: the calling thread runs what it is given in a
//! pool of one worker that lives as long as the call, and detached tasks run before that call returns.
//! A pool that the child builds itself is as good as any.
//!
//! A child of a *task* may still fork and join through the handle it has. But what was stolen before the
//! fork never comes back, so the child must end inside the task: with `exec` or `_exit`, as is usual.
//!
//! # Invariants
//! - F1. A pool's generation is the number of forks between the start of the program and its own; a pool of
//!   a past generation has no threads in this process.
//! - F2. A worker of a past generation answers nobody. Those who asked before the fork, and the mailboxes they left
//!   open, are still to be seen, but a task that is given to them never comes back.
//! - F3. An owner in such a child waits for no thief's next step: the one lock that owners share with thieves, which
//!   a thief may hold for ever here, is passed over ([`DirectLocked`](crate::DirectLocked)).
//!
//! A process made without the C library's `fork` (a bare `clone`) is not noticed.

use crate::builder::{Config, PanicHook};
use crate::current;
use crate::deque::Deque;
use crate::probe::Probe;
use crate::shared::Shared;
use crate::worker::Worker;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// How many forks this process comes after (F1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Generation(usize);

impl Generation {
    /// That of this process; from now on its forks are counted.
    pub(crate) fn now() -> Generation {
        system::watch();
        Generation(system::forks())
    }

    /// Whether this process is a child of the one that this generation is from.
    #[inline]
    pub(crate) fn is_past(self) -> bool {
        self.0 != system::forks()
    }
}

impl<D: Deque, P: Probe> Shared<D, P> {
    /// Runs a task of a pool whose threads are in another process.
    #[cold]
    pub(crate) fn run_alone<R>(&self, task: impl FnOnce(&Worker<D, P>) -> R) -> R {
        run_alone(&self.on_panic, task)
    }
}

fn run_alone<D: Deque, P: Probe, R>(
    on_panic: &Option<PanicHook>,
    task: impl FnOnce(&Worker<D, P>) -> R,
) -> R {
    let (alone, _) = Shared::<D, P>::new(&Config::alone(on_panic), &D::Options::default(), 1)
        .unwrap_or_else(|error| panic!("lyocell cannot run in the child of a fork: {error}"));
    current::occupy(&alone.workers[0], |worker| {
        let outcome = catch_unwind(AssertUnwindSafe(|| task(worker)));
        while let Some(job) = alone.find_job(worker) {
            job.run(worker);
        }
        outcome.unwrap_or_else(|panic| resume_unwind(panic))
    })
}

#[cfg(all(unix, not(miri)))]
mod system {
    use std::sync::Once;
    // Not loom's: it is touched by a handler, and is no part of any protocol between threads.
    use std::sync::atomic::{AtomicUsize, Ordering};

    static FORKS: AtomicUsize = AtomicUsize::new(0);

    /// Ordering: Relaxed, as its counterpart: the child begins as one thread.
    #[inline]
    pub(super) fn forks() -> usize {
        FORKS.load(Ordering::Relaxed)
    }

    extern "C" fn in_the_child() {
        FORKS.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn watch() {
        static WATCH: Once = Once::new();
        WATCH.call_once(|| {
            // SAFETY: the handler only changes an atomic. If there is no memory for it, forks go unnoticed,
            // as they would without us.
            unsafe { libc::pthread_atfork(None, None, Some(in_the_child)) };
        });
    }
}

#[cfg(not(all(unix, not(miri))))]
mod system {
    #[inline]
    pub(super) fn forks() -> usize {
        0
    }

    pub(super) fn watch() {}
}
