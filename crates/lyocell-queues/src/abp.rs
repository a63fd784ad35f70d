//! The queue of Arora, Blumofe and Plaxton: a fixed array, used from its start again when empty.
//!
//! The index protocol is [`crate::index::abp`]; a thief reads an item after it won its index, so nobody ever reads an item
//! that another takes too. While it is at it, it is counted ([`crate::attempts`]).
//!
//! - abp-1. Between two restarts an index is pushed again only after the owner itself took it; so a slot
//!   that a thief won is not written before the next restart.
//! - abp-2. The owner restarts only when the queue is empty, or by winning the last item, and after it counted no steal under
//!   way. The thieves that won an item before had begun before; what they read, they have read (attempts-2).
//! - abp-3. The array stays as long as the queue.
//! - abp-4. A claim that succeeds is of the index that the thief saw in its look, under the same restart. For between the
//!   two there is at most one restart (attempts-3), and that changes the tag, if it has at least one bit.
//!
//! Departures from the paper: items are read after the claim, so they can be of any type; while a steal is under way,
//! an empty queue is not restarted but goes on where it is, so that no thief can outlive the tags, whatever
//! their width; `push` on a queue that is empty but used up restarts it, where the paper waits for a `take`.
//!
//! Source: Arora, Blumofe, Plaxton, SPAA 1998; Alkærsig et al. 2014, section 3.1.

use crate::array::{Array, Ring};
use crate::attempts::Attempts;
use crate::batch::{at_least_one, steal_one_by_one};
use crate::index::abp::{Age, Ends};
use crate::index::tagged::{HALF, Tag, Wide};
use crate::queue::{End, ExactlyOnce, Footprint, Full, Owner, Promise, StealHalf, Thief};
use crate::steal::Steal;
use lyocell_sync::Arc;
use std::cell::Cell;
use std::fmt;

/// The queue of Arora, Blumofe and Plaxton: exactly once, bounded.
///
/// The owner works at the young end (last in, first out), thieves at the old end. `push` costs one compare
/// and two stores; `take` one sequentially consistent store; `steal` one compare-and-swap, and two additions to
/// the count of steals under way. None of them depends on how many thieves there are.
/// The array is a line, not a ring: slots at its start that thieves emptied are used again when the
/// whole queue has been empty once, with no steal under way. So [`Full`] can come while there are fewer items than slots.
///
/// Holds at most 2^31 items (2^15 where there are no 64-bit atomics).
///
/// Source: Arora, Blumofe, Plaxton, SPAA 1998; Alkærsig et al. 2014, section 3.1.
///
/// ```
/// use lyocell_queues::{Abp, Owner, Steal, Thief};
///
/// let queue = Abp::with_capacity(2);
/// queue.push("a".to_string())?;
/// queue.push("b".to_string())?;
/// let full = queue.push("c".to_string()).unwrap_err();
/// assert_eq!((full.item.as_str(), full.capacity), ("c", 2));
/// assert_eq!(queue.thief().steal(), Steal::Taken("a".to_string()));
/// assert_eq!(queue.take().as_deref(), Some("b"));
/// # Ok::<(), lyocell_queues::Full<String>>(())
/// ```
pub type Abp<T> = AbpOwner<T, HALF>;

/// The owner's handle of an [`Abp`]. The width of the tag is a parameter for the models only.
pub struct AbpOwner<T: Send, const TAG_BITS: u32> {
    shared: Arc<Shared<T, TAG_BITS>>,
    bottom: Cell<usize>,
    ring: Ring<T>,
}

/// A thief's handle of an [`Abp`].
pub struct AbpThief<T: Send, const TAG_BITS: u32> {
    shared: Arc<Shared<T, TAG_BITS>>,
}

/// What owner and thieves share.
struct Shared<T, const TAG_BITS: u32> {
    ends: Ends<TAG_BITS>,
    attempts: Attempts,
    array: *mut Array<T>,
}

