//! The children of a node halved until one is left.

use std::ops::Range;

use forte::Worker;

use super::{Node, Totals, Tree, Uts};
use crate::engine::{Forte, On};

impl On<Forte> for Uts {
    fn run(&mut self, worker: &Worker) -> Totals {
        walk(worker, self.tree, &Node::root(self.tree))
    }
}

fn walk(worker: &Worker, tree: &Tree, node: &Node) -> Totals {
    let own = Totals::of(node);
    if node.children == 0 {
        return own;
    }
    own.merge(each(worker, tree, node, 0..node.children))
}

/// A task for each of `children`.
fn each(worker: &Worker, tree: &Tree, node: &Node, children: Range<u32>) -> Totals {
    match children.len() {
        0 => Totals::ZERO,
        1 => walk(worker, tree, &Node::child(tree, node, children.start)),
        count => {
            let middle = children.start + count as u32 / 2;
            let (a, b) = worker.join(
                |worker| each(worker, tree, node, children.start..middle),
                |worker| each(worker, tree, node, middle..children.end),
            );
            a.merge(b)
        }
    }
}
