//! Counts the joins of a program.

use super::{Fork, Solve};

/// Runs one closure after the other, and counts.
struct Counted {
    joins: u64,
}

impl Fork for Counted {
    type Again<'s> = Counted;

    fn join<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&mut Counted) -> RA + Send,
        B: FnOnce(&mut Counted) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        self.joins += 1;
        (a(self), b(self))
    }

    #[inline]
    fn call<A, RA>(&mut self, a: A) -> RA
    where
        A: FnOnce(&mut Counted) -> RA,
    {
        a(self)
    }
}

/// The joins of `problem`, by a serial run of a copy.
pub(crate) fn count_joins<P: Solve + Clone>(problem: &P) -> u64 {
    let (mut problem, mut counted) = (problem.clone(), Counted { joins: 0 });
    problem.reset();
    problem.solve(&mut counted);
    counted.joins
}
