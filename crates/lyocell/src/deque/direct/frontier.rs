//! The frontier between public and private slots, and the request to move it.
//!
//! ```text
//!   0             wire     low                        end   past the end
//!   | public        |      | private                   |     |
//!                          <---------- room ----------->
//! ```
//! The slots below `low` are public: a task in one of them is offered to thieves, whether it was there when
//! the slot became public or is pushed later. `room` is the way from the frontier to the end, in which no
//! task is kept. With these two one compare each tells the owner that a push or a pop is private, that
//! there is room, and that nobody asks: a request *trips* `low`, which then stands past the end, where no
//! slot passes.
//!
//! # Invariants
//! - frontier-1. `low` is the frontier, or tripped. Only the owner untrips it.
//! - frontier-2. Only the owner writes `room`, which tells where the frontier is while `low` is tripped.
//! - frontier-3. Every write to `low` is a read-modify-write, so a reset sees what an exposer wrote before it tripped `low`,
//!   whoever has tripped or reset it in between.
//!
//! Source: the `public` flag, the trip wire and the notification flag of Wool (Faxén 2010, section III-B).
//! Departure: the flag of each slot is one frontier for all, and the notification flag is part of it.

use crate::deque::Requests;
use crate::deque::kit::Asked;
use crate::task::{Slot, Slots};
use crossbeam_utils::CachePadded;
use lyocell_sync::{AtomicBool, AtomicUsize, Ordering};

/// How many public tasks the owner may inline in a row before the slots above become private again. Untuned.
const PATIENCE: usize = if cfg!(loom) { 1 } else { 64 };

/// The rank of the trip wire among the public slots, counted from the highest. Untuned.
const WIRE: usize = if cfg!(loom) { 1 } else { 2 };

/// The frontier of one deque, and where it is asked to move it.
pub struct Frontier {
    words: CachePadded<Words>,
    /// How many public tasks may still be inlined. The owner writes it at each, so it is apart from what thieves read.
    patience: CachePadded<AtomicUsize>,
}

struct Words {
    /// An address (frontier-1).
    low: AtomicUsize,
    /// A number of bytes (frontier-2).
    room: AtomicUsize,
    /// The index of the trip wire.
    wire: AtomicUsize,
    /// Whether a thief has stolen it since the owner asked, where nothing else moves the frontier.
    wire_stolen: AtomicBool,
    past_end: usize,
}

/// Whether the owner should go on inlining public tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patience {
    Left,
    Over,
}

// Ordering: Relaxed but for what `trip` says: `low` is seen when it is seen, and where a sleeper relies on it, owner and
// sleeper fence (idle-3); `wire` and `wire_stolen` are hints; the rest is the owner's own.
impl Frontier {
    pub(super) fn new(slots: &Slots, public: usize) -> Frontier {
        let past_end = slots.past_end();
        let words = Words {
            low: AtomicUsize::new(0),
            room: AtomicUsize::new(0),
            wire: AtomicUsize::new(0),
            wire_stolen: AtomicBool::new(false),
            past_end,
        };
        let frontier =
            Frontier { words: CachePadded::new(words), patience: CachePadded::default() };
        let _ = frontier.move_to(slots, public);
        frontier
    }

    /// Whether this slot is private and not the end, and nobody asks.
    #[inline(always)]
    pub(super) fn push_is_plain(&self, slot: *const Slot) -> bool {
        let low = self.words.low.load(Ordering::Relaxed);
        // Below `low` the difference wraps round and is larger than any room.
        slot.addr().wrapping_sub(low) < self.words.room.load(Ordering::Relaxed)
    }

    /// Whether this slot is private, and nobody asks.
    #[inline(always)]
    pub(super) fn pop_is_plain(&self, slot: *const Slot) -> bool {
        slot.addr() >= self.words.low.load(Ordering::Relaxed)
    }

    /// Whether a head stands past the end: the push that took it there has no room.
    #[inline(always)]
    pub(super) fn is_past_end(&self, head: *const Slot) -> bool {
        head.addr() == self.words.past_end
    }

    /// Owner: whether this slot is private. An exposer, after its barrier, may know less of what the owner does after that.
    pub(super) fn is_private(&self, slot: *const Slot) -> bool {
        slot.addr() >= self.end() - self.words.room.load(Ordering::Relaxed)
    }

    /// Owner: how many slots are public.
    pub(super) fn public(&self, slots: &Slots) -> usize {
        let capacity = (self.end() - slots.address(0)) / size_of::<Slot>();
        capacity - self.words.room.load(Ordering::Relaxed) / size_of::<Slot>()
    }

