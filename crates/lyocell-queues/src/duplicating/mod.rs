//! The duplicating queue of Leijen, Schulte and Burckhardt: thieves take a lock, the owner as a rule does not.
//!
//! ```text
//!        head          tail
//!   gone | the items   | free
//!            ^ tail_min: the lowest index taken without the lock since the lock was last held
//! ```
//! The owner lowers `tail`, then looks at `head`, with no fence between: a thief may still see the old `tail`
//! and steal the same item. That is the duplication. What must be repaired is the case that
//! the owner meanwhile pushed a new item at that index: `head` has passed it, though nobody has
//! it. `tail_min` says that this may have happened; the owner then takes the lock and sets `head` back.
//!
//! - duplicating-1. `head` moves only under the lock. `tail` and the items are the owner's; `tail_min` is private to it.
//! - duplicating-2. Every pushed item has a stamp of its own, stored beside it. A thief reads stamp, item, stamp, and has the item
//!   only if both stamps are the same: so item and stamp belong together, and the item is whole.
//! - duplicating-3. A thief marks the stamp it stole, under the lock, and never steals a marked one. So of the thieves at most
//!   one gets an item, and the owner at most once: twice at most.
//! - duplicating-4. If `head` is past an index whose item is not marked, and the owner has not taken it, then
//!   `tail_min` is not past that index. For the thief that moved `head` there had read an older item at it,
//!   which the owner had taken without the lock: a take under the lock is seen by every thief
//!   that locks later.
//! - duplicating-5. The owner says "empty", or goes below an index for good, only when under the lock every index from
//!   `min(head, tail_min)` up to `tail` was found marked, or without the lock when it took the last itself. With duplicating-4:
//!   nothing is lost.
//! - duplicating-6. An index is pushed only when less than `capacity` past `min(head, tail_min)`, so no item that may still be wanted
//!   is overwritten, and no thief reads a slot one lap later. Before an array grows, `head` is settled under the lock, at the
//!   first item not marked from there on: what thieves drained keeps no slot.
//! - duplicating-7. A stamp is given to a slot once, until all stamps are used up. Then the owner, under the lock, stamps what
//!   is in use alike, and takes the marks of stolen items from all other slots. A thief has the lock from its first
//!   look at a stamp to its second, and to its mark. So a stamp that it finds the same was not away meanwhile, and no
//!   mark is left of an item that had the same stamp before.
//!
//! Departures from the paper: there `head` goes back to `tail_min` and all that lies between comes out again, also
//! what a thief got long before; here the marks (duplicating-3) spare those, so an item comes out twice only when
//! owner and thief were at it at the same time. A thief that finds the lock held says `Busy`.
//!
//! Source: Leijen, Schulte, Burckhardt, OOPSLA 2009, section 5; Alkærsig et al. 2014, section 3.4.

mod stamped;

use crate::batch::{at_least_one, half};
use crate::index::{FIRST, distance};
use crate::plain::Plain;
use crate::queue::{
    AtLeastOnce, DEFAULT_CAPACITY, End, Footprint, Full, Owner, Promise, StealHalf, Thief,
};
use crate::returned::Returned;
use crate::steal::Steal;
use crossbeam_utils::CachePadded;
use lyocell_sync::{Arc, AtomicUsize, Mutex, Ordering};
use stamped::{Array, FIRST_STAMP, Find, LAST_STAMP, Slots, WRITING};
use std::cell::Cell;
use std::fmt;

/// A new array is made rather than `head` settled again soon when less than one part in so many of the slots is free: then
/// looking at all of them is paid for by as many pushes, in proportion. Untuned.
const CROWDED: usize = 8;

/// The duplicating queue: at least once and at most twice, unbounded, grows when full.
///
/// The owner works at the young end (last in, first out), thieves at the old end, one at a time under a
/// lock. An item comes out twice only when the owner takes it while a thief steals it. `push` and `take`
/// cost a few loads and stores, no fence; `take` waits for the lock when thieves got past what it
/// wants, and `push` when the array is full; `steal` never waits and says [`Steal::Busy`] when the lock is held. An outgrown array is freed at
/// once.
///
/// Source: Leijen, Schulte, Burckhardt, OOPSLA 2009; Alkærsig et al. 2014, section 3.4.
///
/// ```
/// use lyocell_queues::{Duplicating, Owner, Steal, Thief};
///
/// let queue = Duplicating::with_capacity(16);
/// (1..=3).for_each(|item| queue.push(item).unwrap());
/// assert_eq!(queue.thief().steal(), Steal::Taken(1));
/// assert_eq!(queue.take(), Some(3));
/// ```
pub struct Duplicating<T: Plain> {
    shared: Arc<Shared<T>>,
    tail: Cell<usize>,
    /// `None` when nothing was taken without the lock since it was last held.
    tail_min: Cell<Option<usize>>,
    /// Below it everything came out.
    floor: Cell<usize>,
    slots: Cell<Slots<T>>,
    stamp: Cell<usize>,
    growths: Cell<usize>,
}

