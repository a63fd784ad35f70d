//! The program in `serial.c`.

use super::{Integrate, Interval, TOLERANCE};
use crate::engine::On;
use crate::lace::{Compiled, SerialC};

unsafe extern "C" {
    safe fn lyocell_serial_integrate(whole: &Interval, tolerance: f64) -> f64;
}

impl On<SerialC> for Integrate {
    fn run(&mut self, _compiled: Compiled) -> f64 {
        lyocell_serial_integrate(&self.whole(), TOLERANCE)
    }
}
