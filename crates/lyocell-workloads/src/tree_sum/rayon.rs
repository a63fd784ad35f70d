//! A join a node with two children.

use super::TreeSum;
use super::arena::{Below, Node};
use crate::engine::{On, Rayon};

impl On<Rayon> for TreeSum {
    fn run(&mut self, (): ()) -> u64 {
        self.all(sum)
    }
}

fn sum(node: &Node) -> u64 {
    let below = match node.below() {
        Below::Two(first, second) => {
            let (a, b) = rayon::join(|| sum(first), || sum(second));
            a.wrapping_add(b)
        }
        Below::One(only) => sum(only),
        Below::Nothing => 0,
    };
    below.wrapping_add(node.value)
}
