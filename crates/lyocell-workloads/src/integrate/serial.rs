//! Plain recursion.

use super::{Integrate, Interval, Seen};
use crate::engine::{On, Serial};

impl On<Serial> for Integrate {
    fn run(&mut self, (): ()) -> f64 {
        self.whole().hand_on(go)
    }
}

fn go(from: f64, to: f64, y_from: f64, y_to: f64, whole: f64) -> f64 {
    let interval = Interval { from, to, y_from, y_to, area: whole };
    match interval.look() {
        Seen::Flat(area) => area,
        Seen::Halved(first, second) => first.hand_on(go) + second.hand_on(go),
    }
}
