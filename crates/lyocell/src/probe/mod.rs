//! Probes: observers of what a worker does.
//!
//! The scheduler calls a probe wherever something happens; which probe is a type parameter of the pool, and
//! the default, [`NoProbe`], compiles to nothing. [`Counters`] counts events, [`Times`] splits a worker's time
//! into the categories of Wool and Lace; `(Counters, Times)` does both.
//!
//! | here | Wool, Figure 6 | Lace's pie |
//! |---|---|---|
//! | start/stop | TR | startup, exit |
//! | application | NA | work |
//! | application by leaping | LA | leap work |
//! | stealing | ST | steal |
//! | leaping | LF | leap |
//! | idle | (spins in ST) | (spins in steal) |
//!
//! # Forks
//! A probe that measures the span of a computation is told where strands begin and end. A join is a fork of two branches, a
//! range one of many:
//!
//! ```text
//!   fork ── first branch ── next_branch ── second branch ── sync_branch ── … ── leave
//!                                └─ or it was stolen: collect        both at once: join
//! ```
//! A stolen task is between [`begin_task`](Probe::begin_task) and [`end_stolen`](Probe::end_stolen) of its thief's probe, which
//! delivers what it measured to the probe of the task's owner; that one collects it at the sync. Calls from outside
//! and detached tasks are roots. The tasks of a scope belong to a [group](Probe::Group) that the scope's frame holds.
//!
//! # Cost
//! Without a probe there is none: on every deque, `join` and the recursions over it are the same machine code,
//! instruction for instruction, as with all calls that count removed from the sources (`.ci/probe-cost` compares
//! the two). In some slow paths the compiler orders a few instructions otherwise.
//!
//! The probe of a worker is not told what the handler of an interrupt does, because the handler may come in the
//! middle of the worker's own counting. The handler has counters of its own, with or without a probe:
//! [`Pool::interrupts`].
//!
//! [`Pool::interrupts`]: crate::Pool::interrupts

// May import: nothing.
// Never enters: a decision. The scheduler never asks a probe anything.

mod counters;
mod guarded;
mod times;

pub use counters::{Counters, Counts};
pub(crate) use guarded::Guarded;
pub use lyocell_sync::Generation;
pub use times::{Spent, Times};

/// Something that happens on a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(usize)]
pub enum Event {
    /// A task was spawned.
    Spawn,
    /// One task, or several at once, were stolen from a random victim; or they were sent by a victim that was asked
    /// before, at the moment when this worker stopped asking.
    Steal,
    /// Tasks were stolen from the thief that the worker waits for, or from a worker along the chain of those that
    /// wait for each other.
    Leap,
    /// A steal found nothing to take.
    Failed,
    /// A steal lost against another worker, or still waits for the answer of a private deque's owner.
    Busy,
    /// The owner shared tasks: the split point went up.
    Grow,
    /// The owner took shared tasks back: the split point went down.
    Shrink,
    /// A victim was asked to share.
    Request,
    /// The owner executed a fence or an atomic read-modify-write for its deque: one that serves to push, pop,
    /// share or retire. A lock counts once; a sequentially consistent store counts too.
    OwnerRmw,
    /// A compare-and-swap of the owner failed.
    CasFailure,
    /// The owner of a private deque sent one task, or several at once, to a worker.
    Deal,
    /// A thief asked the owner of a private deque for a task.
    DealRequest,
    /// The worker went to sleep.
    Park,
    /// The worker woke up.
    Wake,
    /// The worker was interrupted (see [`Builder::interrupt`](crate::Builder::interrupt)).
    Interrupt,
    /// A thief tried to share what an owner kept although it was asked (see
    /// [`Builder::exposing`](crate::Builder::exposing)).
    Expose,
    /// A stolen task was finished, and its owner has forgotten it.
    Retire,
    /// The first [`Event::Grow`] of an owner since it retired a stolen task, which is among the grows: it shares then
    /// whether or not anybody has asked.
    Reshare,
}

