//! The claim: the word of a slot on which owner and thieves of a direct task stack meet.
//!
//! ```text
//!             offer            acquire(i)                commit(i)
//!    EMPTY ----------> OFFERED ----------> ACQUIRED(i) -------------> STOLEN
//!      ^                |   ^                 |   |                     |
//!      |<--- take ------'   '--- give_back(i) -'   |                     |
//!      |<--- take --------------------------------'                     |
//!      '<-------------------------- take -------------------------------'
//! ```
//! The owner offers and takes; a thief acquires, and then commits or gives it back.
//!
//! # Invariants
//! - claim-1. Only the owner leaves EMPTY, with a plain store; only it writes the claim of a stolen slot.
//! - claim-2. A slot in ACQUIRED(i) has not been taken by its owner since worker `i` acquired it: `take` writes
//!   another value, and nobody but `i` writes this one. So a commit that succeeds makes `i` the thief
//!   of the very task it acquired, and a task is won once: by the one `take`, or the one commit.
//!
//! # Orderings
//! The contents of the slot travel with `offer`'s Release to the Acquire of the RMW that leaves OFFERED.
//! All other changes by thieves are RMWs, so they continue the release sequence of the offer: a thief
//! that acquires what another gave back meets the owner's Release all the same.
//!
//! Source: the field `state` of a task descriptor (Faxén 2010, section III-A, Figure 3). The thief's name and
//! DONE are in [`State`](super::state::State), where all deques keep them. Departure: the transient EMPTY
//! of a thief names the thief here, and the thief leaves it by a CAS. In the paper it is a plain store, and
//! an owner that finds the transient value spins until the thief has made up its mind; here the owner
//! simply takes the task, and the thief's CAS fails. So an owner never waits for a thief that sleeps
//! between two instructions, for one more RMW on a cache line that the thief holds already.

use crate::sync::{AtomicU32, Ordering};

/// Who has the task of a slot, as far as that is open.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct Claim(AtomicU32);

/// One value of a [`Claim`].
///
/// ```text
///   | thief         | phase: empty, offered, acquired, stolen |
///   31              2                                        0
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ClaimWord(u32);

impl ClaimWord {
    const EMPTY: ClaimWord = ClaimWord(0);
    const OFFERED: ClaimWord = ClaimWord(1);
    const STOLEN: ClaimWord = ClaimWord(3);
    const ACQUIRED: u32 = 2;
    const PHASE: u32 = 3;
    const THIEF_SHIFT: u32 = 2;

    const fn acquired(thief: usize) -> ClaimWord {
        ClaimWord((thief as u32) << Self::THIEF_SHIFT | Self::ACQUIRED)
    }

    fn seen(self) -> Seen {
        match self {
            ClaimWord::EMPTY => Seen::Empty,
            ClaimWord::OFFERED => Seen::Offered,
            _ => Seen::InTransit,
        }
    }

    fn taken(self) -> Reclaim {
        match self.0 & Self::PHASE {
            // An owner takes what it has offered, so EMPTY is what its own first look left (see `take`).
            phase if phase == Self::STOLEN.0 || phase == Self::EMPTY.0 => Reclaim::Stolen,
            _ => Reclaim::Mine,
        }
    }
}

/// What a thief sees of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// Nothing to steal.
    Empty,
    /// A task to steal.
    Offered,
    /// Another thief is at it, or has it.
    InTransit,
}

/// Whose the task is that an owner wants back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reclaim {
    Mine,
    Stolen,
}

/// Whether a thief's step was in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum Won {
    Yes,
    No,
}

impl Claim {
    pub(crate) fn new() -> Claim {
        Claim(AtomicU32::new(ClaimWord::EMPTY.0))
    }

    /// Owner: lets thieves have the task of this slot, which is written.
    #[inline(always)]
    pub(crate) fn offer(&self) {
        // Ordering: Release; meets the Acquire in `acquire`: with the slot comes its task, and with it
        // what the owner wrote to the tail before (see the stealing).
        self.0.store(ClaimWord::OFFERED.0, Ordering::Release);
    }

    /// Owner: wants the task back. A second call for the same task tells again that it was stolen.
    #[inline(always)]
    pub(crate) fn take(&self) -> Reclaim {
        // Ordering: Relaxed; what the owner gets back it has written itself, and what the thief of a
        // stolen task leaves comes with its `State::finish`.
        ClaimWord(self.0.swap(ClaimWord::EMPTY.0, Ordering::Relaxed)).taken()
    }

