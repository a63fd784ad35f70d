//! Plain recursion.

use super::TreeSum;
use super::arena::{Below, Node};
use crate::engine::{On, Serial};

impl On<Serial> for TreeSum {
    fn run(&mut self, (): ()) -> u64 {
        self.all(sum)
    }
}

fn sum(node: &Node) -> u64 {
    let below = match node.below() {
        Below::Two(first, second) => sum(first).wrapping_add(sum(second)),
        Below::One(only) => sum(only),
        Below::Nothing => 0,
    };
    below.wrapping_add(node.value)
}
