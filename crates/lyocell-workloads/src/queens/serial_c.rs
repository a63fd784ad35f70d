//! The program in `serial.c`.

use super::Queens;
use crate::engine::On;
use crate::lace::{Compiled, SerialC};

unsafe extern "C" {
    safe fn lyocell_serial_queens(n: u32) -> u64;
}

impl On<SerialC> for Queens {
    fn run(&mut self, _compiled: Compiled) -> u64 {
        lyocell_serial_queens(self.n)
    }
}
