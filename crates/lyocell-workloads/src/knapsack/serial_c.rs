//! The program in `serial.c`.

use super::Knapsack;
use super::c::Parameters;
use crate::engine::On;
use crate::lace::{Compiled, SerialC};

unsafe extern "C" {
    /// What the parameters point to must live; `best` is written to.
    fn lyocell_serial_knapsack(choice: &Parameters, capacity: i32) -> u32;
}

impl On<SerialC> for Knapsack {
    fn run(&mut self, _compiled: Compiled) -> u32 {
        let choice = &*self.choice;
        // SAFETY: the choice outlives the call.
        unsafe { lyocell_serial_knapsack(&Parameters::of(choice), choice.capacity) }
    }
}
