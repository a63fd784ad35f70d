//! The notice board: thieves post which slot they are about to read, so that no slot and no
//! array is used again under a reader.
//!
//! A thief reads an item only *after* it has won the item's index, so nobody ever reads an item that
//! another takes too: no speculative copy, no torn value, any `T`. What is left to settle is that
//! the owner may want the slot again, for an item one lap later, while the thief still reads. So
//! a thief posts `(array, index)` before it tries to win, and withdraws when it has read. Each handle has a notice that it
//! calls home; threads that steal through one handle at once borrow others.
//!
//! - board-1. A thief posts before it claims, with Release stores, and withdraws (Release) only after
//!   its last access to the slot.
//! - board-2. A claim is a Release read-modify-write of the queue's end, and the owner reads the board only after it
//!   read that end with Acquire. So for every index the owner sees as stolen, it sees the thief's
//!   notice or something later; and when it sees something later, the thief's reading happened before.
//! - board-3. Notices are linked in once and stay until the board goes; a handle that is dropped frees
//!   its notice for the next one. So there are never more notices than there were thieves at once, and as many
//!   more as were making a handle at once, or were stealing at once through handles that they shared.
//! - board-4. The link to the next notice in the list of free ones is the holder's until it gives the notice up, and then does
//!   not change until the notice is taken from the list again, by the one thread at a time that may take from it. So that
//!   thread, which looks at the first notice and its link and then swaps, cannot be fooled: nobody takes the first away
//!   and brings it back meanwhile.
//! - board-5. Who posts is who brings `array` from null, and it withdraws by bringing it back: so a notice is one steal's at a time,
//!   whoever calls it home. The array stands there before the index does; an owner that finds the index of an earlier steal
//!   with it holds back more than it must, and not less, as the claim comes after both (board-1, board-2).
//!
//! The owner looks at the board when it has used up the slots it knows to be free, not at each
//! push: once in a lap of the array, or after steals. It then looks at all notices, held or not.

use crossbeam_utils::CachePadded;
use lyocell_sync::{AtomicBool, AtomicPtr, AtomicUsize, Handshake, Ordering, occupy_first};
use std::ptr;

/// What one thief is about to read.
#[derive(Debug)]
pub(crate) struct Notice<A> {
    array: AtomicPtr<A>,
    index: AtomicUsize,
    /// The next of all notices, as long as the board.
    next: *const Seat<A>,
    /// The next of the free ones, if this is one (board-4).
    next_free: AtomicPtr<Seat<A>>,
}

/// A notice on a line of its own, for one thief.
pub(crate) type Seat<A> = CachePadded<Notice<A>>;

impl<A> Notice<A> {
    fn new() -> Self {
        Self {
            array: AtomicPtr::new(ptr::null_mut()),
            index: AtomicUsize::new(0),
            next: ptr::null(),
            next_free: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// Posts that `array`'s slots from `index` on may be read from now on, unless another thread has something posted here
    /// (board-5). Tells whether it did.
    #[inline]
    pub(crate) fn post(&self, array: *mut A, index: usize) -> bool {
        // Ordering: Acquire; meets the Release in `withdraw`, so that what was read by whom this follows is over.
        let free = self
            .array
            .compare_exchange(ptr::null_mut(), array, Ordering::Acquire, Ordering::Relaxed)
            .is_ok();
        if free {
            // Ordering: Release; an owner that sees it knows that the earlier reading is over.
            self.index.store(index, Ordering::Release);
        }
        free
    }

    /// Posts as [`Notice::post`], ordered before this thread's later `load_second`s.
    #[inline]
    pub(crate) fn post_first(&self, array: *mut A, index: usize) -> bool {
        // Ordering: as in `post`, in the handshake with `Board::any_reads`.
        let free = occupy_first(&self.array, array);
        if free {
            // Ordering: Release; as in `post`.
            self.index.store(index, Ordering::Release);
        }
        free
    }

    /// Posts that nothing is being read (board-1).
    #[inline]
    fn withdraw(&self) {
        // Ordering: Release; meets the Acquire loads of the owner, which may then reuse the slot.
        self.array.store(ptr::null_mut(), Ordering::Release);
    }
}

/// Something that is posted, and withdrawn where this is dropped: the last that a steal does (board-1).
#[derive(Debug)]
pub(crate) struct Posted<'a, A>(&'a Notice<A>);

impl<A> Drop for Posted<'_, A> {
    #[inline]
    fn drop(&mut self) {
        self.0.withdraw();
    }
}

