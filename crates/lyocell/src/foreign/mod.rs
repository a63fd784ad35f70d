//! Forking from another language: what its header does inline, and what it calls for the rest.
//!
//! The header of `lyocell-c` has spawn and sync inline: it writes a task into the slot at the head and raises the head, as
//! [`fork`](crate::scheduler) does, and compares with the limits of the deque. So it knows where these words are ([`Layout`]), and
//! that a task is a function by the conventions of C that takes its slot and the worker, and returns 1. What is slow comes here.
//!
//! ```text
//!   spawn, inline                     here
//!   run and payload into the slot
//!   head += 1, one compare ── slow ── spawn_slowly: asked: shares
//!                                                   full: runs the task at once, keeps what it leaves
//!   sync, inline
//!   head -= 1, one compare ── slow ── sync_slowly:  nothing: the task is the caller's, who runs it out of the slot
//!      fast: the same                               an address: where its outcome is
//! ```
//!
//! # Invariants
//! - foreign-1. A task of a header is over when its function returns, and returns; it never unwinds. What it leaves is bytes, in the
//!   48 of its slot.
//! - foreign-2. Spawns and syncs of a task are nested (worker-2), and each spawn has its sync.
//!
//! Not part of the interface: it changes with the header, which is of the same version (`lyo_layout`).
//!
//! May import: current, deque, owner, pool, probe, scheduler, task.
//! Never enters: what a header looks like, and what it calls things.

use crate::deque::{Push, Split};
use crate::owner::Owner;
use crate::pool::Pool;
use crate::probe::NoProbe;
use crate::scheduler::frame::{FrameBody, run_frame};
pub use crate::scheduler::frame::{FrameError, FrameStep};
use crate::scheduler::{Synced, Worker};
pub use crate::task::Slot;
use crate::task::SlotPtr;
use std::mem::offset_of;
use std::sync::Arc;

/// The worker of a header.
pub type Handle = Worker<Split, NoProbe>;

/// Where a header finds what its fast paths touch, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Layout {
    /// The head, in a worker.
    pub head: usize,
    /// The worker's number.
    pub index: usize,
    /// The limit of pushes.
    pub push_limit: usize,
    /// The limit of pops.
    pub pop_limit: usize,
    /// The function, in a slot.
    pub run: usize,
    /// The state: not 0 in its lowest two bits when the task is over.
    pub state: usize,
    /// The payload, up to the end of the slot.
    pub payload: usize,
    /// The size of a slot, and its alignment.
    pub slot: usize,
}

/// That of this library.
pub const LAYOUT: Layout = {
    type Of = Owner<Split, NoProbe>;
    let limits = offset_of!(Handle, owner)
        + offset_of!(Of, deque)
        + offset_of!(Split, limits)
        + crate::deque::LIMIT_OF_PUSHES;
    let [run, state, payload] = Slot::OFFSETS;
    Layout {
        head: offset_of!(Handle, owner) + offset_of!(Of, head),
        index: offset_of!(Handle, owner) + offset_of!(Of, index),
        push_limit: limits,
        pop_limit: limits + size_of::<usize>(),
        run,
        state,
        payload,
        slot: size_of::<Slot>(),
    }
};

/// The rest of a spawn: the task is in the slot above which the head has been raised. Returns where the task is.
///
/// # Safety
/// The calling thread is this worker, and has written the task as [`Layout`] says (foreign-1), which is `Send`.
pub unsafe fn spawn_slowly(worker: &Handle, slot: *const Slot) -> *const Slot {
    match worker.push_slow() {
        Push::Pushed | Push::Asked => slot,
        // SAFETY: it was written though there is no room: the slot past the last one is there, and is nobody else's.
        Push::Full => worker.run_at_once(unsafe { SlotPtr::new(slot) }),
    }
}

/// The rest of a sync: the head has been lowered to this slot. Returns where the outcome of the task is, until the next spawn or
/// sync; null if the task has not begun and is the caller's, out of the slot.
///
/// # Safety
/// The calling thread is this worker, and the newest task that it has spawned and not synced is the one (foreign-2).
pub unsafe fn sync_slowly(worker: &Handle, slot: *const Slot) -> *const u8 {
    // SAFETY: by the caller's word, a slot of the worker's array.
    let slot = unsafe { SlotPtr::new(slot) };
    if let Some(outcome) = worker.sync_overflow(slot) {
        return outcome;
    }
    match worker.sync_slot_slowly(slot, Handle::wait_for) {
        Synced::Mine => std::ptr::null(),
        Synced::Done(finished) => {
            // SAFETY: the wait saw the end with Acquire. The outcome stays where it is, as bytes (foreign-1).
            drop(unsafe { slot.collect::<()>(finished) });
            worker.retire(slot);
            slot.outcome()
        }
    }
}

impl Handle {
    /// Runs a task for which there is no room, and keeps what it leaves for its sync.
    #[cold]
    fn run_at_once(&self, slot: SlotPtr<'_>) -> *const Slot {
        // SAFETY: the task is ours (slot-1), and is run in the copy: what it spawns is written to its slot.
        let task = Arc::new(unsafe { slot.moved() });
        // SAFETY: as above; foreign-1.
        let finished = unsafe { task.run(std::ptr::from_ref(self).cast()) };
        let _ = task.state.finish(finished);
        let place = self.own.overflow.keep(task);
        // overflow-2.
        self.owner.deque.hold_pops();
        place
    }

    /// Syncs the newest task, if it is one that was run at once.
    fn sync_overflow(&self, slot: SlotPtr<'_>) -> Option<*const u8> {
        let outcome = self.own.overflow.sync()?;
        // overflow-1: it has no slot in the array.
        self.owner.head.raise(slot.next());
        if self.own.overflow.is_empty() {
            self.owner.deque.release_pops();
        }
        Some(outcome)
    }
}

/// Has every worker of the pool call `body` in a frame of its own, where no task of before is run, and returns when all have. `tell` is
/// called when it begins and when all have come.
///
/// # Errors
/// Callers may be workers of this pool.
pub fn together(
    worker: &Handle,
    body: &(dyn Fn(&Handle) + Sync),
    tell: &(dyn Fn(FrameStep) + Sync),
) -> Result<(), FrameError> {
    run_frame(worker, &FrameBody { run: body, tell })
}

/// Enters the frame that is being entered, if there is one.
pub fn poll_frame(worker: &Handle) {
    worker.poll_frame();
}

/// The worker that runs the task of the calling thread, if it is one of a header's; else null.
#[inline]
pub fn current() -> *const Handle {
    crate::current::default_worker().cast()
}

/// 32 bits at random.
pub fn random(worker: &Handle) -> u32 {
    let half = || worker.own.random.below(1 << 16) as u32;
    half() << 16 | half()
}

/// Whether thieves expose what an owner keeps in a long task.
pub fn exposes(pool: &Pool) -> bool {
    pool.registry().barrier().is_some()
}

#[cfg(all(test, not(loom)))]
mod tests;
