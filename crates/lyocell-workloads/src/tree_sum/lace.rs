//! The program in `lace.c`.

use super::TreeSum;
use super::arena::Node;
use crate::engine::On;
use crate::lace::{Lace, Running};

unsafe extern "C" {
    /// Lace must be running, and the tree live.
    fn lyocell_lace_tree_sum(root: *const Node, sums: u64) -> u64;
}

impl On<Lace> for TreeSum {
    fn run(&mut self, _running: &Running) -> u64 {
        let tree = self.tree();
        // SAFETY: lace-1; arena-1 holds of all nodes, which live until the call returns (lace-3).
        unsafe { lyocell_lace_tree_sum(tree.root(), self.sums) }
    }
}