/// All thieves' notices.
#[derive(Debug)]
pub(crate) struct Board<A> {
    first: AtomicPtr<Seat<A>>,
    first_free: AtomicPtr<Seat<A>>,
    /// Whether a thread is taking from the list of free ones (board-4).
    taking: AtomicBool,
}

impl<A> Board<A> {
    /// A board with no notices.
    pub(crate) fn new() -> Self {
        let none = || AtomicPtr::new(ptr::null_mut());
        Self { first: none(), first_free: none(), taking: AtomicBool::new(false) }
    }

    /// A notice for one more thief. It lives as long as the board.
    pub(crate) fn seat(&self) -> *const Seat<A> {
        self.take_free().unwrap_or_else(|| self.link_in(Notice::new()))
    }

    /// Posts something, on the notice at `home` as a rule, on another if a thread that shares the handle has something
    /// posted there. `post` tells what it has posted, or nothing if the notice is in use.
    ///
    /// # Safety
    /// `home` must be of this board.
    #[inline]
    pub(crate) unsafe fn post<P>(
        &self,
        home: *const Seat<A>,
        post: impl Fn(&Notice<A>) -> Option<P>,
    ) -> (Posted<'_, A>, P) {
        // SAFETY: the caller's word, and board-3.
        let notice: &Notice<A> = unsafe { &*home };
        match post(notice) {
            Some(what) => (Posted(notice), what),
            None => self.post_elsewhere(post),
        }
    }

    #[cold]
    #[inline(never)]
    fn post_elsewhere<P>(&self, post: impl Fn(&Notice<A>) -> Option<P>) -> (Posted<'_, A>, P) {
        loop {
            for notice in self.notices() {
                if let Some(what) = post(notice) {
                    return (Posted(notice), what);
                }
            }
            // All are in use: one more, which is to be the home of the next handle.
            let more = self.link_in(Notice::new());
            // SAFETY: just linked in, and nobody else has it yet.
            unsafe { self.vacate(more) };
        }
    }

    /// A notice that another thief gave up; none if somebody else is taking one now.
    fn take_free(&self) -> Option<*const Seat<A>> {
        // Ordering: Acquire; meets the Release of who took before.
        if self.taking.swap(true, Ordering::Acquire) {
            return None;
        }
        // Ordering: Acquire, here and when the swap below fails; meets the Release in `vacate`, for the link.
        let mut first = self.first_free.load(Ordering::Acquire);
        let taken = loop {
            // SAFETY: board-3.
            let Some(notice) = (unsafe { first.as_ref() }) else { break None };
            // Ordering: Relaxed; as it was written before the Release that made it the first (board-4).
            let next = notice.next_free.load(Ordering::Relaxed);
            // That it is still the first means that it was all the time (board-4). Ordering: Relaxed on success; the look read
            // the same store, with Acquire.
            match self.first_free.compare_exchange(
                first,
                next,
                Ordering::Relaxed,
                Ordering::Acquire,
            ) {
                Ok(_) => break Some(first.cast_const()),
                Err(other) => first = other,
            }
        };
        // Ordering: Release; meets the Acquire of who takes next.
        self.taking.store(false, Ordering::Release);
        taken
    }

    /// Gives a notice up for another thief.
    ///
    /// # Safety
    /// It must be of this board, and held by the caller, who does not use it any more.
    pub(crate) unsafe fn vacate(&self, seat: *const Seat<A>) {
        // SAFETY: board-3.
        let notice = unsafe { &*seat };
        // Ordering: Relaxed; the swap says whether it is true.
        let mut first = self.first_free.load(Ordering::Relaxed);
        loop {
            // Ordering: Relaxed; the Release below comes after it. The link is the caller's (board-4).
            notice.next_free.store(first, Ordering::Relaxed);
            // A first that went and came back is as good: what this notice is put before is the list that is there.
            // Ordering: Release; meets the Acquire in `take_free`, also through what is put before it later.
            match self.first_free.compare_exchange(
                first,
                seat.cast_mut(),
                Ordering::Release,
                Ordering::Relaxed,
            ) {
                Ok(_) => return,
                Err(other) => first = other,
            }
        }
    }

