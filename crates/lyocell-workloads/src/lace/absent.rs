//! Stands for Lace on a machine without a C compiler.

use super::{Absent, Lace};
use crate::engine::On;
use crate::problem::Problem;

/// Nobody can have this.
#[derive(Clone, Copy, Debug)]
pub enum Running {}

impl Running {
    /// Says that it is not here.
    ///
    /// # Errors
    /// Always.
    pub fn start(_workers: usize) -> Result<Running, Absent> {
        Err(Absent)
    }
}

impl<P: Problem> On<Lace> for P {
    fn run(&mut self, running: &Running) -> P::Answer {
        match *running {}
    }
}