    /// Owner: the task it wanted is stolen, and until it is retired the slot shall say so.
    pub(crate) fn mark_stolen(&self) {
        // Ordering: Relaxed; a hint for thieves, whom claim-1 keeps from changing it.
        self.0.store(ClaimWord::STOLEN.0, Ordering::Relaxed);
    }

    /// Owner: the stolen task has been collected.
    pub(crate) fn clear(&self) {
        // Ordering: Relaxed; the slot offers nothing.
        self.0.store(ClaimWord::EMPTY.0, Ordering::Relaxed);
    }

    /// Thief: looks whether a try is worth it.
    pub(crate) fn look(&self) -> Seen {
        // Ordering: Relaxed; a hint.
        ClaimWord(self.0.load(Ordering::Relaxed)).seen()
    }

    /// Thief: the task shall be mine, if I commit to it.
    pub(crate) fn acquire(&self, thief: usize) -> Won {
        self.leave_offered(ClaimWord::acquired(thief))
    }

    /// Thief who holds the lock of the tail: the task is mine.
    pub(crate) fn steal(&self) -> Won {
        self.leave_offered(ClaimWord::STOLEN)
    }

    fn leave_offered(&self, new: ClaimWord) -> Won {
        // Ordering: Acquire; meets the Release in `offer`.
        self.change(ClaimWord::OFFERED, new, Ordering::Acquire)
    }

    /// Thief: the acquired task is mine, unless its owner has taken it meanwhile.
    pub(crate) fn commit(&self, thief: usize) -> Won {
        // Ordering: Relaxed; the Acquire was in `acquire`. The owner's `take` reads no data of ours.
        self.change(ClaimWord::acquired(thief), ClaimWord::STOLEN, Ordering::Relaxed)
    }

    /// Thief: gives the acquired task back, unless its owner has taken it meanwhile.
    pub(crate) fn give_back(&self, thief: usize) {
        // Ordering: Relaxed; an RMW continues the release sequence of the offer. If it fails the owner
        // has the task.
        let _ = self.change(ClaimWord::acquired(thief), ClaimWord::OFFERED, Ordering::Relaxed);
    }

    fn change(&self, from: ClaimWord, to: ClaimWord, success: Ordering) -> Won {
        match self.0.compare_exchange(from.0, to.0, success, Ordering::Relaxed) {
            Ok(_) => Won::Yes,
            Err(_) => Won::No,
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn thieves_do_not_look_like_each_other_or_like_anything_else() {
        let mut met = vec![ClaimWord::EMPTY, ClaimWord::OFFERED, ClaimWord::STOLEN];
        for thief in 0..=crate::limits::MAX_WORKERS {
            let word = ClaimWord::acquired(thief);
            assert_eq!((word.seen(), word.taken()), (Seen::InTransit, Reclaim::Mine));
            assert!(!met.contains(&word), "thief {thief}");
            met.push(word);
        }
    }

    #[test]
    fn an_owner_takes_an_acquired_task_and_the_thief_cannot_commit() {
        let claim = Claim::new();
        claim.offer();
        assert_eq!(claim.acquire(3), Won::Yes);
        assert_eq!(claim.acquire(4), Won::No);
        assert_eq!(claim.take(), Reclaim::Mine);
        assert_eq!(claim.commit(3), Won::No);
        claim.give_back(3);
        assert_eq!(claim.look(), Seen::Empty);
    }

    #[test]
    fn another_thiefs_claim_is_not_committed() {
        let claim = Claim::new();
        claim.offer();
        assert_eq!(claim.acquire(3), Won::Yes);
        assert_eq!(claim.take(), Reclaim::Mine);
        claim.offer();
        assert_eq!(claim.acquire(4), Won::Yes);
        assert_eq!(claim.commit(3), Won::No);
        claim.give_back(3);
        assert_eq!(claim.commit(4), Won::Yes);
        assert_eq!(claim.take(), Reclaim::Stolen);
        assert_eq!(claim.take(), Reclaim::Stolen);
    }

    #[test]
    fn what_was_given_back_can_be_stolen() {
        let claim = Claim::new();
        claim.offer();
        assert_eq!(claim.acquire(3), Won::Yes);
        claim.give_back(3);
        assert_eq!(claim.look(), Seen::Offered);
        assert_eq!(claim.steal(), Won::Yes);
        assert_eq!(claim.take(), Reclaim::Stolen);
        claim.clear();
        assert_eq!(claim.look(), Seen::Empty);
    }
}
