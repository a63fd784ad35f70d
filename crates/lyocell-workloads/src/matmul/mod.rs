//! The product of two square matrices of 32-bit floats by divide and conquer: the `matmul` of the Cilk
//! benchmark set, as in van Dijk and van de Pol, "Lace" (2014), section 4.
//!
//! C (m × p) = A (m × n) · B (n × p), row after row with a common stride. The longest side is halved:
//!
//! ```text
//!   m longest:  | A1 | B   C1 = A1 B  in parallel with  C2 = A2 B      one task
//!               | A2 |
//!   n longest:  A1 A2 | B1   C = A1 B1, then C += A2 B2                 no task
//!                     | B2
//!   p longest:  A   B1 B2  C1 = A B1  in parallel with  C2 = A B2      one task
//! ```
//!
//! until m + n + p ≤ 64, Cilk's bound, where a loop does the rest. With a cut-off, products up to that sum are computed
//! by the same recursion without tasks, as in Acar, Charguéraud and Rainey (2013), section 4. 3,595,117 tasks for 4096, as in the
//! paper. The loop of the base case goes along the rows of B, so that compilers vectorise it, where
//! Cilk's goes down the columns: the leaves are finer than the paper's.
//!
//! The answer is checked against a straightforward product. All entries of A and B are small whole numbers, so every sum
//! of products is exact in a 32-bit float, in whatever order it is taken, and there is no tolerance that a term could
//! hide in.

mod c;
mod chili;
#[cfg(feature = "forte")]
mod forte;
#[cfg(lace)]
mod lace;
mod lyocell;
mod product;
mod rayon;
mod rival;
mod serial;

use std::collections::HashMap;
use std::ops::RangeInclusive;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::problem::{Forks, Problem, WrongAnswer};
use crate::workload::{Program, UnknownParameter, Workload, parse_number, within};
pub(crate) use product::Shape;
use product::{BASE_CASE, Product, Side};

/// The paper's largest; its reference product takes some 20 seconds here.
const BOUNDS: RangeInclusive<u32> = 1..=4096;

const CUTOFFS: RangeInclusive<u32> = BASE_CASE..=3 * *BOUNDS.end();

const SEED: u64 = 2014;

/// None is zero, so that a term left out is noticed.
const ENTRIES: RangeInclusive<u32> = 1..=16;

const _: () = assert!(
    (*BOUNDS.end() * *ENTRIES.end() * *ENTRIES.end()).ilog2() < f32::MANTISSA_DIGITS,
    "the largest sum is exact"
);

pub(crate) static PROGRAM: Program<Matmul> = Program {
    workload: Workload {
        name: "matmul",
        summary: "product of two N x N matrices by divide and conquer; coarser tasks, memory traffic",
        source: "Cilk; van Dijk and van de Pol 2014, section 4; Acar, Charguéraud and Rainey 2013",
        parameters: || {
            format!(
                "N or N,CUTOFF, N from {} to {}, CUTOFF {} to {}, of three sides together",
                BOUNDS.start(),
                BOUNDS.end(),
                CUTOFFS.start(),
                CUTOFFS.end()
            )
        },
        default_parameter: "1024",
    },
    small: || Ok(Matmul::new(100)),
    parse: Matmul::parse,
};

/// The product of two square matrices.
#[derive(Clone, Debug)]
pub struct Matmul {
    n: u32,
    /// The three sides together of products that are computed without tasks.
    cutoff: u32,
    /// Made by the first use.
    matrices: Option<Matrices>,
}

impl Matmul {
    /// With `n` rows and columns.
    ///
    /// # Panics
    /// If `n` is not 1 to 4096.
    pub fn new(n: u32) -> Matmul {
        Matmul { n: within(n, BOUNDS), cutoff: BASE_CASE, matrices: None }
    }

    fn parse(parameter: &str) -> Result<Matmul, UnknownParameter> {
        let Some((n, cutoff)) = parameter.split_once(',') else {
            return Ok(Matmul::new(parse_number(parameter, BOUNDS)?));
        };
        let matmul = Matmul::new(parse_number(n, BOUNDS)?);
        Ok(Matmul { cutoff: parse_number(cutoff, CUTOFFS)?, ..matmul })
    }

    fn shape(&self) -> Shape {
        Shape::square(self.n, self.cutoff)
    }

    fn matrices(&mut self) -> &mut Matrices {
        self.matrices.get_or_insert_with(|| Matrices::random(self.n as usize))
    }

    /// The whole product.
    fn product(&mut self) -> Product<'_> {
        let shape = self.shape();
        let Matrices { a, b, c, .. } = self.matrices();
        Product::of_squares(shape, a, b, c)
    }
}

/// Square matrices of one size, row after row.
#[derive(Clone, Debug)]
struct Matrices {
    a: Vec<f32>,
    b: Vec<f32>,
    c: Vec<f32>,
    /// The straightforward product of `a` and `b`.
    reference: Vec<f32>,
}

impl Matrices {
    fn random(n: usize) -> Matrices {
        let mut rng = StdRng::seed_from_u64(SEED);
        let mut matrix =
            || (0..n * n).map(|_| rng.random_range(ENTRIES) as f32).collect::<Vec<_>>();
        let (a, b) = (matrix(), matrix());
        let reference = straightforward_product(n, &a, &b);
        Matrices { a, b, c: vec![f32::NAN; n * n], reference }
    }
}

fn straightforward_product(n: usize, a: &[f32], b: &[f32]) -> Vec<f32> {
    let mut c = vec![0.0; n * n];
    for (a_row, c_row) in a.chunks_exact(n).zip(c.chunks_exact_mut(n)) {
        for (&factor, b_row) in a_row.iter().zip(b.chunks_exact(n)) {
            for (sum, &entry) in c_row.iter_mut().zip(b_row) {
                *sum += factor * entry;
            }
        }
    }
    c
}

