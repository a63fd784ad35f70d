//! The probe of a worker as the runtime calls it: one that unwinds ends the process.
//!
//! A probe is called in the middle of pushes, pops and steals, and where tasks end. What would unwind from there would leave
//! a task uncounted that is over, or a frame that somebody else still works in. That a probe does not is its promise; this is
//! what holds when the promise is broken, be it by an overflow that nobody thought of.
//!
//! # Invariants
//! - guarded-1. No call of a probe by the runtime unwinds: the process ends there instead. The panic has been reported by then,
//!   by the panic hook.
//!
//! Nothing is looked at when a call returns: where a method cannot unwind, as those of [`NoProbe`](super::NoProbe) and of
//! [`Counters`](super::Counters), the compiler drops the guard, and `.ci/probe-cost` holds that against the machine code.
//!
//! What a probe makes is not guarded: [`Probe::Group`] is made and dropped where nothing is half done, and a panic goes its
//! usual way. So does one of [`Probe::attach`], to whoever builds the pool.

use super::{AttachError, Event, Origin, Phase, Probe, Root};
use std::process::abort;

/// The probe of a worker. [`Guarded::get`] is for those who read it.
#[derive(Debug, Default)]
pub(crate) struct Guarded<P>(P);

impl<P> Guarded<P> {
    pub(crate) fn get(&self) -> &P {
        &self.0
    }
}

/// Ends the process if it is dropped.
struct Unwinding;

impl Drop for Unwinding {
    #[cold]
    #[inline(never)]
    fn drop(&mut self) {
        abort()
    }
}

/// Calls something that should not unwind (guarded-1).
#[inline(always)]
fn guard<R>(call: impl FnOnce() -> R) -> R {
    let unwinding = Unwinding;
    let result = call();
    std::mem::forget(unwinding);
    result
}

// SAFETY: by guarded-1 nothing unwinds from here; that nothing enters a pool is promised by the probe within.
unsafe impl<P: Probe> Probe for Guarded<P> {
    type Fork = P::Fork;
    type Group = P::Group;
    type Start = P::Start;

    #[inline(always)]
    fn count(&self, event: Event) {
        guard(|| self.0.count(event));
    }

    #[inline(always)]
    fn spawned(&self, depth: impl FnOnce() -> usize) {
        guard(|| self.0.spawned(depth));
    }

    #[inline(always)]
    fn enter(&self, phase: Phase) -> Phase {
        guard(|| self.0.enter(phase))
    }

    fn attach(&self, pool: usize, worker: usize, workers: usize) -> Result<(), AttachError> {
        self.0.attach(pool, worker, workers)
    }

    #[inline(always)]
    fn fork(
        &self,
        tasks: usize,
        depth: impl FnOnce() -> usize,
        site: impl FnOnce() -> usize,
    ) -> P::Fork {
        guard(|| self.0.fork(tasks, depth, site))
    }

    #[inline(always)]
    fn next_branch(&self, fork: P::Fork) -> P::Fork {
        guard(|| self.0.next_branch(fork))
    }

    #[inline(always)]
    fn sync_branch(&self, fork: P::Fork) -> P::Fork {
        guard(|| self.0.sync_branch(fork))
    }

    #[inline(always)]
    fn join(&self, fork: P::Fork) {
        guard(|| self.0.join(fork));
    }

    #[inline(always)]
    fn leave(&self, fork: P::Fork) {
        guard(|| self.0.leave(fork));
    }

    #[inline(always)]
    fn begin_task(&self, origin: Origin) {
        guard(|| self.0.begin_task(origin));
    }

    #[inline(always)]
    fn end_stolen<'a>(&self, owner: impl FnOnce() -> &'a Self, slot: usize) {
        guard(|| self.0.end_stolen(|| owner().get(), slot));
    }

    #[inline(always)]
    fn collect(&self, slot: usize) {
        guard(|| self.0.collect(slot));
    }

    #[inline(always)]
    fn end_root(&self, root: Root) {
        guard(|| self.0.end_root(root));
    }

    #[inline(always)]
    fn begin_group(&self) -> P::Group {
        guard(|| self.0.begin_group())
    }

    #[inline(always)]
    fn spawn_in<'a>(group: &P::Group, spawner: impl FnOnce() -> Option<&'a Self>) -> P::Start {
        guard(|| P::spawn_in(group, || spawner().map(Guarded::get)))
    }

    #[inline(always)]
    fn begin_spawned(&self, group: &P::Group, start: P::Start) {
        guard(|| self.0.begin_spawned(group, start));
    }

    #[inline(always)]
    fn end_spawned(&self, group: &P::Group) {
        guard(|| self.0.end_spawned(group));
    }

    #[inline(always)]
    fn end_group(&self, group: &P::Group) {
        guard(|| self.0.end_group(group));
    }
}
