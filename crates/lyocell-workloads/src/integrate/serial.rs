//! Plain recursion.

use super::{Integrate, Interval, Seen};
use crate::engine::{On, Serial};

impl On<Serial> for Integrate {
    fn run(&mut self, (): ()) -> f64 {
        area(self.whole())
    }
}

fn area(interval: Interval) -> f64 {
    match interval.look() {
        Seen::Flat(area) => area,
        Seen::Halved(first, second) => area(first) + area(second),
    }
}
