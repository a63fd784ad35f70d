//! The idempotent queues of Michael, Vechev and Saraswat: no fence and no read-modify-write for the owner.
//!
//! The price: an item may come out more than once. The owner reads the ends, works, and stores the
//! ends without looking again; what thieves stole in between is in the queue again. Nothing is ever
//! lost and nothing made up.
//!
//! The three queues differ only in their ends ([`Ends`]), which know nothing of items; [`IdempotentOwner`] and
//! [`IdempotentThief`] do the rest.
//!
//! - idempotent-1. An item is written before the ends that include it are stored (Release).
//! - idempotent-2. A thief reads the ends, then the array, then the items, then swaps the ends if they are still the same. If they are,
//!   the items it read are those the ends stood for: plain-1 for items written
//!   later, and for each kind of ends the argument why they cannot return to the same value
//!   once a slot they include was overwritten. A thief that outlives a tag has a mixture, which is a value ([`Plain`]).
//! - idempotent-3. How often an item comes out: a thief's swap takes it out of the queue, and only a store
//!   by the owner can bring it back. So once, and at most once more for each push or take after its own push.
//!
//! Departures from the paper: `steal` says `Busy` where the paper's tries again. Orderings are C11's: the paper
//! asks for a store-store order in `put`, a load-load order in `steal`; here these are the
//! Release of the ends and of the words, and the Acquire of the thieves.
//!
//! Source: Michael, Vechev, Saraswat, PPoPP 2009, Figures 1 to 3; Alkærsig et al. 2014, section 3.3.

mod double_ended;
mod fifo;
mod lifo;

pub use double_ended::DoubleEndedEnds;
pub use fifo::FifoEnds;
pub use lifo::LifoEnds;

use crate::batch::{at_least_one, half};
use crate::index::tagged::HALF;
use crate::plain::{Current, Plain, WordRing};
use crate::queue::{
    AtLeastOnce, DEFAULT_CAPACITY, End, Footprint, Full, Owner, Promise, StealHalf, Thief,
};
use crate::returned::Returned;
use crate::steal::Steal;
use lyocell_sync::Arc;
use std::cell::Cell;
use std::fmt;

/// The ends of an idempotent queue: [`LifoEnds`], [`FifoEnds`] or [`DoubleEndedEnds`].
pub trait Ends: sealed::Ends {}

pub(crate) mod sealed {
    use crate::queue::End;
    use std::fmt::Debug;

    pub trait Ends: Send + Sync + Sized {
        /// One look at the ends.
        type View: Copy + PartialEq + Debug;

        /// The most items the ends can count.
        const MAX_LEN: usize;

        /// Where the owner takes, the place of [`Ends::taken_place`].
        const TAKES: End;

        /// Where thieves steal, the place of [`Ends::stolen_place`].
        const STEALS: End;

        fn new() -> Self;

        /// The owner looks.
        fn view(&self) -> Self::View;

        /// A thief looks; it sees the items the ends include.
        fn look(&self) -> Self::View;

        /// How many items.
        fn len(view: Self::View) -> usize;

        /// The index of the item at `place`, counted from the oldest.
        fn index(view: Self::View, place: usize) -> usize;

        /// The place of the item the owner takes. There is at least one.
        fn taken_place(view: Self::View) -> usize;

        /// The place of the `nth` item a thief steals. There are more than `nth`.
        fn stolen_place(view: Self::View, nth: usize) -> usize;

        /// The owner adds the item it wrote at place `len`.
        fn pushed(&self, view: Self::View);

        /// The owner removes the item at `taken_place`.
        fn taken(&self, view: Self::View);

        /// A thief removes the first `count` items it would steal, if the ends are still the same.
        fn stolen(&self, view: Self::View, count: usize) -> bool;
    }
}

/// Last in, first out for owner and thieves: at least once, unbounded.
///
/// Thieves and owner work at the same end, so a steal takes the youngest item, usually the least work.
/// An item comes out once, and at most once more for every push or take after its own push
/// ([`Promise::OncePerOwnerStep`]). `push` and `take` cost one load and one store of the ends, `steal` a
/// compare-and-swap. Arrays that were outgrown are held; together they are smaller than the current
/// one. Holds at most 2^32 - 1 items (2^16 - 1 where there are no 64-bit atomics): then `push` says [`Full`].
///
/// A thief that is held up inside a steal for exactly a multiple of 2^32 pushes (2^16 without 64-bit atomics), and finds
/// as many items as before, may get a value that nobody pushed, and lose one that was. It is a value all
/// the same ([`Plain`]).
///
/// Source: Michael, Vechev, Saraswat, PPoPP 2009, Figure 1; Alkærsig et al. 2014, section 3.3.
///
/// ```
/// use lyocell_queues::{IdempotentLifo, Owner, Steal, Thief};
///
/// let queue = IdempotentLifo::with_capacity(16);
/// (1..=3).for_each(|item| queue.push(item).unwrap());
/// assert_eq!(queue.thief().steal(), Steal::Taken(3));
/// assert_eq!(queue.take(), Some(2));
/// ```
pub type IdempotentLifo<T> = IdempotentOwner<T, LifoEnds<HALF>>;

