//! Cholesky: the factor L of a sparse matrix, L·Lᵀ = A. Tasks are tiny and come from three recursions at once.
//!
//! The `cholesky` of Faxén, "Efficient Work Stealing for Fine Grained Parallelism" (Wool, 2010), section IV-A, which is
//! that of Cilk-5 (Frigo, Leiserson and Randall, 1998): the matrix is a tree of quarters down to blocks of 4 × 4, and
//! what is zero is not there. A run factors the same matrix again and again, as in the paper: the rows of Table I are
//! 250,1000x4096, 500,2000x1024, 1000,4000x256, 2000,8000x64 and 4000,16000x16. Each begins with a copy of the matrix,
//! which is made and given back in parallel too.
//!
//! Matrices are as Cilk's: ones on the diagonal and tenths at random places below it, NONZEROS in all, by a seed. The
//! program is written once for all engines ([`fork`](crate::fork)), generic over their joins.
//!
//! The answer is checked with a vector of random numbers: L·(Lᵀ·x) is A·x, to a billionth.

mod quarters;

use std::cell::OnceCell;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::{fmt, mem};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::fork::{Fork, Solve, count_joins};
use crate::made::Made;
use crate::problem::{Problem, WrongAnswer};
use crate::workload::{Program, Repeated, UnknownParameter, Workload, parse_number};
use quarters::Quarters;

/// The paper's largest has 4,000.
const ROWS: RangeInclusive<u32> = 1..=16_384;

const SEED: u64 = 2010;

const BELOW_THE_DIAGONAL: f64 = 0.1;

/// How far L·(Lᵀ·x) may be from A·x, as a share of the largest number there.
const ROUNDING: f64 = 1e-9;

pub(crate) static PROGRAM: Program<Cholesky> = Program {
    workload: Workload {
        name: "cholesky",
        summary: "factor of a sparse random matrix in quarters of quarters; tiny tasks",
        source: "Faxén 2010, section IV-A; Cilk-5, Frigo, Leiserson and Randall 1998",
        parameters: || {
            format!(
                "ROWS,NONZEROS or ROWS,NONZEROSxTIMES, ROWS from {} to {}, NONZEROS from as many to ten times as many, as \
                 far as there is room",
                ROWS.start(),
                ROWS.end()
            )
        },
        default_parameter: "250,1000x16",
    },
    small: || Cholesky::parse("30,90x2"),
    parse: Cholesky::parse,
};

/// The factor of a sparse matrix, computed some times.
#[derive(Clone, Debug)]
pub struct Cholesky {
    rows: u32,
    /// How many entries are not zero, and how often it is factored.
    nonzeros: Repeated,
    /// Made by the first use.
    matrix: Made<Matrix>,
    factor: Quarters,
    /// In one factorisation, and in two.
    tasks: OnceCell<(u64, u64)>,
}

/// A symmetric matrix, of which the lower half is kept.
#[derive(Debug)]
struct Matrix {
    /// Row, column and value.
    entries: Vec<(usize, usize, f64)>,
    quarters: Quarters,
    /// Of the quarters; the matrix is filled up with ones on the diagonal to whole blocks.
    size: usize,
}

impl Matrix {
    fn random(rows: usize, nonzeros: usize) -> Matrix {
        let mut rng = StdRng::seed_from_u64(SEED);
        let filled_up = rows.next_multiple_of(quarters::BLOCK);
        let size = quarters::BLOCK * (filled_up / quarters::BLOCK).next_power_of_two();
        let mut quarters = Quarters::Zero;
        let mut entries: Vec<_> = (0..filled_up).map(|index| (index, index, 1.0)).collect();
        for &(row, column, value) in &entries {
            quarters.set(size, row, column, value);
        }
        while entries.len() < nonzeros + filled_up - rows {
            let (row, column) = (rng.random_range(0..rows), rng.random_range(0..rows));
            if row > column && quarters.get(size, row, column) == 0.0 {
                quarters.set(size, row, column, BELOW_THE_DIAGONAL);
                entries.push((row, column, BELOW_THE_DIAGONAL));
            }
        }
        Matrix { entries, quarters, size }
    }

    /// This matrix times `vector`.
    fn times(&self, vector: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; self.size];
        for &(row, column, value) in &self.entries {
            product[row] += value * vector[column];
            if row != column {
                product[column] += value * vector[row];
            }
        }
        product
    }
}

impl fmt::Display for Cholesky {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.rows, self.nonzeros)
    }
}

impl Cholesky {
    /// The problem that `parameter` says.
    ///
    /// # Errors
    /// It is none of the parameters there are.
    pub fn parse(parameter: &str) -> Result<Cholesky, UnknownParameter> {
        let (rows, nonzeros) = parameter.split_once(',').ok_or(UnknownParameter)?;
        let rows = parse_number(rows, ROWS)?;
        // Beyond, drawing places that are free would take long, or for ever.
        let most = (10 * rows).min(rows + rows * (rows - 1) / 4);
        let nonzeros = Repeated::parse(nonzeros, rows..=most)?;
        Ok(Cholesky {
            rows,
            nonzeros,
            matrix: Made::default(),
            factor: Quarters::Zero,
            tasks: OnceCell::new(),
        })
    }

