//! The array a worker's tasks live in: reserved at once, touched as it is used.
//!
//! Zeroed memory is what the system hands out untouched, so a large array costs address space
//! only, and each page is first touched by the worker that pushes there (which also makes it
//! local to that worker's memory node).

use crate::task::Slot;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

/// A fixed array of slots and one more, the end, that no task is kept in.
pub struct Slots {
    base: NonNull<Slot>,
    capacity: usize,
}

// SAFETY: `Slots` hands out `&Slot`s only, and `Slot` is `Sync`; the memory is freed by whoever
// drops it, from any thread.
unsafe impl Sync for Slots {}
// SAFETY: as above.
unsafe impl Send for Slots {}

/// One slot of an array that lives for `'a`, by a pointer that may also move to its neighbours. (A `&Slot`
/// may not: its provenance is that one slot.)
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    slot: *const Slot,
    array: PhantomData<&'a Slots>,
}

// SAFETY: it gives out `&Slot`s only, and `Slot` is `Sync`.
unsafe impl Sync for At<'_> {}
// SAFETY: as above.
unsafe impl Send for At<'_> {}

impl At<'_> {
    /// # Safety
    /// The pointer is to a slot of an array, the end included, and has the array's provenance.
    #[inline(always)]
    pub(crate) unsafe fn new(slot: *const Slot) -> Self {
        At { slot, array: PhantomData }
    }

    #[inline(always)]
    pub(crate) fn pointer(self) -> *const Slot {
        self.slot
    }

    /// The slot above.
    #[inline(always)]
    pub(crate) fn next(self) -> *const Slot {
        self.slot.wrapping_add(1)
    }
}

impl Deref for At<'_> {
    type Target = Slot;

    #[inline(always)]
    fn deref(&self) -> &Slot {
        // SAFETY: by the word of whoever made it.
        unsafe { &*self.slot }
    }
}

/// The memory for a worker's slots could not be had.
#[derive(Debug)]
pub(crate) struct OutOfMemory;

impl Slots {
    /// Reserves `capacity` slots.
    pub(crate) fn new(capacity: usize) -> Result<Slots, OutOfMemory> {
        memory::reserve(capacity + 1).map(|base| Slots { base, capacity })
    }

    /// The first slot: where the head of an empty deque stands.
    pub(crate) fn first(&self) -> *const Slot {
        self.base.as_ptr()
    }

    /// The address of the end: a push that takes the head there has no room.
    pub(crate) fn end(&self) -> usize {
        self.address(self.capacity)
    }

    /// The index of the slot that a head inside the array stands at.
    pub(crate) fn index(&self, slot: *const Slot) -> usize {
        (slot.addr() - self.base.addr().get()) / size_of::<Slot>()
    }

    /// The address of a slot, as the limits keep it.
    pub(crate) fn address(&self, index: usize) -> usize {
        debug_assert!(index <= self.capacity);
        self.base.addr().get() + index * size_of::<Slot>()
    }

    /// A slot by its index, the end included.
    pub(crate) fn get(&self, index: usize) -> At<'_> {
        assert!(index <= self.capacity);
        // SAFETY: within the array, which lives as long as `self`.
        unsafe { At::new(self.base.as_ptr().add(index)) }
    }
}

impl Drop for Slots {
    fn drop(&mut self) {
        // SAFETY: reserved by `new` with this very number of slots.
        unsafe { memory::release(self.base, self.capacity + 1) };
    }
}

#[cfg(not(loom))]
mod memory {
    use super::{OutOfMemory, Slot};
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ptr::NonNull;

    pub(super) fn reserve(slots: usize) -> Result<NonNull<Slot>, OutOfMemory> {
        let layout = Layout::array::<Slot>(slots).map_err(|_| OutOfMemory)?;
        // SAFETY: the layout is not empty: there is at least the end. All bytes zero is a valid
        // `Slot`: an unset function, the state pending and unmarked (S2), an unset payload.
        NonNull::new(unsafe { alloc_zeroed(layout) }.cast()).ok_or(OutOfMemory)
    }

    /// # Safety
    /// `base` came from `reserve(slots)` and is released once.
    pub(super) unsafe fn release(base: NonNull<Slot>, slots: usize) {
        let layout = Layout::array::<Slot>(slots).expect("the layout it was reserved with");
        // SAFETY: by the caller's word.
        unsafe { dealloc(base.as_ptr().cast(), layout) };
    }
}

/// loom's atomics must be built, they cannot be zeroed.
#[cfg(loom)]
mod memory {
    use super::{OutOfMemory, Slot};
    use std::ptr::NonNull;

    pub(super) fn reserve(slots: usize) -> Result<NonNull<Slot>, OutOfMemory> {
        let slots: Box<[Slot]> = (0..slots).map(|_| Slot::new()).collect();
        Ok(NonNull::new(Box::into_raw(slots).cast()).expect("a box is not null"))
    }

    /// # Safety
    /// `base` came from `reserve(slots)` and is released once.
    pub(super) unsafe fn release(base: NonNull<Slot>, slots: usize) {
        let slots = std::ptr::slice_from_raw_parts_mut(base.as_ptr(), slots);
        // SAFETY: by the caller's word.
        drop(unsafe { Box::from_raw(slots) });
    }
}
