//! Whom a waiting worker robs, and what its search counts as.

use super::confined::Awaited;
use crate::owner::stack::StackRoom;
use crate::probe::Phase;
use crate::task::Slot;
use crate::wait::{Victims, Wait};

/// Whose tasks a worker runs while it waits.
#[derive(Clone, Copy)]
pub(super) enum Choice<'a> {
    /// First those of the thief of the task in this slot, which is what the worker waits for; then as the pool's
    /// policy says.
    ThiefOf(&'a Slot),
    /// Anybody's: it waits for parts of the current task, wherever they are.
    AnyPart,
    /// Anybody's: it waits for anything.
    Anybody,
    /// Anybody's, and those of the background: it waits for a background task.
    Background,
    /// Anybody's: it is a thread of the pool that has nothing to do.
    Work,
}

impl Choice<'_> {
    /// The worker whose tasks bring the end of the wait nearer, if one does and has said who it is.
    pub(super) fn thief(self) -> Option<usize> {
        match self {
            Choice::ThiefOf(slot) => slot.state.load().thief(),
            _ => None,
        }
    }

    /// What looking for tasks counts as.
    pub(super) fn phase(self) -> Phase {
        match self {
            Choice::ThiefOf(_) => Phase::Leaping,
            _ => Phase::Stealing,
        }
    }

    /// Whom to look at, in this order, in a pool with this policy and with so much stack left.
    pub(super) fn victims(self, policy: Wait, room: StackRoom) -> &'static [Victims] {
        match (self, room) {
            (Choice::ThiefOf(_), StackRoom::Plenty) => policy.victims(),
            (Choice::ThiefOf(_), StackRoom::Reserve) => policy.on_short_stack(),
            (_, StackRoom::Plenty) => &[Victims::Anybody],
            // Jobs may be the very thing that is waited for: the newest first, which is likely to be.
            (_, StackRoom::Reserve) => &[Victims::Jobs],
        }
    }

    /// What the wait is for, by which a confined worker tells what it may run.
    pub(super) fn awaited(self) -> Awaited {
        match self {
            Choice::ThiefOf(_) | Choice::AnyPart => Awaited::Part,
            Choice::Anybody => Awaited::Anything,
            Choice::Background => Awaited::Background,
            Choice::Work => Awaited::Work,
        }
    }

    /// As [`Choice::victims`], for a worker that is confined.
    pub(super) fn victims_confined(self, policy: Wait) -> &'static [Victims] {
        match (self, policy) {
            (Choice::ThiefOf(_), policy) if policy != Wait::None => {
                &[Victims::Thief, Victims::Spawned]
            }
            _ => &[Victims::Spawned],
        }
    }
}
