//! Memory for boxes, cut from larger pieces: an allocator's call for each box is half of what an empty task takes.
//!
//! ```text
//!   a slab   | left | header, box | header, box | … | not cut yet |
//!                     the slab; of a box that is an allocation by itself: none
//! ```
//! Who cuts is one worker; boxes are given back anywhere. The slab goes back to the allocator with the last of them.
//!
//! # Invariants
//! - slab-1. A slab's `left` is those of its bytes that were not given back: those of boxes, and those not cut yet while a [`Cutter`] has it.
//!   Whoever brings it to zero frees the slab; nobody else has a pointer into it then.
//! - slab-2. Only its owner uses a [`Cutter`]. What it has counted in `returned` and not given back yet keeps that slab.
//! - slab-3. In front of each box stands its header, written when it was cut, and never after.

use lyocell_sync::Ordering;
use lyocell_sync::unmodelled::AtomicUsize;
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::Cell;
use std::ptr::{NonNull, null_mut};

/// Sizes of boxes with their headers are multiples of this.
pub(super) const GRAIN: usize = 16;
/// What a header takes. Boxes are aligned to as much.
pub(super) const HEADER: usize = 8;
/// How large a slab is. A kept box keeps its whole slab: so no larger than makes an allocation rare.
const BYTES: usize = 4096;

/// The beginning of a slab.
struct Slab {
    left: AtomicUsize,
}

type Header = *mut Slab;

const SLAB: Layout = single(BYTES);
const _: () = assert!(size_of::<Slab>() <= GRAIN && size_of::<Header>() <= HEADER);

/// What a slab takes, or a box by itself with its header.
const fn single(bytes: usize) -> Layout {
    match Layout::from_size_align(bytes, GRAIN) {
        Ok(layout) => layout,
        Err(_) => panic!("it is as large as a slab at the most"),
    }
}

/// Memory from the allocator.
pub(super) fn allocate(layout: Layout) -> NonNull<u8> {
    // SAFETY: nobody asks for a size of zero.
    let memory = unsafe { alloc(layout) };
    NonNull::new(memory).unwrap_or_else(|| handle_alloc_error(layout))
}

/// The box of a piece, which begins with its header.
///
/// # Safety
/// The piece has room for a header and more, is aligned to [`GRAIN`], and is nobody else's.
#[inline(always)]
unsafe fn begin(piece: NonNull<u8>, slab: Header) -> NonNull<u8> {
    // SAFETY: by the caller's word.
    unsafe {
        piece.cast::<Header>().write(slab);
        piece.add(HEADER)
    }
}

/// A box of so many bytes with its header, for whoever has no [`Cutter`].
pub(super) fn make(bytes: usize) -> NonNull<u8> {
    // SAFETY: it was allocated with this size and alignment.
    unsafe { begin(allocate(single(bytes)), null_mut()) }
}

/// Gives a box back.
///
/// # Safety
/// It was made by [`make`] or [`Cutter::cut`] with so many bytes, and nobody uses it any more.
pub(super) unsafe fn give_back(place: NonNull<u8>, bytes: usize) {
    // SAFETY: slab-3, and by the caller's word.
    unsafe {
        match NonNull::new(header(place)) {
            Some(slab) => count(slab, bytes),
            None => dealloc(place.sub(HEADER).as_ptr(), single(bytes)),
        }
    }
}

/// # Safety
/// It is a box.
#[inline(always)]
unsafe fn header(place: NonNull<u8>) -> Header {
    // SAFETY: slab-3.
    unsafe { place.sub(HEADER).cast::<Header>().read() }
}

/// So many bytes are given back.
///
/// # Safety
/// They were not yet (slab-1).
unsafe fn count(slab: NonNull<Slab>, bytes: usize) {
    // SAFETY: it is there until all is given back.
    let left = unsafe { &slab.as_ref().left };
    // Ordering: AcqRel; whoever frees comes after all that others did with their boxes.
    if left.fetch_sub(bytes, Ordering::AcqRel) == bytes {
        // SAFETY: slab-1; `left` is not used any more.
        unsafe { dealloc(slab.as_ptr().cast(), SLAB) };
    }
}

/// What an owner cuts boxes from, and what it has given back of one slab and not told yet: of a flood most are of one slab, one after the
/// other.
pub(super) struct Cutter {
    slab: Cell<Header>,
    next: Cell<*mut u8>,
    /// In bytes.
    uncut: Cell<usize>,
    returned: Cell<(Header, usize)>,
}

impl Cutter {
    pub(super) fn new() -> Cutter {
        Cutter {
            slab: Cell::new(null_mut()),
            next: Cell::new(null_mut()),
            uncut: Cell::new(0),
            returned: Cell::new((null_mut(), 0)),
        }
    }

    /// Owner: a box of so many bytes with its header.
    #[inline(always)]
    pub(super) fn cut(&self, bytes: usize) -> NonNull<u8> {
        if self.uncut.get() < bytes {
            self.begin_another();
        }
        self.uncut.set(self.uncut.get() - bytes);
        // SAFETY: so much is left of the slab (slab-2), of which all pieces are multiples of the grain.
        unsafe {
            let piece = NonNull::new_unchecked(self.next.get());
            self.next.set(piece.add(bytes).as_ptr());
            begin(piece, self.slab.get())
        }
    }

    #[cold]
    #[inline(never)]
    fn begin_another(&self) {
        self.leave();
        let slab = allocate(SLAB);
        let left = BYTES - GRAIN;
        // SAFETY: it has the size and the alignment, and is nobody else's.
        unsafe {
            slab.cast().write(Slab { left: AtomicUsize::new(left) });
            self.next.set(slab.add(GRAIN).as_ptr());
        }
        self.slab.set(slab.cast().as_ptr());
        self.uncut.set(left);
    }

