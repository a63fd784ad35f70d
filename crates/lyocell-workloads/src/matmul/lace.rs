//! The program in `lace.c`.

use super::Matmul;
use super::product::{Product, Shape};
use crate::engine::On;
use crate::lace::{Lace, Running};

unsafe extern "C" {
    /// Computes the product of the parts of a [`Product`], keeping to its invariants. Lace must be running.
    fn lyocell_lace_matmul(a: *const f32, b: *const f32, c: *mut f32, shape: *const Shape);
}

impl On<Lace> for Matmul {
    fn run(&mut self, _running: &Running) {
        let Product { a, b, c, shape, .. } = self.product();
        // SAFETY: lace-1; product-1 and product-2 hold of the parts of a product.
        unsafe { lyocell_lace_matmul(a, b, c, &shape) };
    }
}
