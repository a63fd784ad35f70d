//! Chase and Lev's deque, on C11: every task is in reach of thieves as soon as it is pushed.
//!
//! ```text
//!   index           top                 bottom
//!            gone   | 7   | 8   | 9     |
//!   ring     ...    | |   | |   | |     |  (as a circle)
//!                     v     v     v
//!   slots  | stolen | s2  | s3  | s4    | free
//!   0                                   head
//! ```
//! Indices only go up; the slots are a stack. So between the two stands the paper's own array, a *ring* that
//! holds where the task of an index is, and doubles when it is too small. An index that was stolen, or
//! that the owner had to win as the last one, is used up while its slot is used again: so the index of
//! slot `s` is `s + lead`, and `lead` counts the indices used up.
//!
//! Who may have an index is decided by [`lyocell_queues::index::chase_lev`], as for the queue of that name.
//!
//! # Invariants
//! - chase_lev-1. The task in slot `s` has the index `s + lead`; `bottom` is the index of the head, except while the
//!   owner contends for the last task. Only the owner changes `lead`, and only while the deque is empty.
//! - chase_lev-2. The ring has room for all slots below the highest head it was pushed for: so the tasks in the
//!   deque, which are among these, have each their own cell.
//! - chase_lev-3. A ring lives as long as the deque. The newest holds the tasks of all indices from `top` to
//!   `bottom`.
//! - chase_lev-4. `push` of the limits is the highest head the ring has room for, or tripped; `pop` is the first slot
//!   or tripped.
//!
//! # Orderings
//! A task and its cell travel with `publish` (Release) to `look` (Acquire); a new ring is stored before the
//! first index in it is published. A thief that reads the cell of an index that others took meanwhile may
//! read anything: its claim fails. Taking is a store, then a load, sequentially consistent both: what the
//! owner pays at every pop, and what the split deque was invented to avoid.
//!
//! Source: Chase and Lev 2005; orderings by Lê, Pop, Cohen and Zappa Nardelli 2013, Figure 1. Departures:
//! - a sequentially consistent store and load stand for the fence in `take` (see `lyocell_queues`).
//! - the ring is checked by the push limit and not against `top`: by chase_lev-2 the head says enough. So push reads
//!   nothing that thieves write, but what they write to ask.
//! - outgrown rings are kept until the deque is dropped: together they are smaller than the newest.
//! - where there is no memory for a larger ring, the push is refused as if the slots were full.

use crate::deque::kit::{Asked, Limits};
use crate::deque::{Deque, Fast, Loot, Pop, Push, Requests, Steal, Stealable, Team};
use crate::probe::{Event, Probe};
use crate::task::{Slot, SlotPtr, Slots};
use crossbeam_utils::CachePadded;
use lyocell_queues::index::FIRST;
use lyocell_queues::index::chase_lev::{Ends, Retract};
use lyocell_sync::{AtomicPtr, AtomicUsize, Ordering, light};

/// The deque of Chase and Lev: growable, and concurrent from the first task on.
///
/// # Guarantee
/// Every task can be stolen as soon as it is pushed: steals never need the owner's cooperation, and are
/// lock-free; the owner's push and pop are wait-free, except that a push may have to double the array of
/// indices. Where there is no memory for that, the join runs in place, and the next one tries again.
///
/// # Cost
/// A sequentially consistent store at every pop: some twenty cycles on x86, where [`Split`](crate::Split)
/// pays none. A steal moves one task, by one compare-and-swap.
///
/// # When to choose it
/// To compare: it is the baseline of the field. For work, if tasks are so long that the pop does not matter
/// and an owner that computes for long without a join must not keep its tasks from thieves.
///
/// # Source
/// Chase and Lev 2005, with the C11 orderings of Lê, Pop, Cohen and Zappa Nardelli 2013.
///
/// # Examples
/// ```
/// use lyocell::{ChaseLev, Pool, Worker};
///
/// fn fib(w: &Worker<ChaseLev>, n: u64) -> u64 {
///     if n < 2 {
///         return n;
///     }
///     let (a, b) = w.join(|w| fib(w, n - 1), |w| fib(w, n - 2));
///     a + b
/// }
///
/// let pool = Pool::builder().deque::<ChaseLev>().build()?;
/// assert_eq!(pool.run(|w| fib(w, 20)), 6765);
/// # Ok::<(), lyocell::BuildError>(())
/// ```
pub struct ChaseLev {
    slots: Slots,
    limits: Limits,
    /// The owner's alone (chase_lev-1).
    lead: CachePadded<AtomicUsize>,
    ring: AtomicPtr<Ring>,
    ends: Ends,
}