// SAFETY: items are moved between threads, never shared (array-2), hence `T: Send`; all else is
// atomic or never changes.
unsafe impl<T: Send, const TAG_BITS: u32> Send for Shared<T, TAG_BITS> {}
// SAFETY: as above.
unsafe impl<T: Send, const TAG_BITS: u32> Sync for Shared<T, TAG_BITS> {}
// SAFETY: the owner's own fields are plain values and a ring that `shared` keeps alive.
unsafe impl<T: Send, const TAG_BITS: u32> Send for AbpOwner<T, TAG_BITS> {}

impl<T: Send, const TAG_BITS: u32> AbpOwner<T, TAG_BITS> {
    /// Restarts an empty queue at index 0, or leaves `bottom` at `top` while a steal is under way (abp-2).
    #[inline]
    fn restart_or_go_on(&self) {
        // The count is taken after `age`: what moved it this far had begun before (abp-2).
        let age = self.shared.ends.age();
        if self.shared.attempts.none() {
            // Nobody else changes `age` while the queue is empty.
            self.shared.ends.restart_from(age);
            self.bottom.set(0);
        } else {
            self.shared.ends.publish(age.index);
            self.bottom.set(age.index);
        }
    }

    /// Takes the item of `index`, which is the last or gone, after `bottom` was lowered to it and `age` seen.
    #[inline]
    fn take_last(&self, index: usize, age: Age<TAG_BITS>) -> Option<T> {
        // The count is taken after `age` was seen, as in `restart_or_go_on`.
        let restart = self.shared.attempts.none();
        let won = index == age.index
            && if restart {
                self.shared.ends.restart_from(age)
            } else {
                self.shared.ends.claim(age)
            };
        if won && restart {
            self.bottom.set(0);
        } else {
            self.restart_or_go_on();
        }
        // SAFETY: index/abp-3 makes the item the owner's, and it is not yet pushed over.
        won.then(|| unsafe { self.ring.read(index) })
    }

    /// The array is used up to its end: whether a restart helps.
    #[cold]
    #[inline(never)]
    fn has_room(&self) -> bool {
        if self.shared.ends.top() == self.bottom.get() {
            self.restart_or_go_on();
        }
        self.bottom.get() < self.ring.capacity()
    }
}

impl<T: Send, const TAG_BITS: u32> Owner for AbpOwner<T, TAG_BITS>
where
    Tag<TAG_BITS>: Wide,
{
    type Item = T;
    type Thief = AbpThief<T, TAG_BITS>;
    const PROMISE: Promise = Promise::ExactlyOnce;
    const TAKES: End = End::Young;

    fn with_capacity(capacity: usize) -> Self {
        let slots = capacity
            .max(1)
            .checked_next_power_of_two()
            .filter(|&slots| slots <= Age::<TAG_BITS>::MAX_INDEX)
            .unwrap_or_else(|| {
                panic!(
                    "an ABP queue holds at most {} items, not {capacity}",
                    Age::<TAG_BITS>::MAX_INDEX / 2 + 1
                )
            });
        let array = Array::allocate(slots);
        // SAFETY: just made.
        let ring = unsafe { (*array).ring() };
        let shared = Arc::new(Shared { ends: Ends::new(0), attempts: Attempts::new(), array });
        Self { shared, bottom: Cell::new(0), ring }
    }

    fn thief(&self) -> AbpThief<T, TAG_BITS> {
        AbpThief { shared: Arc::clone(&self.shared) }
    }

    #[inline]
    fn push(&self, item: T) -> Result<(), Full<T>> {
        if self.bottom.get() == self.ring.capacity() && !self.has_room() {
            return Err(Full { item, capacity: self.ring.capacity() });
        }
        let bottom = self.bottom.get();
        // SAFETY: abp-1, abp-2; the slot's last item is gone and nobody reads it.
        unsafe { self.ring.write(bottom, item) };
        self.bottom.set(bottom + 1);
        self.shared.ends.publish(bottom + 1);
        Ok(())
    }

    #[inline]
    fn take(&self) -> Option<T> {
        let index = self.bottom.get().checked_sub(1)?;
        let age = self.shared.ends.lower(index);
        if index <= age.index {
            return self.take_last(index, age);
        }
        self.bottom.set(index);
        // SAFETY: index/abp-3 makes the item the owner's.
        Some(unsafe { self.ring.read(index) })
    }

    fn len(&self) -> usize {
        self.bottom.get() - self.shared.ends.top()
    }

    fn capacity(&self) -> usize {
        self.ring.capacity()
    }

    /// Begins the array anew if the queue is empty, so that there is as much as can be.
    fn room(&self) -> usize {
        if self.bottom.get() > 0 && self.shared.ends.top() == self.bottom.get() {
            self.restart_or_go_on();
        }
        self.ring.capacity() - self.bottom.get()
    }

    fn footprint(&self) -> Footprint {
        // SAFETY: abp-3.
        Footprint { bytes: unsafe { (*self.shared.array).bytes() }, growths: 0, shrinks: 0 }
    }
}

