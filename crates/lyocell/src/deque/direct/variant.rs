//! The variants of the direct task stack that Wool's paper compares, by name.
//!
//! Each is a type, so what it leaves out costs nothing at run time.

use super::Direct;
use super::stealing::{LockFirst, NoLock, Peek, Stealing, TryLock};
use crate::deque::Join;

/// Which slots are private.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Privacy {
    /// No slot is private, and push and pop do not look whether one is.
    Absent,
    /// No slot is private, but push and pop look whether one is: the worst case of [`Privacy::Adaptive`].
    Nothing,
    /// Every slot is private, so nothing can be stolen: the best case of [`Privacy::Adaptive`], for one worker.
    Everything,
    /// Slots become public when thieves ask, and private again when nothing is stolen from them for a while.
    Adaptive,
    /// The same as the paper has it: they become public when a thief steals the trip wire, and not for who finds nothing. Some
    /// above the tail are always public, so that there is a wire.
    Wired,
}

impl Privacy {
    /// Whether slots become public and private again.
    pub(super) const fn adapts(self) -> bool {
        matches!(self, Privacy::Adaptive | Privacy::Wired)
    }
}

/// One variant of the direct task stack.
pub trait Variant: Send + Sync + 'static {
    /// The name of the deque of this variant.
    const NAME: &'static str;

    /// How the owner runs a task it has popped.
    const JOIN: Join;

    /// Which slots are private.
    const PRIVACY: Privacy;

    /// How thieves agree on the tail.
    type Stealing: Stealing;
}

macro_rules! variants {
    ($(
        $(#[doc = $doc:literal])*
        $marker:ident = $alias:ident: $name:literal, $join:ident, $privacy:ident, $stealing:ident;
    )*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $marker {}

        impl Variant for $marker {
            const NAME: &'static str = $name;
            const JOIN: Join = Join::$join;
            const PRIVACY: Privacy = Privacy::$privacy;
            type Stealing = $stealing;
        }

        $(#[doc = $doc])*
        pub type $alias = Direct<$marker>;
    )*};
}

variants! {
    /// Wool as published: Table II's `private`, Figure 4's `nolock`.
    Private = DirectPrivate: "direct", Specific, Adaptive, NoLock;
    /// Table II: synchronise on the task, with a generic join and no private tasks.
    Task = DirectTask: "direct-task", Generic, Absent, NoLock;
    /// Table II: as `task`, with a join that knows the task.
    TaskJoin = DirectTaskJoin: "direct-task-join", Specific, Absent, NoLock;
    /// Table II, private tasks (no private): push and pop look for private slots, and find none.
    NonePrivate = DirectNonePrivate: "direct-none-private", Specific, Nothing, NoLock;
    /// Table II, private tasks (all private): nothing can be stolen, so only one worker ever has anything to do.
    AllPrivate = DirectAllPrivate: "direct-all-private", Specific, Everything, NoLock;
    /// As `private`, where only the trip wire makes slots public: section III-B without the requests of thieves that find nothing.
    TripWire = DirectTripWire: "direct-trip-wire", Specific, Wired, NoLock;
    /// Figure 4: a thief takes the victim's lock, then looks.
    Base = DirectBase: "direct-base", Specific, Adaptive, LockFirst;
    /// Figure 4: a thief looks, then takes the lock.
    Peeking = DirectPeek: "direct-peek", Specific, Adaptive, Peek;
    /// Figure 4: a thief looks, then takes the lock if it is free.
    Trying = DirectTryLock: "direct-trylock", Specific, Adaptive, TryLock;
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::deque::{Deque, DirectLocked};

    #[test]
    fn every_variant_has_a_name_of_its_own() {
        let names = [
            DirectPrivate::NAME,
            DirectLocked::NAME,
            DirectTask::NAME,
            DirectTaskJoin::NAME,
            DirectNonePrivate::NAME,
            DirectAllPrivate::NAME,
            DirectTripWire::NAME,
            DirectBase::NAME,
            DirectPeek::NAME,
            DirectTryLock::NAME,
        ];
        for (at, name) in names.iter().enumerate() {
            assert!(!names[..at].contains(name), "{name}");
        }
    }
}
