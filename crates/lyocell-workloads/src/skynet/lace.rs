//! The program in `lace.c`.

use super::Skynet;
use crate::engine::On;
use crate::lace::{Lace, Running};

unsafe extern "C" {
    /// Lace must be running.
    fn lyocell_lace_skynet(first: u64, count: u64) -> u64;
}

impl On<Lace> for Skynet {
    fn run(&mut self, _running: &Running) -> u64 {
        let root = self.root();
        // SAFETY: lace-1.
        unsafe { lyocell_lace_skynet(root.first, root.count) }
    }
}
