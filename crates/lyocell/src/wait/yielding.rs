//! Yielding: a worker runs one task in the middle of another, because that one asks it to.

use super::steal::Found;
use crate::deque::{Deque, PrivateTasks, Steal, Stealable};
use crate::probe::Probe;
use crate::worker::Worker;

/// What came of [`Worker::yield_now`] and [`Worker::yield_local`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yield {
    /// A task was found, and has been run.
    Executed,
    /// There was nothing to run.
    Idle,
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Runs one task that waits, wherever it is: one that was spawned on this worker, one of its open joins, one that can be
    /// stolen, or a call or a task from outside.
    ///
    /// This is for tasks that have to poll something. Where the pool's deque sends tasks in messages
    /// ([`Receiver`](crate::Receiver), [`Sender`](crate::Sender)), those of the worker's own joins are not run.
    ///
    /// # Panics
    /// Does not panic: a panic of the task that is run goes to who waits for it.
    ///
    /// # Source
    /// `yield_now` of rayon.
    ///
    /// # Examples
    /// ```
    /// use lyocell::Yield;
    /// use std::sync::mpsc::channel;
    ///
    /// let pool = lyocell::Pool::builder().workers(1).build()?;
    /// let answer = pool.run(|w| {
    ///     let (send, receive) = channel();
    ///     w.spawn(move |_| send.send(42).unwrap());
    ///     loop {
    ///         match receive.try_recv() {
    ///             Ok(answer) => return answer,
    ///             Err(_) => assert_eq!(w.yield_now(), Yield::Executed),
    ///         }
    ///     }
    /// });
    /// assert_eq!(answer, 42);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn yield_now(&self) -> Yield {
        if self.is_left_behind() {
            // after_fork-4: what waits is the parent's.
            return Yield::Idle;
        }
        let local = self.local_task();
        if local.is_some() {
            return self.run_found(local);
        }
        let found = self.find_anything();
        self.stop_asking();
        self.run_found(found)
    }

    /// As [`Worker::yield_now`], but runs only what waits on this worker: what was spawned on it, was left to it by a
    /// broadcast, or is of its open joins.
    ///
    /// # Examples
    /// ```
    /// use lyocell::Yield;
    ///
    /// let pool = lyocell::Pool::builder().workers(1).build()?;
    /// pool.run(|w| {
    ///     w.spawn(|_| ());
    ///     assert_eq!((w.yield_local(), w.yield_local()), (Yield::Executed, Yield::Idle));
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn yield_local(&self) -> Yield {
        if self.is_left_behind() {
            return Yield::Idle;
        }
        self.run_found(self.local_task())
    }

    /// What waits on this worker.
    fn local_task(&self) -> Option<Found<'_>> {
        self.own_job().map(Found::Job).or_else(|| self.steal_own())
    }

    /// The oldest task of this worker's open joins, as a thief would take it: the join finds it stolen, and finished.
    fn steal_own(&self) -> Option<Found<'_>> {
        if D::PRIVATE_TASKS == PrivateTasks::Sent || self.depth() == 0 {
            return None;
        }
        if self.deque.stealable() == Stealable::None {
            self.answer();
        }
        match D::steal(&self.pool().team, self.index(), self.index(), &self.probe) {
            Steal::Task(loot) => Some(Found::Stolen(loot)),
            Steal::Empty | Steal::Busy => None,
        }
    }

    fn run_found(&self, found: Option<Found<'_>>) -> Yield {
        match found {
            Some(found) => {
                self.execute(found);
                Yield::Executed
            }
            None => Yield::Idle,
        }
    }
}
