//! The array a worker's tasks live in: reserved at once, touched as it is used.
//!
//! Zeroed memory is what the system hands out untouched, so a large array costs address space
//! only, and each page is first touched by the worker that pushes there (which also makes it
//! local to that worker's memory node).

use super::Slot;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

/// A fixed array of slots and one more, the end: written to, but no task is kept there.
pub struct Slots {
    base: NonNull<Slot>,
    capacity: usize,
    /// Kept for its drop.
    _memory: Memory,
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
        let memory = Memory::reserve(capacity + 1)?;
        Ok(Slots { base: memory.slots(), capacity, _memory: memory })
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

#[cfg(not(loom))]
use zeroed::Memory;

#[cfg(not(loom))]
mod zeroed {
    use super::{OutOfMemory, Slot};
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ptr::NonNull;

    /// Zeroed bytes with room for slots.
    ///
    /// They are asked for with the alignment of a word: for a larger one the standard library's allocator
    /// would take dirty memory and zero it by hand, and so touch all of it. The slots begin at the first
    /// fitting address.
    pub(super) struct Memory {
        bytes: NonNull<u8>,
        layout: Layout,
    }

    impl Memory {
        pub(super) fn reserve(slots: usize) -> Result<Memory, OutOfMemory> {
            let size = slots
                .checked_mul(size_of::<Slot>())
                .and_then(|size| size.checked_add(align_of::<Slot>()))
                .ok_or(OutOfMemory)?;
            let layout =
                Layout::from_size_align(size, align_of::<usize>()).map_err(|_| OutOfMemory)?;
            // SAFETY: the layout is not empty.
            let bytes = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or(OutOfMemory)?;
            Ok(Memory { bytes, layout })
        }

        /// The first slot. All bytes zero is a valid `Slot`: an unset function, the state pending and
        /// unmarked (slot-2), an empty claim, an unset payload.
        pub(super) fn slots(&self) -> NonNull<Slot> {
            let skip = self.bytes.as_ptr().align_offset(align_of::<Slot>());
            // SAFETY: there is room for the slots and one alignment more.
            unsafe { self.bytes.add(skip) }.cast()
        }
    }

    impl Drop for Memory {
        fn drop(&mut self) {
            // SAFETY: reserved with this layout.
            unsafe { dealloc(self.bytes.as_ptr(), self.layout) };
        }
    }
}

#[cfg(loom)]
use built::Memory;

/// loom's atomics must be built, they cannot be zeroed.
#[cfg(loom)]
mod built {
    use super::{OutOfMemory, Slot};
    use std::ptr::NonNull;

    pub(super) struct Memory(Box<[Slot]>);

    impl Memory {
        pub(super) fn reserve(slots: usize) -> Result<Memory, OutOfMemory> {
            Ok(Memory((0..slots).map(|_| Slot::new()).collect()))
        }

        pub(super) fn slots(&self) -> NonNull<Slot> {
            NonNull::from(&*self.0).cast()
        }
    }
}
