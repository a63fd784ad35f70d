//! A pool of the user's.

use crate::scope::{Scope, ScopeFifo};
use crate::{isolated, join, scope, scope_fifo, BroadcastContext};
use lyocell::{Pool, Worker};
use std::error::Error;
use std::fmt;
use std::marker::PhantomData;

/// A set of threads that run tasks, made by [`ThreadPoolBuilder`](crate::ThreadPoolBuilder).
///
/// Dropping it does not wait: its threads run what has been spawned to its end, and then end themselves.
pub struct ThreadPool {
    pool: Pool,
    /// Whether what is installed is isolated.
    isolates: bool,
    /// Lyocell's pool is unwind safe, and rayon's is not: what compiles here must compile there.
    not_unwind_safe: PhantomData<Box<dyn Fn() + Send + Sync>>,
}

impl ThreadPool {
    /// The old name of [`ThreadPoolBuilder::build`](crate::ThreadPoolBuilder::build).
    ///
    /// # Errors
    /// As that.
    #[deprecated(note = "Use `ThreadPoolBuilder::build`")]
    #[allow(deprecated)]
    pub fn new(configuration: crate::Configuration) -> Result<ThreadPool, Box<dyn Error>> {
        configuration.into_builder().build().map_err(Box::from)
    }

    pub(crate) fn new_on(pool: Pool, isolates: bool) -> ThreadPool {
        ThreadPool { pool, isolates, not_unwind_safe: PhantomData }
    }

    /// Runs `op` on a thread of the pool, and returns what it returns.
    ///
    /// A thread of another pool goes on working for that one meanwhile.
    pub fn install<OP, R>(&self, op: OP) -> R
    where
        OP: FnOnce() -> R + Send,
        R: Send,
    {
        let isolates = self.isolates;
        self.pool.run(|worker| if isolates { isolated::call(worker, op) } else { op() })
    }

    /// Runs `op` on each thread of the pool, and returns what it returns on each, in the order of the threads' numbers.
    pub fn broadcast<OP, R>(&self, op: OP) -> Vec<R>
    where
        OP: Fn(BroadcastContext<'_>) -> R + Sync,
        R: Send,
    {
        self.pool.broadcast(|worker| op(BroadcastContext::new(worker)))
    }

    /// Returns the number of threads.
    #[inline]
    pub fn current_num_threads(&self) -> usize {
        self.pool.workers()
    }

    /// Returns the number of the calling thread in this pool, or `None` if it is not one of its threads.
    #[inline]
    pub fn current_thread_index(&self) -> Option<usize> {
        self.pool.with_current(|worker| worker.map(Worker::index))
    }

    /// Returns whether tasks wait on the calling thread, or `None` if it is not one of this pool.
    #[inline]
    pub fn current_thread_has_pending_tasks(&self) -> Option<bool> {
        self.pool.with_current(|worker| worker.map(Worker::has_pending_tasks))
    }

    /// [`join`](crate::join()) on this pool.
    pub fn join<A, B, RA, RB>(&self, oper_a: A, oper_b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        self.install(|| join(oper_a, oper_b))
    }

    /// [`scope`](crate::scope()) on this pool.
    pub fn scope<'scope, OP, R>(&self, op: OP) -> R
    where
        OP: FnOnce(&Scope<'scope>) -> R + Send,
        R: Send,
    {
        self.install(|| scope(op))
    }

    /// [`scope_fifo`](crate::scope_fifo()) on this pool.
    pub fn scope_fifo<'scope, OP, R>(&self, op: OP) -> R
    where
        OP: FnOnce(&ScopeFifo<'scope>) -> R + Send,
        R: Send,
    {
        self.install(|| scope_fifo(op))
    }

    /// Calls `op` on the calling thread, with a scope to spawn in on this pool, and waits for all that was spawned.
    pub fn in_place_scope<'scope, OP, R>(&self, op: OP) -> R
    where
        OP: FnOnce(&Scope<'scope>) -> R,
    {
        self.pool.in_place_scope(|scope| Scope::open(scope, op))
    }

    /// As [`ThreadPool::in_place_scope`], for tasks that are taken up in the order of the spawns.
    pub fn in_place_scope_fifo<'scope, OP, R>(&self, op: OP) -> R
    where
        OP: FnOnce(&ScopeFifo<'scope>) -> R,
    {
        self.pool.in_place_scope(|scope| ScopeFifo::open(scope, op))
    }

    /// [`spawn`](crate::spawn()) on this pool.
    pub fn spawn<OP>(&self, op: OP)
    where
        OP: FnOnce() + Send + 'static,
    {
        self.pool.spawn_detached(|_| op());
    }

    /// [`spawn_fifo`](crate::spawn_fifo()) on this pool.
    pub fn spawn_fifo<OP>(&self, op: OP)
    where
        OP: FnOnce() + Send + 'static,
    {
        self.pool.spawn_detached_fifo(|_| op());
    }

    /// [`spawn_broadcast`](crate::spawn_broadcast()) on this pool.
    pub fn spawn_broadcast<OP>(&self, op: OP)
    where
        OP: Fn(BroadcastContext<'_>) + Send + Sync + 'static,
    {
        self.pool.spawn_detached_broadcast(move |worker| op(BroadcastContext::new(worker)));
    }

    /// [`yield_now`](crate::yield_now()), if the calling thread is one of this pool.
    pub fn yield_now(&self) -> Option<Yield> {
        self.pool.with_current(|worker| worker.map(|worker| Yield::of(worker.yield_now())))
    }

    /// [`yield_local`](crate::yield_local()), if the calling thread is one of this pool.
    pub fn yield_local(&self) -> Option<Yield> {
        self.pool.with_current(|worker| worker.map(|worker| Yield::of(worker.yield_local())))
    }
}

impl fmt::Debug for ThreadPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadPool")
            .field("num_threads", &self.current_num_threads())
            .finish_non_exhaustive()
    }
}

/// What came of [`yield_now`](crate::yield_now()) and [`yield_local`](crate::yield_local()).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yield {
    /// A task was found, and has been run.
    Executed,
    /// There was nothing to run.
    Idle,
}

impl Yield {
    pub(crate) fn of(outcome: lyocell::Yield) -> Yield {
        match outcome {
            lyocell::Yield::Executed => Yield::Executed,
            lyocell::Yield::Idle => Yield::Idle,
        }
    }
}
