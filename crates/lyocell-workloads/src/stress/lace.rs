//! The program in `lace.c`.

use super::Stress;
use crate::engine::On;
use crate::lace::{Lace, Running};

unsafe extern "C" {
    /// Lace must be running.
    fn lyocell_lace_stress(height: u32, iterations: u64, trees: u64) -> usize;
}

impl On<Lace> for Stress {
    fn run(&mut self, _running: &Running) -> usize {
        // SAFETY: lace-1.
        unsafe { lyocell_lace_stress(self.height, self.iterations, self.trees) }
    }
}
