//! A join a call.

use std::hint::black_box;

use chili::Scope;

use super::{Captures, Fib, down_to};
use crate::engine::{Chili, On};

impl On<Chili> for Fib {
    fn run(&mut self, scope: &mut Scope<'_>) -> u64 {
        if self.has_cutoff() {
            return down_to(scope, self.n, self.cutoff);
        }
        match self.captures {
            Captures::ByMove => fib(scope, black_box(self.n)),
            Captures::ByReference => by_reference(scope, black_box(self.n)),
        }
    }
}

/// Each task has its number with it.
fn fib(scope: &mut Scope<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = scope.join(move |scope| fib(scope, n - 1), move |scope| fib(scope, n - 2));
    a + b
}

/// The same, where both closures refer to `n`.
fn by_reference(scope: &mut Scope<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = scope.join(|scope| by_reference(scope, n - 1), |scope| by_reference(scope, n - 2));
    a + b
}
