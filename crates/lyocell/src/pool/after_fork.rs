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
//! - after_fork-1. A pool's generation is the number of forks between the start of the program and its own; a pool of
//!   a past generation has no threads in this process.
//! - after_fork-2. A worker of a past generation answers nobody. Those who asked before the fork, and the mailboxes
//!   they left open, are still to be seen, but a task that is given to them never comes back.
//! - after_fork-3. An owner in such a child waits for no thief's next step: the one lock that owners share with
//!   thieves, which a thief may hold for ever here, is passed over ([`DirectLocked`](crate::DirectLocked)).
//!
//! A process made without the C library's `fork` (a bare `clone`) is not noticed.

use super::config::Config;
use super::error::BuildError;
use crate::deque::Deque;
use crate::probe::Probe;
use crate::registry::Registry;
use crate::worker::{Through, Worker, current};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

impl<D: Deque, P: Probe> Registry<D, P> {
    /// Runs a task of a pool whose threads are in another process.
    pub(crate) fn run_alone<R>(&self, task: impl FnOnce(&Worker<D, P>) -> R) -> R {
        let mut task = Through::new(task);
        self.enter_alone(&mut |worker| task.call(|task| task(worker)));
        task.result()
    }

    /// As [`Registry::run_alone`].
    #[cold]
    pub(super) fn enter_alone(&self, task: &mut dyn FnMut(&Worker<D, P>)) {
        current::refuse_observer();
        let parts = Config::alone(&self.on_panic).parts::<D>(1).unwrap_or_else(refuse);
        let (alone, _) = Registry::<D, P>::new(parts, &D::Options::default());
        alone.attach_probes().unwrap_or_else(refuse);
        current::occupy(&alone.workers[0], |worker| {
            let outcome = catch_unwind(AssertUnwindSafe(|| task(worker)));
            while let Some(job) = alone.find_job(worker) {
                job.run(worker);
            }
            outcome.unwrap_or_else(|panic| resume_unwind(panic));
        });
    }
}

fn refuse<T>(error: BuildError) -> T {
    panic!("lyocell cannot run in the child of a fork: {error}")
}