/// First in, first out for owner and thieves: at least once, unbounded.
///
/// An item comes out once, and at most once more for every take after its own push
/// ([`Promise::OncePerOwnerStep`]). `push` costs one load and one store, `take` one load and one store of
/// the head, `steal` a compare-and-swap. Arrays that were outgrown are held.
///
/// On a 32-bit machine a thief that is held up inside a steal for exactly a multiple of 2^32 items may get a value that
/// nobody pushed, and lose one that was. It is a value all the same ([`Plain`]).
///
/// Source: Michael, Vechev, Saraswat, PPoPP 2009, Figure 2; Alkærsig et al. 2014, section 3.3.
///
/// ```
/// use lyocell_queues::{IdempotentFifo, Owner, Steal, Thief};
///
/// let queue = IdempotentFifo::with_capacity(16);
/// (1..=3).for_each(|item| queue.push(item).unwrap());
/// assert_eq!(queue.thief().steal(), Steal::Taken(1));
/// assert_eq!(queue.take(), Some(2));
/// ```
pub type IdempotentFifo<T> = IdempotentOwner<T, FifoEnds>;

/// Last in, first out for the owner, the oldest for thieves: at least once, bounded only by the width of
/// its indices.
///
/// An item comes out once, and at most once more for every push or take after its own push
/// ([`Promise::OncePerOwnerStep`]). `push` and `take` cost one load and one store of the ends, `steal` a
/// compare-and-swap. Arrays that were outgrown are held. Head, size and tag share a word, so at most
/// 2^19 items (2^9 where there are no 64-bit atomics) are held: then `push` says [`Full`].
///
/// A thief that is held up inside a steal for exactly a multiple of 2^24 pushes (2^12 without 64-bit atomics), and finds
/// both ends as they were, may get a value that nobody pushed, and lose one that was. It is a value all the same
/// ([`Plain`]).
///
/// Alkærsig et al. (2014, section 3.3) say that items are pushed and stolen at the beginning and taken from the
/// end; in the original, followed here, they are pushed and taken at one end and stolen from the other.
///
/// Source: Michael, Vechev, Saraswat, PPoPP 2009, Figure 3; Alkærsig et al. 2014, section 3.3.
///
/// ```
/// use lyocell_queues::{IdempotentDoubleEnded, Owner, Steal, Thief};
///
/// let queue = IdempotentDoubleEnded::with_capacity(16);
/// (1..=3).for_each(|item| queue.push(item).unwrap());
/// assert_eq!(queue.thief().steal(), Steal::Taken(1));
/// assert_eq!(queue.take(), Some(3));
/// ```
pub type IdempotentDoubleEnded<T> = IdempotentOwner<T, DoubleEndedEnds>;

/// The owner's handle of an idempotent queue: [`IdempotentLifo`], [`IdempotentFifo`] or
/// [`IdempotentDoubleEnded`].
pub struct IdempotentOwner<T: Plain, E: Ends> {
    shared: Arc<Shared<T, E>>,
    ring: Cell<WordRing<T>>,
    growths: Cell<usize>,
}

/// A thief's handle of an idempotent queue.
pub struct IdempotentThief<T: Plain, E: Ends> {
    shared: Arc<Shared<T, E>>,
}

struct Shared<T, E> {
    ends: E,
    items: Current<T>,
    returned: Returned<T>,
}

// SAFETY: the ring is of an array that `shared` keeps alive.
unsafe impl<T: Plain, E: Ends> Send for IdempotentOwner<T, E> {}

impl<T: Plain, E: Ends> IdempotentOwner<T, E> {
    /// An empty queue with room for 64 items, which grows.
    #[must_use]
    pub fn new() -> Self {
        Self::with_capacity(DEFAULT_CAPACITY)
    }

    /// Makes room for one more item.
    ///
    /// # Errors
    /// When the ends cannot count one more.
    #[cold]
    #[inline(never)]
    fn make_room(&self, view: E::View) -> Result<(), Full<()>> {
        let len = E::len(view);
        if len == E::MAX_LEN {
            return Err(Full { item: (), capacity: len });
        }
        self.ring.set(self.shared.items.grow(E::index(view, 0), len));
        self.growths.set(self.growths.get() + 1);
        Ok(())
    }
}

impl<T: Plain, E: Ends> Owner for IdempotentOwner<T, E> {
    type Item = T;
    type Thief = IdempotentThief<T, E>;
    const PROMISE: Promise = Promise::OncePerOwnerStep;
    const TAKES: End = E::TAKES;

