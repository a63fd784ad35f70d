//! A join a call.

use std::hint::black_box;

use super::{Captures, Fib, down_to};
use crate::engine::{On, Rayon};
use crate::fork::OnRayon;

impl On<Rayon> for Fib {
    fn run(&mut self, (): ()) -> u64 {
        if self.has_cutoff() {
            return down_to(&mut OnRayon, self.n, self.cutoff);
        }
        match self.captures {
            Captures::ByMove => fib(black_box(self.n)),
            Captures::ByReference => by_reference(black_box(self.n)),
        }
    }
}

/// Each task has its number with it.
fn fib(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = rayon::join(move || fib(n - 1), move || fib(n - 2));
    a + b
}

/// The same, where both closures refer to `n`.
fn by_reference(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = rayon::join(|| by_reference(n - 1), || by_reference(n - 2));
    a + b
}
