//! A worker's join.

use lyocell::{Deque, Probe, Worker};

use super::{Fork, Solve};
use crate::engine::{Lyocell, On};

/// A worker of a pool.
pub(crate) struct OnWorker<'w, D: Deque, P: Probe>(pub(crate) &'w Worker<D, P>);

impl<D: Deque, P: Probe> Fork for OnWorker<'_, D, P> {
    type Again<'s> = OnWorker<'s, D, P>;

    #[inline]
    fn join<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&mut OnWorker<'_, D, P>) -> RA + Send,
        B: FnOnce(&mut OnWorker<'_, D, P>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        self.0.join(|worker| a(&mut OnWorker(worker)), |worker| b(&mut OnWorker(worker)))
    }

    #[inline]
    fn call<A, RA>(&mut self, a: A) -> RA
    where
        A: FnOnce(&mut OnWorker<'_, D, P>) -> RA,
    {
        a(self)
    }
}

impl<D: Deque, P: Probe, S: Solve> On<Lyocell<D, P>> for S {
    fn run(&mut self, worker: &Worker<D, P>) -> S::Answer {
        self.solve(&mut OnWorker(worker))
    }
}
