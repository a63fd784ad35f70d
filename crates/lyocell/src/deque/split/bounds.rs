//! The bounds of a split deque: `tail` and `split` in one word, and every way to move them.

use super::Share;
use crate::deque::{Amount, Steal, Stealable};
use crate::probe::{Event, Probe};
use lyocell_sync::{AtomicUsize, Ordering, Overwrite};
use std::ops::Range;

/// `tail` and `split`, packed: half a machine word each; and the *mark* of an exposer in the highest bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds(usize);

impl Bounds {
    const HALF: u32 = usize::BITS / 2;
    const HALF_MASK: usize = (1 << Self::HALF) - 1;
    const MARK: usize = 1 << (usize::BITS - 1);
    pub(super) const MAX_INDEX: usize = Self::HALF_MASK >> 1;

    pub(super) fn new(tail: usize, split: usize) -> Bounds {
        debug_assert!(tail <= split && split <= Self::MAX_INDEX);
        Bounds(split << Self::HALF | tail)
    }

    pub(super) fn tail(self) -> usize {
        self.0 & Self::HALF_MASK
    }

    pub(super) fn split(self) -> usize {
        (self.0 & !Self::MARK) >> Self::HALF
    }

    pub(super) fn stealable(self) -> Stealable {
        if self.stealable_count() > 0 { Stealable::Some } else { Stealable::None }
    }

    pub(super) fn stealable_count(self) -> usize {
        self.split() - self.tail()
    }

    /// Where the split point goes when the owner takes this share back: from the tail to one below where it is.
    pub(super) fn split_after_shrink(self, share: Share) -> usize {
        self.split() - share.of(self.split() - self.tail())
    }

    fn is_marked(self) -> bool {
        self.0 & Self::MARK != 0
    }

    fn marked(self) -> Bounds {
        Bounds(self.0 | Self::MARK)
    }
}

/// The word where thieves and owner meet.
pub(super) struct AtomicBounds(pub(super) AtomicUsize);

impl AtomicBounds {
    pub(super) fn new() -> AtomicBounds {
        AtomicBounds(AtomicUsize::new(0))
    }

    /// A hint. The owner knows the split point from it, if no thief exposes; where a lost wake-up hangs on it, the caller
    /// has fenced.
    pub(super) fn peek(&self) -> Bounds {
        // Ordering: Relaxed; a hint.
        Bounds(self.0.load(Ordering::Relaxed))
    }

    /// Owner, whose head has been lowered: the bounds, which no exposer that has looked at the head before will move
    /// (split-6).
    pub(super) fn turn_exposer_away(&self, probe: &impl Probe) -> Bounds {
        let mut seen = self.peek();
        while seen.is_marked() {
            match self.grow(seen, 0, probe) {
                Ok(unmarked) => return unmarked,
                Err(now) => seen = now,
            }
        }
        seen
    }

    /// Owner: shares the next `count` tasks and turns an exposer away, if the bounds are still as they were seen; else
    /// tells what they are now.
    pub(super) fn grow(
        &self,
        seen: Bounds,
        count: usize,
        probe: &impl Probe,
    ) -> Result<Bounds, Bounds> {
        let new = Bounds::new(seen.tail(), seen.split() + count);
        probe.count(Event::OwnerRmw);
        // Ordering: Release; meets the Acquire in `steal`: with the slot comes its task. And that in `mark`: an exposer
        // that comes after this trips limits that have been reset before it (split-6).
        match self.0.compare_exchange(seen.0, new.0, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => Ok(new),
            Err(now) => {
                probe.count(Event::CasFailure);
                Err(Bounds(now))
            }
        }
    }

