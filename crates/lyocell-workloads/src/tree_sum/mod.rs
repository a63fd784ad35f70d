//! Tree sum: the sum of the values in a balanced binary tree, a task for each node with two children. Nearly no work
//! in a task, as in `fib`, but each needs a cache line of its own.
//!
//! The benchmark that the schedulers Spice (2024) and chili (2024) are shown with, at 1,023 nodes, where all that is
//! measured is what a task costs, and at 16,777,215, where it is memory as well. A run sums the same tree again and
//! again, until it has been at some 16 million nodes, so that a run of a small tree can be timed too.
//!
//! How the tree lies in memory is chosen: in the order in which a walk from left to right meets parents (`pre`) or
//! leaves them (`post`), or at random. So is which child is called first and which is offered to thieves: a tree in
//! `pre` is read forwards when the left child comes first, and in leaps when the right one does.

mod arena;
mod chili;
#[cfg(lace)]
mod lace;
mod lyocell;
mod rayon;
mod serial;
#[cfg(lace)]
mod serial_c;

use std::hint::black_box;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::problem::{Problem, WrongAnswer, judge_equal};
use crate::workload::{Program, UnknownParameter, Workload, parse_number};
use arena::{Arena, Node};

/// 2^24 nodes are 400 megabytes.
const NODES: RangeInclusive<u32> = 1..=(1 << 24) - 1;

const SUMS: RangeInclusive<u64> = 1..=1 << 32;

/// The nodes that a run is at, if it is not said how often the tree is summed.
const NODES_A_RUN: u64 = 1 << 24;

pub(crate) static PROGRAM: Program<TreeSum> = Program {
    workload: Workload {
        name: "tree-sum",
        summary: "sum of a balanced binary tree; nearly no work in a task, and a cache line",
        source: "Spice and chili, 2024",
        parameters: || {
            format!(
                "NODES[xSUMS][,LAYOUT[,CHILD]], NODES {} to {}, SUMS {} to {} (as many as make 2^24 nodes if not given), \
                 LAYOUT pre, post or random, CHILD that is called first left or right",
                NODES.start(),
                NODES.end(),
                SUMS.start(),
                SUMS.end()
            )
        },
        default_parameter: "1023",
    },
    small: || TreeSum::parse("100x3,random,right"),
    parse: TreeSum::parse,
};

/// The order of the nodes in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    Pre,
    Post,
    Random,
}

/// The child that is called first; the other one is offered to thieves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Child {
    Left,
    Right,
}

/// The sum of a tree.
#[derive(Clone, Debug)]
pub struct TreeSum {
    nodes: u32,
    /// How often in a run.
    sums: u64,
    layout: Layout,
    first: Child,
    /// Made by the first use.
    tree: Option<Arc<Arena>>,
}

impl TreeSum {
    /// The problem that `parameter` says.
    ///
    /// # Errors
    /// It is none of the parameters there are.
    pub fn parse(parameter: &str) -> Result<TreeSum, UnknownParameter> {
        let mut words = parameter.split(',');
        let size = words.next().unwrap_or_default();
        let layout = match words.next() {
            None | Some("pre") => Layout::Pre,
            Some("post") => Layout::Post,
            Some("random") => Layout::Random,
            Some(_) => return Err(UnknownParameter),
        };
        let first = match (words.next(), words.next()) {
            (None | Some("left"), None) => Child::Left,
            (Some("right"), None) => Child::Right,
            _ => return Err(UnknownParameter),
        };
        let (nodes, sums) = match size.split_once('x') {
            None => (parse_number(size, NODES)?, None),
            Some((nodes, sums)) => (parse_number(nodes, NODES)?, Some(parse_number(sums, SUMS)?)),
        };
        let sums = sums.unwrap_or_else(|| usual_sums(nodes));
        Ok(TreeSum { nodes, sums, layout, first, tree: None })
    }

    fn tree(&mut self) -> Arc<Arena> {
        let tree = self
            .tree
            .get_or_insert_with(|| Arc::new(Arena::new(self.nodes, self.layout, self.first)));
        Arc::clone(tree)
    }

    /// The sum of what `sum` makes of the root, again and again.
    #[inline]
    fn all(&mut self, mut sum: impl FnMut(&Node) -> u64) -> u64 {
        let tree = self.tree();
        (0..self.sums).fold(0, |total: u64, _| total.wrapping_add(sum(black_box(tree.root()))))
    }
}

fn usual_sums(nodes: u32) -> u64 {
    NODES_A_RUN / (u64::from(nodes) + 1)
}

impl Problem for TreeSum {
    type Answer = u64;

    fn parameter(&self) -> String {
        let TreeSum { nodes, sums, layout, first, .. } = self;
        let sums = if *sums == usual_sums(*nodes) { String::new() } else { format!("x{sums}") };
        let layout = match (layout, first) {
            (Layout::Pre, Child::Left) => "",
            (Layout::Pre, Child::Right) => ",pre",
            (Layout::Post, _) => ",post",
            (Layout::Random, _) => ",random",
        };
        let first = match first {
            Child::Left => "",
            Child::Right => ",right",
        };
        format!("{nodes}{sums}{layout}{first}")
    }

    fn tasks(&self) -> Option<u64> {
        Some(arena::nodes_with_two_children(self.nodes) * self.sums)
    }

    /// Makes the tree.
    fn reset(&mut self) {
        self.tree();
    }

    fn judge(&mut self, answer: &u64) -> Result<String, WrongAnswer> {
        judge_equal(answer, &self.tree().total().wrapping_mul(self.sums))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{On, Serial};

    #[test]
    fn trees_of_any_size_layout_and_order_have_the_sum_of_their_values() {
        for nodes in [1, 2, 3, 4, 5, 6, 7, 8, 100, 1023] {
            for rest in ["", ",pre,right", ",post", ",post,right", ",random", ",random,right"] {
                let mut problem = TreeSum::parse(&format!("{nodes}x3{rest}")).unwrap();
                let answer = On::<Serial>::run(&mut problem, ());
                assert!(problem.judge(&answer).is_ok(), "{nodes}{rest}");
                assert!(problem.judge(&answer.wrapping_add(1)).is_err());
                assert_eq!(problem.parameter(), format!("{nodes}x3{rest}"));
            }
        }
    }

    #[test]
    fn a_small_tree_is_summed_often_enough_to_be_timed() {
        let problem = TreeSum::parse("1023").unwrap();
        assert_eq!((problem.sums, problem.tasks()), (16_384, Some(16_384 * 511)));
        assert_eq!(problem.parameter(), "1023");
        assert_eq!(TreeSum::parse("16777215").unwrap().sums, 1);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "0",
            "16777216",
            "7x0",
            "7,",
            "7,in",
            "7,pre,both",
            "7,pre,left,x",
            "7x",
            "x7",
            "7,left",
        ] {
            assert!(TreeSum::parse(text).is_err(), "{text:?}");
        }
    }
}
