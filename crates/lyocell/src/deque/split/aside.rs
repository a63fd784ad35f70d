//! Setting all tasks of a split deque aside, and putting them back.
//!
//! ```text
//!            0        tail          split           head
//!   before   | stolen | shared      | private       | free
//!   aside    | nobody's, as if all were stolen      | free: tail = split = head
//! ```
//! While they are aside the owner pushes and pops above them, and thieves steal what lies there, in a *frame* of all workers
//! ([`scheduler::frame`](crate::scheduler)). That is the state in which an owner waits for a stolen task, so nothing else has to
//! know of it.
//!
//! # Invariants
//! - aside-1. No task that is aside is won or popped: between the two, tail and split are never below the head of when they were set
//!   aside, and by worker-2 neither is the head.
//! - aside-2. The bounds of before come back as they were, by whoever set them aside, when the deque is empty above: then tail, split
//!   and head are all where the head was.
//! - aside-3. Pops below the split point are slow, before and after (split-4): the limits are tripped before the bounds move, and the
//!   owner alone resets them.
//!
//! A thief that has read the bounds before, and comes with its compare-and-swap when they are back, wins a task that is there: the
//! same one, for nobody has run what was aside. One that comes in between fails, since no bounds in between are those of before
//! (of before, tail < split ≤ head; in between, tail ≥ head). An exposer's mark of before is gone with the bounds; one that
//! marks what is aside reads a head at the split point, and shares nothing (split-6).
//!
//! # Orderings
//! `grow`'s Release published what comes back as shared; but a `retire` in between is a plain store, and ends its release
//! sequence. So the bounds come back with Release.
//!
//! Source: the NEWFRAME and TOGETHER of Lace, of which there is no paper. Ours.

use super::Split;
use super::bounds::Bounds;
use crate::deque::{Deque, Requests};
use crate::probe::Probe;
use crate::task::Slot;

/// The bounds of a deque whose tasks are set aside.
#[must_use = "the tasks have to be put back"]
#[derive(Debug)]
pub(crate) struct Aside(Bounds);

/// A deque whose tasks can be set aside.
pub(crate) trait SetAside: Deque {
    /// Owner: nobody is to win or pop any task below the head, until they are [put back](SetAside::put_back).
    fn set_aside(&self, head: *const Slot, probe: &impl Probe) -> Aside;

    /// Owner: undoes [`SetAside::set_aside`], with the head where it was then and nothing above it.
    fn put_back(&self, aside: Aside, head: *const Slot, probe: &impl Probe);
}

impl SetAside for Split {
    fn set_aside(&self, head: *const Slot, probe: &impl Probe) -> Aside {
        let top = self.slots.index(head);
        // aside-3: first, for a limit of pops that is not tripped is the old split point.
        self.limits.request();
        // aside-1: nothing above is stolen from below here.
        Aside(self.bounds.set_aside(top, probe))
    }

    fn put_back(&self, aside: Aside, head: *const Slot, probe: &impl Probe) {
        self.limits.request();
        self.bounds.put_back(self.slots.index(head), aside.0, probe);
    }
}
