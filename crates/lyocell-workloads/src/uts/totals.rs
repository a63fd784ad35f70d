//! The answer.

use std::fmt;

/// What a walk finds. Layout shared with `node.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Totals {
    /// All of them.
    pub nodes: u64,
    /// The largest height of a node; the root's is 0. It stands between the two counts: side by side LLVM adds them as
    /// one pair of words, which it loads before the two stores of a leaf are done.
    pub depth: u64,
    /// Those without children.
    pub leaves: u64,
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nodes={} depth={} leaves={}", self.nodes, self.depth, self.leaves)
    }
}
