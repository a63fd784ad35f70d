//! Strassen: the product of two square matrices of doubles by seven products of half the size instead of eight.
//!
//! Strassen's own scheme (1969), as in Cilk's `strassen`: the seven products are tasks, each with the sums that it
//! needs; what they add up to is put together when all are there. Matrices lie quarter after quarter down to blocks of
//! 32 × 32, so that a quarter is a slice. The program is written once for all engines ([`fork`](crate::fork)).
//!
//! All entries are small whole numbers, so every sum is exact. The answer is checked by Freivalds's method: C·r is
//! A·(B·r) for a vector r of random numbers, of which none is zero, so that a single wrong entry is always found.

use std::ops::RangeInclusive;
use std::sync::Arc;

use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::fork::{AnyFork, Fork, Solve, each_chunk};
use crate::freivalds;
use crate::made::Made;
use crate::problem::{Problem, WrongAnswer};
use crate::workload::{Program, UnknownParameter, Workload, parse_number, within};

const BOUNDS: RangeInclusive<u32> = 32..=4096;

const SEED: u64 = 1969;

/// Cilk's is 64 with blocks of 16 within.
const BASE_CASE: usize = 32;

pub(crate) static PROGRAM: Program<Strassen> = Program {
    workload: Workload {
        name: "strassen",
        summary: "product of two N x N matrices by seven products of half the size; a task each",
        source: "Strassen 1969; Cilk, Frigo, Leiserson and Randall 1998",
        parameters: || format!("N a power of two from {} to {}", BOUNDS.start(), BOUNDS.end()),
        default_parameter: "512",
    },
    small: || Ok(Strassen::new(64)),
    parse: |parameter| {
        let n = parse_number(parameter, BOUNDS)?;
        if n.is_power_of_two() { Ok(Strassen::new(n)) } else { Err(UnknownParameter) }
    },
};

/// The product of two square matrices.
#[derive(Clone, Debug)]
pub struct Strassen {
    n: usize,
    /// Made by the first use.
    factors: Made<[Vec<f64>; 2]>,
    product: Vec<f64>,
}

impl Strassen {
    /// With `n` rows and columns.
    ///
    /// # Panics
    /// If `n` is no power of two from 32 to 4096.
    pub fn new(n: u32) -> Strassen {
        let n = within(n, BOUNDS);
        assert!(n.is_power_of_two(), "{n} is no power of two");
        Strassen { n: n as usize, factors: Made::default(), product: Vec::new() }
    }

    fn factors(&mut self) -> Arc<[Vec<f64>; 2]> {
        let random = || {
            let mut rng = StdRng::seed_from_u64(SEED);
            let mut matrix = || (0..self.n * self.n).map(|_| freivalds::entry(&mut rng)).collect();
            Arc::new([matrix(), matrix()])
        };
        self.factors.get(random)
    }
}

/// Where the entry at `row` and `column` of an `n` × `n` matrix lies.
fn place(n: usize, row: usize, column: usize) -> usize {
    if n == BASE_CASE {
        return row * n + column;
    }
    let half = n / 2;
    let quarter = 2 * (row / half) + column / half;
    quarter * half * half + place(half, row % half, column % half)
}

/// The quarters: upper left, upper right, lower left, lower right.
fn quarters(matrix: &[f64]) -> [&[f64]; 4] {
    let quarter = matrix.len() / 4;
    [0, 1, 2, 3].map(|index| &matrix[index * quarter..][..quarter])
}

/// What one of the seven products is made of: quarters of one factor, added or subtracted.
#[derive(Clone, Copy)]
enum Term {
    One(usize),
    Sum(usize, usize),
    Difference(usize, usize),
}

/// The seven products, by the quarters of A and B.
const PRODUCTS: [(Term, Term); 7] = [
    (Term::Sum(0, 3), Term::Sum(0, 3)),
    (Term::Sum(2, 3), Term::One(0)),
    (Term::One(0), Term::Difference(1, 3)),
    (Term::One(3), Term::Difference(2, 0)),
    (Term::Sum(0, 1), Term::One(3)),
    (Term::Difference(2, 0), Term::Sum(0, 1)),
    (Term::Difference(1, 3), Term::Sum(2, 3)),
];

/// The quarters of the product as sums of those: each with its sign.
const SUMS: [&[(usize, f64)]; 4] = [
    &[(0, 1.0), (3, 1.0), (4, -1.0), (6, 1.0)],
    &[(2, 1.0), (4, 1.0)],
    &[(1, 1.0), (3, 1.0)],
    &[(0, 1.0), (1, -1.0), (2, 1.0), (5, 1.0)],
];

