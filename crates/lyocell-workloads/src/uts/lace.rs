//! The program in `lace.c`, and the work of its tasks.

use super::{Node, Totals, Tree, Uts};
use crate::engine::On;
use crate::lace::{Lace, Running};

#[expect(improper_ctypes, reason = "C hands the tree back unread")]
unsafe extern "C" {
    /// Hands `tree` back to the functions below. Lace must be running.
    fn lyocell_lace_uts(tree: *const Tree, totals: *mut Totals);
}

/// [`Node::root`] for C.
#[unsafe(no_mangle)]
extern "C" fn lyocell_uts_root(tree: &Tree, root: &mut Node) {
    *root = Node::root(tree);
}

/// [`Node::child`] for C.
#[unsafe(no_mangle)]
extern "C" fn lyocell_uts_child(tree: &Tree, parent: &Node, index: u32, child: &mut Node) {
    *child = Node::child(tree, parent, index);
}

impl On<Lace> for Uts {
    fn run(&mut self, _running: &Running) -> Totals {
        let mut totals = Totals::ZERO;
        // SAFETY: lace-1; lace-3: the tree and the totals outlive the call.
        unsafe { lyocell_lace_uts(self.tree, &mut totals) };
        totals
    }
}
