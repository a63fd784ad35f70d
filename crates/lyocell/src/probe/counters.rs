//! Counting events.

use super::{Event, Probe};
use lyocell_sync::unmodelled::{AtomicBool, AtomicUsize, Ordering};

/// A probe that counts every [`Event`] and keeps the peaks of deque and stack.
///
/// Costs a few instructions a spawn. The counts wrap around at the size of a word.
#[derive(Debug, Default)]
pub struct Counters {
    events: [AtomicUsize; Event::ALL.len()],
    /// What they were when all began again.
    events_before: [AtomicUsize; Event::ALL.len()],
    peak_depth: AtomicUsize,
    /// Whether the worker has retired a task since it last shared.
    retired: AtomicBool,
    /// The addresses of the stack between which tasks were spawned; 0 for none yet.
    stack_high: AtomicUsize,
    stack_low: AtomicUsize,
}

/// The numbers that [`Counters`] have counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    events: [usize; Event::ALL.len()],
    /// The most tasks that were in the deque at once.
    pub peak_depth: usize,
    /// The most stack that was in use where a task was spawned, in bytes, counted from the shallowest spawn.
    pub peak_stack_bytes: usize,
}

impl Counters {
    /// Returns what has been counted so far. The counts are exact when the worker has nothing to do.
    pub fn counts(&self) -> Counts {
        // Ordering of all accesses here: Relaxed; the worker alone writes, and numbers carry no data.
        let read = |word: &AtomicUsize| word.load(Ordering::Relaxed);
        Counts {
            events: std::array::from_fn(|event| {
                read(&self.events[event]).wrapping_sub(read(&self.events_before[event]))
            }),
            peak_depth: read(&self.peak_depth),
            peak_stack_bytes: read(&self.stack_high) - read(&self.stack_low),
        }
    }

    #[inline]
    fn add_one(&self, event: Event) {
        let word = &self.events[event as usize];
        // No RMW: the worker alone writes.
        word.store(word.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }

    /// Starts again from zero. Call it while the worker runs no task; it may search for one.
    pub fn reset(&self) {
        for (before, events) in self.events_before.iter().zip(&self.events) {
            // Whoever is not the worker must not write its counts.
            before.store(events.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        for word in [&self.peak_depth, &self.stack_high, &self.stack_low] {
            word.store(0, Ordering::Relaxed);
        }
    }
}

impl Counts {
    /// Returns how often this event happened.
    pub fn of(&self, event: Event) -> usize {
        self.events[event as usize]
    }

    /// Combines the counts of two workers: adds the events, and takes the greater of the peaks.
    #[must_use]
    pub fn merge(&self, other: &Counts) -> Counts {
        Counts {
            events: std::array::from_fn(|event| self.events[event] + other.events[event]),
            peak_depth: self.peak_depth.max(other.peak_depth),
            peak_stack_bytes: self.peak_stack_bytes.max(other.peak_stack_bytes),
        }
    }
}

// SAFETY: the methods read and write atomics, and call `depth`, which the runtime passes.
unsafe impl Probe for Counters {
    type Fork = ();
    type Group = ();
    type Start = ();

    #[inline]
    fn count(&self, event: Event) {
        self.add_one(event);
        match event {
            Event::Retire => self.retired.store(true, Ordering::Relaxed),
            Event::Grow if self.retired.load(Ordering::Relaxed) => {
                self.retired.store(false, Ordering::Relaxed);
                self.add_one(Event::Reshare);
            }
            _ => {}
        }
    }

    #[inline]
    fn spawned(&self, depth: impl FnOnce() -> usize) {
        self.count(Event::Spawn);
        raise(&self.peak_depth, depth());
        let here = 0_u8;
        let here = (&raw const here).addr();
        raise(&self.stack_high, here);
        let low = self.stack_low.load(Ordering::Relaxed);
        if here < low || low == 0 {
            self.stack_low.store(here, Ordering::Relaxed);
        }
    }
}

fn raise(word: &AtomicUsize, value: usize) {
    if value > word.load(Ordering::Relaxed) {
        word.store(value, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_numbered_as_listed() {
        for (number, event) in Event::ALL.iter().copied().enumerate() {
            assert_eq!(event as usize, number);
        }
    }

    #[test]
    fn the_first_grow_after_a_retired_task_is_counted_twice() {
        let counters = Counters::default();
        for event in [Event::Grow, Event::Retire, Event::Retire, Event::Grow, Event::Grow] {
            counters.count(event);
        }
        let counts = counters.counts();
        assert_eq!(
            [Event::Grow, Event::Retire, Event::Reshare].map(|event| counts.of(event)),
            [3, 2, 1]
        );
    }

    #[test]
    fn counts_add_up_and_start_again() {
        let (a, b) = (Counters::default(), Counters::default());
        a.count(Event::Steal);
        b.count(Event::Steal);
        b.spawned(|| 7);
        let sum = a.counts().merge(&b.counts());
        assert_eq!((sum.of(Event::Steal), sum.of(Event::Spawn), sum.peak_depth), (2, 1, 7));
        b.reset();
        assert_eq!(b.counts(), Counts::default());
    }
}
