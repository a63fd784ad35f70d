//! Arora, Blumofe and Plaxton's index protocol: `bottom`, and `age`, which is `top` and a tag.
//!
//! ```text
//!   0      top               bottom           capacity
//!   | gone | the queue's items | not pushed yet |
//! ```
//! - index/abp-1. `top` only increases under one tag; the owner alone starts it again, at 0 or elsewhere, under the next
//!   tag, when the queue is empty.
//! - index/abp-2. Only the owner moves `bottom`.
//! - index/abp-3. An index belongs to whoever moves `top` past it by compare-and-swap on `age`, or to the owner that
//!   moved `bottom` to it and then saw `top` before it.
//!
//! That index/abp-3 gives no index to two under one tag: as for Chase-Lev ([`super::chase_lev`]). The tag is for what
//! lies between: a thief looks (`top` 0, one item), the owner takes that item and starts again
//! (`top` 0, no item), and the thief's swap would win an index that nobody pushed. With the tag, it fails; unless all tags
//! were used up between the thief's look and its swap. Against that a user of this module counts the steals
//! under way ([`crate::attempts`]): at each new start, or at each half of a round of tags ([`Age::ends_half_a_round`]).
//!
//! Orderings: `retract` and `look` are the handshake of [`lyocell_sync::Handshake`]. Starting again stores `bottom`
//! before `age` (Release), so a thief that sees the new tag sees the new `bottom`.
//!
//! Source: Arora, Blumofe, Plaxton, SPAA 1998, Figure 5; Alkærsig et al. 2014, section 3.1.

use super::tagged::Tagged;
use crossbeam_utils::CachePadded;
use lyocell_sync::{AtomicUsize, AtomicWord, Handshake, Ordering, Overwrite, replace_first};
use std::cmp;

/// The two ends of an ABP queue.
#[derive(Debug)]
pub struct Ends<const TAG_BITS: u32> {
    age: CachePadded<AtomicWord>,
    bottom: CachePadded<AtomicUsize>,
}

/// `top` and its tag.
pub type Age<const TAG_BITS: u32> = Tagged<TAG_BITS>;

/// What the owner got by [`Ends::retract`].
#[derive(Debug, PartialEq, Eq)]
pub enum Retract {
    /// The index is the owner's, and `bottom` is at it.
    Free,
    /// The index was the last and the owner won it. The queue is empty, and `bottom` must be set by
    /// [`Ends::restart`] or [`Ends::publish`].
    Last,
    /// The index was the last and a thief won it; otherwise as `Last`.
    Lost,
    /// There was nothing; otherwise as `Last`.
    Gone,
}

/// What a thief sees.
#[derive(Debug, PartialEq, Eq)]
pub struct Sight<const TAG_BITS: u32> {
    /// The oldest index is `age.index`.
    pub age: Age<TAG_BITS>,
    /// How many items there were, at least one.
    pub len: usize,
}

impl<const TAG_BITS: u32> Ends<TAG_BITS> {
    /// Both ends at `first`.
    pub fn new(first: usize) -> Self {
        let age = Age::<TAG_BITS> { index: first, tag: Age::<TAG_BITS>::LAST_TAG };
        Self {
            age: CachePadded::new(AtomicWord::new(age.pack())),
            bottom: CachePadded::new(AtomicUsize::new(first)),
        }
    }

    /// The owner pushes: everything before `bottom` can be stolen from now on (index/abp-2).
    #[inline(always)]
    pub fn publish(&self, bottom: usize) {
        // Ordering: Release; meets the load of `bottom` in `look`.
        self.bottom.store(bottom, Ordering::Release);
    }

    /// The owner takes `index`, which must be the one before `bottom`, if it is not the last: whether it was.
    /// If not, [`Ends::retract`] has to follow.
    #[inline(always)]
    pub fn retract_unless_last(&self, index: usize) -> bool {
        index > self.lower(index).index
    }

