//! The base of Wool's Table II: a lock for each worker.
//!
//! ```text
//!   0        tail                               top
//!   | stolen | to be had, by whoever has the lock | free
//! ```
//! No state in the slots: under the lock, owner and thieves compare `top` and `tail`. The owner takes the
//! lock to join, not to spawn; the join is generic.
//!
//! # Invariants
//! - locked-1. The tail is written only with the lock held; `top` only by the owner, and lowered only with the
//!   lock held.
//! - locked-2. Under the lock, the tasks in `[tail, top)` are nobody's yet; `[0, tail)` is stolen.
//!
//! # Orderings
//! A push raises `top` without the lock: Release, to the Acquire of the thief, brings the contents of the
//! slot. Everything else is ordered by the lock.
//!
//! Source: Faxén 2010, section IV-B, Table II, `base`.

use super::thief_lock::ThiefLock;
use crate::deque::kit::Limits;
use crate::deque::{Deque, Fast, Join, Loot, Pop, Push, Requests, Steal, Stealable, Team};
use crate::probe::{Event, Probe};
use crate::task::{Slot, Slots};
use crossbeam_utils::CachePadded;
use lyocell_sync::{AtomicUsize, Ordering, light};

/// The locked base line of Wool's Table II.
///
/// # Guarantee
/// Blocking: a worker that is suspended with the lock keeps everybody else from this deque.
///
/// # Cost
/// A lock for each join, stolen or not, and a call through the slot's function pointer.
///
/// # When to choose it
/// To see what the direct task stack saves.
///
/// # Source
/// Faxén 2010, section IV-B.
pub struct DirectLocked {
    slots: Slots,
    limits: Limits,
    top: CachePadded<AtomicUsize>,
    /// Written under its own lock; read by anybody who only wants a hint.
    tail: CachePadded<AtomicUsize>,
    /// Wherever a thief is, locked-1 and locked-2 hold: the tail, in one store, is where it was or has passed the task that is
    /// the thief's.
    lock: CachePadded<ThiefLock>,
}

impl DirectLocked {
    fn tail(&self) -> usize {
        // Ordering: Relaxed; under the lock, or a hint.
        self.tail.load(Ordering::Relaxed)
    }

    /// The caller holds the lock (locked-1).
    fn set_tail(&self, tail: usize) {
        // Ordering: Relaxed; ordered by the lock.
        self.tail.store(tail, Ordering::Relaxed);
    }

    fn set_top(&self, head: *const Slot) {
        // Ordering: Release; meets the Acquire in `has_task`: with the slot comes its task.
        self.top.store(self.slots.index(head), Ordering::Release);
    }

    fn has_task(&self) -> bool {
        // Ordering: Acquire; meets the Release in `set_top`.
        self.tail() < self.top.load(Ordering::Acquire)
    }
}

// SAFETY: deque-1 and deque-2 by locked-2; deque-3 by the Release of `set_top` and the Acquire of `has_task`;
// deque-4 because only `retire` lowers the tail.
unsafe impl Deque for DirectLocked {
    const NAME: &'static str = "direct-locked";
    const MAX_CAPACITY: usize = isize::MAX as usize / size_of::<Slot>();
    const JOIN: Join = Join::Generic;

    type Requests = Limits;
    type Options = ();

    fn new(slots: Slots, (): &()) -> DirectLocked {
        DirectLocked {
            limits: Limits::new(&slots, 0),
            slots,
            top: CachePadded::new(AtomicUsize::new(0)),
            tail: CachePadded::new(AtomicUsize::new(0)),
            lock: CachePadded::default(),
        }
    }

    #[inline(always)]
    fn push(&self, head: *const Slot, _probe: &impl Probe) -> Fast {
        if !self.limits.push_is_fast(head) {
            return Fast::Slow;
        }
        self.set_top(head);
        light();
        // Somebody may ask by now (idle-6); then the slow path does the same once more, which changes nothing.
        if self.limits.is_asked() { Fast::Slow } else { Fast::Done }
    }

    fn push_slow(&self, head: *const Slot, _probe: &impl Probe) -> Push {
        if head.addr() == self.slots.past_end() {
            return Push::Full;
        }
        self.set_top(head);
        Push::Asked
    }

    /// The whole join is the slow path, as in a library that is called for it.
    #[inline(always)]
    fn pop(&self, _head: *const Slot, _probe: &impl Probe) -> Fast {
        Fast::Slow
    }

    fn pop_slow(&self, head: *const Slot, probe: &impl Probe) -> Pop {
        probe.count(Event::OwnerRmw);
        let _lock = self.lock.lock();
        if self.slots.index(head) < self.tail() {
            return Pop::Stolen;
        }
        self.set_top(head);
        if self.limits.is_asked() { Pop::Asked } else { Pop::Popped }
    }

    fn retire(&self, head: *const Slot, probe: &impl Probe) {
        probe.count(Event::OwnerRmw);
        let _lock = self.lock.lock();
        self.set_top(head);
        self.set_tail(self.slots.index(head));
    }

    fn forget_request(&self, probe: &impl Probe) {
        self.limits.reset(&self.slots, self.slots.past_end(), probe);
    }

    #[inline]
    fn requests(&self) -> &Limits {
        &self.limits
    }

    fn steal<'a>(
        team: &'a Team<Self>,
        victim: usize,
        _thief: usize,
        _probe: &impl Probe,
    ) -> Steal<Loot<'a>> {
        let deque = team.deque(victim);
        let _lock = deque.lock.lock();
        if !deque.has_task() {
            return Steal::Empty;
        }
        let oldest = deque.tail();
        deque.set_tail(oldest + 1);
        Steal::Task(Loot { owner: victim, first: deque.slots.get(oldest), count: 1 })
    }

    fn stealable(&self) -> Stealable {
        if self.has_task() { Stealable::Some } else { Stealable::None }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::deque::kit::test_kit::TestKit;
    use crate::lines::hold_lines;

    #[test]
    fn no_line_has_two_writers() {
        hold_lines!(DirectLocked:
            slots: Nobody,
            limits: Thieves,
            top: Owner,
            tail: Anybody,
            lock: Thieves,
        );
    }

    #[test]
    fn thieves_take_the_oldest_and_the_owner_the_newest() {
        let kit = TestKit::<DirectLocked>::new(4);
        assert_eq!(kit.steal(), Steal::Empty);
        assert_eq!(kit.push(), Push::Pushed);
        assert_eq!(kit.push(), Push::Pushed);
        assert_eq!(kit.steal(), Steal::Task(0));
        kit.deque().request();
        assert_eq!(kit.pop(), Pop::Asked);
        assert_eq!(kit.pop(), Pop::Stolen);
        kit.retire();
        assert_eq!(kit.steal(), Steal::Empty);
        assert_eq!(kit.push(), Push::Pushed);
        assert_eq!(kit.deque().stealable(), Stealable::Some);
        assert_eq!(kit.pop(), Pop::Popped);
        assert_eq!(kit.deque().stealable(), Stealable::None);
    }
}
