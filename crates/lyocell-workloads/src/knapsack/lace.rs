//! The program in `lace.c`.

use super::{Item, Knapsack};
use crate::engine::On;
use crate::lace::{Lace, Running};

/// `Choice` for C.
#[repr(C)]
struct Parameters {
    items: *const Item,
    count: u32,
    best: *mut u32,
}

unsafe extern "C" {
    /// Lace must be running, and what the parameters point to live; `best` is written to by all workers, atomically.
    fn lyocell_lace_knapsack(choice: &Parameters, capacity: i32) -> u32;
}

impl On<Lace> for Knapsack {
    fn run(&mut self, _running: &Running) -> u32 {
        let choice = &*self.choice;
        let count = choice.items.len() as u32;
        let parameters =
            Parameters { items: choice.items.as_ptr(), count, best: choice.best.as_ptr() };
        // SAFETY: lace-1; lace-3: the choice outlives the call; nobody else is at `best` meanwhile.
        unsafe { lyocell_lace_knapsack(&parameters, choice.capacity) }
    }
}
