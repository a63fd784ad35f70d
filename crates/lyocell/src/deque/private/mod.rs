//! The private deque: a stack of tasks that only its owner touches, and its polling.
//!
//! ```text
//!   0        tail                          head
//!   | given  | private                     | free
//! ```
//! `tail` is the owner's: nothing is ever taken from the owner, it gives. Whoever wants something of it
//! trips its [limits](crate::deque::kit), so that the next push or pop is slow and looks what is wanted: this is
//! the polling "at every push and pop" of the paper, at the price of the one compare that is there anyway.
//!
//! # Invariants
//! - private-1. Only the owner reads and writes `tail`, but for hints; `tail <= head`, except in a pop of a task
//!   that was given away, where `tail == head + 1` until the slot is retired. (A task that the owner takes out of its turn,
//!   because it polls, it gives away to itself.)
//! - private-2. The pop limit is tripped, or at or above the address of slot `tail`: so a pop that passes it takes
//!   a task that is still here.
//!
//! Source: Acar, Charguéraud and Rainey 2013, Figure 1.

pub(crate) mod mailbox;
mod receiver;
mod request_cell;
mod schedule;
mod sender;

pub use receiver::{Acquire, Receiver, ReceiverOptions};
pub use sender::{Attempts, HandOver, Sender, SenderOptions};

use crate::deque::kit::{Asked, Limits};
use crate::deque::{Amount, Fast, Loot, Push, Stealable};
use crate::probe::Probe;
use crate::task::{Slot, Slots};
use crossbeam_utils::CachePadded;
use mailbox::Parcel;
// Whoever is not the owner only wants a hint.
use lyocell_sync::unmodelled::{AtomicUsize, Ordering};

/// The owner's part of a deque whose tasks are given away by the owner alone.
pub(super) struct Private {
    slots: Slots,
    pub(super) limits: Limits,
    tail: CachePadded<AtomicUsize>,
    amount: Amount,
}

/// How far above the tail the pop limit stands (private-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Watch {
    /// At the tail.
    Off,
    /// One above: to pop the last task is slow.
    LastTask,
}

impl Private {
    pub(super) fn new(slots: Slots, amount: Amount) -> Private {
        let limits = Limits::new(&slots, 0);
        Private { slots, limits, tail: CachePadded::new(AtomicUsize::new(0)), amount }
    }

    // Ordering of the tail: Relaxed; the owner's own (private-1), and a hint to others.

    fn tail(&self) -> usize {
        self.tail.load(Ordering::Relaxed)
    }

    fn set_tail(&self, tail: usize) {
        self.tail.store(tail, Ordering::Relaxed);
    }

    #[inline(always)]
    pub(super) fn push(&self, head: *const Slot) -> Fast {
        if self.limits.push_is_fast(head) { Fast::Done } else { Fast::Slow }
    }

    pub(super) fn push_slow(&self, head: *const Slot) -> Push {
        if head.addr() == self.slots.past_end() { Push::Full } else { Push::Asked }
    }

    #[inline(always)]
    pub(super) fn pop(&self, head: *const Slot) -> Fast {
        // private-2: at or past the limit, the task is still here.
        if self.limits.pop_is_fast(head) { Fast::Done } else { Fast::Slow }
    }

    /// Whether the task at `head` has been given away.
    pub(super) fn gave(&self, head: *const Slot) -> bool {
        self.slots.index(head) < self.tail()
    }

    /// How many tasks are below `head` and still here. The owner knows, others guess.
    pub(super) fn tasks(&self, head: *const Slot) -> usize {
        // Saturating: in the pop of a task that was given away, the head is below the tail (private-1); so a signal
        // handler that comes there finds nothing to give (interrupt-4).
        self.slots.index(head).saturating_sub(self.tail())
    }

    /// Whether any are.
    pub(super) fn has_tasks(&self, head: *const Slot) -> Stealable {
        if self.tasks(head) > 0 { Stealable::Some } else { Stealable::None }
    }

    /// The top task, at `head`, was given away and is finished.
    pub(super) fn retire(&self, head: *const Slot, probe: &impl Probe) {
        let top = self.slots.index(head);
        debug_assert_eq!(self.tail(), top + 1);
        self.set_tail(top);
        // A request that stood is not lost: it tripped the push limit too.
        let _ = self.watch(Watch::Off, probe);
    }

    /// Forgets the request as far as pushes go; [`Private::watch`] does the rest.
    pub(super) fn forget_request(&self) {
        self.limits.reset_push(&self.slots);
    }

    /// Sets the pop limit anew (private-2), and tells whether it was tripped.
    pub(super) fn watch(&self, watch: Watch, probe: &impl Probe) -> Asked {
        let above = match watch {
            Watch::Off => 0,
            Watch::LastTask => 1,
        };
        self.limits.reset_pop(&self.slots, self.tail() + above, probe)
    }

    /// What worker `me`, the owner, would give now of the tasks below `head`, if there are any.
    pub(super) fn offer(&self, head: *const Slot, me: usize) -> Option<Parcel> {
        let count = self.amount.of(self.tasks(head)).min(Parcel::MAX_COUNT);
        (count > 0).then(|| Parcel { owner: me, first: self.tail(), count })
    }

    /// Worker `me`, the owner, gives the oldest task below `head` to itself, if there is one. The pop limit has to be set anew.
    pub(super) fn take_oldest(&self, head: *const Slot, me: usize) -> Option<Loot<'_>> {
        if self.has_tasks(head) == Stealable::None {
            return None;
        }
        let parcel = Parcel { owner: me, first: self.tail(), count: 1 };
        self.give(parcel);
        Some(self.loot(parcel))
    }

    /// An offer has been accepted: its tasks are gone.
    pub(super) fn give(&self, parcel: Parcel) {
        self.set_tail(parcel.first + parcel.count);
    }

    /// The slots of a parcel that came from this deque.
    pub(super) fn loot(&self, parcel: Parcel) -> Loot<'_> {
        let Parcel { owner, first, count } = parcel;
        Loot { owner, first: self.slots.get(first), count }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::lines::hold_lines;

    #[test]
    fn no_line_has_two_writers() {
        hold_lines!(Private: slots: Nobody, limits: Thieves, tail: Owner, amount: Nobody);
    }
}
