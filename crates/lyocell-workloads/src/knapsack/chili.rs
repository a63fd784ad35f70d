//! A join an item. chili runs the second closure first, so the branch without the item is there.

use chili::Scope;

use super::{Choice, Knapsack, Sack, Seen};
use crate::engine::{Chili, On};

impl On<Chili> for Knapsack {
    fn run(&mut self, scope: &mut Scope<'_>) -> u32 {
        fill(scope, &self.choice, self.choice.empty_sack())
    }
}

fn fill(scope: &mut Scope<'_>, choice: &Choice, sack: Sack) -> u32 {
    match choice.look(sack) {
        Seen::Done(value) => value,
        Seen::Open { without, with } => {
            let (b, a) =
                scope.join(|scope| fill(scope, choice, with), |scope| fill(scope, choice, without));
            choice.better(a, b)
        }
    }
}
