//! The trait family: what the owner may do, what thieves may do, and what a queue promises.

use crate::batch;
use crate::steal::Steal;
use std::error::Error;
use std::fmt;

/// The owner's handle of a work-stealing queue.
///
/// Exactly one owner pushes and takes. The handle can move to another thread but cannot be
/// shared between threads (it is not `Sync`) or cloned; thieves get their own handles from
/// [`thief`](Owner::thief). What is left in a queue when its last handle, owner's or thief's,
/// goes away is dropped with it.
///
/// ```
/// use lyocell_queues::{ChaseLev, Owner, Steal, Thief};
///
/// fn push_two<Q: Owner<Item = u32>>(queue: &Q) {
///     queue.push(1).expect("room for two");
///     queue.push(2).expect("room for two");
/// }
///
/// let queue = ChaseLev::with_capacity(16);
/// push_two(&queue);
/// let thief = queue.thief();
/// let stolen = std::thread::spawn(move || thief.steal()).join().unwrap();
/// assert_eq!(stolen, Steal::Taken(1));
/// assert_eq!(queue.take(), Some(2));
/// assert_eq!(queue.take(), None);
/// ```
pub trait Owner: Sized {
    /// What the queue holds.
    type Item: Send;

    /// The thieves' handle of this queue.
    type Thief: Thief<Item = Self::Item>;

    /// How often a pushed item comes out.
    const PROMISE: Promise;

    /// The end at which the owner takes.
    const TAKES: End;

    /// An empty queue with room for at least `capacity` items.
    ///
    /// A queue that grows begins with this size. Zero asks for the smallest one.
    ///
    /// # Panics
    /// If `capacity` is more than the address space or the bits of an index allow.
    fn with_capacity(capacity: usize) -> Self;

    /// The queues of a team of workers: one for each.
    ///
    /// Each is a queue of its own, except for [`CentralLocked`](crate::CentralLocked), where all are
    /// handles of one queue.
    fn team(workers: usize, capacity: usize) -> Vec<Self> {
        (0..workers).map(|_| Self::with_capacity(capacity)).collect()
    }

    /// Makes a new handle for a thief.
    fn thief(&self) -> Self::Thief;

    /// Adds an item.
    ///
    /// # Errors
    /// [`Full`], with the item in it, when a bounded queue has no room.
    fn push(&self, item: Self::Item) -> Result<(), Full<Self::Item>>;

    /// Adds all items of an iterator, the first one first, and each can be stolen at once.
    ///
    /// # Errors
    /// [`Full`], with the first item that found no room, when a bounded queue is full. What the iterator has not given by then,
    /// it still has: `queue.extend(items.by_ref())`.
    ///
    /// ```
    /// use lyocell_queues::{Abp, Owner};
    ///
    /// let queue = Abp::with_capacity(2);
    /// let mut items = 1..=5;
    /// let full = queue.extend(items.by_ref()).unwrap_err();
    /// assert_eq!((full.item, items), (3, 4..=5));
    /// assert_eq!(queue.take(), Some(2));
    /// ```
    fn extend(&self, items: impl IntoIterator<Item = Self::Item>) -> Result<(), Full<Self::Item>> {
        items.into_iter().try_for_each(|item| self.push(item))
    }

    /// Takes the youngest item, or from a FIFO queue the oldest ([`Owner::TAKES`]). Returns `None` if the queue is empty.
    #[must_use = "the item is gone from the queue"]
    fn take(&self) -> Option<Self::Item>;

    /// Returns how many items the owner sees. Thieves may be removing some meanwhile.
    #[must_use]
    fn len(&self) -> usize;

    /// Returns whether the owner sees no item.
    #[must_use]
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how many items the current array can hold.
    fn capacity(&self) -> usize;

    /// Returns how many items can be pushed now without [`Full`]: `usize::MAX` where the queue grows without a bound.
    ///
    /// Thieves may make more room meanwhile, never less.
    fn room(&self) -> usize {
        usize::MAX
    }

    /// How much memory the queue's arrays take, and how often they were replaced.
    fn footprint(&self) -> Footprint;
}

/// A thief's handle of a work-stealing queue.
///
/// Any number of threads may steal through one handle at the same time, or each through a clone of its own, which
/// is as fast as it can be where they meet often.
///
/// ```
/// use lyocell_queues::{ChaseLev, Owner, Thief};
///
/// let queues = ChaseLev::team(4, 16);
/// queues[3].push(7).unwrap();
/// // One list of thieves for all workers.
/// let thieves: Vec<_> = queues.iter().map(Owner::thief).collect();
/// std::thread::scope(|scope| {
///     let stealing = || thieves.iter().find_map(|thief| thief.steal().taken());
///     let [first, second] = [scope.spawn(stealing), scope.spawn(stealing)];
///     assert_eq!(first.join().unwrap().or(second.join().unwrap()), Some(7));
/// });
/// ```
pub trait Thief: Clone + Send + Sync {
    /// What the queue holds.
    type Item: Send;

    /// The end at which thieves steal.
    const STEALS: End;

    /// The end at which the owner of the queue takes.
    const OWNER_TAKES: End;

    /// Tries once to steal an item: the oldest, except from [`IdempotentLifo`](crate::IdempotentLifo).
    fn steal(&self) -> Steal<Self::Item>;

    /// Returns how many items there seem to be.
    ///
    /// A hint: owner and thieves are at work meanwhile. Where something hangs on it, as whether to sleep, both sides need a
    /// sequentially consistent fence: the owner after its push, and the thief before its look.
    #[must_use]
    fn len(&self) -> usize;

