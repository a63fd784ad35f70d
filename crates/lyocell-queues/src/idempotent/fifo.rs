//! The ends of the idempotent FIFO queue: a head that everybody moves and a tail that the owner moves.
//!
//! ```text
//!        head             tail
//!   gone | the items      | free
//! ```
//! No tag. A slot is overwritten by a push that saw its index before `head`. From then on `head` never goes
//! back to that index: only the owner's take can lower it, to one more than the owner saw at that
//! take, and what the owner sees never falls. So a swap that expects the index fails for good.
//! (On a 32-bit machine, unless a thief sleeps through exactly 2^32 items.)

use super::{Ends, sealed};
use crate::index::{FIRST, distance};
use crate::queue::End;
use crossbeam_utils::CachePadded;
use lyocell_sync::{AtomicUsize, Ordering, Overwrite};

/// The ends of [`IdempotentFifo`](crate::IdempotentFifo).
#[derive(Debug)]
pub struct FifoEnds {
    head: CachePadded<AtomicUsize>,
    tail: CachePadded<AtomicUsize>,
}

/// One look at both ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FifoView {
    head: usize,
    len: usize,
}

impl FifoView {
    #[inline(always)]
    fn new(head: usize, tail: usize) -> Self {
        // A thief may find an older tail than its head; then there is nothing for it.
        Self { head, len: distance(head, tail).max(0) as usize }
    }
}

impl Ends for FifoEnds {}

impl sealed::Ends for FifoEnds {
    type View = FifoView;
    const MAX_LEN: usize = isize::MAX as usize;
    const TAKES: End = End::Old;
    const STEALS: End = End::Old;

    fn new() -> Self {
        let end = || CachePadded::new(AtomicUsize::new(FIRST));
        Self { head: end(), tail: end() }
    }

    #[inline(always)]
    fn view(&self) -> FifoView {
        // Ordering: Relaxed, both; the tail is the owner's own. A thief that reads a slot written after this
        // look also sees the head looked at (plain-1).
        FifoView::new(self.head.load(Ordering::Relaxed), self.tail.load(Ordering::Relaxed))
    }

    #[inline(always)]
    fn look(&self) -> FifoView {
        // Ordering: Relaxed; a head that is older than it could be makes the swap fail, one that is newer
        // than the tail hides items.
        let head = self.head.load(Ordering::Relaxed);
        // Ordering: Acquire; meets the Release in `pushed`, for the items before the tail.
        FifoView::new(head, self.tail.load(Ordering::Acquire))
    }

    #[inline(always)]
    fn len(view: FifoView) -> usize {
        view.len
    }

    #[inline(always)]
    fn index(view: FifoView, place: usize) -> usize {
        view.head.wrapping_add(place)
    }

    #[inline(always)]
    fn taken_place(_: FifoView) -> usize {
        0
    }

    #[inline(always)]
    fn stolen_place(_: FifoView, nth: usize) -> usize {
        nth
    }

    #[inline(always)]
    fn pushed(&self, view: FifoView) {
        // Ordering: Release; meets the Acquire in `look`.
        self.tail.store(view.head.wrapping_add(view.len + 1), Ordering::Release);
    }

    #[inline(always)]
    fn taken(&self, view: FifoView) {
        // Ordering: Relaxed; it hands nothing over, and a thief that reads a slot written later sees it (plain-1).
        self.head.overwrite(view.head.wrapping_add(1), Ordering::Relaxed);
    }

    #[inline(always)]
    fn stolen(&self, view: FifoView, count: usize) -> bool {
        // A head that is the same may have been away, by a take of the owner that set it back; but not after a slot from
        // there on was overwritten (module docs).
        // Ordering: Relaxed; it hands nothing over. That it does not succeed on overwritten slots: plain-1.
        self.head
            .compare_exchange(
                view.head,
                view.head.wrapping_add(count),
                Ordering::Relaxed,
                Ordering::Relaxed,
            )
            .is_ok()
    }
}
