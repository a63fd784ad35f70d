//! The program in `lace.c`.

use super::Fib;
use crate::engine::On;
use crate::lace::{Lace, Running};

unsafe extern "C" {
    /// Lace must be running.
    fn lyocell_lace_fib(n: u64) -> u64;
}

impl On<Lace> for Fib {
    fn run(&mut self, _running: &Running) -> u64 {
        // SAFETY: lace-1.
        unsafe { lyocell_lace_fib(self.n) }
    }
}
