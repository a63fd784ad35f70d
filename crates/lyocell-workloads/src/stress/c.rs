//! What the programs in C call.

use crate::chain::chain;

/// [`chain()`] for C.
#[unsafe(no_mangle)]
extern "C" fn lyocell_stress_leaf(iterations: u64) -> usize {
    chain(iterations)
}
