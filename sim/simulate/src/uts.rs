//! UTS's trees and their nodes: the very sources of the programs that are measured.

#[path = "../../../crates/lyocell-workloads/src/uts/node.rs"]
#[allow(dead_code, reason = "what is written down of a node is for other ranks")]
mod node;
#[path = "../../../crates/lyocell-workloads/src/uts/totals.rs"]
mod totals;
#[path = "../../../crates/lyocell-workloads/src/uts/tree.rs"]
#[allow(dead_code, reason = "the small tree is for tests of the programs")]
mod tree;

pub use totals::Totals;
#[cfg(test)]
use tree::TREES;

/// A published tree.
#[derive(Clone, Copy, Debug)]
pub struct UtsTree(&'static tree::Tree);

impl UtsTree {
    /// The tree of this name.
    ///
    /// # Errors
    /// There is none: which there are.
    pub fn named(name: &str) -> Result<UtsTree, String> {
        let found = tree::TREES.iter().find(|tree| tree.name == name);
        found.map(UtsTree).ok_or_else(|| {
            let names = tree::TREES.each_ref().map(|tree| tree.name).join(", ");
            format!("uts has no tree {name}: it has {names}")
        })
    }

    /// By what the children of its nodes are drawn, which decides what a node takes.
    pub(crate) fn kind(self) -> &'static str {
        match &self.0.kind {
            tree::Kind::Binomial(_) => "uts-binomial",
            tree::Kind::Hybrid(..) => "uts-hybrid",
            tree::Kind::Geometric(geometric) => match geometric.shape {
                tree::Shape::Linear => "uts-linear",
                tree::Shape::Cyclic => "uts-cyclic",
                tree::Shape::Fixed => "uts-fixed",
            },
        }
    }

    /// As published.
    pub fn totals(self) -> Totals {
        self.0.totals
    }

    pub(crate) fn root(self) -> UtsNode {
        UtsNode(node::Node::root(self.0))
    }
}

/// A node of a tree.
pub(crate) struct UtsNode(node::Node);

impl UtsNode {
    pub(crate) fn children(&self) -> usize {
        self.0.children as usize
    }

    pub(crate) fn child(&self, tree: UtsTree, index: usize) -> UtsNode {
        UtsNode(node::Node::child(tree.0, &self.0, index as u32))
    }
}
