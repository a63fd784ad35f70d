//! Stress: trees of tasks one after the other, with a loop that touches no memory at each leaf. How often there is
//! something to balance is chosen by the size of a tree.
//!
//! The micro benchmark of Faxén, "Efficient Work Stealing for Fine Grained Parallelism" (Wool, 2010), section IV-A,
//! after Podobas, Brorsson and Faxén, "A comparison of some recent task-based parallel programming models" (2010).
//! A balanced binary tree of tasks; the next tree starts when the last is done, so the pause between them, in which
//! thieves find nothing, is part of what is measured.

mod c;
mod chili;
#[cfg(feature = "forte")]
mod forte;
#[cfg(lace)]
mod lace;
mod lyocell;
mod rayon;
mod rival;
mod serial;

use std::fmt;
use std::ops::RangeInclusive;

use crate::chain::{self, chain};
use crate::problem::{Problem, WrongAnswer, judge_equal};
use crate::workload::{Program, UnknownParameter, Workload, parse_number};

/// A million leaves.
const HEIGHTS: RangeInclusive<u32> = 0..=20;

/// A leaf of the largest number is some seconds.
const ITERATIONS: RangeInclusive<u64> = 0..=10_000_000_000;

const TREES: RangeInclusive<u64> = 1..=1_000_000_000;

/// Table I of the paper: with so many iterations at a leaf, trees of so little height 131,072 times, and half as often for
/// each level more, of which there are four.
const TABLE_I: [(u64, u32); 2] = [(256, 7), (4096, 3)];
const TREES_OF_LEAST_HEIGHT: u64 = 128 << 10;
const LEVELS_MORE: u32 = 4;

pub(crate) static PROGRAM: Program<Stress> = Program {
    workload: Workload {
        name: "stress",
        summary: "binary trees of tasks, one after the other, with an empty loop at each leaf",
        source: "Faxén 2010, section IV-A; Podobas et al. 2010",
        parameters: || {
            let (heights, iterations, trees) = (HEIGHTS, ITERATIONS, TREES);
            let range = |from: u64, to: u64| format!("{from} to {to}");
            format!(
                "HEIGHTxITERATIONSxTREES, HEIGHT {}, ITERATIONS {} of {} cycles, TREES {}; or a row of the paper's \
                 Table I as ITERATIONS,HEIGHT, 256,7 to 256,11 and 4096,3 to 4096,7",
                range((*heights.start()).into(), (*heights.end()).into()),
                range(*iterations.start(), *iterations.end()),
                chain::CYCLES,
                range(*trees.start(), *trees.end()),
            )
        },
        default_parameter: "8x256x4096",
    },
    small: || Stress::parse("4x9x7"),
    parse: Stress::parse,
};

/// Trees of tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stress {
    /// Of each tree; one of height 0 is a leaf.
    pub height: u32,
    /// Of the loop at each leaf.
    pub iterations: u64,
    /// How many.
    pub trees: u64,
}

impl fmt::Display for Stress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stress { height, iterations, trees } = self;
        write!(f, "{height}x{iterations}x{trees}")
    }
}

impl Stress {
    /// The problem that `parameter` says.
    ///
    /// # Errors
    /// It is none of the parameters there are.
    pub fn parse(parameter: &str) -> Result<Stress, UnknownParameter> {
        if let Some((iterations, height)) = parameter.split_once(',') {
            return Stress::of_table_i(
                parse_number(iterations, ITERATIONS)?,
                parse_number(height, HEIGHTS)?,
            );
        }
        let mut words = parameter.split('x');
        let (height, iterations, trees) = (words.next(), words.next(), words.next());
        let (Some(height), Some(iterations), Some(trees), None) =
            (height, iterations, trees, words.next())
        else {
            return Err(UnknownParameter);
        };
        Ok(Stress {
            height: parse_number(height, HEIGHTS)?,
            iterations: parse_number(iterations, ITERATIONS)?,
            trees: parse_number(trees, TREES)?,
        })
    }

    /// The row of the paper's Table I.
    fn of_table_i(iterations: u64, height: u32) -> Result<Stress, UnknownParameter> {
        let row = TABLE_I.into_iter().find(|&(leaf, _)| leaf == iterations);
        let (_, least) = row.ok_or(UnknownParameter)?;
        let more = height.checked_sub(least).filter(|&more| more <= LEVELS_MORE);
        let trees = TREES_OF_LEAST_HEIGHT >> more.ok_or(UnknownParameter)?;
        Ok(Stress { height, iterations, trees })
    }

    /// Leaves of all trees.
    pub fn leaves(&self) -> u64 {
        self.trees << self.height
    }

    /// The sum of the ends of the chains of all trees.
    #[inline]
    fn all(&self, mut tree: impl FnMut() -> usize) -> usize {
        (0..self.trees).fold(0, |sum, _| sum.wrapping_add(tree()))
    }
}

impl Problem for Stress {
    type Answer = usize;

    fn parameter(&self) -> String {
        self.to_string()
    }

    fn tasks(&self) -> Option<u64> {
        Some(self.leaves() - self.trees)
    }

    fn judge(&mut self, answer: &usize) -> Result<String, WrongAnswer> {
        // All chains have the same end; leaves beyond a word's range wrap round in the sums too.
        judge_equal(answer, &chain(self.iterations).wrapping_mul(self.leaves() as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{On, Serial};

    #[test]
    fn a_parameter_is_three_numbers() {
        let stress = Stress::parse("7x256x128").unwrap();
        assert_eq!(stress, Stress { height: 7, iterations: 256, trees: 128 });
        assert_eq!(stress.to_string(), "7x256x128");
        for text in ["", "7", "7x256", "7x256x0", "21x1x1", "7x256x1x1", "7x-1x1", "x x "] {
            assert!(Stress::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn the_rows_of_table_i_have_its_repetitions() {
        let name = |text: &str| Stress::parse(text).unwrap().to_string();
        assert_eq!(name("256,7"), "7x256x131072");
        assert_eq!(name("256,11"), "11x256x8192");
        assert_eq!(name("4096,3"), "3x4096x131072");
        assert_eq!(name("4096,7"), "7x4096x8192");
        for text in ["256,6", "256,12", "4096,8", "4096,2", "255,7", "256,", ",7", "256,7,1"] {
            assert!(Stress::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_tree_of_height_h_has_a_task_less_than_leaves() {
        assert_eq!(Stress::parse("3x1x10").unwrap().tasks(), Some(70));
        assert_eq!(Stress::parse("0x1x10").unwrap().tasks(), Some(0));
    }

    #[test]
    fn an_iteration_too_few_or_a_leaf_too_many_is_refused() {
        let mut stress = Stress::parse("3x5x2").unwrap();
        let answer = On::<Serial>::run(&mut stress, ());
        assert!(stress.judge(&answer).is_ok());
        assert!(stress.judge(&answer.wrapping_add(chain(5))).is_err());
        let short = On::<Serial>::run(&mut Stress { iterations: 4, ..stress }, ());
        assert!(stress.judge(&short).is_err());
    }
}
