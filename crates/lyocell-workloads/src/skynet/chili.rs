//! The children of a task halved until one is left.

use std::hint::black_box;
use std::ops::Range;

use chili::Scope;

use super::{CHILDREN, Leaves, Skynet};
use crate::engine::{Chili, On};

impl On<Chili> for Skynet {
    fn run(&mut self, scope: &mut Scope<'_>) -> u64 {
        sum(scope, black_box(self.root()))
    }
}

fn sum(scope: &mut Scope<'_>, leaves: Leaves) -> u64 {
    if leaves.count == 1 {
        return leaves.first;
    }
    each(scope, leaves, 0..CHILDREN)
}

/// A task for each of `children`, of which there is one at least.
fn each(scope: &mut Scope<'_>, leaves: Leaves, children: Range<u64>) -> u64 {
    let count = children.end - children.start;
    if count == 1 {
        return sum(scope, leaves.child(children.start));
    }
    let middle = children.start + count / 2;
    let (a, b) = scope.join(
        |scope| each(scope, leaves, children.start..middle),
        |scope| each(scope, leaves, middle..children.end),
    );
    a + b
}
