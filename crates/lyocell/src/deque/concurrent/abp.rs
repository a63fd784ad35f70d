//! Arora, Blumofe and Plaxton's deque: bounded, and as old as the field.
//!
//! ```text
//!   0        top             bottom = head
//!   | stolen | to be had     | free
//! ```
//! The array of the paper is the array of slots itself, and an index is that of a slot. Every task is in
//! reach of thieves as soon as it is pushed. Where the paper starts again at 0 when the deque is empty, we
//! start again where the head is, which the stolen slots below it may keep from going to 0.
//!
//! `top` shares a word with a *tag*, [`lyocell_queues::index::abp`]'s `age`, which changes at each new start.
//! So a thief that saw a task, slept while the owner took it, and wakes up to a `top` that looks the same
//! (the ABA problem) is not fooled; nor is one that sleeps through all tags, for steals are counted while they are under way.
//!
//! # Invariants
//! - abp-1. `bottom` is the index of the head, except while the owner contends for the last task.
//! - abp-2. `top` goes down only in a new start, by the owner, under the next tag, while the deque is empty:
//!   when it has won the last task, and when it retires a stolen one.
//! - abp-3. A claim that succeeds is of the task that the thief saw in its look. For a round of tags has two halves, and
//!   at the end of each the owner waits until no steal is under way: had all tags come and gone between the
//!   two, there would lie a count that found none between two new starts (attempts-4).
//! - abp-4. `push` of the limits is past the end of the array, `pop` the first slot, or both are tripped.
//!
//! # Orderings
//! As for Chase-Lev: a task travels with `publish` (Release) to `look` (Acquire), and taking is a store and a
//! load, sequentially consistent both.
//!
//! Source: Arora, Blumofe and Plaxton 1998, Figure 5. Departures:
//! - no array of pointers: tasks are in the slots (so the last slot's use is the bound, and a push that finds
//!   none has its task run in place).
//! - a new start is where the head is, not at 0.
//! - steals are counted. The paper's tags outlive its programs; a thief that the system stops for half a minute outlives
//!   2^32 of them. So the owner's operations are wait-free but at two new starts of so many.

use crate::deque::kit::{Asked, Limits};
use crate::deque::{Deque, Fast, Loot, Pop, Push, Requests, Steal, Stealable, Team};
use crate::probe::{Event, Probe};
use crate::task::{Slot, Slots};
use lyocell_queues::attempts::Attempts;
use lyocell_queues::index::abp::{Age, Ends, Retract};
use lyocell_queues::index::tagged::HALF;
use lyocell_sync::{Generation, light, yield_now};

/// The deque of Arora, Blumofe and Plaxton: bounded, with a tag against ABA.
///
/// The width of the tag is a parameter for the models only.
///
/// # Guarantee
/// Every task can be stolen as soon as it is pushed: steals never need the owner's cooperation, and are
/// lock-free; the owner's push and pop are wait-free, but that once in 2^31 times that the deque is empty the owner waits
/// until thieves are done that are in the middle of a steal. When the array is full, a join runs both of its
/// branches in place.
///
/// # Cost
/// A sequentially consistent store at every pop, some twenty cycles on x86, as in
/// [`ChaseLev`](crate::ChaseLev); without that deque's array of indices, but with a compare-and-swap and a
/// store whenever the owner takes its last task. A steal moves one task, by one compare-and-swap and two additions to a
/// count of steals under way.
///
/// # When to choose it
/// To compare: it is where the field began.
///
/// # Source
/// Arora, Blumofe and Plaxton 2001.
///
/// # Examples
/// ```
/// use lyocell::{Abp, Pool};
///
/// let pool = Pool::builder().deque::<Abp>().build()?;
/// let (a, b) = pool.run(|w| w.join(|_| 40, |_| 2));
/// assert_eq!(a + b, 42);
/// # Ok::<(), lyocell::BuildError>(())
/// ```
pub struct Abp<const TAG_BITS: u32 = HALF> {
    slots: Slots,
    limits: Limits,
    ends: Ends<TAG_BITS>,
    attempts: Attempts,
    generation: Generation,
}

impl<const TAG_BITS: u32> Abp<TAG_BITS> {
    /// Starts again at this index; the deque is empty (abp-2).
    #[inline]
    fn restart(&self, index: usize) {
        if self.ends.restart(index).ends_half_a_round() {
            self.await_thieves();
        }
    }

    /// Waits until no steal is under way (abp-3). There is nothing to steal, so none begins that would be counted.
    #[cold]
    fn await_thieves(&self) {
        // A thief in the middle of a steal at a fork never ends it in the child, and never claims.
        while !self.attempts.none_behind_a_fence() && !self.generation.is_past() {
            yield_now();
        }
    }
}

/// Tags of some width. Only the models have others.
pub trait Wide {}

impl Wide for Abp<HALF> {}

