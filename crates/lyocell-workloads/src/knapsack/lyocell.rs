//! A join an item.

use lyocell::{Deque, Probe, Worker};

use super::{Choice, Knapsack, Sack, Seen};
use crate::engine::{Lyocell, On};

impl<D: Deque, P: Probe> On<Lyocell<D, P>> for Knapsack {
    fn run(&mut self, worker: &Worker<D, P>) -> u32 {
        fill(worker, &self.choice, self.choice.empty_sack())
    }
}

fn fill<D: Deque, P: Probe>(worker: &Worker<D, P>, choice: &Choice, sack: Sack) -> u32 {
    match choice.look(sack) {
        Seen::Done(value) => value,
        Seen::Open { without, with } => {
            let (a, b) = worker
                .join(|worker| fill(worker, choice, without), |worker| fill(worker, choice, with));
            choice.better(a, b)
        }
    }
}
