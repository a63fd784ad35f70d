//! The children of a node as one frame.

use lyocell::{Deque, Probe, Worker};

use super::{Node, Totals, Tree, Uts};
use crate::engine::{Lyocell, On};

impl<D: Deque, P: Probe> On<Lyocell<D, P>> for Uts {
    fn run(&mut self, worker: &Worker<D, P>) -> Totals {
        walk(worker, self.tree, &Node::root(self.tree))
    }
}

fn walk<D: Deque, P: Probe>(worker: &Worker<D, P>, tree: &Tree, node: &Node) -> Totals {
    let own = Totals::of(node);
    if node.children == 0 {
        return own;
    }
    own.merge(worker.join_range(
        0..node.children as usize,
        Totals::ZERO,
        |worker, index| walk(worker, tree, &Node::child(tree, node, index as u32)),
        Totals::merge,
    ))
}
