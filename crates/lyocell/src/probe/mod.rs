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
//!
//! May import: sync, outside.
//! Never enters: a decision. The scheduler never asks a probe anything.

mod counters;
mod times;

pub use counters::{Counters, Counts};
pub use times::{Spent, Times};

/// Something that happens on a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
}

impl Event {
    /// All events, in the order of their numbers.
    pub const ALL: [Event; 16] = [
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
        }
    }
}

/// What a worker does with its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    pub const ALL: [Phase; 6] = [
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
/// The methods are called in the middle of pushes, pops and steals. They do not unwind, and they do not enter a
/// pool: nothing that they call runs, joins, spawns or waits on any pool.
pub unsafe trait Probe: Default + Send + Sync + 'static {
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
unsafe impl Probe for NoProbe {}

/// Two probes side by side. What a worker tells, both hear.
// SAFETY: as both promise.
unsafe impl<A: Probe, B: Probe> Probe for (A, B) {
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
}
