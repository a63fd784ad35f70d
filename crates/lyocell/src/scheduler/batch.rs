//! A steal of several tasks at once: what to do with those that the thief cannot run yet.
//!
//! # Invariants
//! - batch-1. The loot is pushed, oldest first, but for the newest: as tasks of the thief, each of which runs one of the victim's.
//!   So the thief runs them newest first, as their owner waits for them, and others take the oldest from it.
//! - batch-2. Nothing unwinds here, for a stolen task keeps its panic; and each pushed task is synced before this returns.
//! - batch-3. A pushed one counts as from nowhere: who is confined, and takes it, gives it back (confined-3).

use super::lineage::Parent;
use super::{Synced, Worker};
use crate::deque::{Deque, Loot, Push};
use crate::probe::Probe;
use crate::task::{Finished, Slot, SlotPtr};
use std::mem::ManuallyDrop;

/// What the slot of a pushed one holds: the stolen task, and whose it is.
struct Stolen {
    slot: *const Slot,
    owner: usize,
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Runs several stolen tasks (batch-1).
    pub(super) fn execute_batch(&self, loot: Loot<'_>) {
        // What is pushed here descends from nothing that the others' slots could tell (batch-3).
        self.enter(Parent::Root, |_| self.execute_all(loot));
    }

    fn execute_all(&self, loot: Loot<'_>) {
        let owner = &self.owner;
        let run = |place| self.execute_stolen(&loot.task(place), loot.owner);
        let newest = loot.count - 1;
        let push = |place: &usize| self.push_stolen(loot.task(*place), loot.owner) != Push::Full;
        let pushed = (0..newest).take_while(push).count();
        // They were counted as spawned where they were.
        let mut fork = owner.tell_of_fork(0, run_stolen::<D, P>);
        for place in (pushed..loot.count).rev() {
            fork = self.owner.probe.next_branch(fork);
            run(place);
            fork = self.owner.probe.sync_branch(fork);
        }
        for place in (0..pushed).rev() {
            fork = self.owner.probe.next_branch(fork);
            // SAFETY: so many have been pushed, and those above are synced (worker-2).
            let slot = unsafe { owner.newest() };
            match self.sync_slot(slot) {
                Synced::Mine => run(place),
                Synced::Done(finished) => {
                    // SAFETY: the wait saw the end with Acquire, and what was pushed returns nothing.
                    let outcome = unsafe { slot.collect::<()>(finished) };
                    self.retire(slot);
                    // batch-2: it passes no panic on.
                    debug_assert!(outcome.is_ok());
                }
            }
            fork = self.owner.probe.sync_branch(fork);
        }
        self.owner.probe.leave(fork);
    }

    fn push_stolen(&self, stolen: SlotPtr<'_>, owner: usize) -> Push {
        let slot = self.owner.head();
        let stolen = ManuallyDrop::new(Stolen { slot: stolen.pointer(), owner });
        // SAFETY: the slot at the head is free and ours (slot-1). The value fits the slot, and what it points to is a slot that
        // its owner waits for, or will.
        unsafe { slot.store(run_stolen::<D, P>, &stolen) };
        self.spawn_slot(slot)
    }
}

/// What a thief of one of them runs.
///
/// # Safety
/// The caller is the thief of `slot` (slot-1), which was stored by `push_stolen` of this type, and `worker` is its worker.
unsafe extern "C" fn run_stolen<D: Deque, P: Probe>(slot: &Slot, worker: *const ()) -> Finished {
    // SAFETY: by the caller's word.
    let Stolen { slot: stolen, owner } = unsafe { slot.take() };
    // SAFETY: the slot of a stolen task is its owner's again only when the task is over.
    let stolen = unsafe { &*stolen };
    // SAFETY: by the caller's word.
    let worker = unsafe { &*worker.cast::<Worker<D, P>>() };
    // SAFETY: the starting value has just been taken.
    unsafe { slot.fill(|| worker.execute_stolen(stolen, owner)) }
}