    /// Owner: takes back this share of what is still shared and tells the new split point; `None` if all
    /// is stolen.
    pub(super) fn shrink(
        &self,
        mut seen: Bounds,
        share: Share,
        probe: &impl Probe,
    ) -> Option<usize> {
        while seen.stealable() == Stealable::Some {
            let split = seen.split_after_shrink(share);
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

    /// Owner: all below `top` is stolen, and `top` is free again. An exposer is turned away.
    pub(super) fn retire(&self, top: usize) {
        // A plain store: by split-1 `tail == split`, so no thief can be about to advance the tail, and none will before
        // another grow.
        // Ordering: Relaxed; an exposer that marks what is stored here issues its barrier after the owner's, and
        // reads the head lowered, which leaves it nothing.
        self.0.overwrite(Bounds::new(top, top).0, Ordering::Relaxed);
    }

    /// Owner: all below `top` is nobody's, as if it were stolen; tells the bounds of before. An exposer is turned away.
    pub(super) fn set_aside(&self, top: usize, probe: &impl Probe) -> Bounds {
        let mut seen = self.peek();
        loop {
            probe.count(Event::OwnerRmw);
            let new = Bounds::new(top, top);
            // Ordering: Relaxed; nothing is handed over. As an RMW it decides with thieves and exposers who comes first.
            match self.0.compare_exchange(seen.0, new.0, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Bounds::new(seen.tail(), seen.split()),
                Err(now) => {
                    probe.count(Event::CasFailure);
                    seen = Bounds(now);
                }
            }
        }
    }

    /// Owner, who has nothing above `top`: the bounds are those of before again (aside-2). An exposer is turned away.
    pub(super) fn put_back(&self, top: usize, before: Bounds, probe: &impl Probe) {
        debug_assert_eq!((self.peek().tail(), self.peek().split()), (top, top), "aside-2");
        probe.count(Event::OwnerRmw);
        // Ordering: Release; meets the Acquire in `steal`: what is shared again comes with it. And that in `mark`, as in `grow`.
        self.0.swap(before.0, Ordering::Release);
    }

    /// Thief: advances the tail over the oldest shared tasks, and tells which.
    pub(super) fn steal(&self, amount: Amount) -> Steal<Range<usize>> {
        let seen = self.peek();
        if seen.stealable() == Stealable::None {
            return Steal::Empty;
        }
        let tail = seen.tail() + amount.of(seen.split() - seen.tail());
        let new = Bounds::new(tail, seen.split());
        // Ordering: Acquire; meets the Release in `grow` and `publish`. No Release: what the owner's later pushes
        // write into this slot is ordered after `State::finish`, not after this.
        match self.0.compare_exchange(seen.0, new.0, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => Steal::Task(seen.tail()..tail),
            Err(_) => Steal::Busy,
        }
    }

    /// Exposer: announces itself, if nothing is shared; tells the bounds, marked.
    pub(super) fn mark(&self) -> Option<Bounds> {
        let seen = self.peek();
        if seen.stealable() == Stealable::Some {
            return None;
        }
        // A mark may be there that another one left behind, who found no task: it is made anew.
        let marked = seen.marked();
        // Ordering: Acquire; meets the Release in `grow` (split-6).
        match self.0.compare_exchange(seen.0, marked.0, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => Some(marked),
            Err(_) => None,
        }
    }

    /// Exposer: shares the next `count` tasks, unless the owner has turned it away.
    pub(super) fn publish(&self, marked: Bounds, count: usize) {
        let new = Bounds::new(marked.tail(), marked.split() + count);
        // Ordering: Release; meets the Acquire in `steal`: the tasks came here with the head.
        let _ = self.0.compare_exchange(marked.0, new.0, Ordering::Release, Ordering::Relaxed);
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
        for &share in Share::ALL {
            for shared in 1..=SPAN {
                (0..=shared).for_each(|stolen| take_back(share, first, shared, stolen));
            }
        }
    }

    /// The owner takes this share back of what is left of the shared tasks from `first` on.
    fn take_back(share: Share, first: usize, shared: usize, stolen: usize) {
        let bounds = AtomicBounds::new();
        bounds.retire(first);
        let grown = bounds.grow(bounds.peek(), shared, &NoProbe).unwrap();
        assert_eq!(grown.split(), first + shared);
        for index in first..first + stolen {
            assert_eq!(bounds.steal(Amount::One), Steal::Task(index..index + 1));
        }
        let left = shared - stolen;
        let split = bounds.shrink(bounds.peek(), share, &NoProbe);
        assert_eq!(split, (left > 0).then_some(first + shared - share.of(left)));
        let seen = bounds.peek();
        assert_eq!(seen.tail(), first + stolen);
        assert_eq!(seen.split(), split.unwrap_or(first + shared));
    }
}
