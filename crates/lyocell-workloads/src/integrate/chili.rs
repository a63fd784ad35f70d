//! A join an interval that is halved.

use chili::Scope;

use super::{Integrate, Interval, Seen};
use crate::engine::{Chili, On};

impl On<Chili> for Integrate {
    fn run(&mut self, scope: &mut Scope<'_>) -> f64 {
        area(scope, self.whole())
    }
}

/// Hands an interval on in registers.
#[inline(always)]
fn area(scope: &mut Scope<'_>, interval: Interval) -> f64 {
    let Interval { from, to, y_from, y_to, area } = interval;
    go(scope, from, to, y_from, y_to, area)
}

fn go(scope: &mut Scope<'_>, from: f64, to: f64, y_from: f64, y_to: f64, whole: f64) -> f64 {
    let interval = Interval { from, to, y_from, y_to, area: whole };
    match interval.look() {
        Seen::Flat(area) => area,
        Seen::Halved(first, second) => {
            let (b, a) = scope
                .join(|scope| area(scope, second.reread()), |scope| area(scope, first.reread()));
            a + b
        }
    }
}
