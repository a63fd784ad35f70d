//! Yielding: a worker runs one task in the middle of another, because that one asks it to.
//!
//! Who polls is as good as awake for others: it answers those that ask it, and it runs what it keeps itself. So of two
//! workers that poll, each for what the other keeps, neither starves.
//!
//! # What was rejected
//! - *A request that stands from one poll to the next*, on the deques that send tasks. What is sent belongs to its receiver,
//!   and nobody knows whether there will be another poll: one that blocks instead, on a lock or a channel, or runs a leaf, has
//!   in its mailbox a task that its owner could have run, and that the owner then waits for; for ever, if it holds what the poller
//!   blocks on. So sender-3 stays as it is, and a poll waits for an answer as long as an owner takes that pushes and pops.

use super::confined::Awaited;
use super::steal::Found;
use crate::current::Yield;
use crate::deque::{Deque, PrivateTasks};
use crate::probe::Probe;
use crate::scheduler::Worker;
use lyocell_sync::spin_loop;

/// How many victims a poll that finds nothing looks at once more, where owners send tasks and somebody keeps some. An owner
/// that pushes and pops answers within a microsecond, in three steps where it has not told that it has tasks
/// (receiver-2). Without this wait one of 30 to 140 polls gets a task from an owner that forks and joins all the time, with it one
/// of 3 to 7. Untuned.
const PATIENCE: usize = if cfg!(loom) { 2 } else { 512 };

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Runs one task that waits, wherever it is: one that was spawned on this worker, one of its open joins, one that can be
    /// stolen, or a call or a task from outside.
    ///
    /// This is for tasks that have to poll something. Whoever has asked this worker for tasks is answered first, as at a fork.
    /// Where the pool's deque sends tasks in messages ([`Receiver`](crate::Receiver), [`Sender`](crate::Sender)), a call that
    /// finds nothing waits some microseconds for those that have tasks to send one; it has the task of another worker only if
    /// that one forks, joins or yields meanwhile, and with [`Sender`](crate::Sender) if its next date has come.
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
    ///     w.spawn_detached(move |_| send.send(42).unwrap());
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
        // What it polls for may be of the background.
        let awaited = self.own.awaited.replace(Awaited::Background);
        let found = self.local_task().or_else(|| self.find_elsewhere());
        self.own.awaited.set(awaited);
        let came_of_it = self.run_found(found);
        self.leave_background();
        came_of_it
    }

    /// As [`Worker::yield_now`], but runs only what waits on this worker: what was spawned on it, was left to it by a
    /// broadcast, or is of its open joins. It asks nobody.
    ///
    /// # Examples
    /// ```
    /// use lyocell::Yield;
    ///
    /// let pool = lyocell::Pool::builder().workers(1).build()?;
    /// pool.run(|w| {
    ///     w.spawn_detached(|_| ());
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
        // To yield is to push and pop as far as others are concerned: a worker that polls does neither, maybe.
        if self.withholds() {
            self.answer();
        }
        let job = match self.confined_in(Awaited::Anything) {
            None => self.own_job(),
            Some(_) => self.spawned_job(),
        };
        job.and_then(|job| self.keep_job(job))
            .map(Found::Job)
            .or_else(|| self.steal_own(Awaited::Anything))
    }

    /// The oldest task of this worker's open joins, as a thief would take it: the join finds it stolen, and finished.
    pub(super) fn steal_own(&self, awaited: Awaited) -> Option<Found<'_>> {
        if self.owner.depth() == 0 || !self.may_rob(self.index) {
            return None;
        }
        let shares = matches!(D::PRIVATE_TASKS, PrivateTasks::Exposed | PrivateTasks::Shared);
        if shares && self.keeps_tasks() {
            self.answer();
        }
        self.keep(Found::Stolen(self.take_oldest()?), awaited)
    }

    /// A task from elsewhere. Where owners send tasks, it gives those that it has asked the time to answer, if they push and
    /// pop; and it withdraws at the end of each fruitless poll (see [`PATIENCE`]).
    fn find_elsewhere(&self) -> Option<Found<'_>> {
        if self.confined_in(Awaited::Anything).is_some() {
            return None;
        }
        let found = self.find_anything(None).or_else(|| self.await_tasks());
        let found = found.or_else(|| self.withdraw().map(Found::Stolen));
        self.stop_asking();
        found.and_then(|found| self.keep_of_class(found))
    }

    /// Looks again as long as somebody who was asked keeps tasks, where owners send them.
    pub(super) fn await_tasks(&self) -> Option<Found<'_>> {
        match D::PRIVATE_TASKS {
            PrivateTasks::Sent => self.await_tasks_of(|victim| self.may_rob(victim)),
            _ => None,
        }
    }

    /// The same of those of whom this is true.
    pub(super) fn await_tasks_of(&self, may_be: impl Fn(usize) -> bool) -> Option<Found<'_>> {
        let keeps_tasks = |other: &Self| may_be(other.index) && other.withholds();
        for _ in 0..(PATIENCE / self.workers()).max(1) {
            if !self.registry().others(self.index()).any(keeps_tasks) {
                break;
            }
            spin_loop();
            let found = self.steal_from_those(&may_be);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn run_found(&self, found: Option<Found<'_>>) -> Yield {
        match found {
            Some(found) => {
                self.execute(found);
                self.note_fed();
                // giving_way-5.
                self.remember_call();
                Yield::Executed
            }
            None => Yield::Idle,
        }
    }
}
