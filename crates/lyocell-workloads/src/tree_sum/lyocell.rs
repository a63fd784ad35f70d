//! A join a node with two children.

use lyocell::{Deque, Probe, Worker};

use super::TreeSum;
use super::arena::{Below, Node};
use crate::engine::{Lyocell, On};

impl<D: Deque, P: Probe> On<Lyocell<D, P>> for TreeSum {
    fn run(&mut self, worker: &Worker<D, P>) -> u64 {
        self.all(|root| sum(worker, root))
    }
}

fn sum<D: Deque, P: Probe>(worker: &Worker<D, P>, node: &Node) -> u64 {
    let below = match node.below() {
        Below::Two(first, second) => {
            let (a, b) = worker.join(|worker| sum(worker, first), |worker| sum(worker, second));
            a.wrapping_add(b)
        }
        Below::One(only) => sum(worker, only),
        Below::Nothing => 0,
    };
    below.wrapping_add(node.value)
}
