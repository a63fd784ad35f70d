//! Spare workers of a pool, as its builder is told of them. What they do: [`scheduler::spares`](crate::scheduler::spares).

use super::Builder;
use super::config::Config;
use super::thread_builder::{ThreadBuilder, ThreadHooks};
use crate::deque::Deque;
use crate::probe::Probe;
use crate::scheduler::spares::SpareWays;
use crate::scheduler::{Registry, Worker};
use std::sync::Arc;

impl<D: Deque, P: Probe> Builder<D, P> {
    /// Sets how many more workers there may be, at the most, while tasks block ([`Worker::blocking`](crate::Worker::blocking)) and while
    /// threads call the pool at the same time ([`Pool::run`](crate::Pool::run)). By default there are none: to block is to block a worker, and a caller who
    /// finds another's call under way waits until a worker has time for its own, which may be the end of that call. (With
    /// [`Caller::Sleeps`](crate::Caller::Sleeps) calls are for the pool's own threads, and they may wait.)
    ///
    /// For tasks that block each has a thread, which is started when it is needed for the first time, and sleeps when it is not. For a call
    /// it is the caller, on the caller's thread. Spare workers count among the
    /// [workers](crate::Pool::workers) of the pool, as the last ones, but for [broadcasts](crate::Pool::broadcast), which leave them out. In a pool whose
    /// threads the program starts ([`Builder::build_with`]) there are none.
    ///
    /// # Cost
    /// None for joins. Memory for a deque each, of which only what is used is touched, and a look at it where thieves look at all.
    ///
    /// # Examples
    /// ```
    /// use std::sync::Barrier;
    ///
    /// // Of four tasks that wait for each other each needs a worker.
    /// let pool = lyocell::Pool::builder().workers(1).spare_workers(3).build()?;
    /// let barrier = Barrier::new(4);
    /// pool.run(|w| w.for_each_with(0..4, |w, _| { w.blocking(|| barrier.wait()); }));
    ///
    /// // Two calls at the same time, each of which waits for the other: one of them is on the seat.
    /// let barrier = Barrier::new(2);
    /// std::thread::scope(|threads| {
    ///     threads.spawn(|| pool.run(|_| barrier.wait()));
    ///     pool.run(|_| barrier.wait());
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    #[must_use]
    pub fn spare_workers(mut self, most: usize) -> Self {
        self.config.spare_workers = most;
        self.spares = Some(spare_ways);
        self
    }
}

/// How a builder makes these.
pub(super) type WaysOfSpares<D, P> = fn(&Config) -> SpareWays<D, P>;

/// What a pool that is set up so needs for its spares.
pub(super) fn spare_ways<D: Deque, P: Probe>(config: &Config) -> SpareWays<D, P> {
    let config = config.clone();
    let start = move |registry: Arc<Registry<D, P>>, spare| {
        let (steering, hooks) = (config.wake_steering(), ThreadHooks::of(&config));
        let worker = registry.worker_of_spare(spare);
        let life = move || registry.serve_as_spare(spare, steering, &hooks);
        ThreadBuilder::new(&config, steering, worker, Box::new(life)).start()
    };
    SpareWays::new(Box::new(start), Registry::call_on_spare)
}

impl<D: Deque, P: Probe> Registry<D, P> {
    /// Makes a call as a spare worker, if one is free; tells whether it has.
    pub(super) fn call_on_spare(&self, task: &mut dyn FnMut(&Worker<D, P>)) -> bool {
        self.be_spare(&mut |worker| worker.as_root_of_caller(&mut *task))
    }
}