    /// Returns whether there seems to be no item. A hint, as [`len`](Thief::len) is.
    #[must_use]
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Thieves that can take several items in one go, up to half of what they see.
///
/// Batches go to a sink, or into a queue of the thief's own: the four functions named `steal_batch…` are those of
/// crossbeam-deque. A batch comes out of the thief's own queue in the order in which the owner of the other queue would have
/// taken its items, whichever two kinds of queues these are.
///
/// ```
/// use lyocell_queues::{ChaseLev, Owner, Steal, StealHalf};
///
/// let (theirs, mine) = (ChaseLev::new(), ChaseLev::new());
/// theirs.extend(1..=6).unwrap();
/// // Half of six: the third is at hand, the two before it are in `mine`.
/// assert_eq!(theirs.thief().steal_batch_and_pop(&mine), Steal::Taken(3));
/// assert_eq!((mine.take(), mine.take(), mine.take()), (Some(2), Some(1), None));
/// ```
pub trait StealHalf: Thief {
    /// Steals up to half of the items seen (rounded up), but not more than `most`, and hands each to `sink`.
    ///
    /// Returns how many were stolen, at least one. From the relaxed queues, the locked ones, [`Fifo`](crate::Fifo) and an
    /// [`Injector`](crate::Injector) the whole batch leaves in one step; from the other exactly-once ones each item is a steal of
    /// its own and the first one lost to another ends the batch.
    ///
    /// # Panics
    /// If `most` is zero, or if `sink` panics. The item that it was given is its own; the rest of the batch comes out of the
    /// queue as before: from a locked queue in its place, from an injector as if it were pushed again, and from those that are left in
    /// one step when nothing else is there.
    fn steal_up_to(&self, most: usize, sink: impl FnMut(Self::Item)) -> Steal<usize>;

    /// Steals up to half of the items seen (rounded up) and hands each to `sink`: [`steal_up_to`](Self::steal_up_to) without
    /// a limit.
    ///
    /// # Panics
    /// If `sink` does; see [`steal_up_to`](Self::steal_up_to).
    fn steal_half(&self, sink: impl FnMut(Self::Item)) -> Steal<usize> {
        self.steal_up_to(usize::MAX, sink)
    }

    /// Steals up to half of the items seen, at most [`BATCH`], and pushes them into a queue of the thief's own.
    ///
    /// Returns how many: at least one, unless `own` has no room at all.
    ///
    /// # Panics
    /// If `own` would outgrow the address space.
    fn steal_batch<Q: Owner<Item = Self::Item>>(&self, own: &Q) -> Steal<usize> {
        self.steal_batch_with_limit(own, BATCH)
    }

    /// As [`steal_batch`](Self::steal_batch), with another limit.
    ///
    /// # Panics
    /// If `limit` is zero, or if `own` would outgrow the address space.
    fn steal_batch_with_limit<Q: Owner<Item = Self::Item>>(
        &self,
        own: &Q,
        limit: usize,
    ) -> Steal<usize> {
        batch::steal_into(self, own, limit)
    }

    /// Steals up to half of the items seen, at most [`BATCH`]; returns one and pushes the others into a queue of the thief's own.
    ///
    /// The one that is returned is that of the batch which the owner of the other queue would have taken first.
    ///
    /// # Panics
    /// If `own` would outgrow the address space.
    fn steal_batch_and_pop<Q: Owner<Item = Self::Item>>(&self, own: &Q) -> Steal<Self::Item> {
        self.steal_batch_with_limit_and_pop(own, BATCH)
    }

    /// As [`steal_batch_and_pop`](Self::steal_batch_and_pop), with another limit, in which the returned one is counted.
    ///
    /// # Panics
    /// If `limit` is zero, or if `own` would outgrow the address space.
    fn steal_batch_with_limit_and_pop<Q: Owner<Item = Self::Item>>(
        &self,
        own: &Q,
        limit: usize,
    ) -> Steal<Self::Item> {
        batch::steal_into_and_pop(self, own, limit)
    }
}

/// The room of a queue that is made by `new`. That of crossbeam-deque's; untuned.
pub(crate) const DEFAULT_CAPACITY: usize = if cfg!(loom) { 2 } else { 64 };

/// How many items [`StealHalf::steal_batch`] moves at the most. The number is crossbeam-deque's; untuned.
pub const BATCH: usize = 32;

/// An end of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The end at which the owner pushes.
    Young,
    /// The other end.
    Old,
}

/// Marks the queues out of which every pushed item comes exactly once.
pub trait ExactlyOnce: Owner {}

/// Marks the queues out of which every pushed item comes at least once; their items must be
/// work that may be done twice.
///
/// How often an item can come out is in [`Owner::PROMISE`] and in each queue's documentation.
pub trait AtLeastOnce: Owner<Item: Copy> {}

/// How often a pushed item comes out, if the queue is emptied in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Promise {
    /// Every item comes out exactly once.
    ExactlyOnce,
    /// Every item comes out at least once, and at most this many times.
    AtMost(usize),
    /// Every item comes out at least once, and at most once more for every push and take that the owner makes
    /// after the item's own push.
    OncePerOwnerStep,
}

/// A bounded queue had no room; the item is given back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Full<T> {
    /// The item that was not pushed.
    pub item: T,
    /// How many items the queue can hold.
    pub capacity: usize,
}

impl<T> fmt::Debug for Full<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Full").field("capacity", &self.capacity).finish_non_exhaustive()
    }
}

impl<T> fmt::Display for Full<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no room in a work-stealing queue of capacity {}: work on the item now, or make the queue with a larger capacity",
            self.capacity
        )
    }
}

impl<T> Error for Full<T> {}

/// How much memory a queue's arrays take, and how often they were replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Bytes of all arrays held now, replaced ones that are still held included.
    pub bytes: usize,
    /// How often the array was replaced by a larger one.
    pub growths: usize,
    /// How often the array was replaced by a smaller one.
    pub shrinks: usize,
}
