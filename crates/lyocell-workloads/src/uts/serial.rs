//! Plain recursion.

use super::{Node, Totals, Tree, Uts};
use crate::engine::{On, Serial};

impl On<Serial> for Uts {
    fn run(&mut self, (): ()) -> Totals {
        walk(self.tree, &Node::root(self.tree))
    }
}

pub(super) fn walk(tree: &Tree, node: &Node) -> Totals {
    let own = Totals::of(node);
    if node.children == 0 {
        return own;
    }
    let child = |index| walk(tree, &Node::child(tree, node, index));
    own.merge((0..node.children).map(child).fold(Totals::ZERO, Totals::merge))
}
