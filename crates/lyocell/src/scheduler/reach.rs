//! Whom a worker looks at in one round of its search: all others in a small pool, some in a large one.
//!
//! Each look at a worker that has done something since fetches lines from its processor. Let P workers that have run out of work
//! look at all others: those are P² transfers a round, and whoever waits for a task among them sees its end only after the round.
//! So a round is a look at a few, from a random one on, after the one of whose tasks the worker was told when it was woken. After the
//! first few rounds come those of a look at all, a part each, which steal from those that have tasks and ask the others. Who was woken looks at
//! all without asking first, which takes half as long: there should be tasks. (If all did, small regions on 256 workers took twice as
//! long.) Another look at all comes before a sleep ([`Worker::sees_tasks`]), which says where the next round has to begin. They
//! end where what the worker waits for has come: each takes 20 to 40 us in a pool of 128, and a chain of waiting workers is as long as
//! a tree is deep.
//!
//! Tried: having the processor fetch the lines of a part at once. Bursts took a wake-up less in the simulator, and small regions on 128 workers 1.2
//! to 4 times as long, for owners had their lines taken away so much oftener.

use super::{Registry, Worker};
use crate::deque::{Deque, Stealable};
use crate::probe::Probe;
use crate::wait::Goal;
use std::iter::from_fn;
use std::ops::Range;

/// Looks at others in one round of a large pool, one of them at one of this worker's node of the memory, if those come first: each
/// fetches two lines. In the simulator, on two machines: with all of 128, a tree of as many leaves of 200 us took several times as long. With 8 small
/// regions took 1.09 to 1.14 times as long on 64 and 128 workers as with 6, and 0.93 to 0.97 on 256; bursts, fib and uneven
/// trees 0.94 to 1.09; a stream of empty joins on 16 workers 1.3 times on one machine and half on the other. With 4 the shortest bursts took 1.15. With half of them near, uneven trees took up to 1.16 times as long
/// as with none, on the simulated machines of two and four sockets; with a quarter 1.10.
pub(super) const LOOKS: usize = 6;
/// In a pool of so many workers a round looks at all others. Untuned.
const FEW: usize = if cfg!(loom) { usize::MAX } else { 9 };

/// Looks at others in one round of a look at all.
const PART: usize = LOOKS;

/// The part of a look at all that comes in this round.
#[derive(Clone, Copy)]
pub(super) struct Part {
    first: usize,
    /// How many workers are left, with this part.
    left: usize,
    /// Whether those are asked that have nothing; else there is a second look.
    asks: bool,
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Those that are looked at in this round: the one that is known to have had tasks, and some from a random one on, or all.
    pub(super) fn in_reach(&self) -> impl Iterator<Item = usize> {
        let mut seen = self.own.seen.get();
        let part = self.own.part.get();
        let looks = match part {
            Some(_) => PART,
            None if self.reaches_all() => FEW - 1,
            None => LOOKS,
        };
        let looks_near = if self.near.is_empty() || part.is_some() { 0 } else { looks / 4 };
        let all = 0..self.workers();
        let first = part.map_or_else(|| self.random_of(&all), |part| part.first);
        let mut near = self.around(self.near.clone(), self.random_of(&self.near)).take(looks_near);
        let mut anybody = self.around(all, first).take(looks - looks_near);
        // Not a chain: what is done with each would be compiled twice.
        from_fn(move || seen.take().or_else(|| near.next()).or_else(|| anybody.next()))
    }

    /// The next rounds are a look at all that asks, after one that does not if this one does not, until they are over or
    /// [`Worker::end_look_at_all`].
    pub(super) fn begin_look_at_all(&self, asks: bool) {
        let (first, left) = (self.random_of(&(0..self.workers())), self.workers());
        self.own.part.set(Some(Part { first, left, asks }));
    }

    /// Goes on to the next part, if there is one.
    pub(super) fn goes_on_with_all(&self) -> bool {
        let all = self.workers();
        let next = self.own.part.get().and_then(|Part { first, left, asks }| match left > PART {
            true => Some(Part { first: (first + PART) % all, left: left - PART, asks }),
            false if asks => None,
            false => Some(Part { first, left: all, asks: true }),
        });
        self.own.part.set(next);
        next.is_some()
    }

    pub(super) fn end_look_at_all(&self) {
        self.own.part.set(None);
    }

    /// Whether it asks in this round who has nothing.
    pub(super) fn asks(&self) -> bool {
        self.own.part.get().is_none_or(|part| part.asks)
    }

    fn random_of(&self, these: &Range<usize>) -> usize {
        these.start + self.own.random.below(these.len())
    }

    /// Whether a round reaches all.
    pub(super) fn reaches_all(&self) -> bool {
        self.workers() <= FEW
    }

    /// Whether another worker has tasks, or what this one waits for has come: a look at all. The next rounds begin with that other one,
    /// where they do not reach all.
    pub(super) fn sees_tasks(&self, goal: &dyn Goal) -> bool {
        let registry = self.registry();
        let has_tasks = |worker: &usize| {
            if !self.may_rob(*worker) {
                return false;
            }
            let worker = &registry.workers[*worker];
            worker.owner.deque.stealable() == Stealable::Some
                || registry.barrier().is_some() && worker.withholds()
        };
        let mut others = self.around(0..self.workers(), self.index());
        let seen = others.find(|other| has_tasks(other) || goal.reached());
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
        });
        assert!(!seen[0], "itself");
    }

    /// Whom a look at all has seen, part by part, and how many of these parts asked.
    fn looks_at_all(w: &Worker) -> (Vec<usize>, usize) {
        let (mut seen, mut asking) = (Vec::new(), 0);
        w.begin_look_at_all(false);
        loop {
            seen.extend(w.in_reach());
            asking += usize::from(w.asks());
            if !w.goes_on_with_all() {
                return (seen, asking);
            }
        }
    }

    #[test]
    fn all_are_looked_at_in_parts_and_asked_the_second_time() {
        for workers in [12, 13, 19] {
            let pool = Pool::builder().workers(workers).build().unwrap();
            pool.run(|w| {
                let (seen, asking) = looks_at_all(w);
                let parts = workers.div_ceil(PART);
                assert_eq!((seen.len(), asking), (2 * parts * PART, parts));
                let half = |these: &[usize]| (1..workers).all(|other| these.contains(&other));
                assert!(half(&seen[..parts * PART]) && half(&seen[parts * PART..]), "{seen:?}");
                assert!(!seen.contains(&0), "itself");
                // One that asks is the only one, and the next search begins as usual.
                w.begin_look_at_all(true);
                assert!((1..parts).all(|_| w.asks() && w.goes_on_with_all()));
                assert!(!w.goes_on_with_all() && w.asks());
                w.begin_look_at_all(false);
                w.end_look_at_all();
                assert!(w.asks() && !w.goes_on_with_all());
            });
        }
    }

    #[test]
    fn where_nobody_is_near_all_are_alike() {
        let pool = Pool::builder().workers(12).build().unwrap();
        pool.run(|w| assert_eq!(w.in_reach().count(), LOOKS));
    }
}
