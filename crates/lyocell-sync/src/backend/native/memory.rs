//! Arrays of zeroed memory that cost nothing until they are used.
//!
//! They come from the system, and never from the program's allocator: that one may zero by hand what it is asked for, and so touch
//! all of it. Several arrays are reserved at once, in one piece of addresses, of which the beginning of each is at hand:
//!
//! ```text
//!   | guard | at hand | reserved         | guard | at hand | reserved         | guard |
//!             an array                             the next
//! ```
//! What is only reserved is neither read nor written; a program that goes there is stopped. So are the guards. The owner of an
//! array asks for more of it, and gives it back.
//!
//! The last piece that was given up, all zero again, is kept for whoever asks for the same next: a program that builds a pool for each of
//! its steps would else have the system map and unmap it each time, which takes longer than all else that a small pool does.

use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use system::Pages;

/// So many bytes at hand are kept at the most: as much may stay resident.
const MOST_KEPT: usize = 2 << 20;

static KEPT: Mutex<Option<Piece>> = Mutex::new(None);

/// The system has no memory, or no addresses, for what was asked.
#[derive(Debug)]
pub struct OutOfMemory;

/// An array with room for values, zeroed.
pub struct Memory<T> {
    first: NonNull<T>,
    values: PhantomData<T>,
    piece: Arc<Shared>,
}

/// Pages, and what was asked for.
struct Piece {
    pages: Pages,
    arrays: usize,
    /// Of an array.
    bytes: usize,
    /// Of its beginning.
    at_hand: usize,
}

/// The piece of several arrays.
struct Shared {
    /// Until it is dropped.
    piece: Option<Piece>,
    /// How many of the arrays are as they were at first.
    restored: AtomicUsize,
}

impl<T> Memory<T> {
    /// So many arrays of so many values each, of which the first `at_hand` are; each value is as `build` would make it.
    ///
    /// # Safety
    /// A value of which all bytes are zero is what `build` makes, and it has nothing to drop.
    pub unsafe fn reserve(
        arrays: usize,
        count: usize,
        at_hand: usize,
        _build: fn() -> T,
    ) -> Result<impl Iterator<Item = Memory<T>>, OutOfMemory> {
        let bytes = count.checked_mul(size_of::<T>()).ok_or(OutOfMemory)?;
        let piece = Piece::of(arrays, bytes, at_hand * size_of::<T>())?;
        let piece = Arc::new(Shared { piece: Some(piece), restored: AtomicUsize::new(0) });
        Ok((0..arrays).map(move |at| {
            let first = piece.pages().array(at).cast();
            Memory { first, values: PhantomData, piece: Arc::clone(&piece) }
        }))
    }

    /// Has the whole as it was at first, for whoever reserves the like next. No more is at hand than at first; of the values at hand
    /// those of which this is true have been written to, and none above the first of which it is not.
    pub fn restore(&mut self, is_used: impl Fn(&T) -> bool) {
        let Some(piece) = &self.piece.piece else { return };
        if !Pages::CAN_BE_KEPT || piece.arrays * piece.at_hand > MOST_KEPT {
            return;
        }
        let at_hand = piece.at_hand / size_of::<T>();
        // SAFETY: at hand, and zeroed or written to by whoever had it.
        let used =
            (0..at_hand).take_while(|at| is_used(unsafe { self.first.add(*at).as_ref() })).count();
        // SAFETY: at hand, and bytes that the system zeroed or somebody wrote.
        let rest = || unsafe {
            let first = self.first.add(used).cast::<u8>().as_ptr();
            std::slice::from_raw_parts(first, (at_hand - used) * size_of::<T>())
        };
        debug_assert!(rest().iter().all(|byte| *byte == 0), "what is above is used");
        // SAFETY: nobody has a reference to a value, and each may be all zero.
        unsafe { self.first.write_bytes(0, used) };
        // Ordering: Relaxed; whoever drops the last of the arrays sees it by that.
        self.piece.restored.fetch_add(1, Ordering::Relaxed);
    }

    /// The first value.
    pub fn first(&self) -> NonNull<T> {
        self.first
    }

    /// Has the values from the one place to the other at hand, zeroed or as they were when they were last.
    pub fn extend(&self, from: usize, to: usize) -> Result<(), OutOfMemory> {
        self.pages().extend(self.first.cast(), from * size_of::<T>(), to * size_of::<T>())
    }

    /// Gives back the memory of the values from the one place to the other, which nobody has a reference to.
    pub fn give_back(&self, from: usize, to: usize) {
        self.pages().give_back(self.first.cast(), from * size_of::<T>(), to * size_of::<T>());
    }

    fn pages(&self) -> &Pages {
        self.piece.pages()
    }
}

impl Shared {
    fn pages(&self) -> &Pages {
        let piece = self.piece.as_ref();
        &piece.unwrap_or_else(|| unreachable!("it is there until the last array is gone")).pages
    }
}