    /// Adds to all notices.
    fn link_in(&self, notice: Notice<A>) -> *const Seat<A> {
        let mut seat = Box::new(CachePadded::new(notice));
        // Ordering: Acquire; meets the Release below, for the notices behind this one.
        let mut first = self.first.load(Ordering::Acquire);
        loop {
            seat.next = first;
            let linked = Box::into_raw(seat);
            // A first that is still the same has the same behind it: nothing is ever unlinked (board-3).
            // Ordering: Release publishes the notice to `notices`; what is behind it was acquired with `first`, above or
            // by a try that failed. SeqCst, for it comes before this thief's part in the handshake of `any_reads`.
            match self.first.compare_exchange(first, linked, Ordering::SeqCst, Ordering::Acquire) {
                Ok(_) => return linked,
                Err(other) => first = other,
            }
            // SAFETY: boxed just above, and not linked in, so nobody else has it.
            seat = unsafe { Box::from_raw(linked) };
        }
    }

    /// All notices, held or not.
    fn notices(&self) -> impl Iterator<Item = &Seat<A>> {
        // Ordering: Acquire; meets the Release with which `link_in` linked the notice in. Also the handshake of `any_reads`:
        // who posted something before that, had its notice linked in before.
        let mut at = self.first.load_second().cast_const();
        std::iter::from_fn(move || {
            // SAFETY: board-3; linked-in notices live as long as the board.
            let notice = unsafe { at.as_ref() }?;
            at = notice.next;
            Some(notice)
        })
    }

    /// How many notices there are, held or not.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.notices().count()
    }

    /// The indices whose slots in `array` may be being read.
    ///
    /// Complete for every index whose claim the owner has seen (board-2). Of a batch it is the first, and the owner, which
    /// reuses slots in their order, comes to none of the others before.
    pub(crate) fn read_in(&self, array: *const A) -> impl Iterator<Item = usize> {
        self.notices()
            // Ordering: Acquire; meets the Releases of `post` and `withdraw`, those also through the swaps of later posts. The
            // array is read first: an index that is newer than it belongs to a later claim, so the older reading is over.
            .filter(move |notice| ptr::eq(notice.array.load(Ordering::Acquire), array))
            .map(|notice| notice.index.load(Ordering::Acquire))
    }

    /// Whether `array` may be being read, by a thief that used [`Notice::post_first`].
    ///
    /// The owner has stored another array before. It looks by swaps of a value for itself: whoever posts after that, or links a
    /// notice in, follows these swaps by one of its own, and so finds that array when it looks again.
    pub(crate) fn any_reads(&self, array: *const A) -> bool {
        latest(&self.first);
        self.notices().any(|notice| ptr::eq(latest(&notice.array), array))
    }
}

/// The latest value of a word, by a swap of it for itself.
fn latest<A>(word: &AtomicPtr<A>) -> *mut A {
    // Ordering: Relaxed; the swap says whether it is true.
    let mut seen = word.load(Ordering::Relaxed);
    loop {
        // What was away and came back is the latest all the same.
        // Ordering: AcqRel; meets `withdraw`, and the swaps of whoever posts or links in later.
        match word.compare_exchange(seen, seen, Ordering::AcqRel, Ordering::Relaxed) {
            Ok(_) => return seen,
            Err(other) => seen = other,
        }
    }
}

impl<A> Drop for Board<A> {
    #[inline(never)]
    fn drop(&mut self) {
        // Ordering: Relaxed; nobody else has the board any more.
        let mut at = self.first.load(Ordering::Relaxed);
        while !at.is_null() {
            // SAFETY: board-3; each notice was boxed in `seat` and linked in once.
            let notice = unsafe { Box::from_raw(at) };
            at = notice.next.cast_mut();
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_up_is_taken_again() {
        let board = Board::<u32>::new();
        for _ in 0..100 {
            for seat in [board.seat(), board.seat()] {
                // SAFETY: it is of this board, and not used any more.
                unsafe { board.vacate(seat) };
            }
        }
        assert_eq!(board.len(), 2);
    }
}
