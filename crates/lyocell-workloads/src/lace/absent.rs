//! Stands for Lace and the serial programs in C on a machine without a C compiler.

use super::{Absent, Lace, SerialC};
use crate::engine::On;
use crate::problem::Problem;

/// Nobody can have this.
#[derive(Clone, Copy, Debug)]
pub enum Compiled {}

impl Compiled {
    /// Says that they are not here.
    ///
    /// # Errors
    /// Always.
    pub fn here() -> Result<Compiled, Absent> {
        Err(Absent)
    }
}

impl<P: Problem> On<SerialC> for P {
    fn run(&mut self, compiled: Compiled) -> P::Answer {
        match compiled {}
    }
}

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
