//! A join an interval that is halved.

use chili::Scope;

use super::{Integrate, Interval, Seen};
use crate::engine::{Chili, On};

impl On<Chili> for Integrate {
    fn run(&mut self, scope: &mut Scope<'_>) -> f64 {
        area(scope, self.whole())
    }
}

fn area(scope: &mut Scope<'_>, interval: Interval) -> f64 {
    match interval.look() {
        Seen::Flat(area) => area,
        Seen::Halved(first, second) => {
            let (a, b) = scope.join(|scope| area(scope, first), |scope| area(scope, second));
            a + b
        }
    }
}
