//! The notice board: thieves post which slot they are about to read, so that no slot and no
//! array is used again under a reader.
//!
//! A thief reads an item only *after* it has won the item's index, so nobody ever reads an item that
//! another takes too: no speculative copy, no torn value, any `T`. What is left to settle is that
//! the owner may want the slot again, for an item one lap later, while the thief still reads. So
//! a thief posts `(array, index)` before it tries to win, and withdraws when it has read.
//!
//! - board-1. A thief posts before it claims, with Release stores, and withdraws (Release) only after
//!   its last access to the slot.
//! - board-2. A claim is a Release read-modify-write of the queue's end, and the owner reads the board only after it
//!   read that end with Acquire. So for every index the owner sees as stolen, it sees the thief's
//!   notice or something later; and when it sees something later, the thief's reading happened before.
//! - board-3. Notices are linked in once and stay until the board goes; a handle that is dropped frees
//!   its notice for the next one. So there are never more notices than there were thieves at once.
//!
//! The owner looks at the board when it has used up the slots it knows to be free, not at each
//! push: once in a lap of the array, or after steals.

use crate::sync::{AtomicBool, AtomicPtr, AtomicUsize, Handshake, Ordering};
use crossbeam_utils::CachePadded;
use std::ptr;

/// What one thief is about to read.
#[derive(Debug)]
pub(crate) struct Notice<A> {
    array: AtomicPtr<A>,
    index: AtomicUsize,
    held: AtomicBool,
    next: *const CachePadded<Notice<A>>,
}

impl<A> Notice<A> {
    fn new() -> Self {
        Self {
            array: AtomicPtr::new(ptr::null_mut()),
            index: AtomicUsize::new(0),
            held: AtomicBool::new(true),
            next: ptr::null(),
        }
    }

    /// Posts that `array`'s slot for `index` may be read from now on.
    #[inline]
    pub(crate) fn post(&self, array: *mut A, index: usize) {
        // Ordering: Release, both; an owner that sees them knows this thief's earlier reading is over.
        self.index.store(index, Ordering::Release);
        self.array.store(array, Ordering::Release);
    }

    /// Posts as [`Notice::post`], ordered before this thread's later `load_second`s.
    #[inline]
    pub(crate) fn post_first(&self, array: *mut A, index: usize) {
        // Ordering: Release as in `post`; then the handshake with `Board::any_reads`.
        self.index.store(index, Ordering::Release);
        self.array.store_first(array);
    }

    /// Posts that nothing is being read: the last that a steal does (board-1).
    #[inline]
    pub(crate) fn withdraw(&self) {
        // Ordering: Release; meets the Acquire loads of the owner, which may then reuse the slot.
        self.array.store(ptr::null_mut(), Ordering::Release);
    }

    /// Gives the notice up for another thief.
    pub(crate) fn vacate(&self) {
        // Ordering: Release; meets the Acquire of the next holder's exchange in `Board::seat`.
        self.held.store(false, Ordering::Release);
    }
}

/// All thieves' notices.
#[derive(Debug)]
pub(crate) struct Board<A> {
    first: AtomicPtr<CachePadded<Notice<A>>>,
}

impl<A> Board<A> {
    /// A board with no notices.
    pub(crate) fn new() -> Self {
        Self { first: AtomicPtr::new(ptr::null_mut()) }
    }

    /// A notice for one more thief. It lives as long as the board.
    pub(crate) fn seat(&self) -> *const CachePadded<Notice<A>> {
        let free = self.notices().find(|notice| {
            // Ordering: Acquire; meets the Release in `vacate`. Failure: nothing taken, Relaxed.
            notice.held.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok()
        });
        if let Some(notice) = free {
            return notice;
        }
        let mut notice = Box::new(CachePadded::new(Notice::new()));
        // Ordering: Acquire; meets the Release below, for the notices behind this one.
        let mut first = self.first.load(Ordering::Acquire);
        loop {
            notice.next = first;
            let linked = Box::into_raw(notice);
            // Ordering: Release publishes the notice to `notices`; what is behind it was acquired with `first`, above or
            // by a try that failed (board-3).
            match self.first.compare_exchange(first, linked, Ordering::Release, Ordering::Acquire) {
                Ok(_) => return linked,
                Err(other) => first = other,
            }
            // SAFETY: boxed just above, and not linked in, so nobody else has it.
            notice = unsafe { Box::from_raw(linked) };
        }
    }

    /// All notices, held or not.
    fn notices(&self) -> impl Iterator<Item = &CachePadded<Notice<A>>> {
        // Ordering: Acquire; meets the Release with which `seat` linked the notice in.
        let mut at = self.first.load(Ordering::Acquire).cast_const();
        std::iter::from_fn(move || {
            // SAFETY: board-3; linked-in notices live as long as the board.
            let notice = unsafe { at.as_ref() }?;
            at = notice.next;
            Some(notice)
        })
    }

    /// The indices whose slots in `array` may be being read.
    ///
    /// Complete for every index whose claim the owner has seen (board-2).
    pub(crate) fn read_in(&self, array: *const A) -> impl Iterator<Item = usize> {
        self.notices()
            // Ordering: Acquire; meets the Releases of `post` and `withdraw`. The array is read first: an index
            // that is newer than it belongs to a later claim, so the older reading is over.
            .filter(move |notice| ptr::eq(notice.array.load(Ordering::Acquire), array))
            .map(|notice| notice.index.load(Ordering::Acquire))
    }

    /// Whether `array` may be being read, by a thief that used [`Notice::post_first`].
    pub(crate) fn any_reads(&self, array: *const A) -> bool {
        // Ordering: the handshake with `post_first`; also Acquire, meets `withdraw`.
        self.notices().any(|notice| ptr::eq(notice.array.load_second(), array))
    }
}

impl<A> Drop for Board<A> {
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
