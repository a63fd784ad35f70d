//! `rayon::join`.

use super::{Fork, Solve};
use crate::engine::{On, Rayon};

/// A worker of rayon's, which finds itself.
#[derive(Debug)]
pub(crate) struct OnRayon;

impl Fork for OnRayon {
    type Again<'s> = OnRayon;

    #[inline]
    fn join<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&mut OnRayon) -> RA + Send,
        B: FnOnce(&mut OnRayon) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        rayon::join(|| a(&mut OnRayon), || b(&mut OnRayon))
    }

    #[inline]
    fn call<A, RA>(&mut self, a: A) -> RA
    where
        A: FnOnce(&mut OnRayon) -> RA,
    {
        a(self)
    }
}

impl<P: Solve> On<Rayon> for P {
    fn run(&mut self, (): ()) -> P::Answer {
        self.solve(&mut OnRayon)
    }
}
