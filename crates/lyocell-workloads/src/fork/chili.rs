//! A scope's join, which runs the second closure first: so the first of a program is its second.

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
        let (second, first) = Scope::join(self, b, a);
        (first, second)
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