    fn matrix(&mut self) -> Arc<Matrix> {
        let random = || Arc::new(Matrix::random(self.rows as usize, self.nonzeros.n as usize));
        self.matrix.get(random)
    }
}

impl Solve for Cholesky {
    fn solve<F: Fork>(&mut self, fork: &mut F) {
        let matrix = self.matrix();
        for _ in 0..self.nonzeros.times {
            let last = mem::take(&mut self.factor);
            let ((), mut factor) = fork.join(
                |fork| quarters::free(fork, last),
                |fork| quarters::copy(fork, &matrix.quarters),
            );
            quarters::factor(fork, &mut factor);
            self.factor = factor;
        }
    }
}

impl Problem for Cholesky {
    /// The answer is the factor.
    type Answer = ();

    fn parameter(&self) -> String {
        self.to_string()
    }

    fn tasks(&self) -> Option<u64> {
        // The first run has nothing to give back, all others alike.
        let tasks = |times| {
            let nonzeros = Repeated { times, ..self.nonzeros };
            count_joins(&Cholesky { nonzeros, factor: Quarters::Zero, ..self.clone() })
        };
        let (one, two) = *self.tasks.get_or_init(|| (tasks(1), tasks(2)));
        Some(one + (self.nonzeros.times - 1) * (two - one))
    }

    /// Forgets the last factor, so that a run that leaves something out is found.
    fn reset(&mut self) {
        self.matrix();
        self.factor = Quarters::Zero;
    }

    fn judge(&mut self, (): &()) -> Result<String, WrongAnswer> {
        let matrix = self.matrix();
        let mut rng = StdRng::seed_from_u64(SEED);
        let vector: Vec<f64> = (0..matrix.size).map(|_| rng.random_range(0.5..1.5)).collect();
        let (mut once, mut twice) = (vec![0.0; matrix.size], vec![0.0; matrix.size]);
        let mut above = None;
        let mut entries = 0_u64;
        self.factor.each(matrix.size, (0, 0), &mut |row, column, entry| {
            once[column] += entry * vector[row];
            entries += u64::from(entry != 0.0);
            if column > row && entry != 0.0 {
                above = Some((row, column));
            }
        });
        self.factor.each(matrix.size, (0, 0), &mut |row, column, entry| {
            twice[row] += entry * once[column]
        });
        let expected = matrix.times(&vector);
        let largest = expected.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
        let close = |(got, expected): (&f64, &f64)| (got - expected).abs() <= largest * ROUNDING;
        let off = twice.iter().zip(&expected).position(|pair| !close(pair));
        match (above, off) {
            (Some((row, column)), _) => Err(WrongAnswer {
                expected: "nothing above the diagonal".to_owned(),
                got: format!("something in row {row}, column {column}"),
            }),
            (None, Some(row)) => Err(WrongAnswer {
                expected: format!("{} in row {row} of A times a vector", expected[row]),
                got: twice[row].to_string(),
            }),
            (None, None) => Ok(format!("{entries} entries")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{On, Serial};

    fn solved(parameter: &str) -> Cholesky {
        let mut cholesky = Cholesky::parse(parameter).unwrap();
        cholesky.reset();
        On::<Serial>::run(&mut cholesky, ());
        cholesky
    }

    #[test]
    fn factors_of_any_size_are_right_and_tasks_are_counted() {
        for parameter in ["1,1", "2,2", "4,7", "5,9", "17,40x3", "64,64", "100,500x2", "250,1000"] {
            let mut cholesky = solved(parameter);
            assert!(cholesky.judge(&()).is_ok(), "{parameter}: {:?}", cholesky.judge(&()));
            assert_eq!(cholesky.to_string(), parameter);
            cholesky.factor = Quarters::Zero;
            assert_eq!(cholesky.tasks(), Some(count_joins(&cholesky)), "{parameter}");
        }
    }

    #[test]
    fn a_factor_that_is_off_is_refused() {
        let mut cholesky = solved("30,80");
        let (size, entry) =
            (cholesky.matrix().size, |cholesky: &Cholesky| cholesky.factor.get(32, 20, 20));
        assert_eq!(size, 32);
        let right = entry(&cholesky);
        cholesky.factor.set(size, 20, 20, right + 1e-6);
        assert!(cholesky.judge(&()).is_err());
        cholesky.factor.set(size, 20, 20, right);
        assert!(cholesky.judge(&()).is_ok());
        cholesky.factor.set(size, 3, 20, 1e-20);
        assert!(cholesky.judge(&()).is_err(), "above the diagonal");
        cholesky.reset();
        assert!(cholesky.judge(&()).is_err(), "nothing was computed");
    }

    #[test]
    fn the_matrix_has_as_many_entries_as_asked_for() {
        let matrix = Matrix::random(250, 1000);
        assert_eq!((matrix.entries.len(), matrix.size), (1002, 256));
        let mut kept = 0;
        matrix.quarters.each(256, (0, 0), &mut |row, column, entry| {
            assert!(row >= column || entry == 0.0);
            kept += usize::from(entry != 0.0);
        });
        assert_eq!(kept, 1002);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "250",
            "250,249",
            "250,2501",
            "0,0",
            "16385,16385",
            "4,9",
            "250,1000x0",
            "250,1000,1",
        ] {
            assert!(Cholesky::parse(text).is_err(), "{text:?}");
        }
    }
}
