//! The children of a node halved until one is left.

use std::ops::Range;

use super::{Node, Totals, Tree, Uts};
use crate::engine::{On, Rayon};

impl On<Rayon> for Uts {
    fn run(&mut self, (): ()) -> Totals {
        walk(self.tree, &Node::root(self.tree))
    }
}

fn walk(tree: &Tree, node: &Node) -> Totals {
    let own = Totals::of(node);
    if node.children == 0 {
        return own;
    }
    own.merge(each(tree, node, 0..node.children))
}

/// A task for each of `children`.
fn each(tree: &Tree, node: &Node, children: Range<u32>) -> Totals {
    match children.len() {
        0 => Totals::ZERO,
        1 => walk(tree, &Node::child(tree, node, children.start)),
        count => {
            let middle = children.start + count as u32 / 2;
            let (a, b) = rayon::join(
                || each(tree, node, children.start..middle),
                || each(tree, node, middle..children.end),
            );
            a.merge(b)
        }
    }
}
