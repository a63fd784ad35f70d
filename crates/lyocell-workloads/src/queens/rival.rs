//! The engine's own program.

use super::Queens;
use crate::engine::On;
use crate::rival::{Rival, Started};

impl On<Rival> for Queens {
    fn run(&mut self, started: &Started) -> u64 {
        // SAFETY: rival-1, rival-2.
        unsafe { (started.kernels.queens)(self.n) }
    }
}
