//! The nodes of a tree by value, for engines that carry them in bags, also to other machines.

use super::tree::{Binomial, Geometric, Kind, Shape};
use super::{Node, TREES, Totals, Tree, Uts};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Published trees that only bags walk: T3XXL is 99,049 deep, which is too deep for a recursion, and both take minutes.
static LARGEST: [Tree; 2] = [
    Tree {
        name: "T1XXL",
        seed: 19,
        branching: 4.0,
        kind: Kind::Geometric(Geometric { shape: Shape::Fixed, depth: 15 }),
        totals: Totals { nodes: 4_230_646_601, depth: 15, leaves: 3_384_495_738 },
    },
    Tree {
        name: "T3XXL",
        seed: 316,
        branching: 2000.0,
        kind: Kind::Binomial(Binomial { probability: 0.499995, children: 2 }),
        totals: Totals { nodes: 2_793_220_501, depth: 99_049, leaves: 1_396_611_250 },
    },
];

/// A published tree, which travels by its name.
#[derive(Clone, Copy, Debug)]
pub struct UtsTree(&'static Tree);

/// A node of a tree, which is yet to be visited.
#[derive(Clone, Copy)]
pub struct UtsNode(Node);

impl fmt::Debug for UtsNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Node { height, children, .. } = self.0;
        f.debug_struct("UtsNode").field("height", &height).field("children", &children).finish()
    }
}

impl Uts {
    /// The published tree of this name, if there is one: also those that only bags walk.
    pub fn named_for_bags(name: &str) -> Option<Uts> {
        TREES.iter().chain(&LARGEST).find(|tree| tree.name == name).map(|tree| Uts { tree })
    }

    /// The tree.
    pub fn tree(&self) -> UtsTree {
        UtsTree(self.tree)
    }

    /// The names of the published trees, also of those that only bags walk.
    pub fn names() -> impl Iterator<Item = &'static str> {
        TREES.iter().chain(&LARGEST).map(|tree| tree.name)
    }
}

impl UtsTree {
    /// The node from which all others come.
    pub fn root(self) -> UtsNode {
        UtsNode(Node::root(self.0))
    }

    /// Visits a node, and those of its children that are leaves: hands the others out, and returns what the visited nodes come to.
    ///
    /// Most nodes are leaves. To write one down and read it again took 20 ns, where to make it takes 86.
    #[inline]
    pub fn visit(self, node: &UtsNode, mut inner: impl FnMut(UtsNode)) -> Totals {
        let mut totals = Totals::of(&node.0);
        for index in 0..node.0.children {
            let child = Node::child(self.0, &node.0, index);
            match child.children {
                0 => totals = totals.merge(Totals::of(&child)),
                _ => inner(UtsNode(child)),
            }
        }
        totals
    }
}

impl Totals {
    /// Of no node.
    pub const NONE: Totals = Totals::ZERO;

    /// Of these nodes and others.
    #[inline]
    #[must_use]
    pub fn and(self, others: Totals) -> Totals {
        self.merge(others)
    }
}

impl Serialize for Totals {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.nodes, self.depth, self.leaves).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Totals {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Totals, D::Error> {
        let (nodes, depth, leaves) = Deserialize::deserialize(deserializer)?;
        Ok(Totals { nodes, depth, leaves })
    }
}

impl Serialize for UtsTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name)
    }
}

impl<'de> Deserialize<'de> for UtsTree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<UtsTree, D::Error> {
        let name = String::deserialize(deserializer)?;
        let uts = Uts::named_for_bags(&name);
        uts.map(|uts| uts.tree())
            .ok_or_else(|| D::Error::custom(format!("no tree is called {name:?}")))
    }
}

impl Serialize for UtsNode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.parts().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for UtsNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<UtsNode, D::Error> {
        Ok(UtsNode(Node::from_parts(Deserialize::deserialize(deserializer)?)))
    }
}
