//! The memory of jobs: a worker keeps some of the boxes whose tasks it has called, for those that it spawns next.
//!
//! Else half of what an empty task of a scope costs is the allocator's. A task that spawns two, as in a recursion, needs the box that
//! it came in.
//!
//! Those that were freed first are kept, and the last. With one of each end of a flood kept, an allocator that keeps its free memory
//! in one piece does not give it to the system when the flood is over, to ask for it again at the next (glibc's heaps did: 2,000 page
//! faults for each 100,000 tasks that were taken oldest first, as long as all else).
//!
//! # Invariants
//! - boxes-1. A kept box is in one list, and nobody else has a pointer to it. Those of one list are of one size, which is that of
//!   their allocation; all have one alignment.
//! - boxes-2. Only the worker's occupant takes and leaves boxes (worker-1).

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::Cell;
use std::ptr::NonNull;

/// All sizes are multiples of this, and all boxes are aligned to it: as those of most allocators are anyway.
const GRAIN: usize = 16;
/// So many sizes are kept.
const SIZES: usize = 32;
/// So many bytes are kept at the most.
const MOST: usize = 32 << 10;

/// What a worker keeps.
pub(crate) struct Boxes {
    lists: [List; SIZES],
    /// In bytes.
    kept: Cell<usize>,
}

/// Boxes of one size.
struct List(Cell<Option<NonNull<Free>>>);

/// A box that is kept, and the next of its list.
struct Free {
    next: Option<NonNull<Free>>,
}

impl List {
    /// Takes the box that was linked last.
    #[inline(always)]
    fn unlink(&self) -> Option<NonNull<u8>> {
        let first = self.0.get()?;
        // SAFETY: boxes-1.
        self.0.set(unsafe { first.read() }.next);
        Some(first.cast())
    }

    /// # Safety
    /// It is memory of a box of this list's size, and nobody uses it (boxes-1).
    #[inline(always)]
    unsafe fn link(&self, free: NonNull<u8>) {
        let free = free.cast();
        // SAFETY: by the caller's word; the least box has room for this.
        unsafe { free.write(Free { next: self.0.get() }) };
        self.0.set(Some(free));
    }
}

// SAFETY: it owns the boxes that it keeps (boxes-1), which are bytes.
unsafe impl Send for Boxes {}

/// What a box of one type takes.
#[derive(Clone, Copy)]
struct Size {
    /// That of its allocation.
    layout: Layout,
    /// The list where such are kept, if they are.
    list: Option<usize>,
}

impl Size {
    const fn of<T>() -> Size {
        let layout = Layout::new::<T>();
        // An allocation of no bytes is none.
        let bytes = if layout.size() == 0 { layout.align() } else { layout.size() };
        let grains = bytes.div_ceil(GRAIN);
        if layout.align() <= GRAIN && grains <= SIZES {
            return Size { layout: Size::kept(grains - 1), list: Some(grains - 1) };
        }
        match Layout::from_size_align(bytes, layout.align()) {
            Ok(layout) => Size { layout, list: None },
            Err(_) => panic!("it is as large as before, or as its alignment"),
        }
    }

    /// What is kept in this list.
    const fn kept(list: usize) -> Layout {
        match Layout::from_size_align((list + 1) * GRAIN, GRAIN) {
            Ok(layout) => layout,
            Err(_) => panic!("it is not so large"),
        }
    }
}

/// Memory from the allocator.
#[inline]
fn allocate(layout: Layout) -> NonNull<u8> {
    // SAFETY: it is not of size zero.
    let memory = unsafe { alloc(layout) };
    NonNull::new(memory).unwrap_or_else(|| handle_alloc_error(layout))
}

/// Puts a value into a new box.
pub(super) fn put<T>(value: T) -> NonNull<T> {
    let place = allocate(const { Size::of::<T>() }.layout).cast();
    // SAFETY: it has the size and the alignment, and is nobody else's.
    unsafe { place.write(value) };
    place
}

/// Gives the memory of a box back to the allocator.
///
/// # Safety
/// It was made by [`put`] or [`Boxes::put`], and nobody uses it any more.
#[inline]
pub(super) unsafe fn free<T>(place: NonNull<T>) {
    // SAFETY: by the caller's word; what is kept was allocated with the layout of all of its size (boxes-1).
    unsafe { dealloc(place.as_ptr().cast(), const { Size::of::<T>() }.layout) };
}

