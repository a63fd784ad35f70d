//! A queue into which any thread pushes and from which any thread steals, first in, first out.
//!
//! ```text
//!   head                                     tail
//!   block [gone, gone, item, item] -> block [item, being written, free, free]
//! ```
//! It is a list of blocks of slots ([`segments`]), as crossbeam-deque's injector and `SegQueue` are, with two differences: a block is
//! given back by a count of the slots that were read, and not by marks that readers hand on; and a thief that comes while
//! another moves on to the next block says [`Steal::Busy`] instead of waiting for it.

mod segments;

pub(crate) use segments::Segments;

use crate::batch::{self, at_least_one, half};
use crate::queue::{BATCH, End, Owner, StealHalf, Thief};
use crate::steal::Steal;
use lyocell_sync::Arc;
use std::fmt;

/// Slots of a block. With its link and its count a block of words is a kibibyte. crossbeam-deque's number; untuned.
const SLOTS: usize = 63;

/// A queue for work that comes from outside: any thread pushes, any thread steals. Exactly once, unbounded, first in, first
/// out.
///
/// Share it by reference or in an [`Arc`]: either is a thief, which
/// implements [`Thief`] and [`StealHalf`]; what these do is here by the same names.
///
/// `push` costs one compare-and-swap and a store, and in one of 63 cases an allocation; `steal` a compare-and-swap and
/// an addition. A batch costs no more than one item, and leaves in one step. Memory is given back a block of 63 slots at
/// a time, when all of it was read.
///
/// No operation takes a lock, but two wait for another thread that is within a few instructions of its end: `push`
/// where another push begins a new block, and a thief that has won an item whose push is not over. A thread that was preempted there
/// is waited for.
///
/// Where there are no 64-bit atomics (some 32-bit processors), a thread that is held up inside a push or a steal while exactly
/// a multiple of 2^32 items pass may do harm: an item comes out twice, or is lost. Everywhere else it finds out.
///
/// Source: the injector of crossbeam-deque, after its `SegQueue`.
///
/// ```
/// use lyocell_queues::{ChaseLev, Injector, Owner, Steal};
///
/// let injector = Injector::new();
/// std::thread::scope(|scope| {
///     scope.spawn(|| (0..50).for_each(|item| injector.push(item)));
///     scope.spawn(|| (50..100).for_each(|item| injector.push(item)));
/// });
/// let mine = ChaseLev::new();
/// let mut sum = 0;
/// loop {
///     // Own work first, then a batch from outside.
///     let next = mine.take().map_or_else(|| injector.steal_batch_and_pop(&mine), Steal::Taken);
///     match next {
///         Steal::Taken(item) => sum += item,
///         Steal::Empty => break,
///         Steal::Busy => std::hint::spin_loop(),
///     }
/// }
/// assert_eq!(sum, 4950);
/// ```
pub struct Injector<T: Send>(Segments<T, SLOTS>);

impl<T: Send> Injector<T> {
    /// An empty queue. It has one block of slots.
    #[must_use]
    pub fn new() -> Self {
        Self(Segments::new())
    }

    /// Adds an item at the young end.
    #[inline]
    pub fn push(&self, item: T) {
        self.0.push(item);
    }

    /// Adds all items of an iterator, the first one first; items of others may come between them.
    pub fn extend(&self, items: impl IntoIterator<Item = T>) {
        items.into_iter().for_each(|item| self.push(item));
    }

    /// Tries once to steal the oldest item.
    #[inline]
    pub fn steal(&self) -> Steal<T> {
        self.0.steal()
    }

    /// Steals up to half of the items seen (rounded up), but not more than `most` nor than there are in the oldest block,
    /// and hands each to `sink`. See [`StealHalf::steal_up_to`].
    ///
    /// # Panics
    /// If `most` is zero, or if `sink` panics; then the rest of the batch is pushed again.
    pub fn steal_up_to(&self, most: usize, sink: impl FnMut(T)) -> Steal<usize> {
        at_least_one(most);
        self.0.steal_some(|len| half(len, most), sink)
    }

    /// Moves up to half of the items seen, at most [`BATCH`], into a queue of the caller's. See [`StealHalf::steal_batch`].
    pub fn steal_batch<Q: Owner<Item = T>>(&self, own: &Q) -> Steal<usize> {
        self.steal_batch_with_limit(own, BATCH)
    }

    /// As [`steal_batch`](Self::steal_batch), with another limit.
    ///
    /// # Panics
    /// If `limit` is zero.
    pub fn steal_batch_with_limit<Q: Owner<Item = T>>(
        &self,
        own: &Q,
        limit: usize,
    ) -> Steal<usize> {
        batch::steal_into(&self, own, limit)
    }

    /// Steals as [`steal_batch`](Self::steal_batch), and returns the oldest. See [`StealHalf::steal_batch_and_pop`].
    pub fn steal_batch_and_pop<Q: Owner<Item = T>>(&self, own: &Q) -> Steal<T> {
        self.steal_batch_with_limit_and_pop(own, BATCH)
    }

    /// As [`steal_batch_and_pop`](Self::steal_batch_and_pop), with another limit, in which the returned one is counted.
    ///
    /// # Panics
    /// If `limit` is zero.
    pub fn steal_batch_with_limit_and_pop<Q: Owner<Item = T>>(
        &self,
        own: &Q,
        limit: usize,
    ) -> Steal<T> {
        batch::steal_into_and_pop(&self, own, limit)
    }

    /// Returns how many items there seem to be: a hint, as [`Thief::len`] is.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there seems to be no item: a hint, as [`Thief::len`] is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: Send> Default for Injector<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Send> FromIterator<T> for Injector<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let injector = Self::new();
        injector.extend(items);
        injector
    }
}

macro_rules! thief {
    ($($handle:ty),*) => {$(
        impl<T: Send> Thief for $handle {
            type Item = T;
            const STEALS: End = End::Old;
            // It has no owner; whoever takes from it takes the oldest.
            const OWNER_TAKES: End = End::Old;

            #[inline]
            fn steal(&self) -> Steal<T> {
                Injector::steal(self)
            }

            fn len(&self) -> usize {
                Injector::len(self)
            }
        }

        impl<T: Send> StealHalf for $handle {
            fn steal_up_to(&self, most: usize, sink: impl FnMut(T)) -> Steal<usize> {
                Injector::steal_up_to(self, most, sink)
            }
        }
    )*};
}
thief!(&Injector<T>, Arc<Injector<T>>);

impl<T: Send> fmt::Debug for Injector<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Injector").field("len", &self.len()).finish_non_exhaustive()
    }
}
