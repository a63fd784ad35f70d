//! Fibonacci numbers by their definition: two calls a task and nearly no work beside, so what is
//! measured is the cost of a task.
//!
//! The first of the benchmarks of van Dijk and van de Pol, "Lace" (2014), section 4. A call with
//! n ≥ 2 spawns one task: F(n + 1) - 1 of them in all, 20,365,011,073 for n = 50, as in the paper.

mod chili;
#[cfg(lace)]
mod lace;
mod lyocell;
mod rayon;
mod serial;
#[cfg(lace)]
mod serial_c;

use std::ops::RangeInclusive;

use crate::problem::{Problem, WrongAnswer, judge_equal};
use crate::workload::{Workload, parse_number, within};

/// The upper bound is a matter of patience: fib:60 is about an hour of serial work. The numbers
/// themselves fit into 64 bits up to n = 93.
const BOUNDS: RangeInclusive<u64> = 0..=60;

pub(crate) static WORKLOAD: Workload = Workload {
    name: "fib",
    summary: "the Nth Fibonacci number by its definition; nearly no work in a task",
    source: "Cilk; van Dijk and van de Pol 2014, section 4",
    parameters: || format!("N from {} to {}", BOUNDS.start(), BOUNDS.end()),
    default_parameter: "40",
    small: || Ok(Fib::new(16).into()),
    parse: |parameter| Ok(Fib { n: parse_number(parameter, BOUNDS)? }.into()),
};

/// The Fibonacci number of an index.
#[derive(Clone, Copy, Debug)]
pub struct Fib {
    n: u64,
}

impl Fib {
    /// The `n`th.
    ///
    /// # Panics
    /// If `n` is over 60.
    pub fn new(n: u64) -> Fib {
        Fib { n: within(n, BOUNDS) }
    }
}

/// F(n), by iteration: what the runs are checked against. `n` ≤ 93.
fn fibonacci(n: u64) -> u64 {
    (0..n).fold((0_u64, 1_u64), |(this, next), _| (next, this.wrapping_add(next))).0
}

impl Problem for Fib {
    type Answer = u64;

    fn parameter(&self) -> String {
        self.n.to_string()
    }

    fn tasks(&self) -> Option<u64> {
        Some(fibonacci(self.n + 1) - 1)
    }

    fn judge(&mut self, answer: &u64) -> Result<String, WrongAnswer> {
        judge_equal(answer, &fibonacci(self.n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{On, Serial};

    #[test]
    fn the_first_numbers_are_the_published_ones() {
        let first: Vec<u64> = (0..=12).map(fibonacci).collect();
        assert_eq!(first, [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144]);
        assert_eq!(fibonacci(93), 12_200_160_415_121_876_738);
    }

    #[test]
    fn the_number_of_tasks_is_the_papers() {
        assert_eq!(Fib::new(50).tasks(), Some(20_365_011_073));
        assert_eq!([0, 1, 2, 3, 4].map(|n| Fib::new(n).tasks()), [0, 0, 1, 2, 4].map(Some));
    }

    #[test]
    fn recursion_and_iteration_agree() {
        for n in 0..=20 {
            assert_eq!(On::<Serial>::run(&mut Fib::new(n), ()), fibonacci(n));
        }
    }

    #[test]
    fn a_wrong_number_is_refused() {
        assert!(Fib::new(10).judge(&55).is_ok());
        assert!(Fib::new(10).judge(&54).is_err());
    }
}
