//! The engine's own program; with a cut-off, over its join.

use super::{Fib, down_to};
use crate::engine::On;
use crate::fork::on_rival;
use crate::rival::{Rival, Started};

impl On<Rival> for Fib {
    fn run(&mut self, started: &Started) -> u64 {
        if self.has_cutoff() {
            return on_rival(started, |fork| down_to(fork, self.n, self.cutoff));
        }
        // SAFETY: rival-1, rival-2.
        unsafe { (started.kernels.fib)(self.n) }
    }
}
