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
//! `rayon::join` for rayon. T3L is 17,844 deep: see the stack sizes of the engines.

mod node;
mod tree;

use std::fmt;
use std::ops::Range;

use lyocell::{Deque, Probe, Worker};

use super::{Instance, Problem, UnknownParameter, Workload, WrongAnswer, judge_equal};
use node::Node;
use tree::{TREES, Tree};

pub(super) struct UtsWorkload;

impl Workload for UtsWorkload {
    fn name(&self) -> &'static str {
        "uts"
    }

    fn summary(&self) -> &'static str {
        "size, depth and leaves of an unbalanced tree made by SHA-1; a task for every node"
    }

    fn source(&self) -> &'static str {
        "Olivier et al. 2006; van Dijk and van de Pol 2014, section 4"
    }

    fn parameters(&self) -> String {
        let names: Vec<&str> = TREES.iter().map(|tree| tree.name).collect();
        format!("TREE one of {}", names.join(", "))
    }

    fn default_parameter(&self) -> &'static str {
        "T2"
    }

    fn instance(&self, parameter: &str) -> Result<Instance, UnknownParameter> {
        let tree = TREES.iter().find(|tree| tree.name == parameter).ok_or(UnknownParameter)?;
        Ok(Instance::Uts(Uts { tree }))
    }
}

pub(crate) struct Uts {
    tree: &'static Tree,
}

#[cfg(test)]
impl Uts {
    /// A tree of some hundred nodes; what it has is what the serial walk finds.
    pub(crate) fn small() -> Uts {
        let mut tree = tree::SMALL;
        tree.totals = serial(&tree, &Node::root(&tree));
        Uts { tree: Box::leak(Box::new(tree)) }
    }
}

/// What a walk finds. Layout shared with `csrc/uts.c`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Totals {
    nodes: u64,
    leaves: u64,
    /// The largest height of a node; the root's is 0.
    depth: u64,
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nodes={} depth={} leaves={}", self.nodes, self.depth, self.leaves)
    }
}

impl Totals {
    /// Of nothing.
    const ZERO: Totals = Totals { nodes: 0, leaves: 0, depth: 0 };

    /// Of `node` alone.
    fn of(node: &Node) -> Totals {
        let leaves = u64::from(node.children == 0);
        Totals { nodes: 1, leaves, depth: u64::from(node.height) }
    }

    fn merge(self, other: Totals) -> Totals {
        Totals {
            nodes: self.nodes + other.nodes,
            leaves: self.leaves + other.leaves,
            depth: self.depth.max(other.depth),
        }
    }
}

fn serial(tree: &Tree, node: &Node) -> Totals {
    let own = Totals::of(node);
    if node.children == 0 {
        return own;
    }
    let child = |index| serial(tree, &Node::child(tree, node, index));
    own.merge((0..node.children).map(child).fold(Totals::ZERO, Totals::merge))
}

fn lyocell<D: Deque, P: Probe>(worker: &Worker<D, P>, tree: &Tree, node: &Node) -> Totals {
    let own = Totals::of(node);
    if node.children == 0 {
        return own;
    }
    own.merge(worker.join_range(
        0..node.children as usize,
        Totals::ZERO,
        |worker, index| lyocell(worker, tree, &Node::child(tree, node, index as u32)),
        Totals::merge,
    ))
}

fn rayon(tree: &Tree, node: &Node) -> Totals {
    let own = Totals::of(node);
    if node.children == 0 {
        return own;
    }
    own.merge(rayon_children(tree, node, 0..node.children))
}

/// A task for each of `children`.
fn rayon_children(tree: &Tree, node: &Node, children: Range<u32>) -> Totals {
    match children.len() {
        0 => Totals::ZERO,
        1 => rayon(tree, &Node::child(tree, node, children.start)),
        count => {
            let middle = children.start + count as u32 / 2;
            let (a, b) = rayon::join(
                || rayon_children(tree, node, children.start..middle),
                || rayon_children(tree, node, middle..children.end),
            );
            a.merge(b)
        }
    }
}

#[cfg(lace)]
mod ffi {
    use super::{Node, Totals, Tree};

    #[expect(improper_ctypes, reason = "C hands the tree back unread")]
    unsafe extern "C" {
        /// `csrc/uts.c`, which hands `tree` back to the functions below. Lace must be running.
        pub(super) fn lyocell_lace_uts(tree: *const Tree, totals: *mut Totals);
    }

    /// [`Node::root`] for C.
    #[unsafe(no_mangle)]
    extern "C" fn lyocell_uts_root(tree: &Tree, root: &mut Node) {
        *root = Node::root(tree);
    }

    /// [`Node::child`] for C.
    #[unsafe(no_mangle)]
    extern "C" fn lyocell_uts_child(tree: &Tree, parent: &Node, index: u32, child: &mut Node) {
        *child = Node::child(tree, parent, index);
    }
}

impl Problem for Uts {
    type Answer = Totals;

    fn tasks(&self) -> u64 {
        self.tree.totals.nodes - 1
    }

    fn serial(&mut self) -> Totals {
        serial(self.tree, &Node::root(self.tree))
    }

    fn lyocell<D: Deque, P: Probe>(&mut self, worker: &Worker<D, P>) -> Totals {
        lyocell(worker, self.tree, &Node::root(self.tree))
    }

    fn rayon(&mut self) -> Totals {
        rayon(self.tree, &Node::root(self.tree))
    }

    #[cfg(lace)]
    fn lace(&mut self) -> Totals {
        let mut totals = Totals::ZERO;
        // SAFETY: L1 (engine/lace.rs): whoever calls `Problem::lace` has started Lace; L3: the tree
        // and the totals outlive the call, which is over when every task is.
        unsafe { ffi::lyocell_lace_uts(self.tree, &mut totals) };
        totals
    }

    fn judge(&mut self, answer: &Totals) -> Result<String, WrongAnswer> {
        judge_equal(answer, &self.tree.totals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks the published tree `name` and compares with its published size, depth and leaves.
    fn assert_published(name: &str) {
        let tree = TREES.iter().find(|tree| tree.name == name).unwrap();
        assert_eq!(serial(tree, &Node::root(tree)), tree.totals, "{name}");
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
        let tasks = |name| UtsWorkload.instance(name).unwrap().tasks();
        assert_eq!(tasks("T2L"), 96_793_509);
        assert_eq!(tasks("T3L"), 111_345_630);
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
