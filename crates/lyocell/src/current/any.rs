//! A worker of whatever type, for functions that were not handed one.
//!
//! What such a function may do in a pool whose deque and probe it does not know: all that gives users no handle, whose type they
//! would have to name. A table of that links all of it into every program, so it is told apart who makes it:
//!
//! | the table | of | who makes it |
//! |---|---|---|
//! | [`Occupied`] | what a thread has to know of the worker that it is | whoever makes the thread a worker: every program |
//! | [`AnyWorker`] | what code without a handle asks of a worker | for the default type, who asks; for another, whoever makes the thread a worker: nobody else knows the type |

use super::{AnyScope, Held};
use crate::owner::Pace;
use crate::wait::Goal;
use lyocell_sync::{Generation, Parker};
use std::panic::Location;

/// A worker of some type, as its thread knows it.
pub(crate) type DynOccupied = dyn Occupied;

/// A worker of some type, with all that code without a handle asks of it.
pub(crate) type DynWorker = dyn AnyWorker;

/// What came of [`Worker::yield_now`](crate::Worker::yield_now) and [`Worker::yield_local`](crate::Worker::yield_local).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yield {
    /// A task was found, and has been run.
    Executed,
    /// There was nothing to run.
    Idle,
}

/// What a thread has to know of the worker that it is, whatever its type is.
pub(crate) trait Occupied {
    /// What names its pool.
    fn pool_identity(&self) -> *const ();
    /// That of its pool.
    fn generation(&self) -> Generation;
    /// Itself, if it is of the default type, that of a pool with the default deque and no probe; or null.
    fn as_default(&self) -> *const ();
    /// What it can do for code without a handle, if it is of another type than the default one.
    fn as_other(&self) -> Option<&DynWorker>;
    /// Whether its pool has no threads.
    fn is_alone(&self) -> bool;
    /// This thread is its occupant from now on.
    fn move_in(&self);
    fn parker(&self) -> &Parker;
    /// Works in its own pool until the goal is reached.
    fn work_until(&self, goal: &dyn Goal);
    /// The same, where background work may bring it about.
    fn work_until_background(&self, goal: &dyn Goal);
    /// In the handler of a signal that comes to its thread.
    fn interrupted(&self);
    fn index(&self) -> usize;
    fn yield_now(&self) -> Yield;
}

/// What a worker can do for code without a handle, whatever its type is.
pub(crate) trait AnyWorker: Occupied {
    fn workers(&self) -> usize;
    fn has_pending_tasks(&self) -> bool;
    fn yield_local(&self) -> Yield;
    /// That of the loops it runs.
    fn pace(&self) -> &Pace;
    /// Whether somebody asks it for tasks.
    fn is_asked(&self) -> bool;
    /// Unwinds if the current task is under a token that is set.
    fn stop_if_cancelled(&self);
    /// [`Worker::isolated`](crate::Worker::isolated).
    fn isolated(&self, body: &mut dyn FnMut());
    /// [`held`](crate::held()).
    fn hold(&self, at: &'static Location<'static>) -> Held;
    /// [`Worker::blocking`](crate::Worker::blocking).
    fn blocking(&self, body: &mut dyn FnMut());
    fn spawn_detached(&self, task: Box<dyn FnOnce() + Send>);
    fn spawn_background(&self, task: Box<dyn FnOnce() + Send>);
    fn spawn_detached_fifo(&self, task: Box<dyn FnOnce() + Send>);
    fn spawn_detached_broadcast(&self, task: Box<dyn Fn() + Send + Sync>);
    /// Each call is told the number of its worker.
    fn broadcast(&self, task: &(dyn Fn(usize) + Sync));
    /// [`Worker::join`](crate::Worker::join).
    fn join(&self, a: &mut dyn FnMut(&DynWorker), b: &mut (dyn FnMut(&DynWorker) + Send));
    /// [`Worker::join_context`](crate::Worker::join_context); each is told whether it migrated.
    fn join_context(&self, a: &mut dyn FnMut(bool), b: &mut (dyn FnMut(bool) + Send));
    /// [`Worker::scope`](crate::Worker::scope).
    fn scope<'env>(&self, body: &mut ScopeBody<'_, 'env>);
}

/// What is called with a scope.
pub(crate) type ScopeBody<'a, 'env> = dyn for<'scope> FnMut(&'scope AnyScope<'scope, 'env>) + 'a;