// SAFETY: deque-1 by the index protocol and chase_lev-1, chase_lev-3; deque-2 because indices are taken from `top`
// up; deque-3 by `publish` and `look`; deque-4 because a slot below `top` gets a new index only by `retire`.
unsafe impl Deque for ChaseLev {
    const NAME: &'static str = "chase-lev";
    /// So that the distance of two indices has a sign.
    const MAX_CAPACITY: usize = isize::MAX as usize;

    type Requests = Limits;
    type Options = ();

    fn new(slots: Slots, (): &()) -> ChaseLev {
        let limits = Limits::new(&slots, 0);
        let ring = Ring::new(SMALLEST_RING, std::ptr::null_mut()).expect("memory for a small ring");
        let deque = ChaseLev {
            slots,
            limits,
            lead: CachePadded::new(AtomicUsize::new(FIRST)),
            ring: AtomicPtr::new(Box::into_raw(ring)),
            ends: Ends::new(FIRST),
        };
        deque.limits.set_push(deque.push_limit());
        deque
    }

    #[inline(always)]
    fn push(&self, head: *const Slot, _probe: &impl Probe) -> Fast {
        if !self.limits.push_is_fast(head) {
            return Fast::Slow;
        }
        self.publish(head);
        light();
        // Somebody may ask by now (idle-6); then the slow path does the same once more, which changes nothing.
        if self.limits.is_asked() { Fast::Slow } else { Fast::Done }
    }

    fn push_slow(&self, head: *const Slot, _probe: &impl Probe) -> Push {
        if head.addr() == self.slots.past_end() {
            return Push::Full;
        }
        if self.slots.index(head) > self.ring().capacity() && self.grow(head) == Grown::No {
            return Push::Full;
        }
        self.publish(head);
        // Growing counts as being asked: the answer sets the new limit.
        Push::Asked
    }

    #[inline(always)]
    fn pop(&self, head: *const Slot, probe: &impl Probe) -> Fast {
        if !self.limits.pop_is_fast(head) {
            return Fast::Slow;
        }
        probe.count(Event::OwnerRmw);
        if self.ends.retract_unless_last(self.index(head)) { Fast::Done } else { Fast::Slow }
    }

    fn pop_slow(&self, head: *const Slot, probe: &impl Probe) -> Pop {
        let index = self.index(head);
        let end = self.ends.retract(index);
        if end != Retract::Gone {
            probe.count(Event::OwnerRmw);
        }
        if matches!(end, Retract::Last | Retract::Lost) {
            probe.count(Event::OwnerRmw);
        }
        match end {
            Retract::Gone | Retract::Lost => {
                if end == Retract::Lost {
                    probe.count(Event::CasFailure);
                }
                // The fast path may have lowered it.
                self.ends.publish(index.wrapping_add(1));
                return Pop::Stolen;
            }
            Retract::Last => self.use_up_index(),
            Retract::Free { .. } => {}
        }
        match self.limits.reset_pop(&self.slots, 0, probe) {
            Asked::Yes => Pop::Asked,
            Asked::No => Pop::Popped,
        }
    }

    fn retire(&self, _head: *const Slot, _probe: &impl Probe) {
        self.use_up_index();
    }

