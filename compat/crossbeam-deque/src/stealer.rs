//! The thieves' handle.

use crate::worker::either;
use crate::{Steal, Worker};
use lyocell_queues::{Owner, ShrinkingChaseLev, ShrinkingFifo, StealHalf, Thief};
use std::fmt;

/// The thieves' handle of a queue.
pub struct Stealer<T: Send>(Kind<T>);

enum Kind<T: Send> {
    Lifo(<ShrinkingChaseLev<T> as Owner>::Thief),
    Fifo(<ShrinkingFifo<T> as Owner>::Thief),
}

macro_rules! of_either {
    ($stealer:expr, $thief:ident => $do:expr) => {
        match &$stealer.0 {
            Kind::Lifo($thief) => $do,
            Kind::Fifo($thief) => $do,
        }
    };
}

impl<T: Send> Stealer<T> {
    pub(crate) fn of_lifo(queue: &ShrinkingChaseLev<T>) -> Self {
        Self(Kind::Lifo(queue.thief()))
    }

    pub(crate) fn of_fifo(queue: &ShrinkingFifo<T>) -> Self {
        Self(Kind::Fifo(queue.thief()))
    }

    /// Whether there seems to be nothing in the queue.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many items there seem to be.
    pub fn len(&self) -> usize {
        of_either!(self, thief => thief.len())
    }

    /// Tries once to steal the oldest item.
    pub fn steal(&self) -> Steal<T> {
        Steal::of(of_either!(self, thief => thief.steal()))
    }

    /// Moves about half of the items into another queue.
    pub fn steal_batch(&self, dest: &Worker<T>) -> Steal<()> {
        self.steal_batch_with_limit(dest, lyocell_queues::BATCH)
    }

    /// Moves about half of the items into another queue, at most so many.
    pub fn steal_batch_with_limit(&self, dest: &Worker<T>, limit: usize) -> Steal<()> {
        let moved = of_either!(self, thief => either!(dest, own => thief.steal_batch_with_limit(own, limit)));
        Steal::of(moved.map(|_| ()))
    }

    /// Moves about half of the items into another queue and takes one of them.
    pub fn steal_batch_and_pop(&self, dest: &Worker<T>) -> Steal<T> {
        self.steal_batch_with_limit_and_pop(dest, lyocell_queues::BATCH)
    }

    /// Moves about half of the items into another queue, at most so many, and takes one of them.
    pub fn steal_batch_with_limit_and_pop(&self, dest: &Worker<T>, limit: usize) -> Steal<T> {
        Steal::of(
            of_either!(self, thief => either!(dest, own => thief.steal_batch_with_limit_and_pop(own, limit))),
        )
    }
}

impl<T: Send> Clone for Stealer<T> {
    fn clone(&self) -> Self {
        Self(match &self.0 {
            Kind::Lifo(thief) => Kind::Lifo(thief.clone()),
            Kind::Fifo(thief) => Kind::Fifo(thief.clone()),
        })
    }
}

impl<T: Send> fmt::Debug for Stealer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("Stealer { .. }")
    }
}
