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
    /// None, and nobody looks.
    Absent,
    /// None, but push and pop look all the same: the worst case of [`Privacy::Adaptive`].
    Nothing,
    /// All: nothing can be stolen. The best case of [`Privacy::Adaptive`], for one worker.
    Everything,
    /// As many as thieves leave alone.
    Adaptive,
}

/// One variant of the direct task stack.
pub trait Variant: Send + Sync + 'static {
    /// Its name: that of the deque.
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
    /// Table II: private tasks, of which there are none.
    NonePrivate = DirectNonePrivate: "direct-none-private", Specific, Nothing, NoLock;
    /// Table II: private tasks, and no others. Only one worker ever has anything to do.
    AllPrivate = DirectAllPrivate: "direct-all-private", Specific, Everything, NoLock;
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
            DirectBase::NAME,
            DirectPeek::NAME,
            DirectTryLock::NAME,
        ];
        for (at, name) in names.iter().enumerate() {
            assert!(!names[..at].contains(name), "{name}");
        }
    }
}
