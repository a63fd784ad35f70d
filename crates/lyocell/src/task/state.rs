//! The state of a slot: what has become of a stolen task, and who is to be told.

use lyocell_sync::{AtomicU32, Ordering};

/// How a stolen task ended, as the function of its slot returns it; that of another language only ever returns `Done`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Finished {
    Done = Snapshot::DONE,
    Panicked = Snapshot::PANICKED,
}

/// What has become of a stolen task, in one word.
///
/// ```text
///   | given back | thief + 1     | owner sleeps | phase: pending, done, panicked |
///   31           30              3              2                                0
/// ```
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct State(AtomicU32);

/// One reading of a [`State`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Snapshot(u32);

impl Snapshot {
    const PENDING: u32 = 0;
    const DONE: u32 = 1;
    const PANICKED: u32 = 2;
    const PHASE: u32 = 3;
    const SLEEPS: u32 = 4;
    const THIEF_SHIFT: u32 = 3;
    const GIVEN_BACK: u32 = 1 << 31;

    /// How the task ended, if it has.
    #[inline]
    pub(crate) fn finished(self) -> Option<Finished> {
        match self.0 & Self::PHASE {
            Self::DONE => Some(Finished::Done),
            Self::PANICKED => Some(Finished::Panicked),
            _ => None,
        }
    }

    /// Whether its thief has given it back unbegun.
    pub(crate) fn is_given_back(self) -> bool {
        self.0 & Self::GIVEN_BACK != 0
    }

    /// Whether there is nothing to wait for: it has ended, or has been given back.
    pub(crate) fn is_back(self) -> bool {
        self.finished().is_some() || self.is_given_back()
    }

    /// The worker that runs the task, once it has said so.
    pub(crate) fn thief(self) -> Option<usize> {
        ((self.0 & !Self::GIVEN_BACK) >> Self::THIEF_SHIFT)
            .checked_sub(1)
            .map(|thief| thief as usize)
    }

    fn owner_sleeps(self) -> bool {
        self.0 & Self::SLEEPS != 0
    }
}

/// Whether the end of a task is one that its owner sleeps for, who has to be unparked then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum Unpark {
    Nobody,
    Owner,
}

impl State {
    pub(crate) fn new() -> State {
        State(AtomicU32::new(Snapshot::PENDING))
    }

    pub(crate) fn load(&self) -> Snapshot {
        // Ordering: Acquire; meets the Release of `finish`: with the end comes the result.
        Snapshot(self.0.load(Ordering::Acquire))
    }

    /// The thief says who it is, for the owner to leapfrog.
    pub(crate) fn note_taken(&self, thief: usize) {
        let thief = (thief as u32 + 1) << Snapshot::THIEF_SHIFT;
        // Ordering: Relaxed; the name of the thief is a hint and carries no data. An RMW, because
        // the owner may have marked already that it sleeps.
        self.0.fetch_or(thief, Ordering::Relaxed);
    }

    /// The owner asks to be unparked at the end. It must not sleep if the snapshot says that the task is back.
    pub(crate) fn note_sleeping(&self) -> Snapshot {
        // Ordering: Acquire; as `load`, if the task turns out to be finished. Meets the swap in
        // `finish`: one of the two RMWs comes second and sees the other.
        Snapshot(self.0.fetch_or(Snapshot::SLEEPS, Ordering::Acquire))
    }

    /// The thief hands the slot back (slot-3).
    pub(crate) fn finish(&self, finished: Finished) -> Unpark {
        let phase = match finished {
            Finished::Done => Snapshot::DONE,
            Finished::Panicked => Snapshot::PANICKED,
        };
        // Ordering: Release; meets the Acquire of `load` and `note_sleeping`. What the owner wrote
        // before it marked is not read here, so no Acquire.
        let before = Snapshot(self.0.swap(phase, Ordering::Release));
        if before.owner_sleeps() { Unpark::Owner } else { Unpark::Nobody }
    }

    /// The thief gives the task back, which it has not begun (slot-3).
    pub(crate) fn give_back(&self) -> Unpark {
        // Ordering: Release; meets the Acquire in `take_over`: with the mark comes the task. An RMW, as the owner may mark it too: one
        // comes second and sees the other.
        let before = Snapshot(self.0.fetch_or(Snapshot::GIVEN_BACK, Ordering::Release));
        if before.owner_sleeps() { Unpark::Owner } else { Unpark::Nobody }
    }

    /// Takes over a task that has been given back, unless somebody else has, or there is none.
    pub(crate) fn take_over(&self) -> bool {
        // Ordering: Relaxed to look, Acquire to take; as in `give_back`.
        let is_there = Snapshot(self.0.load(Ordering::Relaxed)).is_given_back();
        let take = || self.0.fetch_and(!Snapshot::GIVEN_BACK, Ordering::Acquire);
        is_there && Snapshot(take()).is_given_back()
    }

    /// The owner makes the slot fit for the next push (slot-2).
    pub(crate) fn reset(&self) {
        // Ordering: Relaxed; the next thief sees it by the grow that shares the slot again.
        self.0.store(Snapshot::PENDING, Ordering::Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn the_owner_wakes_up_whichever_mark_comes_first() {
        let state = State::new();
        assert_eq!(state.note_sleeping().finished(), None);
        state.note_taken(6);
        assert_eq!(state.load().thief(), Some(6));
        assert_eq!(state.finish(Finished::Done), Unpark::Owner);
        assert_eq!(state.note_sleeping().finished(), Some(Finished::Done));
        state.reset();
        assert_eq!(state.give_back(), Unpark::Nobody);
        let sleeps = state.note_sleeping();
        assert!(sleeps.is_back() && sleeps.finished().is_none() && sleeps.thief().is_none());
        assert!(state.take_over() && !state.take_over() && !state.load().is_back());
        state.reset();
        assert!(!state.note_sleeping().is_back());
        assert_eq!(state.give_back(), Unpark::Owner);
        state.reset();
        state.note_taken(0);
        assert_eq!(state.finish(Finished::Panicked), Unpark::Nobody);
    }
}
