//! The memory of jobs: a worker keeps some of the boxes whose tasks it has called, for those that it spawns next, and cuts the others
//! from [slabs](super::slab).
//!
//! Else half of what an empty task of a scope costs is the allocator's. A task that spawns two, as in a recursion, needs the box that
//! it came in.
//!
//! # Invariants
//! - boxes-1. A kept box is in one list, and nobody else has a pointer to it. Those of one list are of one size.
//! - boxes-2. Only the worker's occupant takes and leaves boxes (worker-1).

use super::slab::{Cutter, GRAIN, HEADER, allocate, give_back, make};
use std::alloc::{Layout, dealloc};
use std::cell::Cell;
use std::ptr::NonNull;

/// So many sizes are kept, and cut from slabs.
const SIZES: usize = 32;
/// So many bytes are kept at the most.
const MOST: usize = 32 << 10;

/// What a worker keeps.
pub(crate) struct Boxes {
    lists: [List; SIZES],
    /// In bytes.
    kept: Cell<usize>,
    cutter: Cutter,
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

/// Where boxes of one type come from.
#[derive(Clone, Copy)]
enum Size {
    /// They are in this list, or made by `slab`.
    Kept(usize),
    /// Each is an allocation of its own: large, or strictly aligned.
    Single(Layout),
}

impl Size {
    const fn of<T>() -> Size {
        let layout = Layout::new::<T>();
        let grains = (HEADER + layout.size()).div_ceil(GRAIN);
        if layout.align() <= HEADER && grains <= SIZES {
            return Size::Kept(grains - 1);
        }
        // An allocation of no bytes is none.
        let bytes = if layout.size() == 0 { layout.align() } else { layout.size() };
        match Layout::from_size_align(bytes, layout.align()) {
            Ok(layout) => Size::Single(layout),
            Err(_) => panic!("it is as large as before, or as its alignment"),
        }
    }
}

/// How many bytes a box of this list takes with its header.
const fn bytes(list: usize) -> usize {
    (list + 1) * GRAIN
}

/// Puts a value into a new box.
pub(super) fn put<T>(value: T) -> NonNull<T> {
    let place = match const { Size::of::<T>() } {
        Size::Kept(list) => make(bytes(list)),
        Size::Single(layout) => allocate(layout),
    };
    let place = place.cast();
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
    // SAFETY: by the caller's word; all boxes of a type come from the same.
    unsafe {
        match const { Size::of::<T>() } {
            Size::Kept(list) => give_back(place.cast(), bytes(list)),
            Size::Single(layout) => dealloc(place.as_ptr().cast(), layout),
        }
    }
}

impl Boxes {
    pub(crate) fn new() -> Boxes {
        Boxes {
            lists: [const { List(Cell::new(None)) }; SIZES],
            kept: Cell::new(0),
            cutter: Cutter::new(),
        }
    }

    /// Owner: puts a value into a box.
    #[inline(always)]
    pub(super) fn put<T>(&self, value: T) -> NonNull<T> {
        let place = match const { Size::of::<T>() } {
            Size::Kept(list) => self.kept(list).unwrap_or_else(|| self.cutter.cut(bytes(list))),
            Size::Single(layout) => allocate(layout),
        };
        let place = place.cast();
        // SAFETY: as in `put` above.
        unsafe { place.write(value) };
        place
    }

    #[inline(always)]
    fn kept(&self, list: usize) -> Option<NonNull<u8>> {
        let kept = self.lists[list].unlink()?;
        self.kept.set(self.kept.get() - bytes(list));
        Some(kept)
    }

    /// Owner: keeps the memory of a box, or gives it back where so much is kept already.
    ///
    /// # Safety
    /// As for [`free`].
    #[inline(always)]
    pub(super) unsafe fn free<T>(&self, place: NonNull<T>) {
        let Size::Kept(list) = (const { Size::of::<T>() }) else {
            // SAFETY: by the caller's word.
            return unsafe { free(place) };
        };
        let kept = self.kept.get() + bytes(list);
        // SAFETY: by the caller's word; it has the size of this list.
        unsafe {
            if kept <= MOST {
                self.kept.set(kept);
                self.lists[list].link(place.cast());
            } else {
                self.cutter.take_back(place.cast(), bytes(list));
            }
        }
    }
}

impl Drop for Boxes {
    fn drop(&mut self) {
        for (at, list) in self.lists.iter().enumerate() {
            while let Some(memory) = list.unlink() {
                // SAFETY: it is of this size (boxes-1), and nobody has it now.
                unsafe { self.cutter.take_back(memory, bytes(at)) };
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
        let all = put_many(&boxes, [7_u64; 5], 3);
        // SAFETY: it is there.
        assert_eq!(unsafe { all[2].read() }, [7; 5]);
        give_back(&boxes, all.clone());
        // One byte less takes the same; one more does not.
        assert_eq!(boxes.put([0_u8; 39]).cast(), all[2]);
        let larger = boxes.put([0_u8; 41]);
        assert!(!all.contains(&larger.cast()));
        assert_eq!(boxes.put([0_u64; 5]), all[1]);
        give_back(&boxes, vec![larger]);
        give_back(&boxes, all[1..].to_vec());
    }

    #[test]
    fn more_than_the_most_is_given_back() {
        type Large = [u64; 63];
        let boxes = Boxes::new();
        let most = MOST / (HEADER + size_of::<Large>());
        let all = put_many::<Large>(&boxes, [0; 63], 2 * most);
        give_back(&boxes, all);
        assert_eq!(boxes.kept.get(), MOST);
        let again = put_many::<Large>(&boxes, [0; 63], most);
        assert_eq!(boxes.kept.get(), 0);
        give_back(&boxes, again);
    }

    #[test]
    fn what_is_large_or_strictly_aligned_is_not_kept() {
        #[derive(Clone, Copy)]
        #[repr(align(64))]
        struct Strict;
        let boxes = Boxes::new();
        give_back(&boxes, vec![boxes.put([0_u64; 64])]);
        let strict = boxes.put(Strict);
        assert_eq!(strict.addr().get() % 64, 0);
        give_back(&boxes, vec![strict]);
        assert_eq!(boxes.kept.get(), 0);
        let nothing = put_many(&boxes, (), 2);
        assert_ne!(nothing[0], nothing[1]);
        give_back(&boxes, nothing);
        assert_eq!(boxes.kept.get(), 2 * GRAIN);
    }

    #[test]
    fn what_was_made_elsewhere_is_kept_too() {
        let boxes = Boxes::new();
        let elsewhere = put([1_u64; 3]);
        // SAFETY: it was put, and is used no more.
        unsafe { boxes.free(elsewhere) };
        assert_eq!(boxes.put([2_u64; 3]), elsewhere);
        // SAFETY: the same.
        unsafe { free(elsewhere) };
        assert_eq!(boxes.kept.get(), 0);
    }
}
