//! The request cell of a worker with a private deque: the word where a thief leaves its name, and beside it the flag
//! that tells thieves whether the worker has something to offer.
//!
//! Names come and go between a look at the cell and the step after it, and may be the same again. A thief puts its own name there
//! and nobody else does, so the one that it takes away is the one that it has put last. An owner takes whoever is there at
//! the swap; if that thief has been away and has come back, it is asked for by its later request, and answered for that.
//!
//! Source: the request cell `r` and the status flag `a` of Acar, Charguéraud and Rainey 2013, Figure 2, and Figure 8
//! for the blocked cell.

use super::mailbox::Change;
use crate::deque::Stealable;
use crate::probe::{Event, Probe};
use lyocell_sync::{AtomicBool, AtomicU32, Ordering};

/// Where a thief leaves its name, and sees whether the worker has something to offer.
pub(super) struct RequestCell {
    request: AtomicU32,
    has_tasks: AtomicBool,
}

/// Nobody's name: the paper's `NO_REQU`.
const NO_REQUEST: u32 = 0;
/// The worker takes no requests: the paper's `REQ_BLOCKED`.
const BLOCKED: u32 = 1;
/// The name of the first worker.
const FIRST_THIEF: u32 = 2;

fn name_of(thief: usize) -> u32 {
    thief as u32 + FIRST_THIEF
}

fn thief_named(name: u32) -> Option<usize> {
    name.checked_sub(FIRST_THIEF).map(|thief| thief as usize)
}

impl RequestCell {
    pub(super) fn new() -> RequestCell {
        RequestCell { request: AtomicU32::new(NO_REQUEST), has_tasks: AtomicBool::new(false) }
    }

    // Ordering of the status flag: Relaxed; a hint to thieves, and the owner reads what it wrote itself.

    pub(super) fn status(&self) -> Stealable {
        if self.has_tasks.load(Ordering::Relaxed) { Stealable::Some } else { Stealable::None }
    }

    /// Owner: writes the flag only when it changes, as the line is the thieves' too.
    pub(super) fn set_status(&self, status: Stealable) {
        if self.status() != status {
            self.has_tasks.store(status == Stealable::Some, Ordering::Relaxed);
        }
    }

    /// Thief: leaves its name, if nobody else's is there.
    pub(super) fn put_request(&self, thief: usize) -> Change {
        let name = name_of(thief);
        // Ordering: Release; meets the Acquire of the swaps in `take_request` and `block`: the owner finds
        // the thief's mailbox open.
        match self.request.compare_exchange(NO_REQUEST, name, Ordering::Release, Ordering::Relaxed)
        {
            Ok(_) => Change::Made,
            Err(_) => Change::Refused,
        }
    }

    /// Thief: takes its name away, if the owner has not done so.
    pub(super) fn remove_request(&self, thief: usize) {
        // Ordering: Relaxed; a name that is gone tells nothing.
        let _ = self.request.compare_exchange(
            name_of(thief),
            NO_REQUEST,
            Ordering::Relaxed,
            Ordering::Relaxed,
        );
    }

    /// Owner: whether a thief has left its name.
    pub(super) fn has_request(&self) -> bool {
        // Ordering: Relaxed; a swap follows.
        thief_named(self.request.load(Ordering::Relaxed)).is_some()
    }

    /// Owner: takes the name of the thief that asks, if one does.
    pub(super) fn take_request(&self, probe: &impl Probe) -> Option<usize> {
        if !self.has_request() {
            return None;
        }
        probe.count(Event::OwnerRmw);
        // Ordering: Acquire; meets the Release in `put_request`.
        thief_named(self.request.swap(NO_REQUEST, Ordering::Acquire))
    }

    /// Owner: takes no requests from now on, and tells who was there before.
    pub(super) fn block(&self, probe: &impl Probe) -> Option<usize> {
        // Ordering: Relaxed; only the owner writes this value.
        if self.request.load(Ordering::Relaxed) == BLOCKED {
            return None;
        }
        probe.count(Event::OwnerRmw);
        // Ordering: Acquire; as in `take_request`.
        thief_named(self.request.swap(BLOCKED, Ordering::Acquire))
    }

    /// Owner: takes requests again.
    pub(super) fn unblock(&self) {
        // Ordering: Relaxed; while it is blocked nobody else writes, and there is nothing to tell.
        if self.request.load(Ordering::Relaxed) == BLOCKED {
            self.request.store(NO_REQUEST, Ordering::Relaxed);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::probe::NoProbe;

    #[test]
    fn a_blocked_desk_takes_no_names_until_it_is_unblocked() {
        let cell = RequestCell::new();
        assert_eq!(cell.put_request(3), Change::Made);
        assert_eq!(cell.put_request(4), Change::Refused);
        assert_eq!(cell.block(&NoProbe), Some(3));
        assert_eq!(cell.put_request(4), Change::Refused);
        assert_eq!(cell.block(&NoProbe), None);
        assert_eq!(cell.take_request(&NoProbe), None);
        cell.remove_request(3);
        cell.unblock();
        assert_eq!(cell.put_request(4), Change::Made);
        cell.unblock();
        assert_eq!(cell.take_request(&NoProbe), Some(4));
        assert_eq!(cell.take_request(&NoProbe), None);
    }
}
