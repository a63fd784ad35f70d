//! Slots that say whose their item is: each holds an item and two stamps, the item's own and that of the last item
//! that was stolen from the slot.
//!
//! ```text
//!   item | its stamp, or WRITING | the stamp stolen last, or NEVER
//! ```
//! An item was stolen if both stamps are the same (duplicating-3). A thief reads stamp, item, stamp (duplicating-2).

use crate::plain::{Plain, WordRing, Words};
use lyocell_sync::{AtomicUsize, Ordering};
use std::ptr;

/// Whose an item is.
struct Stamp {
    /// The item's stamp, or `WRITING`.
    item: AtomicUsize,
    /// The stamp of the last item stolen from the slot.
    stolen: AtomicUsize,
}

/// Instead of a stamp while the owner writes the slot.
pub(super) const WRITING: usize = 0;

/// Instead of a stamp while nothing was stolen from the slot.
pub(super) const NEVER: usize = usize::MAX;

/// The stamp of items that were there when stamps began anew.
pub(super) const FIRST_STAMP: usize = WRITING + 1;

/// The last stamp there is; the models soon come to it.
pub(super) const LAST_STAMP: usize = if cfg!(loom) { 3 } else { NEVER - 1 };

/// The items and their stamps.
pub(super) struct Array<T: Plain> {
    words: *mut Words<T>,
    stamps: Box<[Stamp]>,
}

/// Where the items and their stamps are; good as long as the array.
pub(super) struct Slots<T> {
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
    pub(super) fn allocate(capacity: usize) -> *mut Self {
        let stamps = (0..capacity)
            .map(|_| Stamp { item: AtomicUsize::new(WRITING), stolen: AtomicUsize::new(NEVER) })
            .collect();
        Box::into_raw(Box::new(Self { words: Words::allocate(capacity, ptr::null_mut()), stamps }))
    }

    pub(super) fn slots(&self) -> Slots<T> {
        // SAFETY: the words live as long as the array.
        Slots { ring: unsafe { (*self.words).ring() }, stamps: self.stamps.as_ptr() }
    }

    pub(super) fn bytes(&self) -> usize {
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
pub(super) enum Find<T> {
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
    pub(super) unsafe fn write(self, index: usize, item: T, stamp: usize) {
        // SAFETY: the caller's word.
        unsafe {
            let at = self.stamp(index);
            // Ordering: Relaxed; the words are Release (plain-1), so who reads a new word and then the stamp
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
    pub(super) unsafe fn stolen(self, index: usize) -> bool {
        // SAFETY: the caller's word.
        let at = unsafe { self.stamp(index) };
        // Ordering: Relaxed, both; nothing is read on the strength of them. A mark that is out of date is of another
        // stamp, as marks older than the stamps were taken away by this thread or under the lock (duplicating-7).
        at.item.load(Ordering::Relaxed) == at.stolen.load(Ordering::Relaxed)
    }

    /// A thief, under the lock, takes and marks the item at `index`.
    ///
    /// # Safety
    /// The array must still be there.
    pub(super) unsafe fn steal(self, index: usize) -> Find<T> {
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
        // The same stamp is of the same item (duplicating-7). Ordering: Relaxed; the Acquire of the words orders it after
        // them (duplicating-2).
        if at.item.load(Ordering::Relaxed) != stamp {
            return Find::BeingWritten;
        }
        // Ordering: Relaxed; under the lock.
        at.stolen.store(stamp, Ordering::Relaxed);
        // By duplicating-2 it is whole.
        Find::Item(item)
    }

    /// The item at `index`, stolen or not, gets the first stamp, if it is in use; if not, the slot is as nobody ever used it.
    ///
    /// # Safety
    /// The array must still be there, the caller the owner and under the lock.
    pub(super) unsafe fn stamp_anew(self, index: usize, in_use: bool) {
        // SAFETY: the caller's word.
        let (at, stolen) = unsafe { (self.stamp(index), in_use && self.stolen(index)) };
        // Ordering: Relaxed, both; under the lock.
        at.item.store(if in_use { FIRST_STAMP } else { WRITING }, Ordering::Relaxed);
        at.stolen.store(if stolen { FIRST_STAMP } else { NEVER }, Ordering::Relaxed);
    }

    /// Copies item and stamps from another array.
    ///
    /// # Safety
    /// Both arrays must still be there, the caller the owner and under the lock, and nobody else may see this one yet.
    pub(super) unsafe fn copy(self, index: usize, from: Self) {
        // SAFETY: the caller's word.
        unsafe {
            let (old, new) = (from.stamp(index), self.stamp(index));
            // Ordering: Relaxed, the stamps; under the lock.
            self.write(index, from.read_own(index), old.item.load(Ordering::Relaxed));
            new.stolen.store(old.stolen.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// # Safety
    /// The array must still be there, the caller the owner, and the slot written.
    #[inline(always)]
    pub(super) unsafe fn read_own(self, index: usize) -> T {
        // SAFETY: the caller's word.
        unsafe { self.ring.read_own(index) }
    }

    #[inline(always)]
    pub(super) fn capacity(self) -> usize {
        self.ring.capacity()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{Array, FIRST_STAMP, Find, LAST_STAMP};

    #[test]
    fn stamps_begin_anew_with_the_marks_of_what_is_in_use_and_no_others() {
        let array = Array::<usize>::allocate(4);
        // SAFETY: just made, by the only thread there is, which frees it below.
        unsafe {
            let slots = (*array).slots();
            for index in 0..3 {
                slots.write(index, index, LAST_STAMP - index);
            }
            assert!(matches!(slots.steal(0), Find::Item(0)));
            assert!(matches!(slots.steal(2), Find::Item(2)));
            for index in 0..4 {
                slots.stamp_anew(index, index < 2);
            }
            assert!(slots.stolen(0) && matches!(slots.steal(0), Find::Stolen));
            assert!(!slots.stolen(1) && matches!(slots.steal(1), Find::Item(1)));
            // Neither the old mark nor a new one is met by what is pushed next.
            for stamp in [LAST_STAMP - 2, FIRST_STAMP] {
                slots.write(2, 7, stamp);
                assert!(!slots.stolen(2));
            }
            drop(Box::from_raw(array));
        }
    }
}
