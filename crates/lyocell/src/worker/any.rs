//! A worker of whatever type, for functions that were not handed one.
//!
//! What such a function may do in a pool whose deque and probe it does not know: all that gives users no handle, whose type they
//! would have to name.

use super::Worker;
use crate::deque::Deque;
use crate::probe::Probe;
use crate::wait::Yield;

/// What a worker can do whatever its type is.
pub(crate) trait AnyWorker {
    fn index(&self) -> usize;
    fn workers(&self) -> usize;
    fn has_pending_tasks(&self) -> bool;
    fn yield_now(&self) -> Yield;
    fn yield_local(&self) -> Yield;
    fn spawn(&self, task: Box<dyn FnOnce() + Send>);
    fn spawn_fifo(&self, task: Box<dyn FnOnce() + Send>);
    /// Each call is told the number of its worker.
    fn broadcast(&self, task: &(dyn Fn(usize) + Sync));
    fn spawn_broadcast(&self, task: Box<dyn Fn() + Send + Sync>);
    /// [`Worker::join`].
    fn join(&self, a: &mut dyn FnMut(), b: &mut (dyn FnMut() + Send));
    /// [`Worker::join_context`]; each is told whether it migrated.
    fn join_context(&self, a: &mut dyn FnMut(bool), b: &mut (dyn FnMut(bool) + Send));
}

impl<D: Deque, P: Probe> AnyWorker for Worker<D, P> {
    fn index(&self) -> usize {
        self.index()
    }

    fn workers(&self) -> usize {
        self.workers()
    }

    fn has_pending_tasks(&self) -> bool {
        self.has_pending_tasks()
    }

    fn yield_now(&self) -> Yield {
        self.yield_now()
    }

    fn yield_local(&self) -> Yield {
        self.yield_local()
    }

    fn spawn(&self, task: Box<dyn FnOnce() + Send>) {
        self.spawn(|_| task());
    }

    fn spawn_fifo(&self, task: Box<dyn FnOnce() + Send>) {
        self.spawn_fifo(|_| task());
    }

    fn broadcast(&self, task: &(dyn Fn(usize) + Sync)) {
        self.broadcast(|worker| task(worker.index()));
    }

    fn spawn_broadcast(&self, task: Box<dyn Fn() + Send + Sync>) {
        self.spawn_broadcast(move |_| task());
    }

    fn join(&self, a: &mut dyn FnMut(), b: &mut (dyn FnMut() + Send)) {
        self.join(|_| a(), |_| b());
    }

    fn join_context(&self, a: &mut dyn FnMut(bool), b: &mut (dyn FnMut(bool) + Send)) {
        self.join_context(|_, context| a(context.migrated()), |_, context| b(context.migrated()));
    }
}
