//! Fibonacci numbers by their definition: two calls a task and nearly no work beside, so what is
//! measured is the cost of a task.
//!
//! The first of the benchmarks of van Dijk and van de Pol, "Lace" (2014), section 4. A call with
//! n ≥ 2 spawns one task: F(n + 1) - 1 of them in all, 20,365,011,073 for n = 50, as in the paper.

use std::hint::black_box;
use std::ops::RangeInclusive;

use lyocell::{Deque, Probe, Worker};

use super::{
    BinaryProblem, Instance, Problem, UnknownParameter, Workload, WrongAnswer, judge_equal,
    parse_number,
};

/// The upper bound is a matter of patience: fib:60 is about an hour of serial work. The numbers
/// themselves fit into 64 bits up to n = 93.
const BOUNDS: RangeInclusive<u64> = 0..=60;

pub(super) struct FibWorkload;

impl Workload for FibWorkload {
    fn name(&self) -> &'static str {
        "fib"
    }

    fn summary(&self) -> &'static str {
        "the Nth Fibonacci number by its definition; nearly no work in a task"
    }

    fn source(&self) -> &'static str {
        "Cilk; van Dijk and van de Pol 2014, section 4"
    }

    fn parameters(&self) -> String {
        format!("N from {} to {}", BOUNDS.start(), BOUNDS.end())
    }

    fn default_parameter(&self) -> &'static str {
        "40"
    }

    fn instance(&self, parameter: &str) -> Result<Instance, UnknownParameter> {
        Ok(Instance::Fib(Fib { n: parse_number(parameter, BOUNDS)? }))
    }
}

pub(crate) struct Fib {
    n: u64,
}

/// F(n), by iteration: what the runs are checked against. `n` ≤ 93.
fn fibonacci(n: u64) -> u64 {
    (0..n).fold((0_u64, 1_u64), |(this, next), _| (next, this.wrapping_add(next))).0
}

fn serial(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    serial(n - 1) + serial(n - 2)
}

fn lyocell<D: Deque, P: Probe>(worker: &Worker<D, P>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = worker.join(|worker| lyocell(worker, n - 1), |worker| lyocell(worker, n - 2));
    a + b
}

fn rayon(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = rayon::join(|| rayon(n - 1), || rayon(n - 2));
    a + b
}

fn chili(scope: &mut chili::Scope<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = scope.join(|scope| chili(scope, n - 1), |scope| chili(scope, n - 2));
    a + b
}

#[cfg(lace)]
unsafe extern "C" {
    /// The pure C program `csrc/fib.c`. Lace must be running.
    fn lyocell_lace_fib(n: u64) -> u64;
}

impl Problem for Fib {
    type Answer = u64;

    fn tasks(&self) -> u64 {
        fibonacci(self.n + 1) - 1
    }

    fn serial(&mut self) -> u64 {
        serial(black_box(self.n))
    }

    fn lyocell<D: Deque, P: Probe>(&mut self, worker: &Worker<D, P>) -> u64 {
        lyocell(worker, black_box(self.n))
    }

    fn rayon(&mut self) -> u64 {
        rayon(black_box(self.n))
    }

    #[cfg(lace)]
    fn lace(&mut self) -> u64 {
        // SAFETY: L1 (engine/lace.rs): whoever calls `Problem::lace` has started Lace.
        unsafe { lyocell_lace_fib(self.n) }
    }

    fn judge(&mut self, answer: &u64) -> Result<String, WrongAnswer> {
        judge_equal(answer, &fibonacci(self.n))
    }
}

impl BinaryProblem for Fib {
    fn chili(&mut self, scope: &mut chili::Scope<'_>) -> u64 {
        chili(scope, black_box(self.n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_are_the_published_ones() {
        let first: Vec<u64> = (0..=12).map(fibonacci).collect();
        assert_eq!(first, [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144]);
        assert_eq!(fibonacci(93), 12_200_160_415_121_876_738);
    }

    #[test]
    fn the_number_of_tasks_is_the_papers() {
        assert_eq!(Fib { n: 50 }.tasks(), 20_365_011_073);
        assert_eq!([0, 1, 2, 3, 4].map(|n| Fib { n }.tasks()), [0, 0, 1, 2, 4]);
    }

    #[test]
    fn recursion_and_iteration_agree() {
        for n in 0..=20 {
            assert_eq!(serial(n), fibonacci(n));
        }
    }

    #[test]
    fn a_wrong_number_is_refused() {
        assert!(Fib { n: 10 }.judge(&55).is_ok());
        assert!(Fib { n: 10 }.judge(&54).is_err());
    }
}
