//! The program in `serial.c`.

use super::TreeSum;
use super::arena::Node;
use crate::engine::On;
use crate::lace::{Compiled, SerialC};

unsafe extern "C" {
    /// The tree must live.
    fn lyocell_serial_tree_sum(root: *const Node, sums: u64) -> u64;
}

impl On<SerialC> for TreeSum {
    fn run(&mut self, _compiled: Compiled) -> u64 {
        let tree = self.tree();
        // SAFETY: arena-1 holds of all nodes, which live until the call returns.
        unsafe { lyocell_serial_tree_sum(tree.root(), self.sums) }
    }
}
