//! A join where two halves are independent.

use lyocell::{Deque, Probe, Worker};

use super::Matmul;
use super::product::{Product, Step};
use crate::engine::{Lyocell, On};

impl<D: Deque, P: Probe> On<Lyocell<D, P>> for Matmul {
    fn run(&mut self, worker: &Worker<D, P>) {
        multiply(worker, self.product());
    }
}

fn multiply<D: Deque, P: Probe>(worker: &Worker<D, P>, product: Product<'_>) {
    match product.split() {
        Step::Leaf(product) => product.leaf(),
        Step::InParallel(first, second) => {
            worker.join(|worker| multiply(worker, first), |worker| multiply(worker, second));
        }
        Step::InOrder(sequence) => sequence.run(|product| multiply(worker, product)),
    }
}
