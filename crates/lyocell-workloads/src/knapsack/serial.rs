//! Plain recursion.

use super::{Choice, Knapsack, Sack, Seen};
use crate::engine::{On, Serial};

impl On<Serial> for Knapsack {
    fn run(&mut self, (): ()) -> u32 {
        fill(&self.choice, self.choice.empty_sack())
    }
}

fn fill(choice: &Choice, sack: Sack) -> u32 {
    match choice.look(sack) {
        Seen::Done(value) => value,
        Seen::Open { without, with } => {
            let a = fill(choice, without);
            let b = fill(choice, with);
            choice.better(a, b)
        }
    }
}
