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
//! I1. `head` moves only under the lock. `tail` and the items are the owner's; `tail_min` is private to it.
//! I2. Every pushed item has a stamp of its own, stored beside it. A thief reads stamp, item, stamp, and has the item
//!     only if both stamps are the same: so item and stamp belong together, and the item is whole.
//! I3. A thief marks the stamp it stole, under the lock, and never steals a marked one. So of the thieves at most
//!     one gets an item, and the owner at most once: twice at most.
//! I4. If `head` is past an index whose item is not marked, and the owner has not taken it, then
//!     `tail_min` is not past that index. For the thief that moved `head` there had read an older item at it,
//!     which the owner had taken without the lock: a take under the lock is seen by every thief
//!     that locks later.
//! I5. The owner says "empty", or goes below an index for good, only when under the lock every index from
//!     `min(head, tail_min)` up to `tail` was found marked, or without the lock when it took the last itself. With I4:
//!     nothing is lost.
//! I6. An index is pushed only when less than `capacity` past `min(head, tail_min)`, so no item that may still be wanted
//!     is overwritten, and no thief reads a slot one lap later.
//!
//! Departures from the paper: there `head` goes back to `tail_min` and all that lies between comes out again, also
//! what a thief got long before; here the marks (I3) spare those, so an item comes out twice only when
//! owner and thief were at it at the same time. A thief that finds the lock held says `Busy`.
//!
//! Source: Leijen, Schulte, Burckhardt, OOPSLA 2009, section 5; seed paper section 3.4.

use crate::index::{FIRST, distance};
use crate::plain::{Plain, WordRing, Words};
use crate::queue::{AtLeastOnce, Footprint, Full, Owner, Promise, Steal, StealHalf, Thief};
use crate::sync::{Arc, AtomicUsize, Mutex, Ordering, try_lock};
use crossbeam_utils::CachePadded;
use std::cell::Cell;
use std::fmt;
use std::ptr;

/// The duplicating queue: at least once and at most twice, unbounded, grows when full.
///
/// The owner works at the young end (last in, first out), thieves at the old end, one at a time under a
/// lock. An item comes out twice only when the owner takes it while a thief steals it. `push` and `take`
/// cost a few loads and stores, no fence; `take` waits for the lock when thieves got past what it
/// wants; `steal` never waits and says [`Steal::Busy`] when the lock is held. An outgrown array is freed at
/// once.
///
/// Source: Leijen, Schulte, Burckhardt, OOPSLA 2009; seed paper section 3.4.
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
    /// The lock of I1, and where the thieves find the array.
    array: Mutex<*mut Array<T>>,
}

// SAFETY: `T: Send` items in atomic words; the array is found under the lock.
unsafe impl<T: Plain> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: Plain> Sync for Shared<T> {}
// SAFETY: the owner's own fields are plain values and slots that it alone replaces.
unsafe impl<T: Plain> Send for Duplicating<T> {}

/// Whose an item is.
struct Stamp {
    /// The item's stamp, or `WRITING`.
    item: AtomicUsize,
    /// The stamp of the last item stolen from the slot.
    stolen: AtomicUsize,
}

/// Instead of a stamp while the owner writes the slot.
const WRITING: usize = 0;

/// Instead of a stamp while nothing was stolen from the slot.
const NEVER: usize = usize::MAX;

/// The items and their stamps.
struct Array<T: Plain> {
    words: *mut Words<T>,
    stamps: Box<[Stamp]>,
}

/// Where the items and their stamps are; good as long as the array.
struct Slots<T> {
    ring: WordRing<T>,
    stamps: *const Stamp,
}

impl<T> Clone for Slots<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Slots<T> {}

impl<T: Plain> Array<T> {
    fn allocate(capacity: usize) -> *mut Self {
        let stamps = (0..capacity)
            .map(|_| Stamp { item: AtomicUsize::new(WRITING), stolen: AtomicUsize::new(NEVER) })
            .collect();
        Box::into_raw(Box::new(Self { words: Words::allocate(capacity, ptr::null_mut()), stamps }))
    }

