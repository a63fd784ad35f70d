//! Whom a worker looks at in one round of its search: all others in a small pool, some in a large one.
//!
//! Each look at a worker that has done something since fetches lines from its processor. Let P workers that have run out of work
//! look at all others: those are P² transfers a round, and whoever waits for a task among them sees its end only after the round.
//! So a round is a look at a few, from a random one on, after the one of whose tasks the worker was told when it was woken. One round,
//! after the first few, is a look at all, which steals from those that have tasks and asks the others; and another look at all comes
//! before a sleep ([`Worker::sees_tasks`]), which says where the next round has to begin.

use super::{Registry, Worker};
use crate::deque::{Deque, Stealable};
use crate::probe::Probe;
use std::iter::from_fn;
use std::ops::Range;

/// Looks at others in one round of a large pool, one of them at one of this worker's node of the memory, if those come first: each
/// fetches two lines. In the simulator, on two machines: with all of 128, a tree of as many leaves of 200 us took several times as long. With 8 small
/// regions took 1.09 to 1.14 times as long on 64 and 128 workers as with 6, and 0.93 to 0.97 on 256; bursts, fib and uneven
/// trees 0.94 to 1.09; a stream of empty joins on 16 workers 1.3 times on one machine and half on the other. With 4 the shortest bursts took 1.15. With half of them near, uneven trees took up to 1.16 times as long
/// as with none, on the simulated machines of two and four sockets; with a quarter 1.10.
const LOOKS: usize = 6;
/// In a pool of so many workers a round looks at all others. Untuned.
const FEW: usize = if cfg!(loom) { usize::MAX } else { 9 };

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Those that are looked at in this round: the one that is known to have had tasks, and some from a random one on, or all.
    pub(super) fn in_reach(&self) -> impl Iterator<Item = usize> {
        let mut seen = self.own.seen.get();
        let looks = match self.own.looks_at_all.take() {
            true => usize::MAX,
            false if self.reaches_all() => FEW - 1,
            false => LOOKS,
        };
        let looks_near = if self.near.is_empty() { 0 } else { looks / 4 };
        let mut near = self.some_of(self.near.clone()).take(looks_near);
        let mut anybody = self.some_of(0..self.workers()).take(looks - looks_near);
        // Not a chain: what is done with each would be compiled twice.
        from_fn(move || seen.take().or_else(|| near.next()).or_else(|| anybody.next()))
    }

    /// These but for this one, from a random one on.
    fn some_of(&self, these: Range<usize>) -> impl Iterator<Item = usize> + use<D, P> {
        let first = these.start + self.own.random.below(these.len());
        self.around(these, first)
    }

    /// Whether a round reaches all.
    pub(super) fn reaches_all(&self) -> bool {
        self.workers() <= FEW
    }

    /// Whether another worker has tasks: a look at all. The next rounds begin with that one, where they do not reach all.
    pub(super) fn sees_tasks(&self) -> bool {
        let registry = self.registry();
        let has_tasks = |worker: &usize| {
            if !self.may_rob(*worker) {
                return false;
            }
            let worker = &registry.workers[*worker];
            worker.owner.deque.stealable() == Stealable::Some
                || registry.barrier().is_some() && worker.withholds()
        };
        let seen = self.around(0..self.workers(), self.index()).find(has_tasks);
        self.own.seen.set(seen.filter(|_| !self.reaches_all()));
        seen.is_some()
    }

    /// These but for this one, from that one on.
    fn around(&self, these: Range<usize>, first: usize) -> impl Iterator<Item = usize> + use<D, P> {
        let (index, count) = (self.index(), these.len());
        let round = move |at| if at < these.end { at } else { at - count };
        (first..first + count).map(round).filter(move |other| *other != index)
    }
}

impl<D: Deque, P: Probe> Registry<D, P> {
    /// All workers but one whose lanes may hold jobs, those near that one first.
    pub(super) fn others_with_jobs(&self, index: usize) -> impl Iterator<Item = &Worker<D, P>> {
        let near = &self.workers[index].near;
        let others = || self.used_lanes.from(index).filter(move |other| *other != index);
        let mut those_near = (!near.is_empty()).then(others);
        let mut others = others();
        let mut next_near = move || those_near.as_mut()?.find(|other| near.contains(other));
        from_fn(move || next_near().or_else(|| others.find(|other| !near.contains(other))))
            .map(|other| &*self.workers[other])
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::pool::Pool;

    #[test]
    fn where_near_ones_come_first_the_others_come_in_the_same_round() {
        let pool = Pool::builder().workers(12).near_first_on_two_nodes().build().unwrap();
        let mut seen = [false; 12];
        pool.run(|w| {
            while seen[1..].contains(&false) {
                let round: Vec<usize> = w.in_reach().collect();
                assert_eq!(round.len(), LOOKS);
                assert!(round[..LOOKS / 4].iter().all(|near| (1..6).contains(near)), "{round:?}");
                round.into_iter().for_each(|other| seen[other] = true);
            }
            w.own.looks_at_all.set(true);
            let mut all: Vec<usize> = w.in_reach().skip(5).collect();
            all.sort_unstable();
            assert!(all.into_iter().eq(1..12), "near ones, and then all");
        });
        assert!(!seen[0], "itself");
    }

    #[test]
    fn where_nobody_is_near_all_are_alike() {
        let pool = Pool::builder().workers(12).build().unwrap();
        pool.run(|w| assert_eq!(w.in_reach().count(), LOOKS));
    }
}
