//! A join a node.

use chili::Scope;

use super::Stress;
use crate::chain::chain;
use crate::engine::{Chili, On};

impl On<Chili> for Stress {
    fn run(&mut self, scope: &mut Scope<'_>) -> usize {
        self.all(|| tree(scope, self.height, self.iterations))
    }
}

fn tree(scope: &mut Scope<'_>, height: u32, iterations: u64) -> usize {
    if height == 0 {
        return chain(iterations);
    }
    let (a, b) = scope.join(
        |scope| tree(scope, height - 1, iterations),
        |scope| tree(scope, height - 1, iterations),
    );
    a.wrapping_add(b)
}
