//! The program in `lace.c`.

use super::Knapsack;
use super::c::Parameters;
use crate::engine::On;
use crate::lace::{Lace, Running};

unsafe extern "C" {
    /// Lace must be running, and what the parameters point to live; `best` is written to by all workers, atomically.
    fn lyocell_lace_knapsack(choice: &Parameters, capacity: i32) -> u32;
}

impl On<Lace> for Knapsack {
    fn run(&mut self, _running: &Running) -> u32 {
        let choice = &*self.choice;
        // SAFETY: lace-1; lace-3: the choice outlives the call.
        unsafe { lyocell_lace_knapsack(&Parameters::of(choice), choice.capacity) }
    }
}