    /// Owner: the first `public` slots are public from now on, or as many as there are; tells whether a
    /// request stood, which is forgotten.
    pub(super) fn move_to(&self, slots: &Slots, public: usize) -> Asked {
        let room = (self.end() - slots.address(0)).saturating_sub(public * size_of::<Slot>());
        self.words.room.store(room, Ordering::Relaxed);
        self.words.wire.store(public.saturating_sub(WIRE), Ordering::Relaxed);
        self.be_patient();
        // An RMW, so that no request is overwritten unseen.
        // Ordering: Acquire; meets the Release in `trip` (frontier-3).
        match self.words.low.swap(self.end() - room, Ordering::Acquire) {
            low if low == self.words.past_end => Asked::Yes,
            _ => Asked::No,
        }
    }

    /// Whether the slot with this index is the trip wire, or above it.
    pub(super) fn is_wired(&self, index: usize) -> bool {
        index >= self.words.wire.load(Ordering::Relaxed)
    }

    /// Thief: has stolen the trip wire.
    pub(super) fn tell_of_wire(&self) {
        self.words.wire_stolen.store(true, Ordering::Relaxed);
    }

    /// Owner: whether the trip wire was stolen since this was last asked.
    pub(super) fn take_wire(&self) -> bool {
        self.words.wire_stolen.swap(false, Ordering::Relaxed)
    }

    /// Owner: one more public task is inlined, if patience is left.
    #[inline(always)]
    pub(super) fn spend_patience(&self) -> Patience {
        match self.patience.load(Ordering::Relaxed) {
            0 => Patience::Over,
            left => {
                self.patience.store(left - 1, Ordering::Relaxed);
                Patience::Left
            }
        }
    }

    /// Owner: something was stolen, so public slots are of use.
    pub(super) fn be_patient(&self) {
        self.patience.store(PATIENCE, Ordering::Relaxed);
    }

    /// The address of the end.
    fn end(&self) -> usize {
        self.words.past_end - size_of::<Slot>()
    }
}

impl Frontier {
    /// Exposer: trips `low`, though it be tripped. The reset that comes after this knows of the exposer (frontier-3).
    pub(super) fn trip(&self) {
        // Ordering: Release; meets the Acquire in `move_to`: with it comes what was posted.
        self.words.low.swap(self.words.past_end, Ordering::Release);
    }
}

impl crate::deque::sealed::Requests for Frontier {}

impl Requests for Frontier {
    #[inline(always)]
    fn is_asked(&self) -> bool {
        self.words.low.load(Ordering::Relaxed) == self.words.past_end
    }

    /// Anybody: trips `low`. Looks first: writing takes the line from the owner.
    fn request(&self) {
        if !self.is_asked() {
            // An RMW (frontier-3).
            self.words.low.swap(self.words.past_end, Ordering::Relaxed);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::lines::hold_lines;

    #[test]
    fn no_line_has_two_writers() {
        hold_lines!(Frontier: words: Thieves, patience: Owner);
    }

    #[test]
    fn one_compare_tells_private_and_room_and_unasked_at_every_frontier() {
        const CAPACITY: usize = 5;
        let slots = Slots::new(CAPACITY).unwrap();
        let frontier = Frontier::new(&slots, 0);
        for public in 0..=CAPACITY + 2 {
            assert_eq!(frontier.move_to(&slots, public), Asked::No);
            let public = public.min(CAPACITY);
            assert_eq!(frontier.public(&slots), public);
            for index in 0..=CAPACITY {
                let slot = slots.get(index).pointer();
                let private = index >= public;
                assert_eq!(frontier.is_private(slot), private, "{index} of {public}");
                assert_eq!(frontier.push_is_plain(slot), private && index < CAPACITY);
                assert_eq!(frontier.pop_is_plain(slot), private);
                assert_eq!(frontier.is_past_end(slot.wrapping_add(1)), index == CAPACITY);
            }
            frontier.request();
            for index in 0..=CAPACITY {
                let slot = slots.get(index).pointer();
                assert!(!frontier.push_is_plain(slot) && !frontier.pop_is_plain(slot));
                assert_eq!(frontier.is_private(slot), index >= public);
            }
            assert_eq!(frontier.public(&slots), public);
            assert_eq!(frontier.move_to(&slots, public), Asked::Yes);
            assert!(!frontier.is_asked());
        }
    }

    #[test]
    fn patience_is_spent_and_comes_back() {
        let slots = Slots::new(1).unwrap();
        let frontier = Frontier::new(&slots, 1);
        for _ in 0..PATIENCE {
            assert_eq!(frontier.spend_patience(), Patience::Left);
        }
        assert_eq!(frontier.spend_patience(), Patience::Over);
        assert_eq!(frontier.spend_patience(), Patience::Over);
        frontier.be_patient();
        assert_eq!(frontier.spend_patience(), Patience::Left);
    }
}
