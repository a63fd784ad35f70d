//! A worker's join, which runs the second closure first: so the first of a program is its second.

use forte::Worker;

use super::{Fork, Solve};
use crate::engine::{Forte, On};

/// A worker of forte's pool.
pub(crate) struct OnForte<'w>(pub(crate) &'w Worker);

impl Fork for OnForte<'_> {
    type Again<'s> = OnForte<'s>;

    #[inline]
    fn join<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&mut OnForte<'_>) -> RA + Send,
        B: FnOnce(&mut OnForte<'_>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        let b = |worker: &Worker| b(&mut OnForte(worker));
        let (second, first) = self.0.join(b, |worker| a(&mut OnForte(worker)));
        (first, second)
    }

    #[inline]
    fn call<A, RA>(&mut self, a: A) -> RA
    where
        A: FnOnce(&mut OnForte<'_>) -> RA,
    {
        a(self)
    }
}

impl<P: Solve> On<Forte> for P {
    fn run(&mut self, worker: &Worker) -> P::Answer {
        self.solve(&mut OnForte(worker))
    }
}
