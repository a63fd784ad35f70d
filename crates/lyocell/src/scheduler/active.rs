//! How many workers of a pool are active: where a program has fewer processors than before, or less to do, the others sit out.
//!
//! ```text
//!            its number is not below `most`, and it has nothing of its own
//!   active ──────────────────────────────────────────────────────────────> sitting out
//!          <──────────────────────────────────────────────────────────────
//!            `most` was raised, or a job that was mailed to it has spawned
//! ```
//! A worker sits out between two tasks, so whatever it has begun it ends. It is announced as no sleeper: nobody wakes it for work, and
//! nobody looks for it in vain but thieves, who find its deque empty. It reads its mail, and comes to frames. (The counts of `idle` take it
//! for one that works: so more may search at once than need.)
//!
//! # Invariants
//! - active-1. A worker that sits out has left its search as any other does (idle-5), its deque and its lane are empty, and it looks at
//!   `most` after each token of its parker. Who changes `most` unparks all whom that concerns. So none sits out, or goes on, for long
//!   after it should not.
//! - active-2. `most` is never below `least`: one worker that has a thread of the pool is active, and so jobs are run (registry-2).
//!
//! Source: Go looks anew how many processors its quota allows, since 1.25; the number of threads in use is rayon #1088's wish.

use super::{Registry, Worker};
use crate::deque::Deque;
use crate::probe::Probe;
use crate::wait::{Goal, Subscribed};
use lyocell_sync::{AtomicUsize, OnceLock, Ordering, Unparker};

/// How many of the workers are active, spare ones aside.
pub(crate) struct Active {
    most: AtomicUsize,
    least: usize,
    all: usize,
    /// The thread that changes it with the processors of the process, if there is one.
    watcher: OnceLock<Unparker>,
}

impl Active {
    /// All of so many workers, of whom the first may have no thread of the pool.
    pub(super) fn new(all: usize, first_calls: bool) -> Active {
        Active {
            most: AtomicUsize::new(all),
            least: all.min(1 + usize::from(first_calls)),
            all,
            watcher: OnceLock::new(),
        }
    }

    // Ordering: Relaxed; who changes it unparks whom that concerns (active-1).
    pub(crate) fn most(&self) -> usize {
        self.most.load(Ordering::Relaxed)
    }

    /// How to wake the thread that changes it with the processors, before that is started.
    pub(crate) fn note_watcher(&self, unparker: Unparker) {
        // There is one.
        let _ = self.watcher.set(unparker);
    }

    /// Has the watcher look whether the pool is over.
    pub(super) fn wake_watcher(&self) {
        self.watcher.get().inspect(|watcher| watcher.unpark());
    }
}

impl<D: Deque, P: Probe> Registry<D, P> {
    /// Has so many workers active, or as many as there are or must be; tells how many that are.
    pub(crate) fn set_active(&self, workers: usize) -> usize {
        let Active { most, least, all, .. } = &self.active;
        // active-2.
        let workers = workers.clamp(*least, *all);
        let before = most.swap(workers, Ordering::Relaxed);
        (before.min(workers)..before.max(workers)).for_each(|worker| self.idle.unpark(worker));
        workers
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Occupant: whether it has to sit out, and can.
    fn sits_out(&self) -> bool {
        let active = &self.registry().active;
        (active.most()..active.all).contains(&self.index()) && self.lane.is_empty()
    }
}

/// What a worker works for that is not a spare: the end of the pool, or that it has to sit out.
pub(crate) struct UntilDismissed<'a, D: Deque, P: Probe>(pub(crate) &'a Worker<D, P>);

impl<D: Deque, P: Probe> Goal for UntilDismissed<'_, D, P> {
    fn reached(&self) -> bool {
        self.0.registry().drain.is_over() || self.0.sits_out()
    }

    fn subscribe(&self) -> Subscribed {
        // Who closes wakes everybody, and who dismisses whom it dismisses.
        if self.reached() { Subscribed::Reached } else { Subscribed::WillUnpark }
    }
}

/// What one that sits out waits for: the end of the pool, or that it has not to any more.
pub(crate) struct UntilRecalled<'a, D: Deque, P: Probe>(pub(crate) &'a Worker<D, P>);

impl<D: Deque, P: Probe> Goal for UntilRecalled<'_, D, P> {
    fn reached(&self) -> bool {
        self.0.registry().drain.is_over() || !self.0.sits_out()
    }

    fn subscribe(&self) -> Subscribed {
        // As above; and what fills its lane is its own doing.
        if self.reached() { Subscribed::Reached } else { Subscribed::WillUnpark }
    }
}
