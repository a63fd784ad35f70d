//! What the programs in C call.

use super::product::{Product, Shape};

/// [`Product::leaf`] for C.
///
/// # Safety
/// The arguments make a [`Product`]: product-1 and product-2 hold.
#[unsafe(no_mangle)]
unsafe extern "C" fn lyocell_matmul_leaf(a: *const f32, b: *const f32, c: *mut f32, shape: &Shape) {
    // SAFETY: the caller's promise.
    unsafe { Product::of_parts(a, b, c, *shape) }.leaf();
}
