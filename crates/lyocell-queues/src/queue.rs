//! The trait family: what the owner may do, what thieves may do, and what a queue promises.

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

    /// Takes the youngest item, or from a FIFO queue the oldest. Returns `None` if the queue is empty.
    fn take(&self) -> Option<Self::Item>;

    /// Returns how many items the owner sees. Thieves may be removing some meanwhile.
    fn len(&self) -> usize;

    /// Returns whether the owner sees no item.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how many items the current array can hold.
    fn capacity(&self) -> usize;

    /// How much memory the queue's arrays take, and how often they were replaced.
    fn footprint(&self) -> Footprint;
}

/// A thief's handle of a work-stealing queue.
///
/// Clone it for each thread that steals; a handle belongs to one thread at a time.
pub trait Thief: Clone + Send {
    /// What the queue holds.
    type Item: Send;

    /// Tries once to steal an item: the oldest, except from [`IdempotentLifo`](crate::IdempotentLifo).
    fn steal(&self) -> Steal<Self::Item>;
}

/// Thieves that can take half of what they see in one go.
pub trait StealHalf: Thief {
    /// Steals up to half of the items seen (rounded up) and hands each to `sink`.
    ///
    /// Returns how many were stolen, at least one. In the relaxed queues and the locked ones the
    /// whole batch leaves in one step; in the exactly-once ones each item is a steal of its own and
    /// the first one lost to another ends the batch.
    ///
    /// # Panics
    /// If `sink` does. The item that it was given is its own; the rest of the batch comes out of the queue as before, from
    /// a locked queue in its place, from a relaxed one when nothing else is left.
    fn steal_half(&self, sink: impl FnMut(Self::Item)) -> Steal<usize>;
}

/// Marks the queues out of which every pushed item comes exactly once.
pub trait ExactlyOnce: Owner {}

/// Marks the queues out of which every pushed item comes at least once; their items must be
/// work that may be done twice.
///
/// How often an item can come out is in [`Owner::PROMISE`] and in each queue's documentation.
pub trait AtLeastOnce: Owner<Item: Copy> {}

/// How often a pushed item comes out, if the queue is emptied in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Every item comes out exactly once.
    ExactlyOnce,
    /// Every item comes out at least once, and at most this many times.
    AtMost(usize),
    /// Every item comes out at least once, and at most once more for every push and take that the owner makes
    /// after the item's own push.
    OncePerOwnerStep,
}

/// What became of an attempt to steal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Steal<T> {
    /// The attempt succeeded, with this.
    Taken(T),
    /// There was nothing to steal.
    Empty,
    /// Another thief or the owner was at work at the same moment and won; there may be more to steal.
    Busy,
}

impl<T> Steal<T> {
    /// The item or the count, if something was stolen.
    pub fn taken(self) -> Option<T> {
        match self {
            Self::Taken(item) => Some(item),
            Self::Empty | Self::Busy => None,
        }
    }
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
