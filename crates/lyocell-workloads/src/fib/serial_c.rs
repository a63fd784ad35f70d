//! The program in `serial.c`.

use super::Fib;
use crate::engine::On;
use crate::lace::{Compiled, SerialC};

unsafe extern "C" {
    safe fn lyocell_serial_fib(n: u64) -> u64;
}

impl On<SerialC> for Fib {
    fn run(&mut self, _compiled: Compiled) -> u64 {
        lyocell_serial_fib(self.n)
    }
}
