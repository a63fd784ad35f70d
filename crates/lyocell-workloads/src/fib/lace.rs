//! The program in `lace.c`.

use super::Fib;
use crate::engine::On;
use crate::lace::{Lace, Running};

unsafe extern "C" {
    /// Lace must be running.
    fn lyocell_lace_fib(n: u64) -> u64;

    /// The same with numbers up to `cutoff` without tasks.
    fn lyocell_lace_fib_down_to(n: u64, cutoff: u64) -> u64;
}

impl On<Lace> for Fib {
    fn run(&mut self, _running: &Running) -> u64 {
        if self.has_cutoff() {
            // SAFETY: lace-1.
            return unsafe { lyocell_lace_fib_down_to(self.n, self.cutoff) };
        }
        // SAFETY: lace-1.
        unsafe { lyocell_lace_fib(self.n) }
    }
}
