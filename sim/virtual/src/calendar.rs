//! Who is next: a tournament of threads by clock, and by number among those of one clock.
//!
//! ```text
//!                  min
//!             ┌─────┴─────┐
//!            min         min        each node has the smaller key of the two below it
//!           ┌─┴─┐       ┌─┴─┐
//!  thread   0   1       2   3       clock << 12 | thread, or NEVER
//! ```
//! One thread's key is changed in as many steps as the tree is high, in one array.

/// The bits of a key that tell the thread.
const THREAD_BITS: u32 = 12;

/// The most threads there can be at a time and after one another in a run.
pub(crate) const MOST_THREADS: usize = 1 << THREAD_BITS;

/// The key of a thread that does not run of itself.
const NEVER: u64 = u64::MAX;

/// The clock of nobody.
pub(crate) const END_OF_TIME: u64 = NEVER >> THREAD_BITS;

#[derive(Debug)]
pub(crate) struct Calendar {
    /// The root at 1, the leaves from half of it on.
    keys: Vec<u64>,
}

impl Calendar {
    pub(crate) fn new() -> Calendar {
        Calendar { keys: vec![NEVER; 2] }
    }

    fn leaves(&self) -> usize {
        self.keys.len() / 2
    }

    /// Sets the moment at which a thread goes on; `None` if it does not of itself.
    pub(crate) fn set(&mut self, thread: usize, clock: Option<u64>) {
        while thread >= self.leaves() {
            self.grow();
        }
        let key =
            clock.map_or(NEVER, |clock| clock.min(END_OF_TIME - 1) << THREAD_BITS | thread as u64);
        let mut node = self.leaves() + thread;
        self.keys[node] = key;
        while node > 1 {
            let smaller = self.keys[node].min(self.keys[node ^ 1]);
            node /= 2;
            self.keys[node] = smaller;
        }
    }

    fn grow(&mut self) {
        let leaves = self.keys[self.leaves()..].to_vec();
        self.keys = vec![NEVER; 4 * leaves.len()];
        for (thread, key) in leaves.into_iter().enumerate().filter(|(_, key)| *key != NEVER) {
            self.set(thread, Some(key >> THREAD_BITS));
        }
    }

    /// Who goes on first, and when.
    pub(crate) fn first(&self) -> Option<(u64, usize)> {
        let key = self.keys[1];
        (key != NEVER).then_some((key >> THREAD_BITS, (key & (MOST_THREADS as u64 - 1)) as usize))
    }

    /// The moment at which the first of the others goes on: in its ties the lower number comes first, so it may be one later for
    /// those with a lower number than theirs.
    pub(crate) fn first_beside(&self, thread: usize) -> u64 {
        let mut node = self.leaves() + thread;
        let mut least = NEVER;
        while node > 1 {
            least = least.min(self.keys[node ^ 1]);
            node /= 2;
        }
        let clock = least >> THREAD_BITS;
        match least & (MOST_THREADS as u64 - 1) {
            other if least != NEVER && other < thread as u64 => clock.saturating_sub(1),
            _ => clock,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_that_of_the_smallest_clock_and_number() {
        let mut calendar = Calendar::new();
        let mut clocks = std::collections::BTreeMap::new();
        let mut drawn = 1_u64;
        for _ in 0..2000 {
            drawn = drawn
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let (thread, clock) = ((drawn >> 33) as usize % 37, drawn >> 50);
            match drawn >> 20 & 3 {
                0 => {
                    calendar.set(thread, None);
                    clocks.remove(&thread);
                }
                _ => {
                    calendar.set(thread, Some(clock));
                    clocks.insert(thread, clock);
                }
            }
            let first = clocks.iter().map(|(thread, clock)| (*clock, *thread)).min();
            assert_eq!(calendar.first(), first);
            let beside = clocks.iter().filter(|(other, _)| **other != thread);
            let beside = beside.map(|(other, clock)| (*clock, *other)).min();
            // Who is at `clock` may go on while (clock, thread) is not after the other.
            let last = calendar.first_beside(thread);
            match beside {
                None => assert_eq!(last, END_OF_TIME),
                Some((at, other)) if other < thread => assert_eq!(last, at.saturating_sub(1)),
                Some((at, _)) => assert_eq!(last, at),
            }
        }
    }
}