impl Boxes {
    pub(crate) fn new() -> Boxes {
        Boxes { lists: [const { List(Cell::new(None)) }; SIZES], kept: Cell::new(0) }
    }

    /// Owner: puts a value into a box.
    #[inline(always)]
    pub(super) fn put<T>(&self, value: T) -> NonNull<T> {
        let size = const { Size::of::<T>() };
        let kept = size.list.and_then(|list| self.lists[list].unlink());
        if kept.is_some() {
            self.kept.set(self.kept.get() - size.layout.size());
        }
        let place = kept.unwrap_or_else(|| allocate(size.layout)).cast();
        // SAFETY: as in `put` above.
        unsafe { place.write(value) };
        place
    }

    /// Owner: keeps the memory of a box, and gives back that of another where so much is kept already.
    ///
    /// # Safety
    /// As for [`free`].
    #[inline(always)]
    pub(super) unsafe fn free<T>(&self, place: NonNull<T>) {
        let size = const { Size::of::<T>() };
        let Some(list) = size.list.map(|list| &self.lists[list]) else {
            // SAFETY: by the caller's word.
            return unsafe { free(place) };
        };
        let kept = self.kept.get() + size.layout.size();
        if kept <= MOST {
            self.kept.set(kept);
        } else if let Some(other) = list.unlink() {
            // SAFETY: it is of this size (boxes-1), and nobody has it now.
            unsafe { dealloc(other.as_ptr(), size.layout) };
        } else {
            // SAFETY: by the caller's word.
            return unsafe { free(place) };
        }
        // SAFETY: by the caller's word; it was made with the layout of this list.
        unsafe { list.link(place.cast()) };
    }
}

impl Drop for Boxes {
    fn drop(&mut self) {
        for (at, list) in self.lists.iter().enumerate() {
            while let Some(memory) = list.unlink() {
                // SAFETY: it is of this size (boxes-1), and nobody has it now.
                unsafe { dealloc(memory.as_ptr(), Size::kept(at)) };
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn put_many<T: Copy>(boxes: &Boxes, value: T, count: usize) -> Vec<NonNull<T>> {
        (0..count).map(|_| boxes.put(value)).collect()
    }

    fn give_back<T>(boxes: &Boxes, all: Vec<NonNull<T>>) {
        // SAFETY: each was put so, and is used no more.
        all.into_iter().for_each(|place| unsafe { boxes.free(place) });
    }

    #[test]
    fn the_last_box_is_the_next_one_of_its_size() {
        let boxes = Boxes::new();
        let all = put_many(&boxes, [7_u64; 4], 3);
        // SAFETY: it is there.
        assert_eq!(unsafe { all[2].read() }, [7; 4]);
        give_back(&boxes, all.clone());
        // One byte less takes the same; one more does not.
        assert_eq!(boxes.put([0_u8; 31]).cast(), all[2]);
        let larger = boxes.put([0_u8; 33]);
        assert!(!all.contains(&larger.cast()));
        assert_eq!(boxes.put([0_u64; 4]), all[1]);
        give_back(&boxes, vec![larger]);
        give_back(&boxes, all[1..].to_vec());
    }

    #[test]
    fn more_than_the_most_is_given_back() {
        let boxes = Boxes::new();
        let most = MOST / size_of::<[u64; 64]>();
        let all = put_many(&boxes, [0_u64; 64], 2 * most);
        give_back(&boxes, all);
        assert_eq!(boxes.kept.get(), MOST);
        let again = put_many(&boxes, [0_u64; 64], most);
        assert_eq!(boxes.kept.get(), 0);
        give_back(&boxes, again);
    }

    #[test]
    fn what_is_large_or_strictly_aligned_is_not_kept() {
        #[derive(Clone, Copy)]
        #[repr(align(64))]
        struct Strict;
        let boxes = Boxes::new();
        give_back(&boxes, vec![boxes.put([0_u64; 65])]);
        let strict = boxes.put(Strict);
        assert_eq!(strict.addr().get() % 64, 0);
        give_back(&boxes, vec![strict]);
        assert_eq!(boxes.kept.get(), 0);
        let nothing = put_many(&boxes, (), 2);
        assert_ne!(nothing[0], nothing[1]);
        give_back(&boxes, nothing);
        assert_eq!(boxes.kept.get(), 2 * GRAIN);
    }
}
