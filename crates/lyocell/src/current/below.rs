//! A thread that is a worker of several pools, one within the other: where a pool has no threads, whoever calls it becomes its worker,
//! whatever it was before (alone-3, alone-4).
//!
//! ```text
//!   entry of the pool called last -> entry of the one that it was called from -> … -> the first
//!   the worker of the current task       workers whose tasks wait for that call
//! ```
//! Each of them waits for the one above it. So as far as its own pool is concerned, it is where it was when it made that call, and may be
//! gone on with on top of it, as within a call of its own.

use super::{DynOccupied, Entry, Unlink, Yield, entry_here, link};
use crate::wait::{Goal, Subscribed};
use std::iter::successors;

/// The workers of this entry and of those below it, as far as they are of this process.
fn chain<'a>(entry: &'a Entry) -> impl Iterator<Item = &'a DynOccupied> {
    let next = |entry: &&'a Entry| {
        // SAFETY: current-2, and a frame below outlasts those above it.
        unsafe { entry.before.as_ref() }.filter(|below| !below.generation.is_past())
    };
    successors(Some(entry), next).filter_map(Entry::unobserved)
}

/// The worker that the calling thread is in the pool at this address, below what it is now.
///
/// # Safety
/// The pool at this address has workers of this type.
pub(crate) unsafe fn worker_below<'a, W>(pool: *const ()) -> Option<&'a W> {
    let entry = entry_here().filter(|entry| !entry.is_observed())?;
    let worker = chain(entry).skip(1).find(|worker| worker.pool_identity() == pool)?;
    // SAFETY: by the caller's word; and this thread occupies it.
    Some(unsafe { &*std::ptr::from_ref(worker).cast() })
}

/// Whether the calling thread is the worker at this address, be it below what it is now.
pub(super) fn is_here(worker: usize) -> bool {
    entry_here().is_some_and(|entry| {
        chain(entry).any(|here| std::ptr::from_ref(here).cast::<()>().addr() == worker)
    })
}

/// Goes on as this worker, which the thread is already further down its stack, while `body` runs.
pub(crate) fn again<R>(worker: &DynOccupied, body: impl FnOnce() -> R) -> R {
    let entry = Entry::of(worker);
    let _unlink = Unlink { before: entry.before };
    link(&raw const entry);
    body()
}

/// Who is to sleep where this thread waits for something, if it is more than one worker: the one whose pool has threads, which may
/// wake it for what it alone can run; if there is none, the first.
pub(super) fn who_sleeps(entry: &Entry) -> Option<&DynOccupied> {
    if entry.before.is_null() {
        return None;
    }
    let with_threads = chain(entry).find(|worker| !worker.is_alone());
    with_threads.or_else(|| chain(entry).last())
}

/// Works in all pools of this thread until the goal is reached, and sleeps as this worker, in its pool by `work` (alone-4).
pub(super) fn work_until(
    entry: &Entry,
    sleeper: &DynOccupied,
    goal: &dyn Goal,
    work: impl Fn(&DynOccupied, &dyn Goal),
) {
    while !goal.reached() {
        if yield_in_any(entry) == Yield::Executed {
            continue;
        }
        if !sleeper.is_alone() {
            return again(sleeper, || work(sleeper, goal));
        }
        if goal.subscribe() == Subscribed::WillUnpark {
            sleeper.parker().park();
        }
    }
}

/// Runs one task that waits in a pool of this thread that has no threads, the current one first.
pub(super) fn yield_in_any(entry: &Entry) -> Yield {
    let executes = |worker: &DynOccupied| again(worker, || worker.yield_now()) == Yield::Executed;
    match chain(entry).filter(|worker| worker.is_alone()).any(executes) {
        true => Yield::Executed,
        false => Yield::Idle,
    }
}
