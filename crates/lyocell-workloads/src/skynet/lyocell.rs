//! The children of a task as one frame.

use std::hint::black_box;

use lyocell::{Deque, Probe, Worker};

use super::{CHILDREN, Leaves, Skynet};
use crate::engine::{Lyocell, On};

impl<D: Deque, P: Probe> On<Lyocell<D, P>> for Skynet {
    fn run(&mut self, worker: &Worker<D, P>) -> u64 {
        sum(worker, black_box(self.root()))
    }
}

fn sum<D: Deque, P: Probe>(worker: &Worker<D, P>, leaves: Leaves) -> u64 {
    if leaves.count == 1 {
        return leaves.first;
    }
    worker.join_range(
        0..CHILDREN as usize,
        0,
        |worker, index| sum(worker, leaves.child(index as u64)),
        |a, b| a + b,
    )
}
