//! The program in `lace.c`.

use super::{Integrate, Interval, TOLERANCE};
use crate::engine::On;
use crate::lace::{Lace, Running};

unsafe extern "C" {
    /// Lace must be running.
    fn lyocell_lace_integrate(whole: &Interval, tolerance: f64) -> f64;
}

impl On<Lace> for Integrate {
    fn run(&mut self, _running: &Running) -> f64 {
        // SAFETY: lace-1; lace-3: the interval outlives the call.
        unsafe { lyocell_lace_integrate(&self.whole(), TOLERANCE) }
    }
}
