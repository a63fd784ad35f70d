//! A join a call.

use std::hint::black_box;

use super::Fib;
use crate::engine::{On, Rayon};

impl On<Rayon> for Fib {
    fn run(&mut self, (): ()) -> u64 {
        fib(black_box(self.n))
    }
}

fn fib(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = rayon::join(|| fib(n - 1), || fib(n - 2));
    a + b
}
