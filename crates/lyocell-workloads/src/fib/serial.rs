//! Plain recursion.

use std::hint::black_box;

use super::Fib;
use crate::engine::{On, Serial};

impl On<Serial> for Fib {
    fn run(&mut self, (): ()) -> u64 {
        fib(black_box(self.n))
    }
}

pub(super) fn fib(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    fib(n - 1) + fib(n - 2)
}