impl Piece {
    fn of(arrays: usize, bytes: usize, at_hand: usize) -> Result<Piece, OutOfMemory> {
        let is_like =
            |piece: &Piece| (piece.arrays, piece.bytes, piece.at_hand) == (arrays, bytes, at_hand);
        // Another is given up first: there may not be addresses for two. A lock that is taken may be so for ever, in the child of a fork.
        match KEPT.try_lock().ok().and_then(|mut kept| kept.take()) {
            Some(piece) if is_like(&piece) => Ok(piece),
            _ => Piece::reserve(arrays, bytes, at_hand),
        }
    }

    fn reserve(arrays: usize, bytes: usize, at_hand: usize) -> Result<Piece, OutOfMemory> {
        let pages = Pages::reserve(arrays, bytes)?;
        (0..arrays).try_for_each(|at| pages.extend(pages.array(at), 0, at_hand))?;
        Ok(Piece { pages, arrays, bytes, at_hand })
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let Some(piece) = self.piece.take() else { return };
        // Ordering: Relaxed; the others' parts of the `Arc` are gone, and what they did before is seen.
        if self.restored.load(Ordering::Relaxed) == piece.arrays {
            // What was kept so far is dropped when the lock is free again.
            let _before = KEPT.try_lock().ok().map(|mut kept| kept.replace(piece));
        }
    }
}

/// How many bytes of addresses this process may have, if there is a limit.
pub fn address_limit() -> Option<usize> {
    system::address_limit()
}

#[cfg(all(unix, not(miri)))]
mod system {
    use super::OutOfMemory;
    use std::ptr::{NonNull, null_mut};

    /// Arrays with guards, mapped.
    pub(super) struct Pages {
        begin: NonNull<u8>,
        size: usize,
        /// From one array to the next.
        stride: usize,
        page: usize,
    }

    /// What is not touched takes no memory away from others, where the system keeps account of that and lets a mapping say so.
    #[cfg(not(any(target_os = "freebsd", target_os = "dragonfly")))]
    const UNRESERVED: libc::c_int = libc::MAP_NORESERVE;
    #[cfg(any(target_os = "freebsd", target_os = "dragonfly"))]
    const UNRESERVED: libc::c_int = 0;

    // SAFETY: it is addresses, and what is done with them is said by whoever has an array.
    unsafe impl Send for Pages {}
    // SAFETY: as above.
    unsafe impl Sync for Pages {}

    impl Pages {
        pub(super) const CAN_BE_KEPT: bool = true;

        pub(super) fn reserve(arrays: usize, bytes: usize) -> Result<Pages, OutOfMemory> {
            let page = page_size();
            let array = bytes.checked_next_multiple_of(page).ok_or(OutOfMemory)?;
            let stride = array.checked_add(page).ok_or(OutOfMemory)?;
            let size = stride.checked_mul(arrays).and_then(|size| size.checked_add(page));
            let size = size.ok_or(OutOfMemory)?;
            let kind = libc::MAP_PRIVATE | libc::MAP_ANON | UNRESERVED;
            // SAFETY: new addresses, of which nobody knows.
            let begin = unsafe { libc::mmap(null_mut(), size, libc::PROT_NONE, kind, -1, 0) };
            let begin = NonNull::new(begin.cast()).filter(|_| begin != libc::MAP_FAILED);
            Ok(Pages { begin: begin.ok_or(OutOfMemory)?, size, stride, page })
        }

        /// Where an array begins: after its guard.
        pub(super) fn array(&self, index: usize) -> NonNull<u8> {
            // SAFETY: within the mapping.
            unsafe { self.begin.add(index * self.stride + self.page) }
        }

        /// The whole pages that the bytes of an array from one place to another are in, if the first is at hand up to `from`.
        fn range(&self, array: NonNull<u8>, from: usize, to: usize) -> (*mut libc::c_void, usize) {
            let (from, to) = (from.next_multiple_of(self.page), to.next_multiple_of(self.page));
            (array.as_ptr().wrapping_add(from).cast(), to.saturating_sub(from))
        }

        pub(super) fn extend(
            &self,
            array: NonNull<u8>,
            from: usize,
            to: usize,
        ) -> Result<(), OutOfMemory> {
            let (place, size) = self.range(array, from, to);
            let access = libc::PROT_READ | libc::PROT_WRITE;
            // SAFETY: pages of this mapping.
            match unsafe { libc::mprotect(place, size, access) } {
                0 => Ok(()),
                _ => Err(OutOfMemory),
            }
        }

        pub(super) fn give_back(&self, array: NonNull<u8>, from: usize, to: usize) {
            let (place, size) = self.range(array, from, to);
            // SAFETY: pages of this mapping, and by the caller's word nobody refers to what is there. Where the system refuses, they
            // stay as they are.
            unsafe {
                libc::madvise(place, size, libc::MADV_DONTNEED);
                libc::mprotect(place, size, libc::PROT_NONE);
            }
        }
    }