    fn with_capacity(capacity: usize) -> Self {
        assert!(
            capacity <= E::MAX_LEN,
            "an idempotent queue of this kind holds at most {} items, not {capacity}",
            E::MAX_LEN
        );
        let shared = Arc::new(Shared {
            ends: E::new(),
            items: Current::new(capacity),
            returned: Returned::new(),
        });
        Self { ring: Cell::new(shared.items.ring()), shared, growths: Cell::new(0) }
    }

    fn thief(&self) -> IdempotentThief<T, E> {
        IdempotentThief { shared: Arc::clone(&self.shared) }
    }

    #[inline]
    fn push(&self, item: T) -> Result<(), Full<T>> {
        let view = self.shared.ends.view();
        let len = E::len(view);
        if len >= self.ring.get().capacity().min(E::MAX_LEN) {
            if let Err(full) = self.make_room(view) {
                return Err(Full { item, capacity: full.capacity });
            }
        }
        // SAFETY: the ring is the current array's, and only the owner writes. The ends follow (idempotent-1).
        unsafe { self.ring.get().write(E::index(view, len), item) };
        self.shared.ends.pushed(view);
        Ok(())
    }

    #[inline]
    fn take(&self) -> Option<T> {
        let view = self.shared.ends.view();
        if E::len(view) == 0 {
            return self.shared.returned.take();
        }
        // SAFETY: the ring is the current array's, and the ends include the item.
        let item = unsafe { self.ring.get().read_own(E::index(view, E::taken_place(view))) };
        // What thieves stole since `view` is in the queue again (idempotent-3).
        self.shared.ends.taken(view);
        Some(item)
    }

    fn len(&self) -> usize {
        E::len(self.shared.ends.view()) + self.shared.returned.len()
    }

    fn capacity(&self) -> usize {
        self.ring.get().capacity()
    }

    fn room(&self) -> usize {
        E::MAX_LEN - E::len(self.shared.ends.view())
    }

    fn footprint(&self) -> Footprint {
        Footprint { bytes: self.shared.items.bytes(), growths: self.growths.get(), shrinks: 0 }
    }
}

impl<T: Plain, E: Ends> AtLeastOnce for IdempotentOwner<T, E> {}

impl<T: Plain, E: Ends> Default for IdempotentOwner<T, E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Plain, E: Ends> IdempotentThief<T, E> {
    /// Reads the `nth` item that a thief would steal, if the ends are still the same.
    #[inline(always)]
    fn read(ring: WordRing<T>, view: E::View, nth: usize) -> T {
        // SAFETY: arrays are held (plain-2).
        unsafe { ring.read_racing(E::index(view, E::stolen_place(view, nth))) }
    }
}

impl<T: Plain, E: Ends> Thief for IdempotentThief<T, E> {
    type Item = T;
    const STEALS: End = E::STEALS;
    const OWNER_TAKES: End = E::TAKES;

    #[inline]
    fn steal(&self) -> Steal<T> {
        let view = self.shared.ends.look();
        if E::len(view) == 0 {
            return self.shared.returned.take().map_or(Steal::Empty, Steal::Taken);
        }
        let item = Self::read(self.shared.items.ring(), view, 0);
        if self.shared.ends.stolen(view, 1) {
            // By idempotent-2 it is.
            Steal::Taken(item)
        } else {
            Steal::Busy
        }
    }

    #[inline]
    fn len(&self) -> usize {
        E::len(self.shared.ends.look()) + self.shared.returned.len()
    }
}

impl<T: Plain, E: Ends> StealHalf for IdempotentThief<T, E> {
    fn steal_up_to(&self, most: usize, sink: impl FnMut(T)) -> Steal<usize> {
        at_least_one(most);
        let view = self.shared.ends.look();
        let count = half(E::len(view), most);
        if count == 0 {
            return self.shared.returned.steal_one(sink);
        }
        let ring = self.shared.items.ring();
        let items: Vec<_> = (0..count).map(|nth| Self::read(ring, view, nth)).collect();
        if !self.shared.ends.stolen(view, count) {
            return Steal::Busy;
        }
        self.shared.returned.hand_over(items, sink);
        Steal::Taken(count)
    }
}

impl<T: Plain, E: Ends> Clone for IdempotentThief<T, E> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<T: Plain, E: Ends> fmt::Debug for IdempotentOwner<T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdempotentOwner")
            .field("len", &self.len())
            .field("capacity", &self.capacity())
            .finish_non_exhaustive()
    }
}

impl<T: Plain, E: Ends> fmt::Debug for IdempotentThief<T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdempotentThief").field("len", &self.len()).finish_non_exhaustive()
    }
}
