//! Heat: how heat spreads over a square plate whose edges are kept cold, by Jacobi's iteration. A loop over the rows
//! in each step, and the next step begins when the last is done.
//!
//! Cilk's `heat` (Frigo, Leiserson and Randall, 1998). Each point takes over a tenth of what each of its four
//! neighbours has more than it. A task is ten rows, where Cilk's is ten columns. The program is written once for all
//! engines ([`fork`](crate::fork)).
//!
//! The plate begins with one wave of a sine in both directions, which keeps its form as it fades: in each step by the
//! factor 1 - 4/10 · (1 - cos(π / (N - 1))). So every point of the answer is known, and a row that was left out in some
//! step would be off by a millionth, where rounding is a thousandth of a billionth.

use std::f64::consts::PI;
use std::ops::RangeInclusive;

use crate::fork::{AnyFork, Fork, Solve, each_chunk};
use crate::problem::{Problem, WrongAnswer};
use crate::workload::{Program, UnknownParameter, Workload, parse_number};

/// Two plates of 8192 × 8192 are a gigabyte.
const SIZES: RangeInclusive<u32> = 3..=8192;

const STEPS: RangeInclusive<u32> = 1..=100_000;

const ROWS_A_TASK: usize = 10;

const SHARE: f64 = 0.1;

/// How far a point may be off, as a share of the warmest; about ten times what rounding makes of 100,000 steps.
const ROUNDING: f64 = 1e-11;

pub(crate) static PROGRAM: Program<Heat> = Program {
    workload: Workload {
        name: "heat",
        summary: "heat on a plate of N x N points, step after step; a loop over rows in each",
        source: "Cilk, Frigo, Leiserson and Randall 1998",
        parameters: || {
            let (sizes, steps) = (SIZES, STEPS);
            format!(
                "NxSTEPS, N from {} to {}, STEPS {} to {}",
                sizes.start(),
                sizes.end(),
                steps.start(),
                steps.end()
            )
        },
        default_parameter: "1024x100",
    },
    small: || Heat::parse("50x5"),
    parse: Heat::parse,
};

/// The temperatures of a plate after some steps.
#[derive(Clone, Debug)]
pub struct Heat {
    size: usize,
    steps: u32,
    /// Row after row; made by the first use.
    plate: Vec<f64>,
    /// What `plate` was a step ago, or will be.
    other: Vec<f64>,
}

impl Heat {
    /// The problem that `parameter` says.
    ///
    /// # Errors
    /// It is none of the parameters there are.
    pub fn parse(parameter: &str) -> Result<Heat, UnknownParameter> {
        let (size, steps) = parameter.split_once('x').ok_or(UnknownParameter)?;
        let size = parse_number(size, SIZES)? as usize;
        let steps = parse_number(steps, STEPS)?;
        Ok(Heat { size, steps, plate: Vec::new(), other: Vec::new() })
    }

    /// The wave at the beginning.
    fn wave(&self) -> Vec<f64> {
        let at = |index: usize| (PI * index as f64 / (self.size - 1) as f64).sin();
        // The last point's sine is not quite zero.
        let last = self.size - 1;
        let sines: Vec<f64> =
            (0..self.size).map(|index| if index == last { 0.0 } else { at(index) }).collect();
        sines.iter().flat_map(|row| sines.iter().map(move |column| row * column)).collect()
    }

    /// What is left of the wave at the end, as a share.
    fn left(&self) -> f64 {
        let angle = PI / (self.size - 1) as f64;
        let steps = i32::try_from(self.steps).expect("the bounds of the parameter");
        (1.0 - 4.0 * SHARE * (1.0 - angle.cos())).powi(steps)
    }
}

/// One step from `old`, for the rows of `new` that begin with row `first`.
fn step(old: &[f64], size: usize, first: usize, new: &mut [f64]) {
    for (row, new) in (first..).zip(new.chunks_exact_mut(size)) {
        let old_row = |row: usize| &old[row * size..][..size];
        let (above, this, below) = (old_row(row - 1), old_row(row), old_row(row + 1));
        // Slices of one length, so that no index has to be checked.
        let inner = size - 2;
        let (left, middle, right) = (&this[..inner], &this[1..][..inner], &this[2..][..inner]);
        let (above, below) = (&above[1..][..inner], &below[1..][..inner]);
        for (column, new) in new[1..][..inner].iter_mut().enumerate() {
            let around = above[column] + below[column] + left[column] + right[column];
            *new = middle[column] + SHARE * (around - 4.0 * middle[column]);
        }
    }
}

impl Solve for Heat {
    fn solve<F: Fork>(&mut self, fork: &mut F) {
        spread(self, fork);
    }
}

fn spread(heat: &mut Heat, fork: &mut dyn AnyFork) {
    let size = heat.size;
    for _ in 0..heat.steps {
        let old = &heat.plate;
        let inner = size..(size - 1) * size;
        each_chunk(fork, &mut heat.other[inner], ROWS_A_TASK * size, &|_, number, rows| {
            step(old, size, 1 + number * ROWS_A_TASK, rows);
        });
        std::mem::swap(&mut heat.plate, &mut heat.other);
    }
}

impl Problem for Heat {
    /// The answer is the plate.
    type Answer = ();

    fn parameter(&self) -> String {
        format!("{}x{}", self.size, self.steps)
    }

    fn tasks(&self) -> Option<u64> {
        let tasks = (self.size - 2).div_ceil(ROWS_A_TASK) as u64 - 1;
        Some(tasks * u64::from(self.steps))
    }

    fn reset(&mut self) {
        self.plate = self.wave();
        self.other = vec![0.0; self.plate.len()];
    }

    fn judge(&mut self, (): &()) -> Result<String, WrongAnswer> {
        let left = self.left();
        let expected = self.wave().into_iter().map(|start| start * left);
        for (index, (expected, &got)) in expected.zip(&self.plate).enumerate() {
            let close = (got - expected).abs() <= ROUNDING;
            if !close {
                let place = format!("[{}][{}]", index / self.size, index % self.size);
                return Err(WrongAnswer {
                    expected: expected.to_string(),
                    got: format!("{got} at {place}"),
                });
            }
        }
        Ok("the wave, faded".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{On, Serial};
    use crate::fork::count_joins;

    fn solved(parameter: &str) -> Heat {
        let mut heat = Heat::parse(parameter).unwrap();
        heat.reset();
        On::<Serial>::run(&mut heat, ());
        heat
    }

    #[test]
    fn a_wave_fades_as_it_should() {
        for parameter in ["3x1", "4x7", "12x1", "13x30", "100x50", "33x1000"] {
            let mut heat = solved(parameter);
            assert!(heat.judge(&()).is_ok(), "{parameter}: {:?}", heat.judge(&()));
            assert_eq!(heat.tasks(), Some(count_joins(&heat)), "{parameter}");
        }
    }

    #[test]
    fn a_step_or_a_row_left_out_is_refused() {
        let mut heat = solved("1000x3");
        let before = solved("1000x2");
        assert!(heat.judge(&()).is_ok());
        heat.plate[500 * 1000..][..1000].copy_from_slice(&before.plate[500 * 1000..][..1000]);
        assert!(heat.judge(&()).is_err());
        heat.plate[0] = f64::NAN;
        assert!(heat.judge(&()).is_err());
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "10", "2x1", "10x0", "8193x1", "10x1x1", "10x-1"] {
            assert!(Heat::parse(text).is_err(), "{text:?}");
        }
    }
}
