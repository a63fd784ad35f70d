//! The unbalanced tree search as bags of nodes.

use crate::{Bag, Total, every_second};
use lyocell_workloads::{Totals, UtsNode, UtsTree};
use serde::{Deserialize, Serialize};

/// Nodes of a tree whose subtrees are yet to be walked, the oldest first. Leaves are worked on together with the node above.
#[derive(Debug, Serialize, Deserialize)]
pub struct Nodes {
    /// Which tree, by its name.
    tree: UtsTree,
    nodes: Vec<UtsNode>,
}

impl Nodes {
    /// The root of this tree.
    pub fn root(tree: UtsTree) -> Nodes {
        Nodes { tree, nodes: vec![tree.root()] }
    }
}

/// What the walked nodes come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found(pub Totals);

impl Default for Found {
    fn default() -> Found {
        Found(Totals::NONE)
    }
}

impl Total for Found {
    fn merge(&mut self, other: Found) {
        self.0 = self.0.and(other.0);
    }
}

impl Bag for Nodes {
    type Total = Found;

    fn work(&mut self, at_most: usize, found: &mut Found) -> usize {
        let mut totals = Totals::NONE;
        while totals.nodes < at_most as u64 {
            let Some(node) = self.nodes.pop() else { break };
            totals = totals.and(self.tree.visit(&node, |child| self.nodes.push(child)));
        }
        found.0 = found.0.and(totals);
        totals.nodes as usize
    }

    fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn split(&mut self) -> Option<Nodes> {
        let nodes = every_second(&mut self.nodes)?;
        Some(Nodes { tree: self.tree, nodes })
    }

    fn merge(&mut self, other: Nodes) {
        // The newest stay on top.
        self.nodes.splice(..0, other.nodes);
    }
}
