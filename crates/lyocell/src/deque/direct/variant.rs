//! The variants of the direct task stack that Wool's paper compares, by name.
//!
//! Each is a type, so what it leaves out costs nothing at run time.

use super::Direct;
use super::locked::DirectLocked;
use super::stealing::{LockFirst, NoLock, Peek, Stealing, TryLock};
use crate::deque::{Deque, Join};

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
    /// Its name on the command line.
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

/// A variant as a command line lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Listed {
    /// Its name.
    pub name: &'static str,
    /// Where the paper evaluates it, under which name.
    pub source: &'static str,
    /// What it is.
    pub about: &'static str,
}

/// All variants.
pub const VARIANTS: [Listed; 9] = [
    listed::<DirectPrivate>(
        "Faxén 2010, Figure 3, III-B",
        "the direct task stack with private tasks",
    ),
    listed::<DirectLocked>("Table II, base", "a lock for each worker, taken to join and to steal"),
    listed::<DirectTask>("Table II, synchronize on task", "generic join, no private tasks"),
    listed::<DirectTaskJoin>("Table II, task specific join", "no private tasks"),
    listed::<DirectNonePrivate>("Table II, private tasks (no private)", "forced: none private"),
    listed::<DirectAllPrivate>("Table II, private tasks (all private)", "forced: nothing to steal"),
    listed::<DirectBase>("Figure 4, base", "thieves lock, then look"),
    listed::<DirectPeek>("Figure 4, peek", "thieves look, then lock"),
    listed::<DirectTryLock>("Figure 4, trylock", "thieves look, then try to lock"),
];

const fn listed<D: Deque>(source: &'static str, about: &'static str) -> Listed {
    Listed { name: D::NAME, source, about }
}

/// Something to do with a deque that is chosen by name.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit<D: Deque<Options = ()>>(self) -> Self::Output;
}

/// Does something with the variant of this name; `None` if there is none.
///
/// # Examples
/// ```
/// use lyocell::deque::{Deque, direct::{self, Visitor}};
/// use lyocell::{BuildError, Pool};
///
/// struct Sum;
///
/// impl Visitor for Sum {
///     type Output = Result<u64, BuildError>;
///
///     fn visit<D: Deque<Options = ()>>(self) -> Self::Output {
///         let pool = Pool::builder().deque::<D>().workers(2).build()?;
///         Ok(pool.run(|w| w.map_reduce(0..1000_u64, |i| i, || 0, |a, b| a + b)))
///     }
/// }
///
/// for variant in direct::VARIANTS {
///     assert_eq!(direct::visit(variant.name, Sum).unwrap()?, 499_500);
/// }
/// # Ok::<(), BuildError>(())
/// ```
pub fn visit<V: Visitor>(name: &str, visitor: V) -> Option<V::Output> {
    Some(match name {
        DirectPrivate::NAME => visitor.visit::<DirectPrivate>(),
        DirectLocked::NAME => visitor.visit::<DirectLocked>(),
        DirectTask::NAME => visitor.visit::<DirectTask>(),
        DirectTaskJoin::NAME => visitor.visit::<DirectTaskJoin>(),
        DirectNonePrivate::NAME => visitor.visit::<DirectNonePrivate>(),
        DirectAllPrivate::NAME => visitor.visit::<DirectAllPrivate>(),
        DirectBase::NAME => visitor.visit::<DirectBase>(),
        DirectPeek::NAME => visitor.visit::<DirectPeek>(),
        DirectTryLock::NAME => visitor.visit::<DirectTryLock>(),
        _ => return None,
    })
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    struct Name;

    impl Visitor for Name {
        type Output = &'static str;

        fn visit<D: Deque<Options = ()>>(self) -> &'static str {
            D::NAME
        }
    }

    #[test]
    fn every_listed_name_is_found_once() {
        for (at, variant) in VARIANTS.iter().enumerate() {
            assert_eq!(visit(variant.name, Name), Some(variant.name));
            assert!(VARIANTS[..at].iter().all(|other| other.name != variant.name));
        }
        assert_eq!(visit("direct-", Name), None);
    }
}
