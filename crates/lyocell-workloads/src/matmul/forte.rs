//! A join where two halves are independent.

use forte::Worker;

use super::Matmul;
use super::product::{Product, Step};
use crate::engine::{Forte, On};

impl On<Forte> for Matmul {
    fn run(&mut self, worker: &Worker) {
        multiply(worker, self.product());
    }
}

fn multiply(worker: &Worker, product: Product<'_>) {
    match product.split() {
        Step::Leaf(product) => product.leaf(),
        Step::InParallel(first, second) => {
            worker.join(|worker| multiply(worker, first), |worker| multiply(worker, second));
        }
        Step::InOrder(sequence) => sequence.run(|product| multiply(worker, product)),
    }
}
