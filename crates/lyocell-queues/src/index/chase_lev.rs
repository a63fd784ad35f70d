//! Chase and Lev's index protocol: two counters that say whose an index is.
//!
//! ```text
//!        top               bottom
//!   gone | the queue's items | not pushed yet
//! ```
//! - index/chase_lev-1. `top` never decreases; it is moved only by compare-and-swap, from `i` to `i + 1`, or further where
//!   index/chase_lev-4 allows it.
//! - index/chase_lev-2. Only the owner moves `bottom`.
//! - index/chase_lev-3. An index belongs to whoever moves `top` past it, or to the owner that moved `bottom` below
//!   it and then saw `top` strictly before it.
//!
//! - index/chase_lev-4. Where the owner takes nothing but by a claim, `bottom` never decreases, and several indices can be
//!   claimed at once: those from `top` to a `bottom` that was seen after it.
//!
//! That index/chase_lev-4 gives no index to two: an index is claimed by the one compare-and-swap that moves `top` past it, and
//! all that lies before a `bottom` that was seen has been pushed, for `bottom` was never higher than it is now.
//!
//! That index/chase_lev-3 gives no index to two. Let the owner have lowered `bottom` to `i` (store S) and then read
//! a `top` before `i` (load L), and let a thief move `top` from `i` to `i + 1` after it read
//! `top = i` (load M) and `bottom > i` (load N). Some compare-and-swap W made `top` equal `i`. L read
//! an earlier value, so L comes before W in the single order of `SeqCst` accesses; M read from W
//! (or later), so W comes before M; S before L and M before N by program order. So S before N, and N
//! sees S or a later store: either `bottom <= i`, a contradiction, or a `bottom` the owner raised
//! again by pushing a new item at `i`, and that item is the thief's by right.
//!
//! A claim expects the `top` that the thief saw; that it is the same must mean that it was so all the time, which is
//! index/chase_lev-1, if `top` does not come round. It counts in a word of 64 bits where the machine has such
//! atomics, also where an index has 32; the index is its lower part. Where there are none (some small 32-bit
//! processors), a thief that is held up between its look and its claim while exactly a multiple of 2^32 items
//! are stolen, or taken as the last, is fooled: no width of two words that are compared and swapped apart helps against it.
//!
//! Orderings: S, L, M, N, W are the handshake of [`lyocell_sync::Handshake`]. `publish` is Release and N
//! Acquire, so a thief sees what was pushed. A successful claim is Release, and the owner's
//! `top` Acquire: what a thief did before its claim happens before what the owner does on seeing it.
//!
//! Source: Chase and Lev, SPAA 2005, Figure 2; orderings as in Lê et al., PPoPP 2013, with
//! `SeqCst` accesses in place of fences.

use super::distance;
use crossbeam_utils::CachePadded;
use lyocell_sync::{AtomicUsize, AtomicWord, Handshake, Ordering, Word};

/// The two ends of a Chase-Lev queue.
#[derive(Debug)]
pub struct Ends {
    /// Counts on where an index comes round; an index is what fits into one.
    top: CachePadded<AtomicWord>,
    bottom: CachePadded<AtomicUsize>,
}

/// What the owner got by [`Ends::retract`].
#[derive(Debug, PartialEq, Eq)]
pub enum Retract {
    /// The index is the owner's, and so many items are left below it.
    Free { left: usize },
    /// The index was the last one and the owner won it; the queue is empty and `bottom` is back
    /// where it was.
    Last,
    /// The index was the last one and a thief won it; `bottom` is back where it was.
    Lost,
    /// There was nothing; `bottom` is back where it was.
    Gone,
}

/// What a thief sees.
#[derive(Debug, PartialEq, Eq)]
pub struct Sight {
    /// The oldest index.
    pub index: usize,
    /// How many items there were, at least one.
    pub len: usize,
    /// The `top` that a claim expects; the index is its lower part.
    top: Word,
}

impl Ends {
    /// Both ends at `first`.
    pub fn new(first: usize) -> Self {
        Self {
            top: CachePadded::new(AtomicWord::new(first as Word)),
            bottom: CachePadded::new(AtomicUsize::new(first)),
        }
    }

    /// The owner pushes: everything before `bottom` can be stolen from now on (index/chase_lev-2).
    #[inline(always)]
    pub fn publish(&self, bottom: usize) {
        // Ordering: Release; meets the load of `bottom` in `look`.
        self.bottom.store(bottom, Ordering::Release);
    }

    /// The owner takes `index`, which must be the one before `bottom`, if it is not the last: whether it was.
    /// If not, [`Ends::retract`] has to follow.
    #[inline(always)]
    pub fn retract_unless_last(&self, index: usize) -> bool {
        distance(self.lower(index) as usize, index) > 0
    }