// SAFETY: deque-1 by the index protocol and abp-2; deque-2 because indices are taken from `top` up; deque-3 by
// `publish` and `look`; deque-4 because only `retire` starts again below a stolen slot.
unsafe impl<const TAG_BITS: u32> Deque for Abp<TAG_BITS>
where
    Self: Wide,
{
    const NAME: &'static str = "abp";
    const MAX_CAPACITY: usize = Age::<TAG_BITS>::MAX_INDEX;

    type Requests = Limits;
    type Options = ();

    fn new(slots: Slots, (): &()) -> Self {
        // abp-4.
        let limits = Limits::new(&slots, 0);
        Abp {
            slots,
            limits,
            ends: Ends::new(0),
            attempts: Attempts::new(),
            generation: Generation::now(),
        }
    }

    #[inline(always)]
    fn push(&self, head: *const Slot, _probe: &impl Probe) -> Fast {
        if !self.limits.push_is_fast(head) {
            return Fast::Slow;
        }
        self.ends.publish(self.slots.index(head));
        light();
        // Somebody may ask by now (idle-6); then the slow path does the same once more, which changes nothing.
        if self.limits.is_asked() { Fast::Slow } else { Fast::Done }
    }

    fn push_slow(&self, head: *const Slot, _probe: &impl Probe) -> Push {
        if head.addr() == self.slots.past_end() {
            return Push::Full;
        }
        self.ends.publish(self.slots.index(head));
        Push::Asked
    }

    #[inline(always)]
    fn pop(&self, head: *const Slot, probe: &impl Probe) -> Fast {
        if !self.limits.pop_is_fast(head) {
            return Fast::Slow;
        }
        probe.count(Event::OwnerRmw);
        if self.ends.retract_unless_last(self.slots.index(head)) { Fast::Done } else { Fast::Slow }
    }

    fn pop_slow(&self, head: *const Slot, probe: &impl Probe) -> Pop {
        probe.count(Event::OwnerRmw);
        let index = self.slots.index(head);
        let end = self.ends.retract(index);
        if matches!(end, Retract::Last | Retract::Lost) {
            probe.count(Event::OwnerRmw);
        }
        match end {
            Retract::Gone | Retract::Lost => {
                if end == Retract::Lost {
                    probe.count(Event::CasFailure);
                }
                // abp-1: the slot stays below the head, stolen.
                self.ends.publish(index + 1);
                return Pop::Stolen;
            }
            Retract::Last => self.restart(index),
            Retract::Free => {}
        }
        match self.limits.reset_pop(&self.slots, 0, probe) {
            Asked::Yes => Pop::Asked,
            Asked::No => Pop::Popped,
        }
    }

    fn retire(&self, head: *const Slot, _probe: &impl Probe) {
        self.restart(self.slots.index(head));
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
        // Not counted: who looks at a deque that is empty does not keep its owner waiting.
        if deque.ends.look().is_none() {
            return Steal::Empty;
        }
        deque.attempts.during(|| match deque.ends.look() {
            None => Steal::Empty,
            Some(sight) if deque.ends.claim(sight.age) => {
                let first = deque.slots.get(sight.age.index);
                Steal::Task(Loot { owner: victim, first, count: 1 })
            }
            Some(_) => Steal::Busy,
        })
    }

    fn stealable(&self) -> Stealable {
        if self.ends.look().is_some() { Stealable::Some } else { Stealable::None }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::deque::kit::test_kit::TestKit;
    use crate::lines::hold_lines;

    #[test]
    fn no_line_has_two_writers() {
        hold_lines!(Abp<HALF>: slots: Nobody, limits: Thieves, ends: Anybody, attempts: Thieves, generation: Nobody);
    }

    // A tag that wraps around every fourth new start.
    impl Wide for Abp<2> {}

    #[test]
    fn tasks_above_stolen_ones_come_and_go_under_new_tags() {
        come_and_go::<HALF>();
        come_and_go::<2>();
    }

    /// after_fork-3: a thief in the middle of a steal at the fork never ends it in the child.
    #[cfg(all(unix, not(miri)))]
    #[test]
    fn an_owner_in_a_child_waits_for_no_thief() {
        use crate::deque::kit::test_kit::in_a_child;
        let deque = Abp::<2>::new(Slots::new(1).expect("a slot"), &());
        deque.attempts.during(|| in_a_child(|| (0..8).for_each(|_| deque.restart(0))));
    }

    fn come_and_go<const TAG_BITS: u32>()
    where
        Abp<TAG_BITS>: Wide,
    {
        let kit = TestKit::<Abp<TAG_BITS>>::new(4);
        for _ in 0..100 {
            assert_eq!(kit.push(), Push::Pushed);
            assert_eq!(kit.steal(), Steal::Task(0));
            // The owner waits for task 0, and works on others meanwhile.
            assert_eq!(kit.pop(), Pop::Stolen);
            assert_eq!(kit.push(), Push::Pushed);
            assert_eq!(kit.push(), Push::Pushed);
            assert_eq!(kit.steal(), Steal::Task(1));
            assert_eq!(kit.pop(), Pop::Popped);
            assert_eq!(kit.pop(), Pop::Stolen);
            kit.retire();
            assert_eq!(kit.push(), Push::Pushed);
            assert_eq!(kit.pop(), Pop::Popped);
            kit.retire();
        }
    }

    /// The owner takes its only task and pushes the next one into the same slot, as often as there are tags
    /// but one: each time the thief's look is out of date.
    #[test]
    fn a_look_is_out_of_date_after_each_new_start_up_to_one_before_the_tag_comes_round() {
        for starts in 1..4 {
            let ends = Ends::<2>::new(0);
            ends.publish(1);
            let sight = ends.look().expect("one task");
            for _ in 0..starts {
                assert_eq!(ends.retract(0), Retract::Last);
                ends.restart(0);
                ends.publish(1);
            }
            assert!(!ends.claim(sight.age), "{starts} new starts");
            let sight = ends.look().expect("one task");
            assert!(ends.claim(sight.age));
        }
    }
}
