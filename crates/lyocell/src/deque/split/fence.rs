//! The split deque as the paper has it on x86: half of the word is stored, fenced, and corrected.
//!
//! An ablation, to be measured and not to be used. It is [`Split`] but for the owner's two ways to move
//! the split point. The paper stores `split`, half of the word that thieves change as a whole:
//!
//! ```text
//!   tail, split      1. split := middle   2. MFENCE   3. read tail again
//!   tail = split  -> all stolen;   tail past the middle -> split := a new middle
//! ```
//! A store of 32 bits that races a compare-and-swap of 64 is undefined in Rust's memory model, and in C11's; on
//! x86-64 the processor defines it, so the store is inline assembly. That is why this file is built only there,
//! only with the hidden feature `ablations`, and why no Miri run and no model covers it.
//!
//! # Invariants
//! - split-1 to split-5, without exposers, but that between the two stores of a shrink `tail` may be past `split`: then
//!   thieves find nothing.
//!
//! Source: van Dijk and van de Pol 2014, Figure 4, `grow_shared` and `shrink_shared`. Departure: where the paper
//! sets `allstolen`, the split point goes back to where it was, which is where the tail is.

use super::bounds::{AtomicBounds, Bounds};
use super::{Share, Split, SplitOptions};
use crate::deque::kit::Limits;
use crate::deque::{Deque, Fast, Loot, Pop, PrivateTasks, Push, Steal, Stealable, Team};
use crate::probe::{Event, Probe};
use crate::task::{Slot, Slots};
use std::arch::asm;

/// [`Split`] with the paper's own shrink: half of the word stored, and a fence.
///
/// Guarantee and cost are those of [`Split`] but for taking shared tasks back: wait-free, for a fence. To compare
/// with; use [`Split`].
///
/// # Source
/// Van Dijk and van de Pol 2014, Figure 4.
pub struct SplitFence(Split);

// SAFETY: as for `Split`; that the two stores below keep its invariants is the paper's argument, on x86.
unsafe impl Deque for SplitFence {
    const NAME: &'static str = "split-fence";
    const MAX_CAPACITY: usize = Split::MAX_CAPACITY;
    const PRIVATE_TASKS: PrivateTasks = PrivateTasks::Shared;

    type Requests = Limits;
    type Options = SplitOptions;

    fn new(slots: Slots, options: &SplitOptions) -> SplitFence {
        SplitFence(Split::new(slots, options))
    }

    #[inline(always)]
    fn push(&self, head: *const Slot, probe: &impl Probe) -> Fast {
        self.0.push(head, probe)
    }

    fn push_slow(&self, head: *const Slot, probe: &impl Probe) -> Push {
        self.0.push_slow(head, probe)
    }

    #[inline(always)]
    fn pop(&self, head: *const Slot, probe: &impl Probe) -> Fast {
        self.0.pop(head, probe)
    }

    fn pop_slow(&self, head: *const Slot, probe: &impl Probe) -> Pop {
        self.0.pop_slow_by(head, |bounds, seen, share| shrink(bounds, seen, share, probe), probe)
    }

    fn retire(&self, head: *const Slot, probe: &impl Probe) {
        self.0.retire(head, probe);
    }

    fn share(
        &self,
        head: *const Slot,
        _team: &Team<Self>,
        _me: usize,
        probe: &impl Probe,
    ) -> Stealable {
        self.0.share_by(head, grow, probe)
    }

    fn forget_request(&self, probe: &impl Probe) {
        self.0.forget_request(probe);
    }

    #[inline]
    fn requests(&self) -> &Limits {
        self.0.requests()
    }

    fn steal<'a>(
        team: &'a Team<Self>,
        victim: usize,
        _thief: usize,
        _probe: &impl Probe,
    ) -> Steal<Loot<'a>> {
        team.deque(victim).0.steal_as(victim)
    }

    fn stealable(&self) -> Stealable {
        self.0.stealable()
    }

    fn stealable_count(&self) -> Option<usize> {
        self.0.stealable_count()
    }
}

/// `grow_shared`: only the owner moves the split point, so a plain store of its half does.
fn grow(bounds: &AtomicBounds, seen: Bounds, count: usize) -> Result<Bounds, Bounds> {
    store_split(bounds, seen.split() + count);
    Ok(seen)
}

/// `shrink_shared`.
fn shrink(bounds: &AtomicBounds, seen: Bounds, share: Share, probe: &impl Probe) -> Option<usize> {
    if seen.stealable() == Stealable::None {
        return None;
    }
    let middle = seen.split_after_shrink(share);
    store_split(bounds, middle);
    probe.count(Event::OwnerRmw);
    fence();
    let tail = bounds.peek().tail();
    if tail == seen.split() {
        store_split(bounds, tail);
        return None;
    }
    if tail <= middle {
        return Some(middle);
    }
    let middle = Bounds::new(tail, seen.split()).split_after_shrink(share);
    store_split(bounds, middle);
    Some(middle)
}

/// Stores the upper half of the word, which on this processor is the later one in memory.
fn store_split(bounds: &AtomicBounds, split: usize) {
    let half = bounds.0.as_ptr().cast::<u32>().wrapping_add(1);
    // SAFETY: the half lies within the word, and a store of four aligned bytes is one store to x86. An index
    // has 32 bits.
    unsafe {
        asm!(
            "mov dword ptr [{half}], {split:e}",
            half = in(reg) half,
            split = in(reg) split,
            options(nostack, preserves_flags),
        );
    }
}

/// The paper's fence, by name: the compiler may choose another instruction for a fence of its own.
fn fence() {
    // SAFETY: the instruction is part of every x86-64 processor, and touches nothing.
    unsafe { asm!("mfence", options(nostack, preserves_flags)) };
}

#[cfg(all(test, not(loom), not(miri)))]
mod tests {
    use super::*;
    use crate::deque::kit::test_kit::TestKit;
    use crate::deque::split::tests::{each_task_is_handed_out_once, on_each_share};

    #[test]
    fn each_share_hands_out_each_task_once() {
        on_each_share(each_task_is_handed_out_once::<SplitFence>);
    }

    #[test]
    fn share_half_steal_the_oldest_take_back_the_rest() {
        let kit = TestKit::<SplitFence>::new(8);
        for _ in 0..4 {
            assert_eq!(kit.push(), Push::Pushed);
        }
        assert_eq!(kit.steal(), Steal::Empty);
        kit.share();
        kit.share();
        // Three of four are shared, and the owner takes half of them back.
        assert_eq!(kit.pop(), Pop::Popped);
        assert_eq!(kit.pop(), Pop::Popped);
        assert_eq!(kit.steal(), Steal::Task(0));
        assert_eq!(kit.steal(), Steal::Empty);
        assert_eq!(kit.pop(), Pop::Popped);
        assert_eq!(kit.pop(), Pop::Stolen);
        kit.retire();
        assert_eq!(kit.steal(), Steal::Empty);
    }
}
