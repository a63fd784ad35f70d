//! Tasks that each thread of a pool runs.

use crate::global::global;
use lyocell::Worker;
use std::fmt;
use std::marker::PhantomData;

/// Runs `op` on each thread of the current pool, else of the global one, and returns what it returns on each, in the order
/// of the threads' numbers.
pub fn broadcast<OP, R>(op: OP) -> Vec<R>
where
    OP: Fn(BroadcastContext<'_>) -> R + Sync,
    R: Send,
{
    let op = |worker: &Worker| op(BroadcastContext::new(worker));
    lyocell::with_current(|worker| match worker {
        Some(worker) => worker.broadcast(op),
        None => global().broadcast(op),
    })
}

/// Spawns a task on each thread of the current pool, else of the global one. Nobody waits for it.
pub fn spawn_broadcast<OP>(op: OP)
where
    OP: Fn(BroadcastContext<'_>) + Send + Sync + 'static,
{
    let op = move |worker: &Worker| op(BroadcastContext::new(worker));
    lyocell::with_current(|worker| match worker {
        Some(worker) => worker.spawn_detached_broadcast(op),
        None => global().spawn_detached_broadcast(op),
    });
}

/// What a task of a broadcast is told of the thread it runs on.
pub struct BroadcastContext<'a> {
    worker: &'a Worker,
    /// Neither `Send` nor `Sync`.
    here: PhantomData<&'a mut dyn Fn()>,
}

impl<'a> BroadcastContext<'a> {
    pub(crate) fn new(worker: &'a Worker) -> Self {
        BroadcastContext { worker, here: PhantomData }
    }

    /// Returns the number of this thread among those of the pool.
    #[inline]
    pub fn index(&self) -> usize {
        self.worker.index()
    }

    /// Returns how many threads run the task.
    #[inline]
    pub fn num_threads(&self) -> usize {
        self.worker.workers()
    }
}

impl<'a> fmt::Debug for BroadcastContext<'a> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BroadcastContext")
            .field("index", &self.index())
            .field("num_threads", &self.num_threads())
            .finish_non_exhaustive()
    }
}