    fn slots(&self) -> Slots<T> {
        // SAFETY: the words live as long as the array.
        Slots { ring: unsafe { (*self.words).ring() }, stamps: self.stamps.as_ptr() }
    }

    fn bytes(&self) -> usize {
        // SAFETY: as above.
        size_of::<Self>() + size_of_val(&*self.stamps) + unsafe { (*self.words).bytes() }
    }
}

impl<T: Plain> Drop for Array<T> {
    fn drop(&mut self) {
        // SAFETY: boxed in `Words::allocate`, freed only here.
        drop(unsafe { Box::from_raw(self.words) });
    }
}

/// What a thief finds at an index.
enum Find<T> {
    Item(T),
    Stolen,
    BeingWritten,
}

impl<T: Plain> Slots<T> {
    /// # Safety
    /// The array must still be there.
    #[inline(always)]
    unsafe fn stamp<'a>(self, index: usize) -> &'a Stamp {
        // SAFETY: the caller's word; there are as many stamps as slots.
        unsafe { &*self.stamps.add(index & (self.ring.capacity() - 1)) }
    }

    /// # Safety
    /// The array must still be there, and the caller the owner.
    #[inline(always)]
    unsafe fn write(self, index: usize, item: T, stamp: usize) {
        // SAFETY: the caller's word.
        unsafe {
            let at = self.stamp(index);
            // Ordering: Relaxed; the words are Release (I1 of `plain`), so who reads a new word and then the stamp
            // sees at least `WRITING`.
            at.item.store(WRITING, Ordering::Relaxed);
            self.ring.write(index, item);
            // Ordering: Release; who reads the new stamp (Acquire) sees the new words.
            at.item.store(stamp, Ordering::Release);
        }
    }

    /// Whether a thief got the item that is at `index` now. Without the lock, a "no" may be out of date.
    ///
    /// # Safety
    /// The array must still be there.
    unsafe fn stolen(self, index: usize) -> bool {
        // SAFETY: the caller's word.
        let at = unsafe { self.stamp(index) };
        // Ordering: Relaxed, both; nothing is read on the strength of them, and stamps never return.
        at.item.load(Ordering::Relaxed) == at.stolen.load(Ordering::Relaxed)
    }

    /// A thief, under the lock, takes and marks the item at `index`.
    ///
    /// # Safety
    /// The array must still be there.
    unsafe fn steal(self, index: usize) -> Find<T> {
        // SAFETY: the caller's word.
        let at = unsafe { self.stamp(index) };
        // Ordering: Acquire; meets the Release in `write`.
        let stamp = at.item.load(Ordering::Acquire);
        // Ordering: Relaxed; changes only under the lock.
        if stamp == WRITING {
            return Find::BeingWritten;
        } else if stamp == at.stolen.load(Ordering::Relaxed) {
            return Find::Stolen;
        }
        // SAFETY: the caller's word.
        let item = unsafe { self.ring.read_racing(index) };
        // Ordering: Relaxed; the Acquire of the words orders it after them (I2).
        if at.item.load(Ordering::Relaxed) != stamp {
            return Find::BeingWritten;
        }
        // Ordering: Relaxed; under the lock.
        at.stolen.store(stamp, Ordering::Relaxed);
        // SAFETY: I2, the item is whole.
        Find::Item(unsafe { item.assume_init() })
    }
}

impl<T: Plain> Shared<T> {
    fn with_lock<R>(&self, f: impl FnOnce(&mut *mut Array<T>) -> R) -> R {
        // No code of the user's runs under the lock, so a poisoned one guards a whole queue.
        f(&mut self.array.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }
}

/// What the owner got under the lock.
enum Repair {
    Found(usize),
    Empty,
}

impl<T: Plain> Duplicating<T> {
    /// The lowest index that may have to come out yet (I4), given a `head` seen by the owner.
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
                // Everything below `head` came out (I5).
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