    /// Lowers `bottom` to `index`, and tells the age then. The index is the owner's if it is past the age's (index/abp-3); if
    /// not, the queue is empty but for it, and `bottom` must be set as after [`Retract::Last`].
    #[inline(always)]
    pub(crate) fn lower(&self, index: usize) -> Age<TAG_BITS> {
        // Ordering: handshake with `look`; Acquire meets claims.
        self.bottom.store_first(index);
        Age::unpack(self.age.load_second())
    }

    /// The owner takes `index`, which must be the one before `bottom`.
    #[inline(always)]
    pub fn retract(&self, index: usize) -> Retract {
        let age = self.lower(index);
        if index > age.index { Retract::Free } else { self.contend(index, age) }
    }

    /// The rest of `retract` for the last index, or one that was just stolen.
    #[inline]
    fn contend(&self, index: usize, age: Age<TAG_BITS>) -> Retract {
        if index != age.index {
            Retract::Gone
        } else if self.claim(age) {
            Retract::Last
        } else {
            Retract::Lost
        }
    }

    /// The owner sees the first index not stolen yet.
    pub fn top(&self) -> usize {
        self.age().index
    }

    /// The owner sees the first index not stolen yet, and its tag.
    #[inline]
    pub(crate) fn age(&self) -> Age<TAG_BITS> {
        // Ordering: Acquire; meets the Release of each claim that moved `top` this far.
        Age::unpack(self.age.load(Ordering::Acquire))
    }

    /// The owner starts again at this index. The queue must be empty. Returns the new age.
    #[inline]
    pub fn restart(&self, index: usize) -> Age<TAG_BITS> {
        let age = self.age().with_index(index).retag();
        // Ordering: Relaxed; the Release below comes after it.
        self.bottom.store(index, Ordering::Relaxed);
        // Ordering: Release; meets the load of `age` in `look`. Nobody swaps `age` at the same time, for
        // the queue is empty.
        self.age.overwrite(age.pack(), Ordering::Release);
        age
    }

    /// The owner starts again at index 0, unless `age` is out of date, and learns whether it did. The queue must be empty,
    /// or hold the index of `age` alone, which is the owner's then.
    #[inline]
    pub(crate) fn restart_from(&self, age: Age<TAG_BITS>) -> bool {
        // Ordering: Relaxed; the Release below comes after it. A thief that finds it with the older age finds
        // nothing to steal.
        self.bottom.store(0, Ordering::Relaxed);
        // An age that is the same was so all the time: only thieves change it meanwhile, and only upwards (index/abp-1).
        // Ordering: the handshake of `crate::attempts`, A there; Release in it meets the load of `age` in `look`.
        // Who fails looks at `age` again.
        replace_first(&self.age, age.pack(), age.with_index(0).retag().pack())
    }

    /// What there is to steal. `None` when nothing.
    #[inline]
    pub fn look(&self) -> Option<Sight<TAG_BITS>> {
        // Ordering: handshake with `retract`.
        let age = Age::unpack(self.age.load_first());
        let bottom = self.bottom.load_second();
        match bottom.cmp(&age.index) {
            cmp::Ordering::Greater => Some(Sight { age, len: bottom - age.index }),
            cmp::Ordering::Equal | cmp::Ordering::Less => None,
        }
    }

    /// A thief claims the index in `age`, which it saw by [`Ends::look`], and learns whether it won. Under one tag `top`
    /// moves in no other way (index/abp-1).
    #[inline]
    pub fn claim(&self, age: Age<TAG_BITS>) -> bool {
        let next = age.with_index(age.index + 1);
        // Ordering: SeqCst, as the W of `chase_lev`; Release in it meets the Acquire of the owner's loads of
        // `age`, and of its failed claim of the last index: the owner then finds the winner's steal in
        // the count, or done (attempts-2).
        self.age
            .compare_exchange(age.pack(), next.pack(), Ordering::SeqCst, Ordering::Acquire)
            .is_ok()
    }
}
