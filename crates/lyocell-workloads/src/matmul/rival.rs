//! The engine's own program.

use super::Matmul;
use super::product::Product;
use crate::engine::On;
use crate::rival::{Rival, Started};

impl On<Rival> for Matmul {
    fn run(&mut self, started: &Started) {
        let Product { a, b, c, shape, .. } = self.product();
        // SAFETY: rival-1, rival-2; product-1 and product-2 hold of the parts of a product, which outlives the call.
        unsafe { (started.kernels.matmul)(a, b, c, &shape) };
    }
}
