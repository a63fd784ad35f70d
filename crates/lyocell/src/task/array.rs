//! The array a worker's tasks live in: reserved at once, touched as it is used.
//!
//! Zeroed memory is what the system hands out untouched, so a large array costs address space
//! only, and each page is first touched by the worker that pushes there (which also makes it
//! local to that worker's memory node).

use super::Slot;
use lyocell_sync::Memory;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

/// A fixed array of slots and one more, the end: written to, but no task is kept there.
pub struct Slots {
    base: NonNull<Slot>,
    capacity: usize,
    /// Kept for its drop.
    _memory: Memory<Slot>,
}

// SAFETY: `Slots` hands out `&Slot`s only, and `Slot` is `Sync`; the memory is freed by whoever
// drops it, from any thread.
unsafe impl Sync for Slots {}
// SAFETY: as above.
unsafe impl Send for Slots {}

/// One slot of an array that lives for `'a`, by a pointer that may also move to its neighbours. (A `&Slot`
/// may not: its provenance is that one slot.)
#[derive(Clone, Copy)]
pub(crate) struct SlotPtr<'a> {
    slot: *const Slot,
    array: PhantomData<&'a Slots>,
}

// SAFETY: it gives out `&Slot`s only, and `Slot` is `Sync`.
unsafe impl Sync for SlotPtr<'_> {}
// SAFETY: as above.
unsafe impl Send for SlotPtr<'_> {}

impl SlotPtr<'_> {
    /// # Safety
    /// The pointer is to a slot of an array, the end included, and has the array's provenance.
    #[inline(always)]
    pub(crate) unsafe fn new(slot: *const Slot) -> Self {
        SlotPtr { slot, array: PhantomData }
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

impl Deref for SlotPtr<'_> {
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
        // SAFETY: all bytes zero is a slot without a task: an unset function, the state pending and unmarked
        // (slot-2), an empty claim, an unset payload. A slot drops nothing.
        let memory = unsafe { Memory::reserve(capacity + 1, Slot::new) }.ok_or(OutOfMemory)?;
        Ok(Slots { base: memory.first(), capacity, _memory: memory })
    }

    /// The first slot: where the head of an empty deque stands.
    pub(crate) fn first(&self) -> *const Slot {
        self.base.as_ptr()
    }

    /// How many slots there are, the end not counted.
    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    /// The end: where the head of a full deque stands.
    pub(crate) fn end(&self) -> *const Slot {
        self.base.as_ptr().wrapping_add(self.capacity)
    }

    /// The address past the end: a push that takes the head there wrote to the end, so it has no room.
    pub(crate) fn past_end(&self) -> usize {
        self.address(self.capacity) + size_of::<Slot>()
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
    pub(crate) fn get(&self, index: usize) -> SlotPtr<'_> {
        assert!(index <= self.capacity);
        // SAFETY: within the array, which lives as long as `self`.
        unsafe { SlotPtr::new(self.base.as_ptr().add(index)) }
    }
}
