//! A join a node.

use forte::Worker;

use super::Stress;
use crate::chain::chain;
use crate::engine::{Forte, On};

impl On<Forte> for Stress {
    fn run(&mut self, worker: &Worker) -> usize {
        self.all(|| tree(worker, self.height, self.iterations))
    }
}

fn tree(worker: &Worker, height: u32, iterations: u64) -> usize {
    if height == 0 {
        return chain(iterations);
    }
    let (a, b) = worker.join(
        |worker| tree(worker, height - 1, iterations),
        |worker| tree(worker, height - 1, iterations),
    );
    a.wrapping_add(b)
}
