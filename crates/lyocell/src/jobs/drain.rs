//! How a pool ends: when it is told to, and nothing is outstanding.
//!
//! # Invariants
//! - drain-1. A thread of the pool ends only when the pool is closing and every detached task is over; what those
//!   tasks did is visible to it.
//! - drain-2. No thread sleeps through the end: who closes wakes everybody, and the last task to end does so
//!   again if the pool is closing by then. Each fences between its own word and its look at the other: one of
//!   the two sees both.

use lyocell_sync::{AtomicBool, AtomicUsize, Ordering, fence};

/// Whether a pool is closing, and how many detached tasks are not over.
pub(crate) struct Drain {
    outstanding: AtomicUsize,
    closing: AtomicBool,
}

/// Who has to be woken after the end of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum TaskEnd {
    /// The pool may be over: everybody.
    Final,
    /// Nobody.
    Usual,
}

impl Drain {
    pub(crate) fn new() -> Drain {
        Drain { outstanding: AtomicUsize::new(0), closing: AtomicBool::new(false) }
    }

    /// Whether no detached task is outstanding.
    pub(crate) fn is_idle(&self) -> bool {
        // Ordering: Relaxed; a task is counted before anybody can have it.
        self.outstanding.load(Ordering::Relaxed) == 0
    }

    /// A detached task is on its way.
    pub(crate) fn begin_task(&self) {
        // Ordering: Relaxed; the pool is not closing yet, or this is called by an outstanding task.
        self.outstanding.fetch_add(1, Ordering::Relaxed);
    }

    /// A detached task is over.
    pub(crate) fn end_task(&self) -> TaskEnd {
        // Ordering: Release; meets the Acquire in `is_over` (drain-1).
        if self.outstanding.fetch_sub(1, Ordering::Release) > 1 {
            return TaskEnd::Usual;
        }
        // Pairs with the fence in `close` (drain-2).
        fence(Ordering::SeqCst);
        // Ordering: Relaxed; by the fence.
        if self.closing.load(Ordering::Relaxed) { TaskEnd::Final } else { TaskEnd::Usual }
    }

    /// No more tasks will come from outside. Everybody has to be woken after this.
    pub(crate) fn close(&self) {
        // Ordering: Release; meets the Acquire in `is_over`: who sees this sees all tasks that were begun.
        self.closing.store(true, Ordering::Release);
        // Pairs with the fence in `end_task` (drain-2).
        fence(Ordering::SeqCst);
    }

    /// Whether the pool is closing. For who does nothing for outstanding tasks, and so need not wait for them.
    pub(crate) fn is_closing(&self) -> bool {
        // Ordering: Relaxed; who closes wakes everybody, and that brings it.
        self.closing.load(Ordering::Relaxed)
    }

    /// Whether the pool is closing and nothing is outstanding.
    pub(crate) fn is_over(&self) -> bool {
        // In this order: once it is closing, only tasks that are outstanding begin others, so that none is none for ever.
        // Ordering: Acquire, both; meet the Release in `close` and in `end_task`.
        self.closing.load(Ordering::Acquire) && self.outstanding.load(Ordering::Acquire) == 0
    }
}
