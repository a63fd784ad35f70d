//! What the pool needs of a queue, and the queues there are.

use lyocell_queues::{
    Abp, CentralLocked, ChaseLev, Duplicating, Footprint, IdempotentDoubleEnded, IdempotentFifo,
    IdempotentLifo, Locked, Owner, Plain, ShrinkingChaseLev, Steal, Thief,
};

use super::node::{Case, Idempotent};
use super::peers::{Crossbeam, St3};
use super::pool::{PoolRun, Team, WorkerPool};
use super::probe::Probe;
use lyocell_workloads::StartError;

/// An owner's handle, of this project's queues or a peer's.
pub(super) trait PoolQueue: Send + Sized {
    type Item: Send;
    type Thief: PoolThief<Item = Self::Item>;

    /// The queues of a team.
    fn team(workers: usize, capacity: usize) -> Vec<Self>;

    fn thief(&self) -> Self::Thief;

    /// # Errors
    /// The item, if there is no room.
    fn push(&self, item: Self::Item) -> Result<(), Self::Item>;

    fn take(&self) -> Option<Self::Item>;

    fn len(&self) -> usize;

    /// `None` if the queue does not tell.
    fn footprint(&self) -> Option<Footprint>;
}

/// A thief's handle.
pub(super) trait PoolThief: Send {
    type Item: Send;

    fn steal(&self) -> Steal<Self::Item>;
}

impl<Q: Owner + Send> PoolQueue for Q {
    type Item = Q::Item;
    type Thief = Q::Thief;

    fn team(workers: usize, capacity: usize) -> Vec<Self> {
        Owner::team(workers, capacity)
    }

    fn thief(&self) -> Self::Thief {
        Owner::thief(self)
    }

    #[inline(always)]
    fn push(&self, item: Self::Item) -> Result<(), Self::Item> {
        Owner::push(self, item).map_err(|full| full.item)
    }

    #[inline(always)]
    fn take(&self) -> Option<Self::Item> {
        Owner::take(self)
    }

    fn len(&self) -> usize {
        Owner::len(self)
    }

    fn footprint(&self) -> Option<Footprint> {
        Some(Owner::footprint(self))
    }
}

impl<T: Thief> PoolThief for T {
    type Item = T::Item;

    #[inline(always)]
    fn steal(&self) -> Steal<Self::Item> {
        Thief::steal(self)
    }
}

/// A queue out of which every node comes once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exact {
    /// Arora, Blumofe and Plaxton's.
    Abp,
    /// Chase and Lev's, which grows.
    ChaseLev,
    /// The same, which shrinks too.
    ShrinkingChaseLev,
    /// A queue a worker, under a lock.
    Locked,
    /// One queue for all, under a lock.
    CentralLocked,
    /// crossbeam-deque.
    Crossbeam,
    /// st3.
    St3,
}

/// A queue out of which a node may come more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relaxed {
    /// Last in, first out.
    Lifo,
    /// First in, first out.
    Fifo,
    /// Thieves at the other end.
    DoubleEnded,
    /// The last node may be taken and stolen.
    Duplicating,
}

/// A queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    /// Every node comes out once.
    Exact(Exact),
    /// A node may come out more than once.
    Relaxed(Relaxed),
}

/// Whose a queue is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Of this project.
    Ours,
    /// Of others.
    Peer,
}

impl Queue {
    /// What the others are compared with, as in the paper.
    pub const BASELINE: Queue = Queue::Exact(Exact::Abp);

