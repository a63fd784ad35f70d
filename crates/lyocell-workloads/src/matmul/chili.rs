//! A join where two halves are independent.

use chili::Scope;

use super::Matmul;
use super::product::{Product, Step};
use crate::engine::{Chili, On};

impl On<Chili> for Matmul {
    fn run(&mut self, scope: &mut Scope<'_>) {
        multiply(scope, self.product());
    }
}

fn multiply(scope: &mut Scope<'_>, product: Product<'_>) {
    match product.split() {
        Step::Leaf(product) => product.leaf(),
        Step::InParallel(first, second) => {
            scope.join(|scope| multiply(scope, first), |scope| multiply(scope, second));
        }
        Step::InOrder(sequence) => sequence.run(|product| multiply(scope, product)),
    }
}
