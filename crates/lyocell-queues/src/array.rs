//! A ring of slots that hold items of any type, each slot read or written by one thread at a time.
//!
//! - array-1. A slot's item is read only by whom the index protocol gave the index, or copied by the owner
//!   into a larger or smaller ring (a second reader, no writer).
//! - array-2. A slot is written only by the owner, and only when no earlier item of the slot is in the queue
//!   or being read (the limit of `chase_lev`, the reset of `abp`).

use lyocell_sync::RaceCell;
use std::mem::MaybeUninit;

type Slot<T> = RaceCell<MaybeUninit<T>>;

/// A ring of a power of two of slots; index `i` is in slot `i % capacity`.
#[derive(Debug)]
pub(crate) struct Array<T> {
    slots: Box<[Slot<T>]>,
}

impl<T> Array<T> {
    /// An array on the heap, to be freed with `Box::from_raw`.
    ///
    /// # Panics
    /// If `capacity` items do not fit the address space.
    pub(crate) fn allocate(capacity: usize) -> *mut Self {
        debug_assert!(capacity.is_power_of_two());
        let slots = (0..capacity).map(|_| RaceCell::new(MaybeUninit::uninit())).collect();
        Box::into_raw(Box::new(Self { slots }))
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.slots)
    }

    /// The ring itself, for the owner to keep at hand.
    pub(crate) fn ring(&self) -> Ring<T> {
        Ring { slots: self.slots.as_ptr(), mask: self.slots.len() - 1 }
    }
}

/// Where an array's slots are; good as long as the array.
#[derive(Debug)]
pub(crate) struct Ring<T> {
    slots: *const Slot<T>,
    mask: usize,
}

impl<T> Clone for Ring<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Ring<T> {}

impl<T> Ring<T> {
    #[inline(always)]
    pub(crate) fn capacity(self) -> usize {
        self.mask.wrapping_add(1)
    }

    /// # Safety
    /// The array must still be there.
    #[inline(always)]
    unsafe fn slot<'a>(self, index: usize) -> &'a Slot<T> {
        // SAFETY: the caller's word for the array; the mask keeps the slot inside it.
        unsafe { &*self.slots.add(index & self.mask) }
    }

    /// # Safety
    /// The array must still be there, and `index` must be the caller's to read (array-1).
    #[inline(always)]
    pub(crate) unsafe fn read(self, index: usize) -> T {
        // SAFETY: array-1; whoever has the index got it after the owner wrote its item.
        unsafe { self.slot(index).with(|slot| (*slot).assume_init_read()) }
    }

    /// # Safety
    /// The array must still be there, and the slot of `index` must be free (array-2).
    #[inline(always)]
    pub(crate) unsafe fn write(self, index: usize, item: T) {
        // SAFETY: array-2.
        unsafe { self.slot(index).with_mut(|slot| (*slot).write(item)) };
    }

    /// Copies the item of `index` from another array, where it stays as it is.
    ///
    /// # Safety
    /// Both arrays must still be there, and nobody else may see the slot in this one yet.
    pub(crate) unsafe fn copy(self, index: usize, from: Self) {
        // SAFETY: array-1 (the owner reads beside at most one thief), array-2 (this array is not published).
        unsafe {
            from.slot(index).with(|old| {
                self.slot(index).with_mut(|new| std::ptr::copy_nonoverlapping(old, new, 1))
            });
        }
    }
}
