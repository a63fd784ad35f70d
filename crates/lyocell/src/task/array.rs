//! The array a worker's tasks live in: reserved at once, at hand as far as it is used.
//!
//! Zeroed memory is what the system hands out untouched, so a large array costs addresses only, and each page is first touched
//! by the worker that pushes there (which also makes it local to that worker's memory node).
//!
//! An array may begin with a part of its slots at hand, and more when the worker comes to their end. Where the system refuses,
//! the array is full there. A worker whose deque is empty gives back what it has had more. So tools that make all memory of a
//! process resident (`mlockall`) find little.

use super::Slot;
use lyocell_sync::{AtomicUsize, Memory, Ordering, OutOfMemory};
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

/// A fixed array of slots and one more, the end: written to, but no task is kept there.
pub struct Slots {
    base: NonNull<Slot>,
    capacity: usize,
    /// How many are at hand, the end not counted. Only the owner writes.
    room: AtomicUsize,
    /// How many are at hand at the least.
    least: usize,
    memory: Memory<Slot>,
}

// SAFETY: `Slots` hands out `&Slot`s only, and `Slot` is `Sync`; the memory is freed by whoever
// drops it, from any thread.
unsafe impl Sync for Slots {}
// SAFETY: as above.
unsafe impl Send for Slots {}

impl Drop for Slots {
    #[inline(never)]
    fn drop(&mut self) {
        // The head comes to each slot from the one below.
        if !self.has_grown() {
            self.memory.restore(Slot::was_stored);
        }
    }
}

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

/// Whether an array has more slots at hand than it had, or as many as it can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grown {
    Yes,
    No,
}

impl Slots {
    /// Reserves `capacity` slots, all at hand.
    pub(crate) fn new(capacity: usize) -> Result<Slots, OutOfMemory> {
        Slots::several(1, capacity, capacity)?.pop().ok_or(OutOfMemory)
    }

    /// Reserves several arrays of `capacity` slots, the first `at_hand` of each at hand.
    pub(crate) fn several(
        arrays: usize,
        capacity: usize,
        at_hand: usize,
    ) -> Result<Vec<Slots>, OutOfMemory> {
        let least = at_hand.min(capacity);
        // SAFETY: all bytes zero is a slot without a task: an unset function, the state pending and unmarked
        // (slot-2), an empty claim, an unset payload. A slot drops nothing.
        let arrays = unsafe { Memory::reserve(arrays, capacity + 1, least + 1, Slot::new) }?;
        let array = |memory: Memory<Slot>| {
            let (base, room) = (memory.first(), AtomicUsize::new(least));
            Slots { base, capacity, room, least, memory }
        };
        Ok(arrays.map(array).collect())
    }

    /// Owner, who has come to the end of what is at hand: asks for as much again.
    #[cold]
    pub(crate) fn grow(&self) -> Grown {
        let room = self.room();
        let more = room.saturating_mul(2).min(self.capacity);
        if more == room || self.memory.extend(room + 1, more + 1).is_err() {
            return Grown::No;
        }
        // Ordering: Relaxed. An exposer that reads the old number shares less; one that reads this one, and a head past the old
        // end, has read a head whose slot is a task by this: the push goes on.
        self.room.store(more, Ordering::Relaxed);
        Grown::Yes
    }

    /// Whether there is more at hand than at the beginning.
    pub(crate) fn has_grown(&self) -> bool {
        self.room() > self.least
    }

    /// Owner, whose deque is empty: has at hand what it began with, after `tell` has told those who know where the end is.
    #[cold]
    pub(crate) fn shrink(&self, tell: impl FnOnce()) {
        let room = self.room();
        // Ordering: Relaxed; an exposer shares what is below the head, and nothing is.
        self.room.store(self.least, Ordering::Relaxed);
        tell();
        self.memory.give_back(self.least + 1, room + 1);
    }

    /// How many slots are at hand, the end not counted.
    pub(crate) fn room(&self) -> usize {
        // Ordering: Relaxed; see `grow`.
        self.room.load(Ordering::Relaxed)
    }

    /// The first slot: where the head of an empty deque stands.
    pub(crate) fn first(&self) -> *const Slot {
        self.base.as_ptr()
    }

    /// How many slots there can be, the end not counted.
    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    /// The end: where the head of a full deque stands.
    pub(crate) fn end(&self) -> *const Slot {
        self.base.as_ptr().wrapping_add(self.room())
    }

    /// The address past the end: a push that takes the head there wrote to the end, so it has no room.
    pub(crate) fn past_end(&self) -> usize {
        self.address(self.room()) + size_of::<Slot>()
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