impl<T: Send, const TAG_BITS: u32> ExactlyOnce for AbpOwner<T, TAG_BITS> where Tag<TAG_BITS>: Wide {}

impl<T: Send, const TAG_BITS: u32> AbpThief<T, TAG_BITS> {
    /// Tries once to win the oldest index and to read it.
    #[inline]
    fn try_once(&self) -> Steal<T> {
        let Shared { ends, attempts, array } = &*self.shared;
        attempts.during(|| match ends.look() {
            None => Steal::Empty,
            Some(sight) if ends.claim(sight.age) => {
                // SAFETY: abp-3 for the array, abp-4 and index/abp-3 for the item; the count keeps the owner from a
                // restart (abp-2), and so from the slot (abp-1).
                Steal::Taken(unsafe { (**array).ring().read(sight.age.index) })
            }
            Some(_) => Steal::Busy,
        })
    }
}

impl<T: Send, const TAG_BITS: u32> Thief for AbpThief<T, TAG_BITS> {
    type Item = T;
    const STEALS: End = End::Old;
    const OWNER_TAKES: End = End::Young;

    #[inline]
    fn steal(&self) -> Steal<T> {
        // A look that is not counted, so that who polls an empty queue keeps its owner from no restart.
        if self.shared.ends.look().is_none() { Steal::Empty } else { self.try_once() }
    }

    #[inline]
    fn len(&self) -> usize {
        self.shared.ends.look().map_or(0, |sight| sight.len)
    }
}

impl<T: Send, const TAG_BITS: u32> StealHalf for AbpThief<T, TAG_BITS> {
    fn steal_up_to(&self, most: usize, sink: impl FnMut(T)) -> Steal<usize> {
        at_least_one(most);
        let look = || self.shared.ends.look().map(|sight| (sight.len, ()));
        steal_one_by_one(look, |()| self.try_once().taken(), most, sink)
    }
}

impl<T: Send, const TAG_BITS: u32> Clone for AbpThief<T, TAG_BITS> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<T, const TAG_BITS: u32> Drop for Shared<T, TAG_BITS> {
    fn drop(&mut self) {
        // Nobody else is there any more, so what is between the ends stays there.
        let rest: Vec<T> = std::iter::from_fn(|| {
            let sight = self.ends.look().filter(|sight| self.ends.claim(sight.age))?;
            // SAFETY: abp-3, index/abp-3.
            Some(unsafe { (*self.array).ring().read(sight.age.index) })
        })
        .collect();
        // SAFETY: abp-3; boxed in `allocate`, freed only here.
        drop(unsafe { Box::from_raw(self.array) });
        // Last, for a destructor may panic.
        drop(rest);
    }
}

impl<T: Send, const TAG_BITS: u32> fmt::Debug for AbpOwner<T, TAG_BITS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AbpOwner")
            .field("bottom", &self.bottom.get())
            .field("capacity", &self.ring.capacity())
            .finish_non_exhaustive()
    }
}

impl<T: Send, const TAG_BITS: u32> fmt::Debug for AbpThief<T, TAG_BITS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AbpThief").field("len", &self.len()).finish_non_exhaustive()
    }
}
