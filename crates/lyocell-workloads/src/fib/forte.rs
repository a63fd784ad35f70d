//! A join a call.

use std::hint::black_box;

use forte::Worker;

use super::{Captures, Fib, down_to};
use crate::engine::{Forte, On};
use crate::fork::OnForte;

impl On<Forte> for Fib {
    fn run(&mut self, worker: &Worker) -> u64 {
        if self.has_cutoff() {
            return down_to(&mut OnForte(worker), self.n, self.cutoff);
        }
        match self.captures {
            Captures::ByMove => fib(worker, black_box(self.n)),
            Captures::ByReference => by_reference(worker, black_box(self.n)),
        }
    }
}

/// Each task has its number with it.
fn fib(worker: &Worker, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = worker.join(move |worker| fib(worker, n - 1), move |worker| fib(worker, n - 2));
    a + b
}

/// The same, where both closures refer to `n`.
fn by_reference(worker: &Worker, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) =
        worker.join(|worker| by_reference(worker, n - 1), |worker| by_reference(worker, n - 2));
    a + b
}
