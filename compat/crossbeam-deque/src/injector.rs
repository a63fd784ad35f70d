//! The queue that anybody pushes into.

use crate::worker::either;
use crate::{Steal, Worker};
use std::fmt;

/// A queue, first in, first out, that any thread pushes into and steals from.
pub struct Injector<T: Send>(lyocell_queues::Injector<T>);

impl<T: Send> Injector<T> {
    /// An empty queue.
    pub fn new() -> Injector<T> {
        Injector(lyocell_queues::Injector::new())
    }

    /// Adds an item.
    pub fn push(&self, task: T) {
        self.0.push(task);
    }

    /// Tries once to steal the oldest item.
    pub fn steal(&self) -> Steal<T> {
        Steal::of(self.0.steal())
    }

    /// Moves some items into a worker's queue.
    pub fn steal_batch(&self, dest: &Worker<T>) -> Steal<()> {
        self.steal_batch_with_limit(dest, lyocell_queues::BATCH)
    }

    /// Moves some items into a worker's queue, at most so many.
    pub fn steal_batch_with_limit(&self, dest: &Worker<T>, limit: usize) -> Steal<()> {
        let moved = either!(dest, own => self.0.steal_batch_with_limit(own, limit));
        Steal::of(moved.map(|_| ()))
    }

    /// Moves some items into a worker's queue and takes one of them.
    pub fn steal_batch_and_pop(&self, dest: &Worker<T>) -> Steal<T> {
        self.steal_batch_with_limit_and_pop(dest, lyocell_queues::BATCH)
    }

    /// Moves some items into a worker's queue, at most so many, and takes one of them.
    pub fn steal_batch_with_limit_and_pop(&self, dest: &Worker<T>, limit: usize) -> Steal<T> {
        Steal::of(either!(dest, own => self.0.steal_batch_with_limit_and_pop(own, limit)))
    }

    /// Whether there seems to be nothing in the queue.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many items there seem to be.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl<T: Send> Default for Injector<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Send> fmt::Debug for Injector<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("Injector { .. }")
    }
}
