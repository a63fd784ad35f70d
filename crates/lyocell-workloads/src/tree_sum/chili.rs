//! A join a node with two children. chili runs the second closure first.

use chili::Scope;

use super::TreeSum;
use super::arena::{Below, Node};
use crate::engine::{Chili, On};

impl On<Chili> for TreeSum {
    fn run(&mut self, scope: &mut Scope<'_>) -> u64 {
        self.all(|root| sum(scope, root))
    }
}

fn sum(scope: &mut Scope<'_>, node: &Node) -> u64 {
    let below = match node.below() {
        Below::Two(first, second) => {
            let (b, a) = scope.join(|scope| sum(scope, second), |scope| sum(scope, first));
            a.wrapping_add(b)
        }
        Below::One(only) => sum(scope, only),
        Below::Nothing => 0,
    };
    below.wrapping_add(node.value)
}
