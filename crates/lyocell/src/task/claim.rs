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
//! The owner offers and takes; a thief acquires, and then commits or gives it back. A task that its owner has not offered
//! may be offered by a thief, the *exposer*, which announces that before:
//!
//! ```text
//!           mark                publish
//!    EMPTY -------> EXPOSING -------------> OFFERED
//!      ^               |
//!      '- unmark, take_private, offer_private: the mark is gone
//! ```
//!
//! # Invariants
//! - claim-1. Only the owner leaves EMPTY, or one exposer at a time, by a compare-and-swap to EXPOSING; only the owner
//!   writes the claim of a stolen slot.
//! - claim-2. A slot in ACQUIRED(i) has not been taken by its owner since worker `i` acquired it: `take` writes
//!   another value, and nobody but `i` writes this one. So a commit that succeeds makes `i` the thief
//!   of the very task it acquired, and a task is won once: by the one `take`, or the one commit.
//! - claim-3. A slot in EXPOSING has not been written by its owner since the exposer marked it. So an exposer that
//!   publishes offers a task about which its owner has decided nothing since.
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

use lyocell_sync::{AtomicU32, Ordering, Overwrite};

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
    /// Empty to all but the owner and the exposer.
    const EXPOSING: ClaimWord = ClaimWord(1 << Self::THIEF_SHIFT);
    const ACQUIRED: u32 = 2;
    const PHASE: u32 = 3;
    const THIEF_SHIFT: u32 = 2;

    const fn acquired(thief: usize) -> ClaimWord {
        ClaimWord((thief as u32) << Self::THIEF_SHIFT | Self::ACQUIRED)
    }

    fn seen(self) -> Seen {
        match self {
            ClaimWord::EMPTY | ClaimWord::EXPOSING => Seen::Empty,
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
        self.0.overwrite(ClaimWord::OFFERED.0, Ordering::Release);
    }

    /// Owner: wants the task back. A second call for the same task tells again that it was stolen.
    #[inline(always)]
    pub(crate) fn take(&self) -> Reclaim {
        // Ordering: Relaxed; what the owner gets back it has written itself, and what the thief of a
        // stolen task leaves comes with its `State::finish`.
        ClaimWord(self.0.swap(ClaimWord::EMPTY.0, Ordering::Relaxed)).taken()
    }

    /// Owner: wants back the task of a slot that it has not offered. A mark is gone after that.
    pub(crate) fn take_private(&self) -> Reclaim {
        // Ordering: Relaxed; as in `take`. It is read after the head was lowered and a barrier (direct-4).
        match ClaimWord(self.0.swap(ClaimWord::EMPTY.0, Ordering::Relaxed)) {
            ClaimWord::STOLEN => Reclaim::Stolen,
            _ => Reclaim::Mine,
        }
    }

    /// Owner: lets thieves have the task of a slot that it has not offered, if an exposer has not done so. A mark is gone
    /// after that.
    pub(crate) fn offer_private(&self) {
        let mut seen = ClaimWord(self.0.load(Ordering::Relaxed));
        while let ClaimWord::EMPTY | ClaimWord::EXPOSING = seen {
            let offered = ClaimWord::OFFERED.0;
            // Ordering: Release; as in `offer`.
            match self.0.compare_exchange(seen.0, offered, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => seen = ClaimWord(now),
            }
        }
    }

    /// Exposer: announces that it will offer the task of this slot, if there is one that its owner has not offered.
    pub(crate) fn mark(&self) -> Won {
        // Ordering: Relaxed; the head, and with it the task, is read after a barrier.
        self.change(ClaimWord::EMPTY, ClaimWord::EXPOSING, Ordering::Relaxed)
    }

    /// Exposer: lets thieves have the task, unless the mark is gone.
    pub(crate) fn publish(&self) {
        // Ordering: Release; meets the Acquire in `acquire`: the task came here with the head. If it fails the owner has
        // decided (claim-3).
        let _ = self.change(ClaimWord::EXPOSING, ClaimWord::OFFERED, Ordering::Release);
    }

    /// Exposer: it will not. Owner, who knows of the mark: it shall not; what it has offered stays.
    pub(crate) fn unmark(&self) {
        // Ordering: Relaxed; the slot offers nothing, as before.
        let _ = self.change(ClaimWord::EXPOSING, ClaimWord::EMPTY, Ordering::Relaxed);
    }

    /// Owner: the task it wanted is stolen, and until it is retired the slot shall say so.
    pub(crate) fn note_stolen(&self) {
        // Ordering: Relaxed; a hint for thieves, whom claim-1 keeps from changing it.
        self.0.overwrite(ClaimWord::STOLEN.0, Ordering::Relaxed);
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
        let mut met =
            vec![ClaimWord::EMPTY, ClaimWord::OFFERED, ClaimWord::STOLEN, ClaimWord::EXPOSING];
        // Each is compared with all before it, which Miri takes its time for.
        for thief in (0..=crate::limits::MAX_WORKERS).rev().step_by(if cfg!(miri) { 31 } else { 1 })
        {
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
    fn whatever_the_owner_decides_turns_an_exposer_away() {
        let decisions = [Claim::offer_private, Claim::unmark, |claim: &Claim| {
            assert_eq!(claim.take_private(), Reclaim::Mine);
        }];
        for decide in decisions {
            let claim = Claim::new();
            assert_eq!(claim.mark(), Won::Yes);
            assert_eq!((claim.mark(), claim.acquire(4)), (Won::No, Won::No));
            assert_eq!(claim.look(), Seen::Empty);
            decide(&claim);
            let decided = claim.look();
            claim.publish();
            claim.unmark();
            assert_eq!(claim.look(), decided);
        }
    }

    #[test]
    fn what_an_exposer_published_is_offered_until_it_is_taken() {
        let claim = Claim::new();
        assert_eq!(claim.mark(), Won::Yes);
        claim.publish();
        claim.unmark();
        claim.offer_private();
        assert_eq!((claim.look(), claim.mark()), (Seen::Offered, Won::No));
        assert_eq!(claim.acquire(3), Won::Yes);
        assert_eq!(claim.commit(3), Won::Yes);
        claim.offer_private();
        assert_eq!(claim.take_private(), Reclaim::Stolen);
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
