//! Which workers' lanes may hold jobs: a bit for each, so that who looks for a job looks at those only. Of 128 lanes most were
//! never used, and the first look at all of them took a worker that had been woken 50 us in the simulator.
//!
//! # Invariants
//! - used_lanes-1. While a lane holds a job, its worker's bit is set. Only the worker's occupant sets it, before it pushes, and clears
//!   it, when its lane is empty, and only it pushes. So whoever finds the bit clear where it would have found the lane empty
//!   (idle-3) misses no more: the bit was set before the fence that came after the push.
//!
//! A bit is cleared when its worker has found nothing for a while, and not whenever the lane runs empty: so who spawns now and then does
//! not take the line from others each time.

use crate::limits::MAX_WORKERS;
use crossbeam_utils::CachePadded;
use lyocell_sync::{AtomicUsize, Ordering};
use std::array::from_fn;

const BITS: usize = usize::BITS as usize;
/// Loom has few workers, and looks at all atomics there are.
const WORDS: usize = if cfg!(loom) { 1 } else { MAX_WORKERS.div_ceil(BITS) };

/// The lanes of a pool.
pub(crate) struct UsedLanes {
    bits: CachePadded<[AtomicUsize; WORDS]>,
    words: usize,
}

// Ordering: Relaxed everywhere here; by the fences of those who push and look (used_lanes-1).
impl UsedLanes {
    /// As many lanes as workers, none used.
    pub(crate) fn new(workers: usize) -> UsedLanes {
        let bits = CachePadded::new(from_fn(|_| AtomicUsize::new(0)));
        UsedLanes { bits, words: workers.div_ceil(BITS) }
    }

    /// The worker is about to push.
    #[cold]
    pub(crate) fn set(&self, worker: usize) {
        self.bits[worker / BITS].fetch_or(1 << (worker % BITS), Ordering::Relaxed);
    }

    /// The worker has an empty lane.
    pub(crate) fn clear(&self, worker: usize) {
        self.bits[worker / BITS].fetch_and(!(1 << (worker % BITS)), Ordering::Relaxed);
    }

    /// The workers with a bit, from this one on and once around.
    pub(crate) fn from(&self, worker: usize) -> Used<'_> {
        let (word, first) = (worker / BITS, usize::MAX << (worker % BITS));
        Used { lanes: self, word, bits: self.word(word) & first, rest: !first, left: self.words }
    }

    fn word(&self, word: usize) -> usize {
        self.bits[word].load(Ordering::Relaxed)
    }
}

/// Workers whose lanes may hold jobs.
pub(crate) struct Used<'a> {
    lanes: &'a UsedLanes,
    /// Where it is, and which bits of that are left.
    word: usize,
    bits: usize,
    /// Which bits of the first word come at the end.
    rest: usize,
    /// How many words come after this one, the first once more among them.
    left: usize,
}

impl Iterator for Used<'_> {
    type Item = usize;

    #[inline(never)]
    fn next(&mut self) -> Option<usize> {
        while self.bits == 0 {
            self.left = self.left.checked_sub(1)?;
            self.word = if self.word + 1 == self.lanes.words { 0 } else { self.word + 1 };
            let of_these = if self.left == 0 { self.rest } else { usize::MAX };
            self.bits = self.lanes.word(self.word) & of_these;
        }
        let lowest = self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some(self.word * BITS + lowest)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn each_used_lane_comes_once_from_any_worker_on() {
        let most = if cfg!(miri) { 2 * BITS } else { MAX_WORKERS };
        for workers in [1, 2, BITS - 1, BITS, BITS + 1, most] {
            let lanes = UsedLanes::new(workers);
            let used: Vec<usize> = (0..workers).filter(|worker| worker % 7 != 1).collect();
            used.iter().for_each(|worker| lanes.set(*worker));
            for first in [0, 1, workers / 2, workers - 1].map(|first| first % workers) {
                let (before, from): (Vec<usize>, Vec<usize>) =
                    used.iter().partition(|worker| **worker < first);
                let expected: Vec<usize> = from.into_iter().chain(before).collect();
                assert_eq!(lanes.from(first).collect::<Vec<_>>(), expected, "{first} of {workers}");
            }
            used.iter().for_each(|worker| lanes.clear(*worker));
            assert_eq!(lanes.from(0).next(), None);
        }
    }
}
