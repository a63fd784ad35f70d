//! The ends of the idempotent LIFO queue: one anchor, the tail and a tag.
//!
//! ```text
//!   0             tail
//!   | the items   | free
//! ```
//! Everybody works at the tail. A slot below the tail a thief saw is overwritten only by a push, and every push
//! changes the tag: the anchor never has that value again. Without a push between, the anchor may
//! return (the owner stores over steals), and then the items are the same too.

use super::{Ends, sealed};
use crate::index::tagged::{Tag, Tagged, Wide};
use crate::queue::End;
use crossbeam_utils::CachePadded;
use lyocell_sync::{AtomicWord, Ordering, Overwrite};

/// The ends of [`IdempotentLifo`](crate::IdempotentLifo).
#[derive(Debug)]
pub struct LifoEnds<const TAG_BITS: u32> {
    anchor: CachePadded<AtomicWord>,
}

impl<const TAG_BITS: u32> Ends for LifoEnds<TAG_BITS> where Tag<TAG_BITS>: Wide {}

impl<const TAG_BITS: u32> sealed::Ends for LifoEnds<TAG_BITS> {
    type View = Tagged<TAG_BITS>;
    const MAX_LEN: usize = Tagged::<TAG_BITS>::MAX_INDEX;
    const TAKES: End = End::Young;
    const STEALS: End = End::Young;

    fn new() -> Self {
        let anchor = Tagged::<TAG_BITS> { index: 0, tag: 0 };
        Self { anchor: CachePadded::new(AtomicWord::new(anchor.pack())) }
    }

    #[inline(always)]
    fn view(&self) -> Tagged<TAG_BITS> {
        // Ordering: Relaxed; the items are the owner's own, and a thief that reads a slot written after
        // this look also sees what was looked at (plain-1).
        Tagged::unpack(self.anchor.load(Ordering::Relaxed))
    }

    #[inline(always)]
    fn look(&self) -> Tagged<TAG_BITS> {
        // Ordering: Acquire; meets the owner's Release stores, also through other thieves' swaps.
        Tagged::unpack(self.anchor.load(Ordering::Acquire))
    }

    #[inline(always)]
    fn len(view: Tagged<TAG_BITS>) -> usize {
        view.index
    }

    #[inline(always)]
    fn index(_: Tagged<TAG_BITS>, place: usize) -> usize {
        place
    }

    #[inline(always)]
    fn taken_place(view: Tagged<TAG_BITS>) -> usize {
        view.index - 1
    }

    #[inline(always)]
    fn stolen_place(view: Tagged<TAG_BITS>, nth: usize) -> usize {
        view.index - 1 - nth
    }

    #[inline(always)]
    fn pushed(&self, view: Tagged<TAG_BITS>) {
        let anchor = view.with_index(view.index + 1).retag();
        // Ordering: Release; meets the Acquire in `look`.
        self.anchor.overwrite(anchor.pack(), Ordering::Release);
    }

    #[inline(always)]
    fn taken(&self, view: Tagged<TAG_BITS>) {
        let anchor = view.with_index(view.index - 1);
        // Ordering: Release; meets the Acquire in `look`, for the items that are left.
        self.anchor.overwrite(anchor.pack(), Ordering::Release);
    }

    #[inline(always)]
    fn stolen(&self, view: Tagged<TAG_BITS>, count: usize) -> bool {
        let anchor = view.with_index(view.index - count);
        // An anchor that is the same may have been away: without a push its items are the same too, and pushes
        // change the tag (module docs), short of a multiple of 2^TAG_BITS of them.
        // Ordering: Relaxed; it hands nothing over, and as a read-modify-write it carries the
        // owner's Release on to the next thief. That it does not succeed on overwritten slots: plain-1.
        self.anchor
            .compare_exchange(view.pack(), anchor.pack(), Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
    }
}
