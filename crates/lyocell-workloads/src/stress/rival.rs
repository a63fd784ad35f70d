//! The engine's own program.

use super::Stress;
use crate::engine::On;
use crate::rival::{Rival, Started};

impl On<Rival> for Stress {
    fn run(&mut self, started: &Started) -> usize {
        // SAFETY: rival-1, rival-2.
        unsafe { (started.kernels.stress)(self.height, self.iterations, self.trees) }
    }
}
