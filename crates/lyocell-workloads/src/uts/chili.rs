//! The children of a node halved until one is left.

use std::ops::Range;

use chili::Scope;

use super::{Node, Totals, Tree, Uts};
use crate::engine::{Chili, On};

impl On<Chili> for Uts {
    fn run(&mut self, scope: &mut Scope<'_>) -> Totals {
        walk(scope, self.tree, &Node::root(self.tree))
    }
}

fn walk(scope: &mut Scope<'_>, tree: &Tree, node: &Node) -> Totals {
    let own = Totals::of(node);
    if node.children == 0 {
        return own;
    }
    own.merge(each(scope, tree, node, 0..node.children))
}

/// A task for each of `children`.
fn each(scope: &mut Scope<'_>, tree: &Tree, node: &Node, children: Range<u32>) -> Totals {
    match children.len() {
        0 => Totals::ZERO,
        1 => walk(scope, tree, &Node::child(tree, node, children.start)),
        count => {
            let middle = children.start + count as u32 / 2;
            let (a, b) = scope.join(
                |scope| each(scope, tree, node, children.start..middle),
                |scope| each(scope, tree, node, middle..children.end),
            );
            a.merge(b)
        }
    }
}