    fn forget_request(&self, probe: &impl Probe) {
        self.limits.reset(&self.slots, self.push_limit(), probe);
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
        let Some(sight) = deque.ends.look() else { return Steal::Empty };
        // Before the claim: after it the owner may use the cell again.
        let slot = deque.ring().slot(sight.index);
        if !deque.ends.claim(&sight) {
            return Steal::Busy;
        }
        // SAFETY: by chase_lev-3 the cell was that of a task in the deque, whose slot is one of the array.
        let first = unsafe { SlotPtr::new(slot) };
        Steal::Task(Loot { owner: victim, first, count: 1 })
    }

    fn stealable(&self) -> Stealable {
        if self.ends.look().is_some() { Stealable::Some } else { Stealable::None }
    }
}

impl ChaseLev {
    /// The index of the slot at this head.
    #[inline(always)]
    fn index(&self, head: *const Slot) -> usize {
        // Ordering: Relaxed; the owner's alone (chase_lev-1).
        self.slots.index(head).wrapping_add(self.lead.load(Ordering::Relaxed))
    }

    /// The task below the head may be stolen from now on.
    #[inline(always)]
    fn publish(&self, head: *const Slot) {
        let bottom = self.index(head);
        self.ring().put(bottom.wrapping_sub(1), head.wrapping_sub(1));
        self.ends.publish(bottom);
    }

    /// The deque is empty, and the head stands at a slot whose index is gone: the next one is its (chase_lev-1).
    fn use_up_index(&self) {
        // Ordering: Relaxed; the owner's alone (chase_lev-1).
        let lead = self.lead.load(Ordering::Relaxed);
        self.lead.store(lead.wrapping_add(1), Ordering::Relaxed);
    }

    #[inline(always)]
    fn ring(&self) -> &Ring {
        // Ordering: Acquire, for thieves; meets the Release in `grow`. (That they see a ring as new as the
        // index they looked at follows from `publish`.)
        let ring = self.ring.load(Ordering::Acquire);
        // SAFETY: chase_lev-3.
        unsafe { &*ring }
    }

    /// The head that has no room any more, in the ring or at all (chase_lev-2, chase_lev-4).
    fn push_limit(&self) -> usize {
        if self.ring().capacity() < self.slots.capacity() {
            self.slots.address(self.ring().capacity() + 1)
        } else {
            self.slots.past_end()
        }
    }

    /// Replaces the ring by one with room for this head, if there is memory for it.
    #[cold]
    fn grow(&self, head: *const Slot) -> Grown {
        let old = self.ring();
        let capacity = self.slots.index(head).next_power_of_two();
        // Ordering: Relaxed; only the owner stores it.
        let Some(new) = Ring::new(capacity, self.ring.load(Ordering::Relaxed)) else {
            return Grown::No;
        };
        // The task below this head is not in yet.
        let bottom = self.index(head).wrapping_sub(1);
        let mut index = self.ends.top();
        while index != bottom {
            new.put(index, old.slot(index));
            index = index.wrapping_add(1);
        }
        // Ordering: Release; meets the Acquire in `ring`: with the pointer comes what it points to.
        self.ring.store(Box::into_raw(new), Ordering::Release);
        Grown::Yes
    }
}

impl Drop for ChaseLev {
    fn drop(&mut self) {
        // Ordering: Relaxed; whoever drops the deque has been told that all others are done with it.
        let mut ring = self.ring.load(Ordering::Relaxed);
        while !ring.is_null() {
            // SAFETY: chase_lev-3; boxed in `new` or `grow`, and each is in the chain once.
            ring = unsafe { Box::from_raw(ring) }.previous;
        }
    }
}

/// The first ring: enough for a recursion that halves what memory can hold. Tiny in models, so that they
/// outgrow it.
const SMALLEST_RING: usize = if cfg!(loom) { 1 } else { 64 };

/// Whether there was memory for a larger ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
enum Grown {
    Yes,
    No,
}

/// Where the tasks of the indices are; index `i` is in cell `i % capacity`.
struct Ring {
    cells: Box<[AtomicPtr<Slot>]>,
    /// The one it replaced, or null.
    previous: *mut Ring,
}

