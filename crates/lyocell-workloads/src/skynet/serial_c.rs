//! The program in `serial.c`.

use super::Skynet;
use crate::engine::On;
use crate::lace::{Compiled, SerialC};

unsafe extern "C" {
    safe fn lyocell_serial_skynet(first: u64, count: u64) -> u64;
}

impl On<SerialC> for Skynet {
    fn run(&mut self, _compiled: Compiled) -> u64 {
        let root = self.root();
        lyocell_serial_skynet(root.first, root.count)
    }
}
