//! Whether a matrix is the product of two others, by Freivalds's method (1977): far less work than the product.
//!
//! The entries of the factors are small whole numbers, so that all sums here are exact. A vector of random numbers, none
//! of them zero, is multiplied with the product, and with one factor after the other. If a row of the product is wrong in
//! one entry, that row of the two results differs; if it is wrong in several, it differs but for one time in about a
//! million.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::problem::WrongAnswer;

const SEED: u64 = 1977;

/// Of the vector: products with it are exact in 64 bits.
const FACTORS: std::ops::RangeInclusive<i64> = 1..=1 << 20;

/// An entry of a factor; none is zero, so that a term left out is noticed.
pub(crate) fn entry(rng: &mut StdRng) -> f64 {
    f64::from(rng.random_range(1..=16_u32))
}

/// Whether `c` is `a` · `b`, matrices of `n` rows and columns in which the entry of a row and column lies where `place`
/// says.
///
/// # Errors
/// It is not.
pub(crate) fn judge(
    n: usize,
    place: impl Fn(usize, usize) -> usize,
    a: &[f64],
    b: &[f64],
    c: &[f64],
) -> Result<String, WrongAnswer> {
    let mut rng = StdRng::seed_from_u64(SEED);
    let vector: Vec<i64> = (0..n).map(|_| rng.random_range(FACTORS)).collect();
    let times = |matrix: &[f64], vector: &[i64]| -> Result<Vec<i64>, (usize, f64)> {
        let row = |row: usize| {
            let entry = |column: usize| matrix[place(row, column)];
            let wrong = |column| (row, entry(column));
            let whole = |column: usize| Some(entry(column)).filter(|entry| entry.fract() == 0.0);
            (0..n).try_fold(0_i64, |sum, column| {
                let entry = whole(column).ok_or_else(|| wrong(column))?;
                Ok(sum.wrapping_add((entry as i64).wrapping_mul(vector[column])))
            })
        };
        (0..n).map(row).collect()
    };
    let no_number = |(row, entry): (usize, f64)| WrongAnswer {
        expected: "whole numbers".to_owned(),
        got: format!("{entry} in row {row}"),
    };
    let expected = times(b, &vector).and_then(|once| times(a, &once)).map_err(no_number)?;
    let got = times(c, &vector).map_err(no_number)?;
    match got.iter().zip(&expected).position(|(got, expected)| got != expected) {
        None => Ok("the product".to_owned()),
        Some(row) => Err(WrongAnswer {
            expected: format!("row {row} of the product, {} times a vector", expected[row]),
            got: got[row].to_string(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: [f64; 4] = [1.0, 2.0, 3.0, 4.0];
    const B: [f64; 4] = [5.0, 6.0, 7.0, 8.0];

    fn by_rows(row: usize, column: usize) -> usize {
        2 * row + column
    }

    #[test]
    fn the_product_passes_and_nothing_else() {
        let product = [19.0, 22.0, 43.0, 50.0];
        assert!(judge(2, by_rows, &A, &B, &product).is_ok());
        for index in 0..4 {
            for wrong in [product[index] + 1.0, 0.0, f64::NAN, f64::INFINITY, product[index] + 0.5]
            {
                let mut matrix = product;
                matrix[index] = wrong;
                assert!(judge(2, by_rows, &A, &B, &matrix).is_err(), "{matrix:?}");
            }
        }
    }
}
