//! The bounds of a split deque: `tail` and `split` in one word, and every way to move them.

use crate::deque::{Amount, Steal, Stealable};
use crate::probe::{Event, Probe};
use crate::sync::{AtomicUsize, Ordering};
use std::ops::Range;

/// `tail` and `split`, packed: half a machine word each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds(usize);

impl Bounds {
    const HALF: u32 = usize::BITS / 2;
    pub(super) const MAX_INDEX: usize = (1 << Self::HALF) - 1;

    pub(super) fn new(tail: usize, split: usize) -> Bounds {
        debug_assert!(tail <= split && split <= Self::MAX_INDEX);
        Bounds(split << Self::HALF | tail)
    }

    pub(super) fn tail(self) -> usize {
        self.0 & Self::MAX_INDEX
    }

    pub(super) fn split(self) -> usize {
        self.0 >> Self::HALF
    }

    pub(super) fn stealable(self) -> Stealable {
        if self.tail() < self.split() { Stealable::Some } else { Stealable::None }
    }
}

/// The word where thieves and owner meet.
pub(super) struct AtomicBounds(pub(super) AtomicUsize);

impl AtomicBounds {
    pub(super) fn new() -> AtomicBounds {
        AtomicBounds(AtomicUsize::new(0))
    }

    /// For the owner, whose own the split point is (split-2); the tail may have moved on.
    pub(super) fn owner_load(&self) -> Bounds {
        // Ordering: Relaxed; the owner reads what it wrote itself, and a hint.
        Bounds(self.0.load(Ordering::Relaxed))
    }

    /// For anybody who only wants to know whether a steal is worth a try.
    pub(super) fn peek(&self) -> Bounds {
        // Ordering: Relaxed; a hint. Where a lost wake-up hangs on it, the caller has fenced.
        Bounds(self.0.load(Ordering::Relaxed))
    }

    /// Owner: shares the next `count` tasks. No loop: only the owner moves the split point (split-2).
    pub(super) fn grow(&self, count: usize, probe: &impl Probe) {
        probe.count(Event::OwnerRmw);
        // Ordering: Release; meets the Acquire in `steal`: with the slot comes its task.
        self.0.fetch_add(count << Bounds::HALF, Ordering::Release);
    }

    /// Owner: takes back half of what is still shared and tells the new split point; `None` if all
    /// is stolen.
    pub(super) fn shrink(&self, probe: &impl Probe) -> Option<usize> {
        let mut seen = self.owner_load();
        while seen.stealable() == Stealable::Some {
            let split = seen.tail().midpoint(seen.split());
            let new = Bounds::new(seen.tail(), split);
            probe.count(Event::OwnerRmw);
            // Ordering: Relaxed; the tasks taken back were the owner's own writes, and as an RMW it
            // continues the release sequence of the grow that shared the rest. Not the weak one: a failure
            // shall mean a thief, to the probe too.
            match self.0.compare_exchange(seen.0, new.0, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(split),
                Err(now) => {
                    probe.count(Event::CasFailure);
                    seen = Bounds(now);
                }
            }
        }
        None
    }

    /// Owner: all below `top` is stolen, and `top` is free again.
    pub(super) fn retire(&self, top: usize) {
        // Ordering: Relaxed; by split-1 `tail == split`, so no thief can be about to advance the tail,
        // and none will before another grow.
        self.0.store(Bounds::new(top, top).0, Ordering::Relaxed);
    }

    /// Thief: advances the tail over the oldest shared tasks, and tells which.
    pub(super) fn steal(&self, amount: Amount) -> Steal<Range<usize>> {
        let seen = self.peek();
        if seen.stealable() == Stealable::None {
            return Steal::Empty;
        }
        let tail = seen.tail() + amount.of(seen.split() - seen.tail());
        let new = Bounds::new(tail, seen.split());
        // Ordering: Acquire; meets the Release in `grow`. No Release: what the owner's later pushes
        // write into this slot is ordered after `State::finish`, not after this.
        match self.0.compare_exchange(seen.0, new.0, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => Steal::Task(seen.tail()..tail),
            Err(_) => Steal::Busy,
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::probe::NoProbe;

    #[test]
    fn bounds_pack_and_unpack_every_narrow_pair() {
        for split in 0..64 {
            for tail in 0..=split {
                let bounds = Bounds::new(tail, split);
                assert_eq!((bounds.tail(), bounds.split()), (tail, split));
                assert_eq!(bounds.stealable() == Stealable::Some, tail < split);
            }
        }
        let last = Bounds::new(Bounds::MAX_INDEX, Bounds::MAX_INDEX);
        assert_eq!((last.tail(), last.split()), (Bounds::MAX_INDEX, Bounds::MAX_INDEX));
    }

    /// Indices do not wrap around, they end: every step between the last ones stays within its half of the word.
    #[test]
    fn the_last_indices_are_shared_stolen_and_taken_back() {
        const SPAN: usize = 6;
        let first = Bounds::MAX_INDEX - SPAN;
        for shared in 1..=SPAN {
            for stolen in 0..=shared {
                let bounds = AtomicBounds::new();
                bounds.retire(first);
                bounds.grow(shared, &NoProbe);
                for index in first..first + stolen {
                    assert_eq!(bounds.steal(Amount::One), Steal::Task(index..index + 1));
                }
                let left = shared - stolen;
                let split = bounds.shrink(&NoProbe);
                assert_eq!(split, (left > 0).then_some(first + stolen + left / 2));
                let seen = bounds.owner_load();
                assert_eq!(seen.tail(), first + stolen);
                assert_eq!(seen.split(), split.unwrap_or(first + shared));
            }
        }
    }
}
