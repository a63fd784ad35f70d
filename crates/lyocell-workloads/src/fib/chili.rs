//! A join a call.

use std::hint::black_box;

use chili::Scope;

use super::{Fib, down_to};
use crate::engine::{Chili, On};

impl On<Chili> for Fib {
    fn run(&mut self, scope: &mut Scope<'_>) -> u64 {
        if self.has_cutoff() {
            return down_to(scope, self.n, self.cutoff);
        }
        fib(scope, black_box(self.n))
    }
}

fn fib(scope: &mut Scope<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = scope.join(|scope| fib(scope, n - 1), |scope| fib(scope, n - 2));
    a + b
}
