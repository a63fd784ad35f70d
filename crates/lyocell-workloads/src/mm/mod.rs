//! The product of two square matrices of doubles by the three loops of its definition, not blocked. The outermost loop
//! is parallel: a task computes a row.
//!
//! The `mm` of Faxén, "Efficient Work Stealing for Fine Grained Parallelism" (Wool, 2010), section IV-A. A run computes
//! the product again and again, as there: the rows of Table I are 64x16384, 128x2048, 256x256 and 512x32. As in `heat`,
//! the loop is a tree of joins, which is what a loop is in Wool. The program is written once for all engines
//! ([`fork`](crate::fork)).
//!
//! All entries are small whole numbers, so every sum is exact; the answer is checked by Freivalds's method.

use std::hint::black_box;
use std::ops::RangeInclusive;
use std::sync::Arc;

use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::fork::{AnyFork, Fork, Solve, each_chunk};
use crate::freivalds;
use crate::made::Made;
use crate::problem::{Problem, WrongAnswer};
use crate::workload::{Program, Repeated, UnknownParameter, Workload};

const BOUNDS: RangeInclusive<u32> = 1..=4096;

const SEED: u64 = 2010;

pub(crate) static PROGRAM: Program<Mm> = Program {
    workload: Workload {
        name: "mm",
        summary: "product of two N x N matrices by its definition, a task a row",
        source: "Faxén 2010, section IV-A",
        parameters: || Repeated::parameters("N", &BOUNDS),
        default_parameter: "64x1024",
    },
    small: || Mm::parse("9x3"),
    parse: Mm::parse,
};

/// The product of two square matrices, computed some times.
#[derive(Clone, Debug)]
pub struct Mm {
    size: Repeated,
    /// Made by the first use.
    factors: Made<[Vec<f64>; 2]>,
    product: Vec<f64>,
}

impl Mm {
    /// The problem that `parameter` says.
    ///
    /// # Errors
    /// It is none of the parameters there are.
    pub fn parse(parameter: &str) -> Result<Mm, UnknownParameter> {
        let size = Repeated::parse(parameter, BOUNDS)?;
        Ok(Mm { size, factors: Made::default(), product: Vec::new() })
    }

    fn n(&self) -> usize {
        self.size.n as usize
    }

    fn factors(&mut self) -> Arc<[Vec<f64>; 2]> {
        let entries = self.n() * self.n();
        let random = || {
            let mut rng = StdRng::seed_from_u64(SEED);
            let mut matrix = || (0..entries).map(|_| freivalds::entry(&mut rng)).collect();
            Arc::new([matrix(), matrix()])
        };
        self.factors.get(random)
    }
}

/// The leaf work of a task: a row of the product of `a` and `b`.
fn row(a_row: &[f64], b: &[f64], c_row: &mut [f64]) {
    let n = a_row.len();
    for (column, sum) in c_row.iter_mut().enumerate() {
        let down = b[column..].iter().step_by(n);
        *sum = a_row.iter().zip(down).map(|(a, b)| a * b).sum();
    }
}

impl Solve for Mm {
    fn solve<F: Fork>(&mut self, fork: &mut F) {
        multiply(self, fork);
    }
}

fn multiply(mm: &mut Mm, fork: &mut dyn AnyFork) {
    let (n, factors) = (mm.n(), mm.factors());
    let [a, b] = &*factors;
    for _ in 0..mm.size.times {
        let (a, b) = (black_box(a), black_box(b));
        each_chunk(fork, &mut mm.product, n, &|_, number, c_row| {
            row(&a[number * n..][..n], b, c_row);
        });
    }
}

impl Problem for Mm {
    /// The answer is the product.
    type Answer = ();

    fn parameter(&self) -> String {
        self.size.to_string()
    }

    fn tasks(&self) -> Option<u64> {
        Some((self.n() as u64 - 1) * self.size.times)
    }

    /// Forgets the last product, so that a run that leaves something out is found.
    fn reset(&mut self) {
        self.factors();
        self.product = vec![f64::NAN; self.n() * self.n()];
    }

    fn judge(&mut self, (): &()) -> Result<String, WrongAnswer> {
        let (n, factors) = (self.n(), self.factors());
        let at = |row, column| row * n + column;
        freivalds::judge(n, at, &factors[0], &factors[1], &self.product)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{On, Serial};
    use crate::fork::count_joins;

    #[test]
    fn products_of_any_size_are_right_and_tasks_are_counted() {
        for parameter in ["1x3", "2x1", "7x2", "64x2", "100x1"] {
            let mut mm = Mm::parse(parameter).unwrap();
            mm.reset();
            assert!(mm.judge(&()).is_err(), "nothing was computed");
            On::<Serial>::run(&mut mm, ());
            assert!(mm.judge(&()).is_ok(), "{parameter}: {:?}", mm.judge(&()));
            assert_eq!(mm.tasks(), Some(count_joins(&mm)), "{parameter}");
            mm.product[0] += 1.0;
            assert!(mm.judge(&()).is_err());
        }
    }
}
