//! The engine's own program.

use super::c::Parameters;
use super::{Totals, Uts};
use crate::engine::On;
use crate::rival::{Rival, Started};

impl On<Rival> for Uts {
    fn run(&mut self, started: &Started) -> Totals {
        let (tree, mut totals) = (Parameters::of(self.tree), Totals::ZERO);
        // SAFETY: rival-1, rival-2; rival-3: the tree and the totals outlive the call.
        unsafe { (started.kernels.uts)(&tree, &mut totals) };
        totals
    }
}