    /// Lowers `bottom` to `index`, and tells the `top` then.
    #[inline(always)]
    fn lower(&self, index: usize) -> Word {
        // Ordering: handshake with `look` (S and L of the module docs); Acquire meets claims.
        self.bottom.store_first(index);
        self.top.load_second()
    }

    /// The owner takes `index`, which must be the one before `bottom`.
    #[inline(always)]
    pub fn retract(&self, index: usize) -> Retract {
        // Ordering: Relaxed; only a hint that spares an empty queue the stores. `top` never
        // decreases, so an index it has passed is gone for good.
        if distance(self.top.load(Ordering::Relaxed) as usize, index) < 0 {
            return Retract::Gone;
        }
        let top = self.lower(index);
        let left = distance(top as usize, index);
        if left > 0 { Retract::Free { left: left as usize } } else { self.contend(index, top) }
    }

    /// The rest of `retract` for the last index, or one that was just stolen.
    #[inline]
    fn contend(&self, index: usize, top: Word) -> Retract {
        // Ordering: SeqCst, for it may be the W of the module docs; on failure Relaxed is
        // enough, for the owner then touches no slot.
        let claim = || {
            self.top.compare_exchange(top, next(top), Ordering::SeqCst, Ordering::Relaxed).is_ok()
        };
        let end = if top as usize != index {
            Retract::Gone
        } else if claim() {
            Retract::Last
        } else {
            Retract::Lost
        };
        // Ordering: Relaxed; `top` is past `index`, so a thief that sees this `bottom` finds nothing, or
        // has an older `top` and fails to claim.
        self.bottom.store(index.wrapping_add(1), Ordering::Relaxed);
        end
    }

    /// The first index not stolen yet, as the owner sees it.
    pub fn top(&self) -> usize {
        // Ordering: Acquire; meets the Release of each claim that moved `top` this far.
        self.top.load(Ordering::Acquire) as usize
    }

    /// How many indices there seem to be between the ends: a hint.
    #[inline]
    pub fn len_seen(&self) -> usize {
        // Ordering: Relaxed, both; a hint, or ordered by the caller's fences.
        let top = self.top.load(Ordering::Relaxed) as usize;
        distance(top, self.bottom.load(Ordering::Relaxed)).max(0) as usize
    }

    /// What there is to steal. `None` when nothing.
    #[inline]
    pub fn look(&self) -> Option<Sight> {
        // Ordering: handshake with `retract` (M and N of the module docs).
        let top = self.top.load_first();
        let index = top as usize;
        let len = distance(index, self.bottom.load_second());
        (len > 0).then_some(Sight { index, len: len as usize, top })
    }

    /// A thief claims the oldest index that it saw by [`Ends::look`], and learns whether it won. `top` moves in no other way
    /// (index/chase_lev-1).
    #[inline]
    pub fn claim(&self, sight: &Sight) -> bool {
        self.advance(sight, next(sight.top))
    }

    /// Claims the `count` oldest indices, no more than were seen, where the owner takes nothing but by this
    /// (index/chase_lev-4). Learns whether it won.
    #[inline]
    pub(crate) fn claim_some(&self, sight: &Sight, count: usize) -> bool {
        debug_assert!((1..=sight.len).contains(&count));
        self.advance(sight, sight.top.wrapping_add(count as Word))
    }

    #[inline(always)]
    fn advance(&self, sight: &Sight, to: Word) -> bool {
        // Ordering: SeqCst, the W of the module docs; Release in it meets the Acquire of the owner's
        // loads of `top`. Failure gives nothing, so Relaxed.
        self.top.compare_exchange(sight.top, to, Ordering::SeqCst, Ordering::Relaxed).is_ok()
    }
}

#[inline(always)]
fn next(top: Word) -> Word {
    top.wrapping_add(1)
}

#[cfg(all(test, not(loom), target_pointer_width = "32", target_has_atomic = "64"))]
mod tests {
    use super::{AtomicWord, CachePadded, Ends, Retract, Word};

    const LAP: Word = 1 << usize::BITS;

    /// As many items as there are indices were stolen since the thief's look: `top` is at the same index.
    #[test]
    fn a_look_is_out_of_date_when_the_index_has_come_round() {
        let mut ends = Ends::new(7);
        ends.publish(8);
        let sight = ends.look().expect("one item");
        ends.top = CachePadded::new(AtomicWord::new(7 + LAP));
        assert_eq!(ends.look().expect("one item").index, sight.index);
        assert!(!ends.claim(&sight));
        assert_eq!(ends.retract(7), Retract::Last);
        assert_eq!((ends.top(), ends.look()), (8, None));
        assert_eq!(ends.top.into_inner().into_inner(), 8 + LAP);
    }
}
