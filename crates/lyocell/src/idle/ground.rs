//! Where a waker looks for somebody to wake: it has a part of all sleepers, and gives half of what is left of it to whom it wakes.
//!
//! So those who wake others at the beginning of a burst look at different sleepers, and find one at the first look. From a random one on
//! each looked at nine on the average, who were awake already, when 128 workers were woken for as many leaves in the simulator.
//!
//! A hint: who finds nobody in its part looks at all others, if the counts say that somebody sleeps.

use super::sleeper::PARKED;
use super::{Idle, IdleCounts};
use crate::limits::MAX_WORKERS;
use lyocell_sync::{Ordering, unmodelled};

/// So many sleepers are few: the same ones are woken again, from the first on, and are warm.
pub(super) const FEW: usize = 8;

/// So many of its part a waker looks at that has not looked whether anybody sleeps. Untuned.
const EXPECTED: usize = 2;

/// The part of one waker.
#[derive(Clone, Copy)]
struct Part {
    first: usize,
    count: usize,
}

/// Where that is kept.
///
/// ```text
///   | count | first |
///        10       0
/// ```
pub(super) struct Ground(unmodelled::AtomicUsize);

const BITS: u32 = 10;
const _: () = assert!(MAX_WORKERS < 1 << BITS);

impl Ground {
    /// As of one that has woken nobody.
    pub(super) fn new() -> Ground {
        Ground(unmodelled::AtomicUsize::new(0))
    }

    fn get(&self) -> Part {
        let packed = self.0.load(Ordering::Relaxed);
        Part { first: packed & ((1 << BITS) - 1), count: packed >> BITS }
    }

    fn set(&self, Part { first, count }: Part) {
        self.0.store(count << BITS | first, Ordering::Relaxed);
    }
}

impl Idle {
    /// Claims one of these sleepers for this waker, if it is a worker, who has seen these counts; if it has not looked at these, one of the
    /// next few.
    #[inline(never)]
    pub(super) fn claim_for(
        &self,
        waker: Option<usize>,
        counts: Option<IdleCounts>,
        may_be: &dyn Fn(usize) -> bool,
    ) -> Option<usize> {
        let all = self.sleepers.len();
        let round = |at: usize| if at < all { at } else { at - all };
        let part = match waker.filter(|_| all > FEW) {
            None => Part { first: 0, count: all },
            // All others sleep: the same ones as last time.
            Some(waker) if counts.is_some_and(|counts| counts.parked() + 1 >= all) => {
                Part { first: round(waker + 1), count: all - 1 }
            }
            Some(waker) => self.ground(waker).get(),
        };
        let most = if counts.is_none() && all > FEW { EXPECTED.min(part.count) } else { all };
        let mut steps = 0..most;
        let is_claimed = |worker: usize| {
            let sleeper = self.sleeper(worker);
            may_be(worker) && (most < all || sleeper.has(PARKED)) && sleeper.claim()
        };
        let step = steps.find(|step| is_claimed(round(part.first + step)))?;
        let claimed = round(part.first + step);
        if all > FEW {
            let end = if step < part.count { part.count } else { all };
            let left = end - step - 1;
            let (kept, given) = (left - left / 2, left / 2);
            let first = round(claimed + 1);
            waker.into_iter().for_each(|waker| self.ground(waker).set(Part { first, count: kept }));
            self.ground(claimed).set(Part { first: round(first + kept), count: given });
        }
        Some(claimed)
    }

    fn ground(&self, worker: usize) -> &Ground {
        &self.sleeper(worker).ground
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::idle::Crowd;
    use lyocell_sync::Parker;

    #[test]
    fn those_who_wake_others_look_at_different_ones_and_the_first_at_the_same_again() {
        const ALL: usize = 33;
        let parkers: Vec<_> = (0..ALL).map(|_| Parker::default()).collect();
        let idle = Idle::new(parkers.iter(), Crowd::None);
        let claim = |waker: usize| {
            let seen = std::cell::Cell::new(0);
            let may_be = |_| {
                seen.set(seen.get() + 1);
                true
            };
            let claimed = idle.claim_for(Some(waker), Some(idle.counts()), &may_be).unwrap();
            idle.subtract(IdleCounts::PARKED);
            (claimed, seen.get())
        };
        for _ in 0..2 {
            for worker in (1..ALL).filter(|worker| !idle.sleeper(*worker).has(super::super::PARKED))
            {
                idle.enter_search();
                idle.announce_parked(worker);
            }
            assert_eq!(claim(0), (1, 1));
            // Each of those that are awake claims one, at the first look: then they are twice as many, to the last.
            let mut awake = vec![0, 1];
            while awake.len() < ALL - 1 {
                let claimed: Vec<_> = awake.iter().map(|waker| claim(*waker)).collect();
                assert!(claimed.iter().all(|(_, looks)| *looks == 1), "{claimed:?}");
                awake.extend(claimed.into_iter().map(|(worker, _)| worker));
            }
            // Who has none left looks at all others.
            (awake.len()..ALL).for_each(|_| _ = claim(ALL - 1));
            assert!(idle.claim_for(None, Some(idle.counts()), &|_| true).is_none());
        }
    }
}
