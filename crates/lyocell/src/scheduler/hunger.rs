//! Who has nothing to run, where owners alone can share what they keep: while anybody is hungry, each push shares.
//!
//! A worker is hungry from the moment when it may take on any task to that when it has found one: also in a short search, which the
//! counts of [`Idle`](crate::idle::Idle) leave out, and while it backs off, when nobody is to be woken. An owner that finds nobody hungry
//! forgets the request, and keeps what it pushes until it is asked again. So who is the first to be hungry asks everybody.
//!
//! # Invariants
//! - hunger-1. While anybody is counted as hungry, every other worker's limits are tripped, or it is about to look at the count. The first
//!   one counts itself, fences, and trips the limits of all; an owner resets its limits, fences, and looks at the count
//!   ([`Worker::request_unless_stealable`]). One of the two sees the other.
//! - hunger-2. A worker counts itself before others see that the stolen task which it has run is over. So whoever begins something new after that
//!   finds it counted.
//!
//! What is pushed while nobody is hungry stays with its owner, but for the oldest (worker-5), until its next push or pop: it takes a
//! barrier to have it sooner.
//!
//! Where thieves expose, or owners share when they are asked only, nobody is counted.

use super::Worker;
use super::registry::Sharing;
use crate::deque::{Deque, PrivateTasks};
use crate::probe::Probe;
use crossbeam_utils::CachePadded;
use lyocell_sync::{AtomicUsize, Ordering, fence};

/// How many workers of a pool are hungry.
pub(crate) struct Hungry(CachePadded<AtomicUsize>);

// Ordering: Relaxed everywhere here, around the fences of hunger-1.
impl Hungry {
    pub(super) fn new() -> Hungry {
        Hungry(CachePadded::new(AtomicUsize::new(0)))
    }

    /// Whether anybody is. The caller has fenced.
    pub(crate) fn anybody(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Occupant, or who makes the worker's thread: it has nothing to run, and may take on any task.
    pub(crate) fn note_hungry(&self) {
        if self.own.hungry.get() || !self.shares_alone() {
            return;
        }
        self.own.hungry.set(true);
        if self.registry().hungry.0.fetch_add(1, Ordering::Relaxed) == 0 {
            fence(Ordering::SeqCst);
            self.registry().others(self.index()).for_each(|other| self.ask(other));
        }
    }

    /// As [`Worker::note_hungry`]: it has found something, or what it waits for; or its thread will not come.
    pub(crate) fn note_fed(&self) {
        if self.own.hungry.replace(false) {
            self.registry().hungry.0.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Whether this worker's tasks are shared by its own doing only, and so ahead of being asked.
    pub(super) fn shares_alone(&self) -> bool {
        let is_ahead = self.registry().settings.sharing == Sharing::Ahead;
        let can = D::PRIVATE_TASKS != PrivateTasks::Sent && self.workers() > 1;
        can && is_ahead && self.gives_alone()
    }
}
