//! Plain recursion.

use std::hint::black_box;

use super::{CHILDREN, Leaves, Skynet};
use crate::engine::{On, Serial};

impl On<Serial> for Skynet {
    fn run(&mut self, (): ()) -> u64 {
        sum(black_box(self.root()))
    }
}

fn sum(leaves: Leaves) -> u64 {
    if leaves.count == 1 {
        return leaves.first;
    }
    (0..CHILDREN).map(|index| sum(leaves.child(index))).sum()
}
