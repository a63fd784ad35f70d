//! What the workers of a rank and the thread that talks to other ranks tell each other.
//!
//! A *part* is a bag that one worker works on. The communicating thread tells the parts that another rank wants half of a bag; a part puts
//! that aside, written down, and wakes the communicating thread, as the last part does when it is over.
//!
//! # Invariants
//! - parts-1. `running` counts the parts that are spawned and not over: it goes up before a part is spawned, by a part or by the
//!   communicating thread, and down when the part is over and all that it put aside is there. So when the communicating thread reads 0,
//!   with Acquire, nothing will change unless it spawns a part itself, and it sees what the parts have done.
//! - parts-2. A rank has something to do as long as a part has failed: a part tells so before it is over, and who reads 0 looks for
//!   that afterwards. So no rank takes the end of a part that failed for the end of its work.
//! - parts-3. Whoever puts a bag aside, or is the last part, hands the token over afterwards. So the communicating thread, which looks at all of
//!   it between two sleeps, does not sleep while there is something for it.
//!
//! # Orderings
//! `running` goes down with Release and is read with Acquire (parts-1, parts-2). `wanted` and `stopped` are hints to parts, read with Relaxed;
//! what they stand for is under locks.

use lyocell_sync::{AtomicBool, AtomicUsize, Mutex, Ordering, Parker, Unparker};
use std::collections::VecDeque;

/// The parts of a rank, as they and the communicating thread see them.
pub(crate) struct Parts {
    /// parts-1.
    running: AtomicUsize,
    /// Whether another rank would like half of a bag.
    wanted: AtomicBool,
    /// Bags for other ranks, written down.
    aside: Mutex<VecDeque<Vec<u8>>>,
    /// Whether parts are to leave what they have.
    stopped: AtomicBool,
    /// Why the first part that failed did.
    failure: Mutex<Option<String>>,
    communicating: Unparker,
}

impl Parts {
    /// None yet; who communicates sleeps by this parker.
    pub(crate) fn new(communicating: &Parker) -> Parts {
        Parts {
            running: AtomicUsize::new(0),
            wanted: AtomicBool::new(false),
            aside: Mutex::new(VecDeque::new()),
            stopped: AtomicBool::new(false),
            failure: Mutex::new(None),
            communicating: communicating.unparker().clone(),
        }
    }

    /// A part is about to be spawned (parts-1).
    pub(crate) fn begin(&self) {
        // Ordering: Relaxed; it goes up before the part is there, and who spawns it makes it visible.
        self.running.fetch_add(1, Ordering::Relaxed);
    }

    /// The part that calls this is over.
    pub(crate) fn end(&self) {
        // Ordering: Release; meets the Acquire of `is_any_running`.
        if self.running.fetch_sub(1, Ordering::Release) == 1 {
            // parts-3.
            self.communicating.unpark();
        }
    }

    pub(crate) fn is_any_running(&self) -> bool {
        // Ordering: Acquire; meets the Release of `end` (parts-1).
        self.running.load(Ordering::Acquire) > 0
    }

    /// Whether there is nothing to do: no part, nothing that was put aside, and none that failed.
    pub(crate) fn have_nothing(&self) -> bool {
        // In this order: parts-1, parts-2.
        !self.is_any_running() && self.aside.lock().is_empty() && !self.are_stopped()
    }

    /// Has all parts leave what they have at their next look.
    pub(crate) fn stop(&self) {
        // Ordering: Relaxed; parts see it when they see it, and parts-2 has the end of the part.
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub(crate) fn are_stopped(&self) -> bool {
        // Ordering: Relaxed, as in `stop`.
        self.stopped.load(Ordering::Relaxed)
    }

    /// The part that calls this has failed, and will be over.
    pub(crate) fn fail(&self, why: String) {
        self.failure.lock().get_or_insert(why);
        self.stop();
    }

    /// Why the first part that failed did, if one has.
    pub(crate) fn failure(&self) -> Option<String> {
        if self.are_stopped() { self.failure.lock().clone() } else { None }
    }

    /// Whether somebody elsewhere would like half of a bag.
    pub(crate) fn want(&self, wanted: bool) {
        // Ordering: Relaxed, here and in the look before, which keeps the line with those who read it.
        if self.wanted.load(Ordering::Relaxed) != wanted {
            self.wanted.store(wanted, Ordering::Relaxed);
        }
    }

    #[inline]
    pub(crate) fn is_wanted(&self) -> bool {
        // Ordering: Relaxed; a bag that is put aside in vain comes back.
        self.wanted.load(Ordering::Relaxed)
    }

    /// Whether the part that calls this is the one that serves what is wanted: one does for each time that it is.
    pub(crate) fn serves(&self) -> bool {
        // Ordering: Relaxed; all parts meet on this word alone.
        self.wanted.swap(false, Ordering::Relaxed)
    }

    /// A bag for another rank, written down.
    pub(crate) fn put_aside(&self, bag: Vec<u8>) {
        self.aside.lock().push_back(bag);
        // parts-3.
        self.communicating.unpark();
    }

    /// The oldest bag that was put aside.
    pub(crate) fn take_aside(&self) -> Option<Vec<u8>> {
        self.aside.lock().pop_front()
    }
}