    /// Gives back what was not cut.
    fn leave(&self) {
        let uncut = self.uncut.take();
        if let Some(slab) = NonNull::new(self.slab.get()).filter(|_| uncut > 0) {
            // SAFETY: slab-1; it is cut no more.
            unsafe { count(slab, uncut) };
        }
    }

    /// Owner: as [`give_back`], maybe later.
    ///
    /// # Safety
    /// The same.
    #[inline(always)]
    pub(super) unsafe fn take_back(&self, place: NonNull<u8>, bytes: usize) {
        // SAFETY: by the caller's word.
        let slab = unsafe { header(place) };
        let (last, returned) = self.returned.get();
        if slab == last && !slab.is_null() {
            self.returned.set((slab, returned + bytes));
        } else {
            // SAFETY: by the caller's word.
            unsafe { self.take_back_another(place, bytes) };
        }
    }

    /// # Safety
    /// The same.
    #[cold]
    #[inline(never)]
    unsafe fn take_back_another(&self, place: NonNull<u8>, bytes: usize) {
        // SAFETY: by the caller's word.
        let slab = unsafe { header(place) };
        if slab.is_null() {
            // SAFETY: by the caller's word.
            unsafe { give_back(place, bytes) };
        } else {
            self.tell_returned();
            self.returned.set((slab, bytes));
        }
    }

    fn tell_returned(&self) {
        let (slab, bytes) = self.returned.replace((null_mut(), 0));
        if let Some(slab) = NonNull::new(slab) {
            // SAFETY: slab-2.
            unsafe { count(slab, bytes) };
        }
    }
}

impl Drop for Cutter {
    fn drop(&mut self) {
        self.tell_returned();
        self.leave();
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::thread;

    const SIZE: usize = 3 * GRAIN;
    /// How many boxes there are in a slab.
    const IN_SLAB: usize = (BYTES - GRAIN) / SIZE;

    /// A box that may be given back on any thread.
    struct Place(NonNull<u8>);

    // SAFETY: it is memory, which one has at a time.
    unsafe impl Send for Place {}

    impl Drop for Place {
        fn drop(&mut self) {
            // SAFETY: it was cut with this size, and is used no more.
            unsafe { give_back(self.0, SIZE) };
        }
    }

    fn cut(cutter: &Cutter, count: usize) -> Vec<Place> {
        let cut = || {
            let place = cutter.cut(SIZE);
            // SAFETY: so many bytes are the box's.
            unsafe { place.write_bytes(0xff, SIZE - HEADER) };
            Place(place)
        };
        (0..count).map(|_| cut()).collect()
    }

    fn take_back(cutter: &Cutter, place: Place) {
        let place = std::mem::ManuallyDrop::new(place).0;
        // SAFETY: it was cut with this size, and is used no more.
        unsafe { cutter.take_back(place, SIZE) };
    }

    /// How much of this box's slab is left.
    fn left(place: &Place) -> usize {
        // SAFETY: the slab is there as long as the box.
        unsafe { (*header(place.0)).left.load(Ordering::Relaxed) }
    }

    fn slab(place: &Place) -> Header {
        // SAFETY: it is a box.
        unsafe { header(place.0) }
    }

    #[test]
    fn boxes_are_cut_one_after_the_other() {
        let cutter = Cutter::new();
        let all = cut(&cutter, 3);
        for two in all.windows(2) {
            assert_eq!(two[1].0.addr().get() - two[0].0.addr().get(), SIZE);
            assert_eq!(slab(&two[0]), slab(&two[1]));
        }
        assert_eq!(all[0].0.addr().get() % GRAIN, HEADER);
    }

    #[test]
    fn a_slab_stays_until_the_last_of_its_boxes_is_given_back() {
        let cutter = Cutter::new();
        let mut all = cut(&cutter, IN_SLAB + 1);
        let next = all.pop().expect("there are some");
        assert_ne!(slab(&all[0]), slab(&next));
        assert_eq!(left(&all[0]), IN_SLAB * SIZE, "what was not cut has been given back");
        assert_eq!(left(&next), BYTES - GRAIN);
        drop(cutter);
        assert_eq!(left(&next), SIZE);
        all.truncate(2);
        assert_eq!(left(&all[0]), 2 * SIZE);
    }

    #[test]
    fn what_is_taken_back_of_one_slab_is_told_at_once() {
        let cutter = Cutter::new();
        let mut all = cut(&cutter, IN_SLAB + 1);
        let next = all.pop().expect("there are some");
        let last = all.pop().expect("there are some");
        all.into_iter().for_each(|place| take_back(&cutter, place));
        assert_eq!(left(&last), IN_SLAB * SIZE, "nothing yet");
        take_back(&cutter, next);
        assert_eq!(left(&last), SIZE);
    }

    #[test]
    fn boxes_are_given_back_anywhere_while_more_are_cut() {
        let cutter = Cutter::new();
        let rounds = if cfg!(miri) { 3 } else { 200 };
        thread::scope(|s| {
            for _ in 0..rounds {
                let mut all = cut(&cutter, IN_SLAB);
                let others = all.split_off(IN_SLAB / 2);
                s.spawn(move || drop(others));
                all.into_iter().for_each(|place| take_back(&cutter, place));
            }
        });
    }

    #[test]
    fn a_box_by_itself_has_no_slab() {
        let alone = Place(make(SIZE));
        assert!(slab(&alone).is_null());
        take_back(&Cutter::new(), alone);
    }
}
