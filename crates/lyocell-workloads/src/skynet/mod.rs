//! Skynet: a tree of tasks in which each has ten children, whose leaves add up their numbers.
//!
//! Temme's micro benchmark of actors and coroutines (2016), which is run with a million leaves (`skynet:6`) by
//! many a runtime. As in `uts`, the children of a task are one frame of tasks for lyocell and lace, and halved with
//! `join` for rayon and chili.

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
use crate::workload::{Program, Workload, parse_number, within};

/// A billion leaves.
const BOUNDS: RangeInclusive<u32> = 0..=9;

const CHILDREN: u64 = 10;

pub(crate) static PROGRAM: Program<Skynet> = Program {
    workload: Workload {
        name: "skynet",
        summary: "sum of 10^DEPTH numbers, each of a leaf; ten children a task, and nearly no work",
        source: "Temme 2016",
        parameters: || format!("DEPTH from {} to {}", BOUNDS.start(), BOUNDS.end()),
        default_parameter: "6",
    },
    small: || Ok(Skynet::new(2)),
    parse: |parameter| Ok(Skynet { depth: parse_number(parameter, BOUNDS)? }),
};

/// The sum of the numbers of the leaves.
#[derive(Clone, Copy, Debug)]
pub struct Skynet {
    depth: u32,
}

impl Skynet {
    /// With leaves `depth` levels below the root.
    ///
    /// # Panics
    /// If `depth` is over 9.
    pub fn new(depth: u32) -> Skynet {
        Skynet { depth: within(depth, BOUNDS) }
    }

    fn root(self) -> Leaves {
        Leaves { first: 0, count: CHILDREN.pow(self.depth) }
    }
}

/// Leaves that are numbered one after the other: those below a task.
#[derive(Clone, Copy, Debug)]
struct Leaves {
    first: u64,
    count: u64,
}

impl Leaves {
    /// Those below the `index`th child.
    #[inline]
    fn child(self, index: u64) -> Leaves {
        let count = self.count / CHILDREN;
        Leaves { first: self.first + index * count, count }
    }
}

impl Problem for Skynet {
    type Answer = u64;

    fn parameter(&self) -> String {
        self.depth.to_string()
    }

    fn tasks(&self) -> Option<u64> {
        Some((1..=self.depth).map(|depth| CHILDREN.pow(depth)).sum())
    }

    fn judge(&mut self, answer: &u64) -> Result<String, WrongAnswer> {
        let leaves = CHILDREN.pow(self.depth);
        judge_equal(answer, &(leaves * (leaves - 1) / 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{On, Serial};

    #[test]
    fn a_million_leaves_have_the_published_sum() {
        assert_eq!(On::<Serial>::run(&mut Skynet::new(6), ()), 499_999_500_000);
        assert_eq!(On::<Serial>::run(&mut Skynet::new(0), ()), 0);
    }

    #[test]
    fn every_child_is_a_task() {
        assert_eq!(
            [0, 1, 2, 6].map(|depth| Skynet::new(depth).tasks()),
            [0, 10, 110, 1_111_110].map(Some)
        );
    }

    #[test]
    fn a_wrong_sum_is_refused() {
        assert!(Skynet::new(2).judge(&4950).is_ok());
        assert!(Skynet::new(2).judge(&4949).is_err());
    }
}
