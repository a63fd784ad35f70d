//! Chase and Lev's index protocol: two counters that say whose an index is.
//!
//! ```text
//!        top               bottom
//!   gone | the queue's items | not pushed yet
//! ```
//! - index/chase_lev-1. `top` never decreases; it is moved only by compare-and-swap from `i` to `i + 1`.
//! - index/chase_lev-2. Only the owner moves `bottom`.
//! - index/chase_lev-3. An index belongs to whoever moves `top` past it, or to the owner that moved `bottom` below
//!   it and then saw `top` strictly before it.
//!
//! That index/chase_lev-3 gives no index to two. Let the owner have lowered `bottom` to `i` (store S) and then read
//! a `top` before `i` (load L), and let a thief move `top` from `i` to `i + 1` after it read
//! `top = i` (load M) and `bottom > i` (load N). Some compare-and-swap W made `top` equal `i`. L read
//! an earlier value, so L comes before W in the single order of `SeqCst` accesses; M read from W
//! (or later), so W comes before M; S before L and M before N by program order. So S before N, and N
//! sees S or a later store: either `bottom <= i`, a contradiction, or a `bottom` the owner raised
//! again by pushing a new item at `i`, and that item is the thief's by right.
//!
//! Orderings: S, L, M, N, W are the handshake of [`crate::sync`]. `publish` is Release and N
//! Acquire, so a thief sees what was pushed. A successful claim is Release, and the owner's
//! `top` Acquire: what a thief did before its claim happens before what the owner does on seeing it.
//!
//! Source: Chase and Lev, SPAA 2005, Figure 2; orderings as in Lê et al., PPoPP 2013, with
//! `SeqCst` accesses in place of fences.

use super::distance;
use crate::sync::{AtomicUsize, Handshake, Ordering};
use crossbeam_utils::CachePadded;

/// The two ends of a Chase-Lev queue.
#[derive(Debug)]
pub struct Ends {
    top: CachePadded<AtomicUsize>,
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
}

impl Ends {
    /// Both ends at `first`.
    pub fn new(first: usize) -> Self {
        let end = || CachePadded::new(AtomicUsize::new(first));
        Self { top: end(), bottom: end() }
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
        self.lower(index) > 0
    }

    /// Lowers `bottom` to `index`, and tells how many items are left below it.
    #[inline(always)]
    fn lower(&self, index: usize) -> isize {
        // Ordering: handshake with `look` (S and L of the module docs); Acquire meets claims.
        self.bottom.store_first(index);
        distance(self.top.load_second(), index)
    }

    /// The owner takes `index`, which must be the one before `bottom`.
    #[inline(always)]
    pub fn retract(&self, index: usize) -> Retract {
        // Ordering: Relaxed; only a hint that spares an empty queue the stores. `top` never
        // decreases, so an index it has passed is gone for good.
        if distance(self.top.load(Ordering::Relaxed), index) < 0 {
            return Retract::Gone;
        }
        let left = self.lower(index);
        if left > 0 { Retract::Free { left: left as usize } } else { self.contend(index, left) }
    }

    /// The rest of `retract` for the last index, or one that was just stolen.
    #[inline]
    fn contend(&self, index: usize, left: isize) -> Retract {
        let next = index.wrapping_add(1);
        // Ordering: SeqCst, for it may be the W of the module docs; on failure Relaxed is
        // enough, for the owner then touches no slot.
        let claim = || self.top.compare_exchange(index, next, Ordering::SeqCst, Ordering::Relaxed);
        let end = if left != 0 {
            Retract::Gone
        } else if claim().is_ok() {
            Retract::Last
        } else {
            Retract::Lost
        };
        // Ordering: Relaxed; `top` is past `index`, so a thief that sees this `bottom` finds nothing, or
        // has an older `top` and fails to claim.
        self.bottom.store(next, Ordering::Relaxed);
        end
    }

    /// The first index not stolen yet, as the owner sees it.
    pub fn top(&self) -> usize {
        // Ordering: Acquire; meets the Release of each claim that moved `top` this far.
        self.top.load(Ordering::Acquire)
    }

    /// How many indices there seem to be between the ends: a hint.
    #[inline]
    pub fn len_seen(&self) -> usize {
        // Ordering: Relaxed, both; a hint, or ordered by the caller's fences.
        let top = self.top.load(Ordering::Relaxed);
        distance(top, self.bottom.load(Ordering::Relaxed)).max(0) as usize
    }

    /// What there is to steal. `None` when nothing.
    #[inline]
    pub fn look(&self) -> Option<Sight> {
        // Ordering: handshake with `retract` (M and N of the module docs).
        let index = self.top.load_first();
        let len = distance(index, self.bottom.load_second());
        (len > 0).then_some(Sight { index, len: len as usize })
    }

    /// A thief claims `index`, which it saw by [`Ends::look`], and learns whether it won. `top` moves in no other way
    /// (index/chase_lev-1).
    #[inline]
    pub fn claim(&self, index: usize) -> bool {
        let next = index.wrapping_add(1);
        // Ordering: SeqCst, the W of the module docs; Release in it meets the Acquire of the owner's
        // loads of `top`. Failure gives nothing, so Relaxed.
        self.top.compare_exchange(index, next, Ordering::SeqCst, Ordering::Relaxed).is_ok()
    }
}
