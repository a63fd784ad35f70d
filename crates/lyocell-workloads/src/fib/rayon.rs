//! A join a call.

use std::hint::black_box;

use super::{Fib, down_to};
use crate::engine::{On, Rayon};
use crate::fork::OnRayon;

impl On<Rayon> for Fib {
    fn run(&mut self, (): ()) -> u64 {
        if self.has_cutoff() {
            return down_to(&mut OnRayon, self.n, self.cutoff);
        }
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
