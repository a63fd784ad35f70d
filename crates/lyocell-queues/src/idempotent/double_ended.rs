//! The ends of the idempotent double-ended queue: one anchor, the head, the size and a tag.
//!
//! ```text
//!        head           head + size
//!   gone | the items    | free
//! ```
//! Thieves work at the head, the owner at the other end. As in the LIFO queue, a slot the anchor includes is
//! overwritten only by a push, after the anchor excluded it; every push changes the tag.

use super::{Ends, sealed};
use crate::index::FIRST;
use crate::index::anchor::{Anchor, TAG_BITS};
use crate::queue::End;
use crossbeam_utils::CachePadded;
use lyocell_sync::{AtomicWord, Ordering, Overwrite};

/// The ends of [`IdempotentDoubleEnded`](crate::IdempotentDoubleEnded).
#[derive(Debug)]
pub struct DoubleEndedEnds {
    anchor: CachePadded<AtomicWord>,
}

impl Ends for DoubleEndedEnds {}

impl sealed::Ends for DoubleEndedEnds {
    type View = Anchor<TAG_BITS>;
    const MAX_LEN: usize = Anchor::<TAG_BITS>::MAX_SIZE;
    const TAKES: End = End::Young;
    const STEALS: End = End::Old;

    fn new() -> Self {
        // The head starts just short of wrap-around, as `FIRST` does.
        let anchor = Anchor::<TAG_BITS>::empty(FIRST);
        Self { anchor: CachePadded::new(AtomicWord::new(anchor.pack())) }
    }

    #[inline(always)]
    fn view(&self) -> Self::View {
        // Ordering: Relaxed; as in the LIFO queue.
        Anchor::unpack(self.anchor.load(Ordering::Relaxed))
    }

    #[inline(always)]
    fn look(&self) -> Self::View {
        // Ordering: Acquire; meets the owner's Release stores, also through other thieves' swaps.
        Anchor::unpack(self.anchor.load(Ordering::Acquire))
    }

    #[inline(always)]
    fn len(view: Self::View) -> usize {
        view.size
    }

    #[inline(always)]
    fn index(view: Self::View, place: usize) -> usize {
        view.head.wrapping_add(place)
    }

    #[inline(always)]
    fn taken_place(view: Self::View) -> usize {
        view.size - 1
    }

    #[inline(always)]
    fn stolen_place(_: Self::View, nth: usize) -> usize {
        nth
    }

    #[inline(always)]
    fn pushed(&self, view: Self::View) {
        // Ordering: Release; meets the Acquire in `look`.
        self.anchor.overwrite(view.grown().pack(), Ordering::Release);
    }

    #[inline(always)]
    fn taken(&self, view: Self::View) {
        // Ordering: Release; meets the Acquire in `look`, for the items that are left.
        self.anchor.overwrite(view.cut().pack(), Ordering::Release);
    }

    #[inline(always)]
    fn stolen(&self, view: Self::View, count: usize) -> bool {
        let rest = view.advanced(count);
        // An anchor that is the same may have been away: without a push its items are the same too, and pushes
        // change the tag, short of a multiple of 2^TAG_BITS of them.
        // Ordering: Relaxed; as in the LIFO queue.
        self.anchor
            .compare_exchange(view.pack(), rest.pack(), Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
    }
}