impl Event {
    /// All events, in the order of their numbers.
    pub const ALL: &'static [Event] = &[
        Event::Spawn,
        Event::Steal,
        Event::Leap,
        Event::Failed,
        Event::Busy,
        Event::Grow,
        Event::Shrink,
        Event::Request,
        Event::OwnerRmw,
        Event::CasFailure,
        Event::Deal,
        Event::DealRequest,
        Event::Park,
        Event::Wake,
        Event::Interrupt,
        Event::Expose,
        Event::Retire,
        Event::Reshare,
    ];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Event::Spawn => "tasks",
            Event::Steal => "steals",
            Event::Leap => "leaps",
            Event::Failed => "failed",
            Event::Busy => "busy",
            Event::Grow => "grows",
            Event::Shrink => "shrinks",
            Event::Request => "requests",
            Event::OwnerRmw => "owner RMWs",
            Event::CasFailure => "CAS failures",
            Event::Deal => "deals",
            Event::DealRequest => "deal requests",
            Event::Park => "parks",
            Event::Wake => "wakes",
            Event::Interrupt => "interrupts",
            Event::Expose => "exposes",
            Event::Retire => "retires",
            Event::Reshare => "reshares",
        }
    }
}

/// What a worker does with its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(usize)]
pub enum Phase {
    /// Before its first task and after its last.
    StartStop,
    /// Runs tasks that it spawned, was called with, or stole from a random victim.
    Application,
    /// Runs tasks that it stole while it waits, from the thief.
    LeapApplication,
    /// Looks for tasks.
    Stealing,
    /// Looks for tasks while it waits for a stolen one.
    Leaping,
    /// Sleeps.
    Idle,
}

impl Phase {
    /// All phases, in the order of their numbers.
    pub const ALL: &'static [Phase] = &[
        Phase::StartStop,
        Phase::Application,
        Phase::LeapApplication,
        Phase::Stealing,
        Phase::Leaping,
        Phase::Idle,
    ];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Phase::StartStop => "start/stop",
            Phase::Application => "application",
            Phase::LeapApplication => "application by leaping",
            Phase::Stealing => "stealing",
            Phase::Leaping => "leaping",
            Phase::Idle => "idle",
        }
    }
}