impl Term {
    /// Its value for a matrix of these quarters, in `scratch` if it has to be computed.
    fn of<'a>(self, quarters: [&'a [f64]; 4], scratch: &'a mut Vec<f64>) -> &'a [f64] {
        let (a, b, sign) = match self {
            Term::One(only) => return quarters[only],
            Term::Sum(a, b) => (a, b, 1.0),
            Term::Difference(a, b) => (a, b, -1.0),
        };
        scratch.extend(quarters[a].iter().zip(quarters[b]).map(|(a, b)| a + sign * b));
        scratch
    }
}

/// Computes `c` = `a` · `b`.
fn multiply(fork: &mut dyn AnyFork, a: &[f64], b: &[f64], c: &mut [f64]) {
    if a.len() == BASE_CASE * BASE_CASE {
        return kernel(a, b, c);
    }
    let quarter = a.len() / 4;
    let (a, b) = (quarters(a), quarters(b));
    let mut products = vec![0.0; PRODUCTS.len() * quarter];
    each_chunk(fork, &mut products, quarter, &|fork, number, product| {
        let (left, right) = PRODUCTS[number];
        let (mut left_sum, mut right_sum) = (Vec::new(), Vec::new());
        multiply(fork, left.of(a, &mut left_sum), right.of(b, &mut right_sum), product);
    });
    for (c, terms) in c.chunks_exact_mut(quarter).zip(SUMS) {
        c.fill(0.0);
        for &(product, sign) in terms {
            let product = &products[product * quarter..][..quarter];
            c.iter_mut().zip(product).for_each(|(sum, entry)| *sum += sign * entry);
        }
    }
}

/// The leaf work of a task.
fn kernel(a: &[f64], b: &[f64], c: &mut [f64]) {
    for (a_row, c_row) in a.chunks_exact(BASE_CASE).zip(c.chunks_exact_mut(BASE_CASE)) {
        let mut sums = [0.0; BASE_CASE];
        for (&factor, b_row) in a_row.iter().zip(b.chunks_exact(BASE_CASE)) {
            sums.iter_mut().zip(b_row).for_each(|(sum, &entry)| *sum += factor * entry);
        }
        c_row.copy_from_slice(&sums);
    }
}

impl Solve for Strassen {
    fn solve<F: Fork>(&mut self, fork: &mut F) {
        let factors = self.factors();
        multiply(fork, &factors[0], &factors[1], &mut self.product);
    }
}

impl Problem for Strassen {
    /// The answer is the product.
    type Answer = ();

    fn parameter(&self) -> String {
        self.n.to_string()
    }

    fn tasks(&self) -> Option<u64> {
        let levels = (self.n / BASE_CASE).ilog2();
        Some((0..levels).map(|level| 6 * 7_u64.pow(level)).sum())
    }

    /// Forgets the last product, so that a run that leaves something out is found.
    fn reset(&mut self) {
        self.factors();
        self.product = vec![f64::NAN; self.n * self.n];
    }

    fn judge(&mut self, (): &()) -> Result<String, WrongAnswer> {
        let (n, factors) = (self.n, self.factors());
        let at = |row, column| place(n, row, column);
        freivalds::judge(n, at, &factors[0], &factors[1], &self.product)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{On, Serial};
    use crate::fork::count_joins;

    fn solved(n: u32) -> Strassen {
        let mut strassen = Strassen::new(n);
        strassen.reset();
        On::<Serial>::run(&mut strassen, ());
        strassen
    }

    #[test]
    fn products_are_right_and_tasks_are_counted() {
        for n in [32, 64, 128, 256] {
            let mut strassen = solved(n);
            assert!(strassen.judge(&()).is_ok(), "{n}: {:?}", strassen.judge(&()));
            assert_eq!(strassen.tasks(), Some(count_joins(&strassen)), "{n}");
        }
    }

    #[test]
    fn every_entry_has_a_place_of_its_own() {
        let mut places: Vec<usize> =
            (0..128 * 128).map(|index| place(128, index / 128, index % 128)).collect();
        places.sort_unstable();
        assert!(places.into_iter().eq(0..128 * 128));
    }

    #[test]
    fn a_product_that_is_off_is_refused() {
        let mut strassen = solved(64);
        strassen.product[1234] += 1.0;
        assert!(strassen.judge(&()).is_err());
        strassen.reset();
        assert!(strassen.judge(&()).is_err(), "nothing was computed");
    }

    #[test]
    fn sizes_that_cannot_be_halved_are_refused() {
        for text in ["16", "33", "96", "8192", "x"] {
            assert!((PROGRAM.parse)(text).is_err(), "{text}");
        }
    }
}
