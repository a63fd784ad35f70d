//! The owner's handle.

use crate::Stealer;
use lyocell_queues::{Owner, ShrinkingChaseLev, ShrinkingFifo};
use std::fmt;

/// The owner's handle of a queue, last in, first out or first in, first out.
pub struct Worker<T: Send>(pub(crate) Kind<T>);

pub(crate) enum Kind<T: Send> {
    Lifo(ShrinkingChaseLev<T>),
    Fifo(ShrinkingFifo<T>),
}

macro_rules! either {
    ($worker:expr, $queue:ident => $do:expr) => {
        match &$worker.0 {
            $crate::worker::Kind::Lifo($queue) => $do,
            $crate::worker::Kind::Fifo($queue) => $do,
        }
    };
}
pub(crate) use either;

impl<T: Send> Worker<T> {
    /// An empty queue from which its owner takes the oldest.
    pub fn new_fifo() -> Worker<T> {
        Worker(Kind::Fifo(ShrinkingFifo::new()))
    }

    /// An empty queue from which its owner takes the youngest.
    pub fn new_lifo() -> Worker<T> {
        Worker(Kind::Lifo(ShrinkingChaseLev::new()))
    }

    /// A handle for thieves.
    pub fn stealer(&self) -> Stealer<T> {
        match &self.0 {
            Kind::Lifo(queue) => Stealer::of_lifo(queue),
            Kind::Fifo(queue) => Stealer::of_fifo(queue),
        }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        either!(self, queue => queue.is_empty())
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        either!(self, queue => queue.len())
    }

    /// Adds an item.
    pub fn push(&self, task: T) {
        let Ok(()) = either!(self, queue => queue.push(task)) else {
            unreachable!("these queues grow")
        };
    }

    /// Takes an item.
    pub fn pop(&self) -> Option<T> {
        either!(self, queue => queue.take())
    }
}

impl<T: Send> fmt::Debug for Worker<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("Worker { .. }")
    }
}
