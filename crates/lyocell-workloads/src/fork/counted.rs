//! Counts how a program forks.

use std::cell::OnceCell;

use super::{Fork, Solve};
use crate::problem::Forks;

/// Runs one closure after the other, and counts.
#[derive(Default)]
struct Counted(Forks);

impl Fork for Counted {
    type Again<'s> = Counted;

    fn join<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&mut Counted) -> RA + Send,
        B: FnOnce(&mut Counted) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        let (mut first, mut second) = (Counted::default(), Counted::default());
        let both = (a(&mut first), b(&mut second));
        self.0 = self.0.then(Forks::of_join(first.0, second.0));
        both
    }

    #[inline]
    fn call<A, RA>(&mut self, a: A) -> RA
    where
        A: FnOnce(&mut Counted) -> RA,
    {
        a(self)
    }
}

/// How `problem` forks, by a serial run of a copy.
pub(crate) fn count_forks<P: Solve + Clone>(problem: &P) -> Forks {
    let (mut problem, mut counted) = (problem.clone(), Counted::default());
    problem.reset();
    problem.solve(&mut counted);
    counted.0
}

/// How a problem forks, once it was counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownForks(OnceCell<Forks>);

impl KnownForks {
    /// As [`count_forks`], counted now unless it was.
    pub(crate) fn of<P: Solve + Clone>(&self, problem: &P) -> Forks {
        *self.0.get_or_init(|| count_forks(problem))
    }
}

/// The joins of `problem`, by a serial run of a copy.
pub(crate) fn count_joins<P: Solve + Clone>(problem: &P) -> u64 {
    count_forks(problem).joins
}
