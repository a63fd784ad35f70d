//! One closure after the other.

use super::{Fork, Solve};
use crate::engine::{On, Serial};

/// Nobody to share with.
#[derive(Debug)]
pub(crate) struct Alone;

impl Fork for Alone {
    type Again<'s> = Alone;

    #[inline]
    fn join<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&mut Alone) -> RA + Send,
        B: FnOnce(&mut Alone) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        (a(self), b(self))
    }

    #[inline]
    fn call<A, RA>(&mut self, a: A) -> RA
    where
        A: FnOnce(&mut Alone) -> RA,
    {
        a(self)
    }
}

impl<P: Solve> On<Serial> for P {
    fn run(&mut self, (): ()) -> P::Answer {
        self.solve(&mut Alone)
    }
}
