//! The nodes of a tree by value, for engines that carry them in bags, also to other machines.

use super::{LARGEST, Node, TREES, Totals, Tree, Uts};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A published tree, which travels by its name.
#[derive(Clone, Copy, Debug)]
pub struct UtsTree(&'static Tree);

/// A node of a tree, which is yet to be visited.
#[derive(Clone, Copy, Debug)]
pub struct UtsNode(Node);

impl Uts {
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

    /// Visits a node: hands its children out, and returns what it counts for by itself.
    #[inline]
    pub fn visit(self, node: &UtsNode, mut child: impl FnMut(UtsNode)) -> Totals {
        for index in 0..node.0.children {
            child(UtsNode(Node::child(self.0, &node.0, index)));
        }
        Totals::of(&node.0)
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
        let uts = Uts::named(&name);
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
