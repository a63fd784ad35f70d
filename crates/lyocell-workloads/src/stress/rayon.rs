//! A join a node.

use super::Stress;
use crate::chain::chain;
use crate::engine::{On, Rayon};

impl On<Rayon> for Stress {
    fn run(&mut self, (): ()) -> usize {
        self.all(|| tree(self.height, self.iterations))
    }
}

fn tree(height: u32, iterations: u64) -> usize {
    if height == 0 {
        return chain(iterations);
    }
    let (a, b) = rayon::join(|| tree(height - 1, iterations), || tree(height - 1, iterations));
    a.wrapping_add(b)
}