/// A thief's handle of a [`Duplicating`] queue.
pub struct DuplicatingThief<T: Plain> {
    shared: Arc<Shared<T>>,
}

struct Shared<T: Plain> {
    head: CachePadded<AtomicUsize>,
    tail: CachePadded<AtomicUsize>,
    /// The lock of duplicating-1, and where the thieves find the array.
    array: Mutex<*mut Array<T>>,
    returned: Returned<T>,
}

// SAFETY: `T: Send` items in atomic words; the array is found under the lock.
unsafe impl<T: Plain> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: Plain> Sync for Shared<T> {}
// SAFETY: the owner's own fields are plain values and slots that it alone replaces.
unsafe impl<T: Plain> Send for Duplicating<T> {}

impl<T: Plain> Shared<T> {
    fn with_lock<R>(&self, f: impl FnOnce(&mut *mut Array<T>) -> R) -> R {
        // No code of the user's runs under the lock, so a poisoned one guards a whole queue.
        f(&mut self.array.lock())
    }
}

/// What the owner got under the lock.
enum Repair {
    Found(usize),
    Empty,
}

impl<T: Plain> Duplicating<T> {
    /// An empty queue with room for 64 items, which grows.
    #[must_use]
    pub fn new() -> Self {
        Self::with_capacity(DEFAULT_CAPACITY)
    }

    /// The lowest index that may have to come out yet (duplicating-4), given a `head` seen by the owner.
    #[inline(always)]
    fn lowest(&self, head: usize) -> usize {
        match self.tail_min.get() {
            Some(min) if distance(min, head) > 0 => min,
            _ => head,
        }
    }

    #[inline(always)]
    fn set_tail(&self, tail: usize) {
        self.tail.set(tail);
        // Ordering: Release; meets the Acquire in `steal`.
        self.shared.tail.store(tail, Ordering::Release);
    }

    /// The owner takes the youngest index, which may be a stolen one.
    #[inline(always)]
    fn retract(&self) -> Option<usize> {
        let index = self.tail.get().wrapping_sub(1);
        self.set_tail(index);
        // Ordering: Relaxed, and no fence before it: this is where duplicates come from. What it decides is only
        // whether to take the lock.
        let head = self.shared.head.load(Ordering::Relaxed);
        let min = self.tail_min.get().filter(|&min| distance(min, index) >= 0).unwrap_or(index);
        if distance(head, min) >= 0 {
            self.tail_min.set(Some(min));
            return Some(index);
        }
        match self.repair(index) {
            Repair::Found(found) => Some(found),
            Repair::Empty => None,
        }
    }

    /// Under the lock: finds the youngest item not stolen, at or below `last`, and sets `head` back
    /// to the oldest that may not be.
    #[cold]
    #[inline(never)]
    fn repair(&self, last: usize) -> Repair {
        self.shared.with_lock(|_| {
            // Ordering: Relaxed; under the lock.
            let head = self.shared.head.load(Ordering::Relaxed);
            let lowest = self.lowest(head);
            let slots = self.slots.get();
            let found = (0..=distance(lowest, last))
                .map(|back| last.wrapping_sub(back as usize))
                // SAFETY: the owner's array is there.
                .find(|&index| distance(head, index) >= 0 || !unsafe { slots.stolen(index) });
            let (tail, head, repair) = match found {
                Some(index) => (index, lowest, Repair::Found(index)),
                // Everything below `head` came out (duplicating-5).
                None => (head, head, Repair::Empty),
            };
            // Ordering: Relaxed; under the lock.
            self.shared.head.store(head, Ordering::Relaxed);
            self.floor.set(head);
            self.tail_min.set(None);
            self.set_tail(tail);
            repair
        })
    }

    /// Under the lock: sets `head` to the oldest index that may have to come out yet, and tells how many are in use from
    /// there on. Nothing below it has to (duplicating-3); and whatever the owner took, thieves that lock later see that it is
    /// gone (duplicating-4), so `tail_min` begins anew.
    fn settle(&self) -> (usize, usize) {
        // Ordering: Relaxed; under the lock.
        let mut head = self.lowest(self.shared.head.load(Ordering::Relaxed));
        let slots = self.slots.get();
        // SAFETY: the owner's array is there.
        while distance(head, self.tail.get()) > 0 && unsafe { slots.stolen(head) } {
            head = head.wrapping_add(1);
        }
        // Ordering: Relaxed; under the lock.
        self.shared.head.store(head, Ordering::Relaxed);
        self.tail_min.set(None);
        (head, distance(head, self.tail.get()) as usize)
    }

