//! A join a node.

use lyocell::{Deque, Probe, Worker};

use super::Stress;
use crate::chain::chain;
use crate::engine::{Lyocell, On};

impl<D: Deque, P: Probe> On<Lyocell<D, P>> for Stress {
    fn run(&mut self, worker: &Worker<D, P>) -> usize {
        self.all(|| tree(worker, self.height, self.iterations))
    }
}

fn tree<D: Deque, P: Probe>(worker: &Worker<D, P>, height: u32, iterations: u64) -> usize {
    if height == 0 {
        return chain(iterations);
    }
    let (a, b) = worker.join(
        |worker| tree(worker, height - 1, iterations),
        |worker| tree(worker, height - 1, iterations),
    );
    a.wrapping_add(b)
}
