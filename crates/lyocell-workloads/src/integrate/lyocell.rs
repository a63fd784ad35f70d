//! A join an interval that is halved.

use lyocell::{Deque, Probe, Worker};

use super::{Integrate, Interval, Seen};
use crate::engine::{Lyocell, On};

impl<D: Deque, P: Probe> On<Lyocell<D, P>> for Integrate {
    fn run(&mut self, worker: &Worker<D, P>) -> f64 {
        area(worker, self.whole())
    }
}

/// Hands an interval on in registers.
#[inline(always)]
fn area<D: Deque, P: Probe>(worker: &Worker<D, P>, interval: Interval) -> f64 {
    let Interval { from, to, y_from, y_to, area } = interval;
    go(worker, from, to, y_from, y_to, area)
}

fn go<D: Deque, P: Probe>(
    worker: &Worker<D, P>,
    from: f64,
    to: f64,
    y_from: f64,
    y_to: f64,
    whole: f64,
) -> f64 {
    let interval = Interval { from, to, y_from, y_to, area: whole };
    match interval.look() {
        Seen::Flat(area) => area,
        Seen::Halved(first, second) => {
            let (a, b) = worker.join(
                |worker| area(worker, first.reread()),
                |worker| area(worker, second.reread()),
            );
            a + b
        }
    }
}