    /// Makes the slot at `tail` free: by seeing that thieves have what was below, or by a larger array.
    #[cold]
    #[inline(never)]
    fn make_room(&self) {
        self.shared.with_lock(|array| {
            let (head, used) = self.settle();
            let capacity = self.slots.get().capacity();
            if capacity - used <= capacity / CROWDED {
                self.grow(array, head, used);
            }
        });
    }

    /// Under the lock: doubles the array, keeping `len` items from `first` on.
    fn grow(&self, array: &mut *mut Array<T>, first: usize, len: usize) {
        let old = self.slots.get();
        let larger = old.capacity().checked_mul(2).expect("queue outgrew the address space");
        let new = Array::allocate(larger);
        // SAFETY: just made.
        let slots = unsafe { (*new).slots() };
        for index in (0..len).map(|at| first.wrapping_add(at)) {
            // SAFETY: both arrays are there, and the new one is not seen yet.
            unsafe { slots.copy(index, old) };
        }
        // SAFETY: thieves use it only under the lock; the owner's copy is replaced below.
        drop(unsafe { Box::from_raw(std::mem::replace(array, new)) });
        self.slots.set(slots);
        self.growths.set(self.growths.get() + 1);
    }

    #[inline(always)]
    fn next_stamp(&self) -> usize {
        if self.stamp.get() == LAST_STAMP {
            self.begin_stamps_anew();
        }
        let stamp = self.stamp.get() + 1;
        self.stamp.set(stamp);
        stamp
    }

    /// All stamps are used up: under the lock, what is in use gets the first one, and no other slot has any (duplicating-7).
    #[cold]
    #[inline(never)]
    fn begin_stamps_anew(&self) {
        self.shared.with_lock(|_| {
            let (head, used) = self.settle();
            let slots = self.slots.get();
            for at in 0..slots.capacity() {
                // SAFETY: the owner's array is there, and this is the owner, under the lock.
                unsafe { slots.stamp_anew(head.wrapping_add(at), at < used) };
            }
        });
        self.stamp.set(FIRST_STAMP);
    }
}

impl<T: Plain> Owner for Duplicating<T> {
    type Item = T;
    type Thief = DuplicatingThief<T>;
    const PROMISE: Promise = Promise::AtMost(2);
    const TAKES: End = End::Young;

    fn with_capacity(capacity: usize) -> Self {
        let capacity =
            capacity.max(1).checked_next_power_of_two().expect("capacity fits the address space");
        let array = Array::allocate(capacity);
        Self {
            tail: Cell::new(FIRST),
            tail_min: Cell::new(None),
            floor: Cell::new(FIRST),
            // SAFETY: just made.
            slots: Cell::new(unsafe { (*array).slots() }),
            stamp: Cell::new(WRITING),
            growths: Cell::new(0),
            shared: Arc::new(Shared {
                head: CachePadded::new(AtomicUsize::new(FIRST)),
                tail: CachePadded::new(AtomicUsize::new(FIRST)),
                array: Mutex::new(array),
                returned: Returned::new(),
            }),
        }
    }

    fn thief(&self) -> DuplicatingThief<T> {
        DuplicatingThief { shared: Arc::clone(&self.shared) }
    }

    /// Never [`Full`].
    #[inline]
    fn push(&self, item: T) -> Result<(), Full<T>> {
        let tail = self.tail.get();
        // Ordering: Relaxed; a thief that was to read a word written after this look would see that
        // `head` moved before it moved it (plain-1).
        let lowest = self.lowest(self.shared.head.load(Ordering::Relaxed));
        if distance(lowest, tail) >= self.slots.get().capacity() as isize {
            self.make_room();
        }
        // SAFETY: duplicating-6; the owner's array is there.
        unsafe { self.slots.get().write(tail, item, self.next_stamp()) };
        self.set_tail(tail.wrapping_add(1));
        Ok(())
    }

    #[inline]
    fn take(&self) -> Option<T> {
        while self.tail.get() != self.floor.get() {
            let Some(index) = self.retract() else { break };
            let slots = self.slots.get();
            // SAFETY: the owner's array is there, and the index was pushed.
            unsafe {
                if !slots.stolen(index) {
                    return Some(slots.read_own(index));
                }
            }
        }
        self.shared.returned.take()
    }

