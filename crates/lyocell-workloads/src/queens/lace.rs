//! The program in `lace.c`.

use super::Queens;
use crate::engine::On;
use crate::lace::{Lace, Running};

unsafe extern "C" {
    /// Lace must be running.
    fn lyocell_lace_queens(n: u32) -> u64;
}

impl On<Lace> for Queens {
    fn run(&mut self, _running: &Running) -> u64 {
        // SAFETY: lace-1.
        unsafe { lyocell_lace_queens(self.n) }
    }
}
