//! A join where two halves are independent.

use super::Matmul;
use super::product::{Product, Step};
use crate::engine::{On, Rayon};

impl On<Rayon> for Matmul {
    fn run(&mut self, (): ()) {
        multiply(self.product());
    }
}

fn multiply(product: Product<'_>) {
    match product.split() {
        Step::Leaf(product) => product.leaf(),
        Step::InParallel(first, second) => {
            rayon::join(|| multiply(first), || multiply(second));
        }
        Step::InOrder(sequence) => sequence.run(multiply),
    }
}
