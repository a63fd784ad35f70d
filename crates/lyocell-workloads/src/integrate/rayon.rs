//! A join an interval that is halved.

use super::{Integrate, Interval, Seen};
use crate::engine::{On, Rayon};

impl On<Rayon> for Integrate {
    fn run(&mut self, (): ()) -> f64 {
        area(self.whole())
    }
}

/// Hands an interval on in registers.
#[inline(always)]
fn area(interval: Interval) -> f64 {
    let Interval { from, to, y_from, y_to, area } = interval;
    go(from, to, y_from, y_to, area)
}

fn go(from: f64, to: f64, y_from: f64, y_to: f64, whole: f64) -> f64 {
    let interval = Interval { from, to, y_from, y_to, area: whole };
    match interval.look() {
        Seen::Flat(area) => area,
        Seen::Halved(first, second) => {
            let (a, b) = rayon::join(|| area(first.reread()), || area(second.reread()));
            a + b
        }
    }
}
