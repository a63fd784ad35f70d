//! A join a call.

use std::hint::black_box;

use chili::{Scope, ThreadPool};

use super::Fib;
use crate::engine::{Chili, On};

impl On<Chili> for Fib {
    fn run(&mut self, pool: &ThreadPool) -> u64 {
        fib(&mut pool.scope(), black_box(self.n))
    }
}

fn fib(scope: &mut Scope<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = scope.join(|scope| fib(scope, n - 1), |scope| fib(scope, n - 2));
    a + b
}
