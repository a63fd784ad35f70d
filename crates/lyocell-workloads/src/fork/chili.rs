//! A scope's join.

use chili::Scope;

use super::{Fork, Solve};
use crate::engine::{Chili, On};

impl Fork for Scope<'_> {
    type Again<'s> = Scope<'s>;

    #[inline]
    fn join<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&mut Scope<'_>) -> RA + Send,
        B: FnOnce(&mut Scope<'_>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        Scope::join(self, a, b)
    }

    #[inline]
    fn call<A, RA>(&mut self, a: A) -> RA
    where
        A: FnOnce(&mut Scope<'_>) -> RA,
    {
        a(self)
    }
}

impl<P: Solve> On<Chili> for P {
    fn run(&mut self, scope: &mut Scope<'_>) -> P::Answer {
        self.solve(scope)
    }
}
