//! The two words an owner's fast paths compare the head with, and thieves trip.
//!
//! Normally `push` is past the end of the array and `pop` the lowest head that a plain pop may reach. A
//! request trips both, so that one compare covers "full" and "asked" on push, and "not simply mine"
//! and "asked" on pop. They sit on a cache line of their own: the owner reads it at every push and pop,
//! thieves write it only to ask.

use crate::deque::Requests;
use crate::probe::{Event, Probe};
use crate::task::{Slot, Slots};
use crossbeam_utils::CachePadded;
use lyocell_sync::{AtomicUsize, Ordering, Overwrite, unmodelled};
use std::mem::offset_of;

/// The limits of one deque: addresses of slots.
#[repr(transparent)]
pub struct Limits(CachePadded<Words>);

/// By the conventions of C: a header has the fast paths inline, too ([`foreign`](crate::foreign)).
#[repr(C)]
struct Words {
    push: AtomicUsize,
    pop: AtomicUsize,
    /// The owner's: the limit of pops is at least this.
    floor: unmodelled::AtomicUsize,
}

/// Every head is at or past it: each push is slow.
const PUSH_TRIPPED: usize = 0;
/// Every head is below it: each pop is slow.
const POP_TRIPPED: usize = usize::MAX;

/// Whether somebody has asked since the limit was last set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::deque) enum Asked {
    Yes,
    No,
}

// Ordering: Relaxed everywhere here: a request carries no data, and is seen when it is seen; where a
// sleeper relies on it, owner and sleeper fence (idle-3).
impl Limits {
    /// Where the limit of pushes is in it, for a header; that of pops is the next word.
    pub(crate) const PUSH: usize = offset_of!(Words, push);

    /// Pushes end with the array; pops below slot `pop` are slow.
    pub(in crate::deque) fn new(slots: &Slots, pop: usize) -> Limits {
        let push = AtomicUsize::new(slots.past_end());
        let pop = AtomicUsize::new(slots.address(pop));
        Limits(CachePadded::new(Words { push, pop, floor: unmodelled::AtomicUsize::new(0) }))
    }

    /// Whether a push to this head is neither the last nor asked for.
    #[inline(always)]
    pub(in crate::deque) fn push_is_fast(&self, head: *const Slot) -> bool {
        head.addr() < self.0.push.load(Ordering::Relaxed)
    }

    /// Whether a pop to this head takes what is simply the owner's, and nobody asks.
    #[inline(always)]
    pub(in crate::deque) fn pop_is_fast(&self, head: *const Slot) -> bool {
        head.addr() >= self.0.pop.load(Ordering::Relaxed)
    }

    /// Owner: forgets the request as far as pushes go. One that comes after this stands.
    pub(in crate::deque) fn reset_push(&self, slots: &Slots) {
        self.0.push.store(slots.past_end(), Ordering::Relaxed);
    }

    /// Owner: as [`Limits::reset_push`], for a deque that wants to be asked before the array ends.
    pub(in crate::deque) fn set_push(&self, limit: usize) {
        self.0.push.store(limit, Ordering::Relaxed);
    }

    /// Owner: pushes are slow from elsewhere on than before; tells whether somebody asks for the next, whose request stands.
    pub(in crate::deque) fn move_push(&self, to: usize) -> Asked {
        let moved = |limit| (limit != PUSH_TRIPPED).then_some(to);
        match self.0.push.fetch_update(Ordering::Relaxed, Ordering::Relaxed, moved) {
            Ok(_) => Asked::No,
            Err(_) => Asked::Yes,
        }
    }

    /// Owner: pops below slot `pop` are slow; tells whether the request stood. An RMW, so that none is
    /// overwritten unseen.
    pub(in crate::deque) fn reset_pop(
        &self,
        slots: &Slots,
        pop: usize,
        probe: &impl Probe,
    ) -> Asked {
        probe.count(Event::OwnerRmw);
        let limit = slots.address(pop).max(self.0.floor.load(Ordering::Relaxed));
        match self.0.pop.swap(limit, Ordering::Relaxed) {
            POP_TRIPPED => Asked::Yes,
            _ => Asked::No,
        }
    }

    /// Owner: from now on every pop is slow.
    pub(in crate::deque) fn hold_pops(&self) {
        self.0.floor.store(POP_TRIPPED, Ordering::Relaxed);
        self.0.pop.overwrite(POP_TRIPPED, Ordering::Relaxed);
    }

    /// Owner: pops may be fast again, from the next reset on.
    pub(in crate::deque) fn release_pops(&self) {
        self.0.floor.store(0, Ordering::Relaxed);
    }

    /// Owner of a deque in which all tasks are shared as it is: forgets the request. One that comes meanwhile stands.
    pub(in crate::deque) fn reset(&self, slots: &Slots, push: usize, probe: &impl Probe) {
        self.set_push(push);
        let _ = self.reset_pop(slots, 0, probe);
    }
}

impl Requests for Limits {
    #[inline]
    fn is_asked(&self) -> bool {
        self.0.push.load(Ordering::Relaxed) == PUSH_TRIPPED
    }

    /// Trips both limits. Looks first: writing takes the line from the owner.
    fn request(&self) {
        if self.0.push.load(Ordering::Relaxed) != PUSH_TRIPPED {
            self.0.push.store(PUSH_TRIPPED, Ordering::Relaxed);
        }
        if self.0.pop.load(Ordering::Relaxed) != POP_TRIPPED {
            // The owner's reset is an RMW: what it does not see comes after it.
            self.0.pop.overwrite(POP_TRIPPED, Ordering::Relaxed);
        }
    }
}
