//! UTS, the unbalanced tree search benchmark: counts the nodes of a tree that exists only as it is
//! walked, each child's place in it decided by a hash of its parent.
//!
//! Olivier, Huan, Liu, Prins, Dinan, Sadayappan, Tseng: "UTS: An Unbalanced Tree Search Benchmark"
//! (LCPC 2006), with the SHA-1 generator and the sample trees of the published program. A task per
//! node but the root, as in van Dijk and van de Pol, "Lace" (2014), section 4.
//!
//! - `tree`: the sample trees and how many children a node has.
//! - `node`: the generator.
//! - here: the walks. In each, the task of a child computes the child's hash itself, so this work
//!   too runs in parallel; C's walk does the same (the published C program hashes before it spawns).
//!
//! As in queens, the children of a node are one frame of tasks for lyocell and lace, and halved with
//! `join` for rayon and chili. T3L is 17,844 deep: see the stack sizes of the engines. The programs in C
//! have the nodes in C too (`node.h`), but for the compression of SHA-1 (`c.rs`).

mod c;
mod chili;
#[cfg(feature = "forte")]
mod forte;
#[cfg(lace)]
mod lace;
mod lyocell;
mod node;
mod rayon;
mod rival;
mod serial;
#[cfg(lace)]
mod serial_c;
mod totals;
mod tree;

use crate::problem::{Problem, WrongAnswer, judge_equal};
use crate::workload::{Program, UnknownParameter, Workload};
pub(crate) use c::Parameters;
use node::Node;
pub use totals::Totals;
use tree::{TREES, Tree};

// bags: begin
mod items;
pub use items::{UtsNode, UtsTree};
// bags: end

pub(crate) static PROGRAM: Program<Uts> = Program {
    workload: Workload {
        name: "uts",
        summary: "size, depth and leaves of an unbalanced tree made by SHA-1; a task for every node",
        source: "Olivier et al. 2006; van Dijk and van de Pol 2014, section 4",
        parameters: || {
            let names: Vec<&str> = TREES.iter().map(|tree| tree.name).collect();
            format!("TREE one of {}", names.join(", "))
        },
        default_parameter: "T2",
    },
    small: || Ok(Uts::small()),
    parse: |parameter| Uts::named(parameter).ok_or(UnknownParameter),
};

/// What a walk through a tree finds.
#[derive(Clone, Copy, Debug)]
pub struct Uts {
    tree: &'static Tree,
}

impl Uts {
    /// The published tree of this name, such as `T3L`.
    ///
    /// # Panics
    /// If there is none.
    pub fn new(name: &str) -> Uts {
        Uts::named(name).unwrap_or_else(|| panic!("no tree is called {name}"))
    }

    fn named(name: &str) -> Option<Uts> {
        TREES.iter().find(|tree| tree.name == name).map(|tree| Uts { tree })
    }

    /// A tree of some hundred nodes, for tests; what it has is what the serial walk finds. It is no published one and
    /// has no name on a command line.
    pub fn small() -> Uts {
        let mut tree = tree::SMALL;
        tree.totals = serial::walk(&tree, &Node::root(&tree));
        Uts { tree: Box::leak(Box::new(tree)) }
    }
}

impl Problem for Uts {
    type Answer = Totals;

    fn parameter(&self) -> String {
        self.tree.name.to_owned()
    }

    fn tasks(&self) -> Option<u64> {
        Some(self.tree.totals.nodes - 1)
    }

    fn judge(&mut self, answer: &Totals) -> Result<String, WrongAnswer> {
        judge_equal(answer, &self.tree.totals)
    }
}

impl Totals {
    /// Of nothing.
    const ZERO: Totals = Totals { nodes: 0, leaves: 0, depth: 0 };

    /// Of `node` alone.
    #[inline]
    fn of(node: &Node) -> Totals {
        let leaves = u64::from(node.children == 0);
        Totals { nodes: 1, leaves, depth: u64::from(node.height) }
    }

    /// Of two parts of a tree.
    #[inline]
    fn merge(self, other: Totals) -> Totals {
        Totals {
            nodes: self.nodes + other.nodes,
            leaves: self.leaves + other.leaves,
            depth: self.depth.max(other.depth),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{On, Serial};

    /// Walks the published tree `name` and compares with its published size, depth and leaves.
    fn assert_published(name: &str) {
        let mut uts = Uts::new(name);
        assert_eq!(On::<Serial>::run(&mut uts, ()), uts.tree.totals, "{name}");
    }

    #[test]
    fn fixed_tree_t1_is_the_published_one() {
        assert_published("T1");
    }

    #[test]
    fn cyclic_tree_t2_is_the_published_one() {
        assert_published("T2");
    }

    #[test]
    fn binomial_tree_t3_is_the_published_one() {
        assert_published("T3");
    }

    #[test]
    fn hybrid_tree_t4_is_the_published_one() {
        assert_published("T4");
    }

    #[test]
    fn linear_tree_t5_is_the_published_one() {
        assert_published("T5");
    }

    #[test]
    fn tasks_are_all_nodes_but_the_root() {
        let tasks = |name| Uts::new(name).tasks();
        assert_eq!(tasks("T2L"), Some(96_793_509));
        assert_eq!(tasks("T3L"), Some(111_345_630));
    }

    #[test]
    fn a_tree_off_by_a_leaf_is_refused() {
        let tree = &TREES[0];
        let mut uts = Uts { tree };
        assert!(uts.judge(&tree.totals).is_ok());
        let leaves = tree.totals.leaves + 1;
        assert!(uts.judge(&Totals { leaves, ..tree.totals }).is_err());
    }
}