/// How the product of `shape` forks, with what is known already in `known`.
fn count_forks(shape: Shape, known: &mut HashMap<(u32, u32, u32), Forks>) -> Forks {
    let Some(side) = shape.longest_side() else { return Forks::default() };
    let key = (shape.m, shape.n, shape.p);
    if let Some(&forks) = known.get(&key) {
        return forks;
    }
    let halves = shape.halves(side);
    let (first, second) = (count_forks(halves.0, known), count_forks(halves.1, known));
    let forks = match side {
        Side::N => first.then(second),
        Side::M | Side::P => Forks::of_join(first, second),
    };
    known.insert(key, forks);
    forks
}

impl Problem for Matmul {
    /// The answer is the matrix C.
    type Answer = ();

    fn parameter(&self) -> String {
        let Matmul { n, cutoff, .. } = self;
        if *cutoff == BASE_CASE { n.to_string() } else { format!("{n},{cutoff}") }
    }

    fn tasks(&self) -> Option<u64> {
        Some(count_forks(self.shape(), &mut HashMap::new()).joins)
    }

    fn branching_depth(&self) -> Option<u64> {
        Some(count_forks(self.shape(), &mut HashMap::new()).depth)
    }

    /// Forgets the last product, so that a run that leaves something out is found.
    fn reset(&mut self) {
        self.matrices().c.fill(f32::NAN);
    }

    fn judge(&mut self, (): &()) -> Result<String, WrongAnswer> {
        let n = self.n as usize;
        let Matrices { c, reference, .. } = self.matrices();
        if let Some(index) = c.iter().zip(&*reference).position(|(got, expected)| got != expected) {
            let place = format!("C[{}][{}]", index / n, index % n);
            return Err(WrongAnswer {
                expected: reference[index].to_string(),
                got: format!("{place} = {}", c[index]),
            });
        }
        let sum: f64 = c.iter().copied().map(f64::from).sum();
        Ok(format!("sum={sum}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{On, Serial};

    fn solve(matmul: &mut Matmul) {
        On::<Serial>::run(matmul, ());
    }

    #[test]
    fn the_number_of_tasks_is_the_papers() {
        assert_eq!(Matmul::new(4096).tasks(), Some(3_595_117));
        assert_eq!(Matmul::new(21).tasks(), Some(0));
        assert_eq!(Matmul::new(22).tasks(), Some(1));
    }

    #[test]
    fn forks_along_two_sides_stand_on_one_path_and_twice_along_the_third() {
        let depths = [21, 22, 32, 64, 128].map(|n| Matmul::new(n).branching_depth().unwrap());
        // From 2n to n: m is halved (one fork), then n, and p in each of the halves that come one after the other.
        assert_eq!(depths, [0, 1, 1, 5, 13]);
    }

    #[test]
    fn products_of_any_size_are_right() {
        for n in [1, 2, 3, 16, 21, 22, 31, 33, 64, 65, 100, 127, 130] {
            let mut matmul = Matmul::new(n);
            matmul.reset();
            solve(&mut matmul);
            assert!(matmul.judge(&()).is_ok(), "{n}: {:?}", matmul.judge(&()));
        }
    }

    #[test]
    fn a_cut_off_leaves_tasks_out_and_nothing_else() {
        let tasks = |text: &str| Matmul::parse(text).unwrap().tasks().unwrap();
        assert_eq!(tasks("100,64"), tasks("100"));
        assert!(tasks("100,150") < tasks("100"));
        assert_eq!(tasks("100,300"), 0);
        for parameter in ["100,150", "100,300", "33,65"] {
            let mut matmul = Matmul::parse(parameter).unwrap();
            matmul.reset();
            solve(&mut matmul);
            assert!(matmul.judge(&()).is_ok(), "{parameter}: {:?}", matmul.judge(&()));
            assert_eq!(matmul.parameter(), parameter);
        }
        for text in ["100,", "100,63", "100,12289", "0,64", "10,64,64"] {
            assert!(Matmul::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_product_with_an_entry_left_out_or_off_is_refused() {
        let mut matmul = Matmul::new(40);
        matmul.reset();
        assert!(matmul.judge(&()).is_err(), "nothing was computed");
        solve(&mut matmul);
        assert!(matmul.judge(&()).is_ok());
        let entry = &mut matmul.matrices().c[40 * 7 + 3];
        *entry *= 1.001;
        let wrong = matmul.judge(&()).unwrap_err();
        assert!(wrong.got.starts_with("C[7][3]"), "{wrong}");
    }

    #[test]
    fn the_smallest_term_left_out_of_the_largest_product_is_refused() {
        let n = *BOUNDS.end() as usize;
        let mut matmul = Matmul::new(*BOUNDS.end());
        // One row and one column are enough for one entry.
        let (row, column) = (vec![*ENTRIES.end() as f32; n], vec![*ENTRIES.end() as f32; n]);
        let sum: f32 = row.iter().zip(&column).map(|(a, b)| a * b).sum();
        let matrices = |entry| Matrices {
            a: row.clone(),
            b: column.clone(),
            c: vec![entry],
            reference: vec![sum],
        };
        matmul.matrices = Some(matrices(sum));
        assert!(matmul.judge(&()).is_ok());
        matmul.matrices = Some(matrices(sum - (*ENTRIES.start() as f32).powi(2)));
        assert!(matmul.judge(&()).is_err());
    }

    #[test]
    fn the_straightforward_product_is_the_product() {
        let product = straightforward_product(2, &[1.0, 2.0, 3.0, 4.0], &[5.0, 6.0, 7.0, 8.0]);
        assert_eq!(product, [19.0, 22.0, 43.0, 50.0]);
    }
}