impl Ring {
    /// A ring of this many cells, a power of two; none if there is no memory for it.
    fn new(capacity: usize, previous: *mut Ring) -> Option<Box<Ring>> {
        debug_assert!(capacity.is_power_of_two());
        let mut cells = reserve(capacity)?;
        cells.resize_with(capacity, AtomicPtr::default);
        let mut ring = reserve(1)?;
        ring.push(Ring { cells: cells.into_boxed_slice(), previous });
        let ring: Box<[Ring; 1]> = ring.into_boxed_slice().try_into().ok()?;
        // SAFETY: an array of one is laid out as what is in it.
        Some(unsafe { Box::from_raw(Box::into_raw(ring).cast()) })
    }

    #[inline(always)]
    fn capacity(&self) -> usize {
        self.cells.len()
    }

    #[inline(always)]
    fn cell(&self, index: usize) -> &AtomicPtr<Slot> {
        // SAFETY: the remainder by a power of two, which `new` was given, is below it.
        unsafe { self.cells.get_unchecked(index & (self.cells.len() - 1)) }
    }

    // Ordering of both: Relaxed; `publish` and `look` carry what has to be seen, and what is read too late
    // is not used (module docs).

    #[inline(always)]
    fn put(&self, index: usize, slot: *const Slot) {
        self.cell(index).store(slot.cast_mut(), Ordering::Relaxed);
    }

    #[inline(always)]
    fn slot(&self, index: usize) -> *const Slot {
        self.cell(index).load(Ordering::Relaxed)
    }
}

/// An empty vector with room for this many values, if there is memory for it.
fn reserve<T>(room: usize) -> Option<Vec<T>> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(room).ok()?;
    Some(vector)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::deque::kit::test_kit::TestKit;
    use crate::lines::hold_lines;

    #[test]
    fn no_line_has_two_writers() {
        hold_lines!(ChaseLev:
            slots: Nobody,
            limits: Thieves,
            lead: Owner,
            ring: Nobody,
            ends: Anybody,
        );
    }

    /// Indices begin just below the wrap-around (`FIRST`), and each round uses one up.
    #[test]
    fn indices_wrap_around_while_slots_are_used_again() {
        let kit = TestKit::<ChaseLev>::new(4);
        for _ in 0..3 * SMALLEST_RING {
            assert_eq!(kit.push(), Push::Pushed);
            assert_eq!(kit.pop(), Pop::Popped);
            assert_eq!(kit.push(), Push::Pushed);
            assert_eq!(kit.push(), Push::Pushed);
            assert_eq!(kit.steal(), Steal::Task(0));
            assert_eq!(kit.steal(), Steal::Task(1));
            // Above what is stolen, as a waiting owner does it.
            assert_eq!(kit.push(), Push::Pushed);
            assert_eq!(kit.steal(), Steal::Task(2));
            for _ in 0..3 {
                assert_eq!(kit.pop(), Pop::Stolen);
                kit.retire();
            }
        }
    }

    #[test]
    fn a_ring_that_is_full_grows_and_forgets_nothing() {
        let tasks = 5 * SMALLEST_RING;
        let kit = TestKit::<ChaseLev>::new(tasks);
        assert_eq!(kit.push(), Push::Pushed);
        assert_eq!(kit.steal(), Steal::Task(0));
        for task in 1..tasks {
            let grows = task.is_power_of_two() && task >= SMALLEST_RING;
            let end = if grows { Push::Asked } else { Push::Pushed };
            assert_eq!(kit.push(), end, "task {task}");
        }
        for task in 1..tasks / 2 {
            assert_eq!(kit.steal(), Steal::Task(task));
        }
        for _ in tasks / 2..tasks {
            assert_eq!(kit.pop(), Pop::Popped);
        }
        assert_eq!(kit.pop(), Pop::Stolen);
        assert_eq!(kit.steal(), Steal::Empty);
    }

    #[test]
    fn a_ring_that_memory_cannot_hold_is_none() {
        assert!(Ring::new(1 << (usize::BITS - 1), std::ptr::null_mut()).is_none());
    }
}
