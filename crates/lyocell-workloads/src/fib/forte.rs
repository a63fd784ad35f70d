//! A join a call.

use std::hint::black_box;

use forte::Worker;

use super::{Fib, down_to};
use crate::engine::{Forte, On};
use crate::fork::OnForte;

impl On<Forte> for Fib {
    fn run(&mut self, worker: &Worker) -> u64 {
        if self.has_cutoff() {
            return down_to(&mut OnForte(worker), self.n, self.cutoff);
        }
        fib(worker, black_box(self.n))
    }
}

fn fib(worker: &Worker, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = worker.join(|worker| fib(worker, n - 1), |worker| fib(worker, n - 2));
    a + b
}