    /// Doubles the array.
    #[cold]
    #[inline(never)]
    fn grow(&self) {
        self.shared.with_lock(|array| {
            let old = self.slots.get();
            let larger =
                old.ring.capacity().checked_mul(2).expect("queue outgrew the address space");
            let new = Array::allocate(larger);
            // SAFETY: just made.
            let slots = unsafe { (*new).slots() };
            // Ordering: Relaxed; under the lock.
            let lowest = self.lowest(self.shared.head.load(Ordering::Relaxed));
            for back in 0..distance(lowest, self.tail.get()) {
                let index = lowest.wrapping_add(back as usize);
                // SAFETY: both arrays are there, and the new one is not seen yet.
                unsafe {
                    let (from, to) = (old.stamp(index), slots.stamp(index));
                    // Ordering: Relaxed, the stamps; under the lock.
                    slots.write(index, old.ring.read_own(index), from.item.load(Ordering::Relaxed));
                    to.stolen.store(from.stolen.load(Ordering::Relaxed), Ordering::Relaxed);
                }
            }
            // SAFETY: thieves use it only under the lock; the owner's copy is replaced below.
            drop(unsafe { Box::from_raw(std::mem::replace(array, new)) });
            self.slots.set(slots);
        });
        self.growths.set(self.growths.get() + 1);
    }

    fn next_stamp(&self) -> usize {
        // On a 32-bit machine stamps come round after 2^32 pushes; a mark that old is only met if the slot
        // was not pushed to in all that time.
        let stamp = (self.stamp.get() + 1) % NEVER;
        let stamp = if stamp == WRITING { WRITING + 1 } else { stamp };
        self.stamp.set(stamp);
        stamp
    }
}

impl<T: Plain> Owner for Duplicating<T> {
    type Item = T;
    type Thief = DuplicatingThief<T>;
    const PROMISE: Promise = Promise::AtMost(2);

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
        // `head` moved before it moved it (I1 of `plain`).
        let lowest = self.lowest(self.shared.head.load(Ordering::Relaxed));
        if distance(lowest, tail) >= self.slots.get().ring.capacity() as isize {
            self.grow();
        }
        // SAFETY: I6; the owner's array is there.
        unsafe { self.slots.get().write(tail, item, self.next_stamp()) };
        self.set_tail(tail.wrapping_add(1));
        Ok(())
    }

    #[inline]
    fn take(&self) -> Option<T> {
        while self.tail.get() != self.floor.get() {
            let index = self.retract()?;
            let slots = self.slots.get();
            // SAFETY: the owner's array is there, and the index was pushed.
            unsafe {
                if !slots.stolen(index) {
                    return Some(slots.ring.read_own(index));
                }
            }
        }
        None
    }

    /// Counts also what thieves got since the owner last held the lock, until it takes again.
    fn len(&self) -> usize {
        // Ordering: Relaxed; nothing is read on the strength of it.
        let lowest = self.lowest(self.shared.head.load(Ordering::Relaxed));
        distance(lowest, self.tail.get()).max(0) as usize
    }

    fn capacity(&self) -> usize {
        self.slots.get().ring.capacity()
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

impl<T: Plain> DuplicatingThief<T> {
    /// Steals as many items as `most` says of so many seen, and hands each to `sink`, under the lock.
    fn steal_some(
        &self,
        most: impl FnOnce(usize) -> usize,
        mut sink: impl FnMut(T),
    ) -> Steal<usize> {
        let Some(array) = try_lock(&self.shared.array) else { return Steal::Busy };
        // SAFETY: the array is replaced only under the lock.
        let slots = unsafe { (**array).slots() };
        // Ordering: Relaxed; under the lock (I1).
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

    #[inline]
    fn steal(&self) -> Steal<T> {
        let mut stolen = None;
        match self.steal_some(|_| 1, |item| stolen = Some(item)) {
            Steal::Busy => Steal::Busy,
            Steal::Empty | Steal::Taken(_) => stolen.map_or(Steal::Empty, Steal::Taken),
        }
    }
}

impl<T: Plain> StealHalf for DuplicatingThief<T> {
    fn steal_half(&self, sink: impl FnMut(T)) -> Steal<usize> {
        let mut batch = Vec::new();
        let outcome = self.steal_some(|len| len.div_ceil(2), |item| batch.push(item));
        // The sink is the user's code, so it runs after the lock is given back.
        batch.into_iter().for_each(sink);
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
        f.debug_struct("DuplicatingThief").finish_non_exhaustive()
    }
}