    impl Drop for Pages {
        fn drop(&mut self) {
            // SAFETY: mapped with this size; the arrays, which keep it alive, are gone.
            unsafe { libc::munmap(self.begin.as_ptr().cast(), self.size) };
        }
    }

    fn page_size() -> usize {
        // SAFETY: asks for a number.
        let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        usize::try_from(size).unwrap_or(1 << 12)
    }

    pub(super) fn address_limit() -> Option<usize> {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the limit is written to the place.
        let told = unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) };
        if told != 0 || limit.rlim_cur == libc::RLIM_INFINITY {
            return None;
        }
        Some(usize::try_from(limit.rlim_cur).unwrap_or(usize::MAX))
    }
}

/// Where there is no `mmap`, or a tool watches every byte: zeroed memory of the system's allocator, all at hand.
#[cfg(not(all(unix, not(miri))))]
mod system {
    use super::OutOfMemory;
    use std::alloc::{GlobalAlloc, Layout, System};
    use std::ptr::NonNull;

    /// The alignment of the arrays: a line of the cache, or two.
    const ALIGNMENT: usize = 128;

    /// Arrays one after the other. They are asked for with the alignment of a word: for a larger one the standard library's
    /// allocator would take dirty memory and zero it by hand, and so touch all of it.
    pub(super) struct Pages {
        begin: NonNull<u8>,
        layout: Layout,
        stride: usize,
    }

    // SAFETY: it is addresses, and what is done with them is said by whoever has an array.
    unsafe impl Send for Pages {}
    // SAFETY: as above.
    unsafe impl Sync for Pages {}

    impl Pages {
        /// The tool would take it for lost; and what is not mapped is at hand as a whole.
        pub(super) const CAN_BE_KEPT: bool = false;

        pub(super) fn reserve(arrays: usize, bytes: usize) -> Result<Pages, OutOfMemory> {
            let stride = bytes.checked_next_multiple_of(ALIGNMENT).ok_or(OutOfMemory)?;
            let size = stride.checked_mul(arrays).and_then(|size| size.checked_add(ALIGNMENT));
            let layout = Layout::from_size_align(size.ok_or(OutOfMemory)?, align_of::<usize>());
            let layout = layout.map_err(|_| OutOfMemory)?;
            // SAFETY: the layout is not empty.
            let begin = NonNull::new(unsafe { System.alloc_zeroed(layout) }).ok_or(OutOfMemory)?;
            Ok(Pages { begin, layout, stride })
        }

        pub(super) fn array(&self, index: usize) -> NonNull<u8> {
            let skip = self.begin.as_ptr().align_offset(ALIGNMENT);
            // SAFETY: there is room for the arrays and one alignment more.
            unsafe { self.begin.add(skip + index * self.stride) }
        }

        pub(super) fn extend(&self, _: NonNull<u8>, _: usize, _: usize) -> Result<(), OutOfMemory> {
            Ok(())
        }

        pub(super) fn give_back(&self, _: NonNull<u8>, _: usize, _: usize) {}
    }

    impl Drop for Pages {
        fn drop(&mut self) {
            // SAFETY: allocated with this layout; the arrays, which keep it alive, are gone.
            unsafe { System.dealloc(self.begin.as_ptr(), self.layout) };
        }
    }

    pub(super) fn address_limit() -> Option<usize> {
        None
    }
}

#[cfg(all(test, unix, not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn the_last_piece_is_kept_for_the_like_and_is_zero() {
        let reserve = |arrays| {
            // SAFETY: zero is an integer.
            let arrays = unsafe { Memory::<u64>::reserve(arrays, 5_000, 1_000, || 0) };
            arrays.unwrap().collect::<Vec<_>>()
        };
        let places = |arrays: &[Memory<u64>]| arrays.iter().map(Memory::first).collect::<Vec<_>>();
        // SAFETY: at hand, and nobody else's.
        let at = |array: &Memory<u64>, index| unsafe { array.first().add(index) };
        let mut arrays = reserve(2);
        let first = places(&arrays);
        for (used, array) in [(0, &arrays[0]), (1_000, &arrays[1])] {
            // SAFETY: as above.
            (0..used).for_each(|index| unsafe { at(array, index).write(7) });
        }
        arrays.iter_mut().for_each(|array| array.restore(|value| *value != 0));
        drop(arrays);

        let arrays = reserve(2);
        assert_eq!(places(&arrays), first);
        // SAFETY: as above.
        let is_zero = |array| (0..1_000).all(|index| unsafe { at(array, index).read() } == 0);
        assert!(arrays.iter().all(is_zero));
        // One of the two alone is not restored, so the piece goes back to the system.
        let mut arrays = arrays;
        arrays[0].restore(|value| *value != 0);
        drop(arrays);
        assert!(KEPT.lock().unwrap().is_none());
        // The like of another is given up.
        let mut one = reserve(1);
        one[0].restore(|value| *value != 0);
        drop(one);
        assert!(KEPT.lock().unwrap().is_some());
        drop(reserve(2));
        assert!(KEPT.lock().unwrap().is_none());
    }
}
