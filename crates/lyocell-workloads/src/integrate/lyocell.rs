//! A join an interval that is halved.

use lyocell::{Deque, Probe, Worker};

use super::{Integrate, Interval, Seen};
use crate::engine::{Lyocell, On};

impl<D: Deque, P: Probe> On<Lyocell<D, P>> for Integrate {
    fn run(&mut self, worker: &Worker<D, P>) -> f64 {
        area(worker, self.whole())
    }
}

fn area<D: Deque, P: Probe>(worker: &Worker<D, P>, interval: Interval) -> f64 {
    match interval.look() {
        Seen::Flat(area) => area,
        Seen::Halved(first, second) => {
            let (a, b) = worker.join(|worker| area(worker, first), |worker| area(worker, second));
            a + b
        }
    }
}
