//! The children of a task halved until one is left.

use std::hint::black_box;
use std::ops::Range;

use super::{CHILDREN, Leaves, Skynet};
use crate::engine::{On, Rayon};

impl On<Rayon> for Skynet {
    fn run(&mut self, (): ()) -> u64 {
        sum(black_box(self.root()))
    }
}

fn sum(leaves: Leaves) -> u64 {
    if leaves.count == 1 {
        return leaves.first;
    }
    each(leaves, 0..CHILDREN)
}

/// A task for each of `children`, of which there is one at least.
fn each(leaves: Leaves, children: Range<u64>) -> u64 {
    let count = children.end - children.start;
    if count == 1 {
        return sum(leaves.child(children.start));
    }
    let middle = children.start + count / 2;
    let (a, b) =
        rayon::join(|| each(leaves, children.start..middle), || each(leaves, middle..children.end));
    a + b
}