/// Watches one worker. All methods but the reading of results are called by the worker itself.
///
/// Results are read by [`Pool::probes`](crate::Pool::probes) while workers run: a probe keeps them in atomics.
///
/// To watch workers in safe code, write an [observer](Observe) and build the pool with
/// [`Observed`](crate::Observed).
///
/// # Safety
/// The methods are called in the middle of pushes, pops and steals. They do not enter a pool: nothing that they call runs,
/// joins, spawns or waits on any pool.
///
/// # Panics
/// A method that unwinds ends the process, after the panic hook has reported why: what would be unwound is half done, and
/// others work in it. [`Probe::attach`] alone may panic, as whoever builds the pool does then.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to be a probe",
    note = "a function for workers of every pool is written `fn f<D: Deque, P: Probe>(w: &Worker<D, P>)`",
    note = "what watches workers in safe code implements `probe::Observe`, and its probe is `Observed<Self>`"
)]
pub unsafe trait Probe: Default + Send + Sync + 'static {
    /// What the probe keeps of a fork, in the frame that forked, until its branches are joined. `()` if it keeps nothing.
    type Fork: Copy + Default;

    /// What the tasks of one scope add up to, in the scope's frame. `()` if nothing.
    type Group: Default + Send + Sync;

    /// Where in a scope a task of it was spawned. `()` if that is not kept.
    type Start: Copy + Default + Send;

    /// Something happened.
    #[inline(always)]
    fn count(&self, event: Event) {
        let _ = event;
    }

    /// A task was spawned; `depth` tells how many tasks are in the deque now.
    #[inline(always)]
    fn spawned(&self, depth: impl FnOnce() -> usize) {
        let _ = depth;
    }

    /// The worker is in this phase from now on. Returns the phase that it was in before.
    #[inline(always)]
    fn enter(&self, phase: Phase) -> Phase {
        phase
    }

    /// The worker has this number in a pool that has so many. Called once, by whoever builds the pool. No two pools
    /// of a process have one number.
    ///
    /// # Errors
    /// The probe cannot do its work. The pool is not built then ([`BuildError::Attach`](crate::BuildError::Attach)).
    fn attach(&self, pool: usize, worker: usize, workers: usize) -> Result<(), AttachError> {
        let _ = (pool, worker, workers);
        Ok(())
    }

    /// A frame has forked so many tasks, and its first branch begins. `depth` tells how many tasks are in the deque now,
    /// `site` the address of the code that runs those of the fork.
    #[inline(always)]
    fn fork(
        &self,
        tasks: usize,
        depth: impl FnOnce() -> usize,
        site: impl FnOnce() -> usize,
    ) -> Self::Fork {
        let _ = (tasks, depth, site);
        Self::Fork::default()
    }

    /// The next branch of this fork begins, here or as a stolen task that is about to be collected.
    #[inline(always)]
    fn next_branch(&self, fork: Self::Fork) -> Self::Fork {
        fork
    }

    /// The branch is over and joined with those before it.
    #[inline(always)]
    fn sync_branch(&self, fork: Self::Fork) -> Self::Fork {
        fork
    }

    /// The last branch is over, and with it the fork.
    #[inline(always)]
    fn join(&self, fork: Self::Fork) {
        let fork = self.sync_branch(fork);
        self.leave(fork);
    }

    /// The fork is over, whose branches were all synced, or whose frame unwinds.
    #[inline(always)]
    fn leave(&self, fork: Self::Fork) {
        let _ = fork;
    }

    /// The worker begins a stolen task or a root, in the middle of whatever it does.
    #[inline(always)]
    fn begin_task(&self, origin: Origin) {
        let _ = origin;
    }

    /// The stolen task in this slot of another worker is over: its owner will [collect](Probe::collect) it.
    #[inline(always)]
    fn end_stolen<'a>(&self, owner: impl FnOnce() -> &'a Self, slot: usize) {
        let _ = (owner, slot);
    }

    /// The stolen task in this slot, which the worker has waited for, is over: it was the newest branch.
    #[inline(always)]
    fn collect(&self, slot: usize) {
        let _ = slot;
    }

    /// A call from outside or a detached task is over.
    #[inline(always)]
    fn end_root(&self, root: Root) {
        let _ = root;
    }

    /// A scope begins in the current frame.
    #[inline(always)]
    fn begin_group(&self) -> Self::Group {
        Self::Group::default()
    }

    /// A task of this group is spawned; `spawner` tells the probe of the worker that does so, if it is one of the pool.
    #[inline(always)]
    fn spawn_in<'a>(
        group: &Self::Group,
        spawner: impl FnOnce() -> Option<&'a Self>,
    ) -> Self::Start {
        let _ = (group, spawner);
        Self::Start::default()
    }

    /// The worker begins a task of this group, in the middle of whatever it does.
    #[inline(always)]
    fn begin_spawned(&self, group: &Self::Group, start: Self::Start) {
        let _ = (group, start);
    }

    /// The task of this group that the worker has begun last is over.
    #[inline(always)]
    fn end_spawned(&self, group: &Self::Group) {
        let _ = group;
    }

    /// The scope is over, and with it all tasks of the group.
    #[inline(always)]
    fn end_group(&self, group: &Self::Group) {
        let _ = group;
    }
}

/// Why a probe cannot be [attached](Probe::attach).
pub type AttachError = Box<dyn std::error::Error + Send + Sync>;

/// Where a task comes from that the worker did not fork itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// From the deque of the worker of this number.
    Stolen(usize),
    /// From outside, or from nobody who waits.
    Root(Root),
}

/// What a computation comes from that nobody on the pool has forked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Root {
    /// A call from outside, whose caller waits.
    Call,
    /// A detached task.
    Detached,
}

