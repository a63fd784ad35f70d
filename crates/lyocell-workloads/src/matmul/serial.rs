//! Plain recursion.

use super::Matmul;
use super::product::{Product, Step};
use crate::engine::{On, Serial};

impl On<Serial> for Matmul {
    fn run(&mut self, (): ()) {
        multiply(self.product());
    }
}

pub(super) fn multiply(product: Product<'_>) {
    match product.split() {
        Step::Leaf(product) => product.leaf(),
        Step::InParallel(first, second) => {
            multiply(first);
            multiply(second);
        }
        Step::InOrder(sequence) => sequence.run(multiply),
    }
}
