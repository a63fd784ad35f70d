//! The program in `lace.c`.

use super::c::Parameters;
use super::{Totals, Uts};
use crate::engine::On;
use crate::lace::{Lace, Running};

unsafe extern "C" {
    /// Lace must be running.
    fn lyocell_lace_uts(tree: &Parameters, totals: &mut Totals);
}

impl On<Lace> for Uts {
    fn run(&mut self, _running: &Running) -> Totals {
        let (tree, mut totals) = (Parameters::of(self.tree), Totals::ZERO);
        // SAFETY: lace-1; lace-3: the tree and the totals outlive the call.
        unsafe { lyocell_lace_uts(&tree, &mut totals) };
        totals
    }
}