    /// Counts also what thieves got since the owner last held the lock, until it takes again.
    fn len(&self) -> usize {
        // Ordering: Relaxed; nothing is read on the strength of it.
        let lowest = self.lowest(self.shared.head.load(Ordering::Relaxed));
        distance(lowest, self.tail.get()).max(0) as usize + self.shared.returned.len()
    }

    fn capacity(&self) -> usize {
        self.slots.get().capacity()
    }

    fn footprint(&self) -> Footprint {
        Footprint {
            // SAFETY: the array is there.
            bytes: self.shared.with_lock(|array| unsafe { (**array).bytes() }),
            growths: self.growths.get(),
            shrinks: 0,
        }
    }
}

impl<T: Plain> AtLeastOnce for Duplicating<T> {}

impl<T: Plain> Default for Duplicating<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Plain> DuplicatingThief<T> {
    /// Steals as many items as `most` says of so many seen, and hands each to `sink`, under the lock.
    fn steal_some(
        &self,
        most: impl FnOnce(usize) -> usize,
        mut sink: impl FnMut(T),
    ) -> Steal<usize> {
        let Some(array) = self.shared.array.try_lock() else { return Steal::Busy };
        // SAFETY: the array is replaced only under the lock.
        let slots = unsafe { (**array).slots() };
        // Ordering: Relaxed; under the lock (duplicating-1).
        let mut head = self.shared.head.load(Ordering::Relaxed);
        // Ordering: Acquire; meets the Release in `set_tail`, for the items before it.
        let tail = self.shared.tail.load(Ordering::Acquire);
        // SAFETY: as above. Those that were stolen before `head` was set back do not count.
        while distance(head, tail) > 0 && unsafe { slots.stolen(head) } {
            head = head.wrapping_add(1);
        }
        let most = most(distance(head, tail).max(0) as usize);
        let (mut count, mut end) = (0, Steal::Empty);
        while count < most && distance(head, tail) > 0 {
            // SAFETY: as above.
            match unsafe { slots.steal(head) } {
                Find::Item(item) => {
                    sink(item);
                    count += 1;
                }
                Find::Stolen => {}
                Find::BeingWritten => {
                    end = Steal::Busy;
                    break;
                }
            }
            head = head.wrapping_add(1);
        }
        // Ordering: Relaxed; thieves meet it under the lock, and for the owner see `push`.
        self.shared.head.store(head, Ordering::Relaxed);
        if count == 0 { end } else { Steal::Taken(count) }
    }
}

impl<T: Plain> Thief for DuplicatingThief<T> {
    type Item = T;
    const STEALS: End = End::Old;
    const OWNER_TAKES: End = End::Young;

    #[inline]
    fn steal(&self) -> Steal<T> {
        let mut stolen = None;
        match self.steal_some(|_| 1, |item| stolen = Some(item)) {
            Steal::Busy => Steal::Busy,
            Steal::Empty | Steal::Taken(_) => {
                stolen.or_else(|| self.shared.returned.take()).map_or(Steal::Empty, Steal::Taken)
            }
        }
    }

    /// Counts also what the owner has taken without the lock but for the last item of all, and what other thieves got before
    /// that, until one of them has the lock again.
    fn len(&self) -> usize {
        // Ordering: Relaxed, both; a hint.
        let head = self.shared.head.load(Ordering::Relaxed);
        let tail = self.shared.tail.load(Ordering::Relaxed);
        distance(head, tail).max(0) as usize + self.shared.returned.len()
    }
}

impl<T: Plain> StealHalf for DuplicatingThief<T> {
    fn steal_up_to(&self, most: usize, sink: impl FnMut(T)) -> Steal<usize> {
        at_least_one(most);
        let mut batch = Vec::new();
        let outcome = self.steal_some(|len| half(len, most), |item| batch.push(item));
        if outcome == Steal::Empty {
            return self.shared.returned.steal_one(sink);
        }
        // The sink is the user's code, so it runs after the lock is given back.
        self.shared.returned.hand_over(batch, sink);
        outcome
    }
}

impl<T: Plain> Clone for DuplicatingThief<T> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<T: Plain> Drop for Shared<T> {
    fn drop(&mut self) {
        let array = self.with_lock(|array| *array);
        // SAFETY: boxed in `allocate`; nobody else has the queue any more.
        drop(unsafe { Box::from_raw(array) });
    }
}

impl<T: Plain> fmt::Debug for Duplicating<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Duplicating")
            .field("len", &self.len())
            .field("capacity", &self.capacity())
            .finish_non_exhaustive()
    }
}

impl<T: Plain> fmt::Debug for DuplicatingThief<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DuplicatingThief").field("len", &self.len()).finish_non_exhaustive()
    }
}
