//! Fibonacci numbers by their definition: two calls a task and nearly no work beside, so what is
//! measured is the cost of a task.
//!
//! The first of the benchmarks of van Dijk and van de Pol, "Lace" (2014), section 4. A call with
//! n ≥ 2 spawns one task: F(n + 1) - 1 of them in all, 20,365,011,073 for n = 50, as in the paper.
//!
//! With a cut-off, numbers up to it are computed without tasks, as in Acar, Charguéraud and Rainey (2013), section 4,
//! where it is 18 beside n = 48. That is another recursion ([`down_to`]), so that the one without pays nothing.
//!
//! The closures of the engines in Rust capture by `move`, each engine in its best form: what is captured by reference goes
//! through memory, and here that is a good part of what a task costs. As most programs are written it is `fib:N,ref`, whose
//! closures capture by reference; to engines in C it is the same program.

mod chili;
#[cfg(feature = "forte")]
mod forte;
#[cfg(lace)]
mod lace;
mod lyocell;
mod rayon;
mod rival;
mod serial;
#[cfg(lace)]
mod serial_c;

use std::ops::RangeInclusive;

use crate::fork::Fork;
use crate::problem::{Problem, WrongAnswer, judge_equal};
use crate::workload::{Program, UnknownParameter, Workload, parse_number, within};

/// The upper bound is a matter of patience: fib:60 is about an hour of serial work. The numbers
/// themselves fit into 64 bits up to n = 93.
const BOUNDS: RangeInclusive<u64> = 0..=60;

pub(crate) static PROGRAM: Program<Fib> = Program {
    workload: Workload {
        name: "fib",
        summary: "the Nth Fibonacci number by its definition; nearly no work in a task",
        source: "Cilk; van Dijk and van de Pol 2014, section 4; Acar, Charguéraud and Rainey 2013",
        parameters: || {
            let (start, end) = (BOUNDS.start(), BOUNDS.end());
            format!("N, N,ref or N,CUTOFF, N from {start} to {end}, CUTOFF as far as N")
        },
        default_parameter: "40",
    },
    small: || Ok(Fib::new(16)),
    parse: Fib::parse,
};

/// The Fibonacci number of an index.
#[derive(Clone, Copy, Debug)]
pub struct Fib {
    n: u64,
    /// Numbers up to this one are computed without tasks.
    cutoff: u64,
    captures: Captures,
}

/// How the closures of the engines in Rust capture the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Captures {
    ByMove,
    ByReference,
}

/// In the parameter of [`Captures::ByReference`].
const BY_REFERENCE: &str = "ref";

/// Below it there is no task anyway.
const NO_CUTOFF: u64 = 1;

impl Fib {
    /// The `n`th.
    ///
    /// # Panics
    /// If `n` is over 60.
    pub fn new(n: u64) -> Fib {
        Fib { n: within(n, BOUNDS), cutoff: NO_CUTOFF, captures: Captures::ByMove }
    }

    fn parse(parameter: &str) -> Result<Fib, UnknownParameter> {
        match parameter.split_once(',') {
            None => Ok(Fib::new(parse_number(parameter, BOUNDS)?)),
            Some((n, BY_REFERENCE)) => {
                let fib = Fib::new(parse_number(n, BOUNDS)?);
                Ok(Fib { captures: Captures::ByReference, ..fib })
            }
            Some((n, cutoff)) => {
                let fib = Fib::new(parse_number(n, BOUNDS)?);
                Ok(Fib { cutoff: parse_number(cutoff, NO_CUTOFF..=fib.n)?, ..fib })
            }
        }
    }

    pub(crate) fn has_cutoff(&self) -> bool {
        self.cutoff > NO_CUTOFF
    }
}

/// F(n), where numbers up to `cutoff` are computed without tasks.
fn down_to<F: Fork>(fork: &mut F, n: u64, cutoff: u64) -> u64 {
    if n <= cutoff {
        return serial::fib(n);
    }
    let (a, b) =
        fork.join(|fork| down_to(fork, n - 1, cutoff), |fork| down_to(fork, n - 2, cutoff));
    a + b
}

/// F(n), by iteration: what the runs are checked against. `n` ≤ 93.
fn fibonacci(n: u64) -> u64 {
    (0..n).fold((0_u64, 1_u64), |(this, next), _| (next, this.wrapping_add(next))).0
}

impl Problem for Fib {
    type Answer = u64;

    fn parameter(&self) -> String {
        match self {
            Fib { n, captures: Captures::ByReference, .. } => format!("{n},{BY_REFERENCE}"),
            Fib { n, cutoff, .. } if self.has_cutoff() => format!("{n},{cutoff}"),
            Fib { n, .. } => n.to_string(),
        }
    }

    fn tasks(&self) -> Option<u64> {
        // The calls above the cut-off are those of a number as much smaller, if both of its last ones are leaves.
        Some(fibonacci(self.n + 1 - (self.cutoff - NO_CUTOFF)) - 1)
    }

    /// The way from the number to the cut-off by ones.
    fn branching_depth(&self) -> Option<u64> {
        Some(self.n.saturating_sub(self.cutoff))
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
    fn a_cut_off_leaves_tasks_out_and_nothing_else() {
        fn tasks(n: u64, cutoff: u64) -> u64 {
            if n <= cutoff { 0 } else { 1 + tasks(n - 1, cutoff) + tasks(n - 2, cutoff) }
        }
        fn depth(n: u64, cutoff: u64) -> u64 {
            if n <= cutoff { 0 } else { 1 + depth(n - 1, cutoff).max(depth(n - 2, cutoff)) }
        }
        // The paper's, in section 4.
        assert_eq!(Fib { cutoff: 18, ..Fib::new(48) }.branching_depth(), Some(30));
        for (n, cutoff) in [(0, 1), (1, 1), (5, 1), (5, 2), (20, 1), (20, 7), (20, 19), (20, 20)] {
            let mut fib = Fib { cutoff, ..Fib::new(n) };
            assert_eq!(fib.tasks(), Some(tasks(n, cutoff)), "{n},{cutoff}");
            assert_eq!(fib.branching_depth(), Some(depth(n, cutoff)), "{n},{cutoff}");
            let answer = down_to(&mut crate::fork::Alone, n, cutoff);
            assert!(fib.judge(&answer).is_ok(), "{n},{cutoff}");
        }
        assert_eq!(Fib::parse("48,18").unwrap().parameter(), "48,18");
        let by_reference = Fib::parse("48,ref").unwrap();
        assert_eq!(
            (by_reference.parameter(), by_reference.tasks()),
            ("48,ref".to_owned(), Fib::new(48).tasks())
        );
        for text in ["5,ref,3", "ref", "5,", "5,6", "5,0", ",5", "5,4,3"] {
            assert!(Fib::parse(text).is_err(), "{text:?}");
        }
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