    /// All, in the paper's order, then the baselines and the peers.
    pub const ALL: [Queue; 11] = [
        Queue::Exact(Exact::Abp),
        Queue::Exact(Exact::ChaseLev),
        Queue::Exact(Exact::ShrinkingChaseLev),
        Queue::Relaxed(Relaxed::Lifo),
        Queue::Relaxed(Relaxed::Fifo),
        Queue::Relaxed(Relaxed::DoubleEnded),
        Queue::Relaxed(Relaxed::Duplicating),
        Queue::Exact(Exact::Locked),
        Queue::Exact(Exact::CentralLocked),
        Queue::Exact(Exact::Crossbeam),
        Queue::Exact(Exact::St3),
    ];

    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Queue::Exact(Exact::Abp) => "abp",
            Queue::Exact(Exact::ChaseLev) => "chase-lev",
            Queue::Exact(Exact::ShrinkingChaseLev) => "chase-lev-shrinking",
            Queue::Exact(Exact::Locked) => "locked",
            Queue::Exact(Exact::CentralLocked) => "central-locked",
            Queue::Exact(Exact::Crossbeam) => "crossbeam-deque",
            Queue::Exact(Exact::St3) => "st3",
            Queue::Relaxed(Relaxed::Lifo) => "idempotent-lifo",
            Queue::Relaxed(Relaxed::Fifo) => "idempotent-fifo",
            Queue::Relaxed(Relaxed::DoubleEnded) => "idempotent-double-ended",
            Queue::Relaxed(Relaxed::Duplicating) => "duplicating",
        }
    }

    /// In one line.
    pub fn summary(self) -> &'static str {
        match self {
            Queue::Exact(Exact::Abp) => "Arora, Blumofe, Plaxton: a fixed array",
            Queue::Exact(Exact::ChaseLev) => "Chase and Lev: a ring that grows",
            Queue::Exact(Exact::ShrinkingChaseLev) => "the same, and shrinks",
            Queue::Exact(Exact::Locked) => "a queue a worker, under a lock",
            Queue::Exact(Exact::CentralLocked) => "one queue for all, under a lock",
            Queue::Exact(Exact::Crossbeam) => "crossbeam-deque (peer)",
            Queue::Exact(Exact::St3) => "st3, last in first out (peer)",
            Queue::Relaxed(Relaxed::Lifo) => {
                "Michael, Vechev, Saraswat: last in, first out; at least once"
            }
            Queue::Relaxed(Relaxed::Fifo) => "first in, first out; at least once",
            Queue::Relaxed(Relaxed::DoubleEnded) => "thieves at the other end; at least once",
            Queue::Relaxed(Relaxed::Duplicating) => {
                "Leijen, Schulte, Burckhardt: the last node may be taken and stolen; at least once"
            }
        }
    }

    /// Whose it is.
    pub fn origin(self) -> Origin {
        match self {
            Queue::Exact(Exact::Crossbeam | Exact::St3) => Origin::Peer,
            Queue::Exact(_) | Queue::Relaxed(_) => Origin::Ours,
        }
    }
}

/// Runs `case` once with a queue of each kind.
///
/// # Errors
/// A thread cannot be started.
pub(super) fn run_exact<C: Case, P: Probe>(
    queue: Exact,
    case: &C,
    workers: usize,
) -> Result<PoolRun<P>, StartError> {
    let team = Team { name: Queue::Exact(queue).name(), workers };
    match queue {
        Exact::Abp => WorkerPool::<Abp<C::Node>, P>::bounded(team, case).run(case),
        Exact::ChaseLev => WorkerPool::<ChaseLev<C::Node>, P>::growing(team).run(case),
        Exact::ShrinkingChaseLev => {
            WorkerPool::<ShrinkingChaseLev<C::Node>, P>::growing(team).run(case)
        }
        Exact::Locked => WorkerPool::<Locked<C::Node>, P>::growing(team).run(case),
        Exact::CentralLocked => WorkerPool::<CentralLocked<C::Node>, P>::growing(team).run(case),
        Exact::Crossbeam => WorkerPool::<Crossbeam<C::Node>, P>::growing(team).run(case),
        Exact::St3 => WorkerPool::<St3<C::Node>, P>::bounded(team, case).run(case),
    }
}

/// As [`run_exact`].
pub(super) fn run_relaxed<C: Idempotent<Node: Plain>, P: Probe>(
    queue: Relaxed,
    case: &C,
    workers: usize,
) -> Result<PoolRun<P>, StartError> {
    let team = Team { name: Queue::Relaxed(queue).name(), workers };
    match queue {
        Relaxed::Lifo => WorkerPool::<IdempotentLifo<C::Node>, P>::growing(team).run(case),
        Relaxed::Fifo => WorkerPool::<IdempotentFifo<C::Node>, P>::growing(team).run(case),
        Relaxed::DoubleEnded => {
            WorkerPool::<IdempotentDoubleEnded<C::Node>, P>::growing(team).run(case)
        }
        Relaxed::Duplicating => WorkerPool::<Duplicating<C::Node>, P>::growing(team).run(case),
    }
}