/// Watches one worker, in safe code: what an [`Observed`](crate::Observed) probe tells of.
///
/// There is one observer for each worker, made when the pool is built. All methods are called by the worker's
/// thread; what they leave is read through [`Pool::probes`](crate::Pool::probes), while workers run.
///
/// # Panics
/// An observer that panics is not called again on its worker; nothing else comes of it. It panics if it runs
/// something on a pool.
pub trait Observe: Default + Send + Sync + 'static {
    /// Something happened, other than a spawn.
    fn happened(&self, event: Event) {
        let _ = event;
    }

    /// A task was spawned; `depth` tasks are in the deque now.
    fn spawned(&self, depth: usize) {
        let _ = depth;
    }

    /// The worker does this from now on.
    fn entered(&self, phase: Phase) {
        let _ = phase;
    }
}

/// No probe: the default, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProbe;

// SAFETY: the methods do nothing.
unsafe impl Probe for NoProbe {
    type Fork = ();
    type Group = ();
    type Start = ();
}

/// Two probes side by side. What a worker tells, both hear.
// SAFETY: as both promise.
unsafe impl<A: Probe, B: Probe> Probe for (A, B) {
    type Fork = (A::Fork, B::Fork);
    type Group = (A::Group, B::Group);
    type Start = (A::Start, B::Start);

    fn count(&self, event: Event) {
        self.0.count(event);
        self.1.count(event);
    }

    fn spawned(&self, depth: impl FnOnce() -> usize) {
        let depth = depth();
        self.0.spawned(|| depth);
        self.1.spawned(|| depth);
    }

    fn enter(&self, phase: Phase) -> Phase {
        self.0.enter(phase);
        self.1.enter(phase)
    }

    fn attach(&self, pool: usize, worker: usize, workers: usize) -> Result<(), AttachError> {
        self.0.attach(pool, worker, workers)?;
        self.1.attach(pool, worker, workers)
    }

    fn fork(
        &self,
        tasks: usize,
        depth: impl FnOnce() -> usize,
        site: impl FnOnce() -> usize,
    ) -> Self::Fork {
        let (depth, site) = (depth(), site());
        (self.0.fork(tasks, || depth, || site), self.1.fork(tasks, || depth, || site))
    }

    fn next_branch(&self, fork: Self::Fork) -> Self::Fork {
        (self.0.next_branch(fork.0), self.1.next_branch(fork.1))
    }

    fn sync_branch(&self, fork: Self::Fork) -> Self::Fork {
        (self.0.sync_branch(fork.0), self.1.sync_branch(fork.1))
    }

    fn join(&self, fork: Self::Fork) {
        self.0.join(fork.0);
        self.1.join(fork.1);
    }

    fn leave(&self, fork: Self::Fork) {
        self.0.leave(fork.0);
        self.1.leave(fork.1);
    }

    fn begin_task(&self, origin: Origin) {
        self.0.begin_task(origin);
        self.1.begin_task(origin);
    }

    fn end_stolen<'a>(&self, owner: impl FnOnce() -> &'a Self, slot: usize) {
        let owner = owner();
        self.0.end_stolen(|| &owner.0, slot);
        self.1.end_stolen(|| &owner.1, slot);
    }

    fn collect(&self, slot: usize) {
        self.0.collect(slot);
        self.1.collect(slot);
    }

    fn end_root(&self, root: Root) {
        self.0.end_root(root);
        self.1.end_root(root);
    }

    fn begin_group(&self) -> Self::Group {
        (self.0.begin_group(), self.1.begin_group())
    }

    fn spawn_in<'a>(
        group: &Self::Group,
        spawner: impl FnOnce() -> Option<&'a Self>,
    ) -> Self::Start {
        let spawner = spawner();
        let first = A::spawn_in(&group.0, || spawner.map(|both| &both.0));
        (first, B::spawn_in(&group.1, || spawner.map(|both| &both.1)))
    }

    fn begin_spawned(&self, group: &Self::Group, start: Self::Start) {
        self.0.begin_spawned(&group.0, start.0);
        self.1.begin_spawned(&group.1, start.1);
    }

    fn end_spawned(&self, group: &Self::Group) {
        self.0.end_spawned(&group.0);
        self.1.end_spawned(&group.1);
    }

    fn end_group(&self, group: &Self::Group) {
        self.0.end_group(&group.0);
        self.1.end_group(&group.1);
    }
}
