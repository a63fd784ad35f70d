//! The pace of a loop: how many items a worker runs in one part, after the time they take.
//!
//! A part costs its loop a fork and a look at the clock. So parts of cheap items are long, to pay little for that, and
//! parts of dear ones are short, so that there are many for others to take. Nobody knows beforehand which they are: a
//! worker begins with one item, and doubles the part as long as it is over soon.
//!
//! The pace is kept by the worker, who meets one loop in many pieces. A loop inside of another takes the place of that
//! one's, which then begins with one item again: items that have loops of their own are dear.

use lyocell_sync::Instant;
use std::cell::Cell;
use std::time::Duration;

/// Which loop it is: the worker where it began, and its number among those that began there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LoopId {
    worker: usize,
    number: usize,
}

/// The pace of the loop that a worker met last.
pub(crate) struct Pace {
    /// How many loops have begun here.
    begun: Cell<usize>,
    of: Cell<Option<LoopId>>,
    items: Cell<usize>,
}

/// What a part should take at the least: a hundred times what looking at the clock costs, a tenth of what
/// a sleeping worker takes to wake up. Untuned.
const SHORT: Duration = Duration::from_micros(4);
/// What a part should take at the most.
const LONG: Duration = Duration::from_micros(16);

impl Pace {
    pub(crate) fn new() -> Pace {
        Pace { begun: Cell::new(0), of: Cell::new(None), items: Cell::new(1) }
    }

    /// A loop begins on this worker, whose pace this is.
    pub(crate) fn begin(&self, worker: usize) -> LoopId {
        let number = self.begun.get().wrapping_add(1);
        self.begun.set(number);
        LoopId { worker, number }
    }

    /// How many items of this loop should be run in one part.
    pub(crate) fn items(&self, of: LoopId) -> usize {
        if self.of.get() != Some(of) {
            self.restart(of);
        }
        self.items.get()
    }

    /// Begins with one item again.
    pub(crate) fn restart(&self, of: LoopId) {
        self.of.set(Some(of));
        self.items.set(1);
    }

    /// Runs a part with as many items as the pace said, and sets the pace for the next.
    pub(crate) fn measured<R>(&self, of: LoopId, part: impl FnOnce() -> R) -> R {
        let begin = Instant::now();
        let result = part();
        let took = begin.elapsed();
        // The part may have met another loop, or forked.
        if self.of.get() == Some(of) {
            self.adjust(took);
        }
        result
    }

    fn adjust(&self, took: Duration) {
        let items = self.items.get();
        if took < SHORT {
            self.items.set(items.saturating_mul(2));
        } else if took > LONG {
            self.items.set((items / 2).max(1));
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn parts_grow_while_they_are_short_and_shrink_when_they_are_long() {
        let pace = Pace::new();
        let id = pace.begin(0);
        assert_eq!(pace.items(id), 1);
        pace.adjust(SHORT / 2);
        pace.adjust(SHORT / 2);
        assert_eq!(pace.items(id), 4);
        pace.adjust(SHORT);
        assert_eq!(pace.items(id), 4);
        pace.adjust(LONG * 2);
        assert_eq!(pace.items(id), 2);
        pace.adjust(LONG * 2);
        pace.adjust(LONG * 2);
        assert_eq!(pace.items(id), 1);
    }

    #[test]
    fn another_loop_begins_anew() {
        let pace = Pace::new();
        let (first, second) = (pace.begin(3), pace.begin(3));
        assert_eq!(pace.items(first), 1);
        pace.adjust(Duration::ZERO);
        assert_eq!(pace.items(second), 1);
        assert_eq!(pace.items(first), 1);
        pace.measured(first, || pace.items(second));
        assert_eq!(pace.items(second), 1);
    }
}
