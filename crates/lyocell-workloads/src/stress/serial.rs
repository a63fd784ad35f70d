//! Plain recursion.

use super::Stress;
use crate::chain::chain;
use crate::engine::{On, Serial};

impl On<Serial> for Stress {
    fn run(&mut self, (): ()) -> usize {
        self.all(|| tree(self.height, self.iterations))
    }
}

fn tree(height: u32, iterations: u64) -> usize {
    if height == 0 {
        return chain(iterations);
    }
    tree(height - 1, iterations).wrapping_add(tree(height - 1, iterations))
}
