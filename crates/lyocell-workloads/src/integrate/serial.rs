//! Plain recursion.

use super::{Integrate, Interval, Seen};
use crate::engine::{On, Serial};

impl On<Serial> for Integrate {
    fn run(&mut self, (): ()) -> f64 {
        area(self.whole())
    }
}

fn area(interval: Interval) -> f64 {
    let Interval { from, to, y_from, y_to, area } = interval;
    go(from, to, y_from, y_to, area)
}

/// With an interval in registers.
fn go(from: f64, to: f64, y_from: f64, y_to: f64, area: f64) -> f64 {
    match (Interval { from, to, y_from, y_to, area }).look() {
        Seen::Flat(area) => area,
        Seen::Halved(a, b) => {
            let first = go(a.from, a.to, a.y_from, a.y_to, a.area);
            first + go(b.from, b.to, b.y_from, b.y_to, b.area)
        }
    }
}
