//! A join a call.

use std::hint::black_box;

use lyocell::{Deque, Probe, Worker};

use super::{Captures, Fib, down_to};
use crate::engine::{Lyocell, On};
use crate::fork::OnWorker;

impl<D: Deque, P: Probe> On<Lyocell<D, P>> for Fib {
    fn run(&mut self, worker: &Worker<D, P>) -> u64 {
        if self.has_cutoff() {
            return down_to(&mut OnWorker(worker), self.n, self.cutoff);
        }
        match self.captures {
            Captures::ByMove => fib(worker, black_box(self.n)),
            Captures::ByReference => by_reference(worker, black_box(self.n)),
        }
    }
}

/// Each task has its number with it.
fn fib<D: Deque, P: Probe>(worker: &Worker<D, P>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = worker.join(move |worker| fib(worker, n - 1), move |worker| fib(worker, n - 2));
    a + b
}

/// The same, where both closures refer to `n`.
fn by_reference<D: Deque, P: Probe>(worker: &Worker<D, P>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) =
        worker.join(|worker| by_reference(worker, n - 1), |worker| by_reference(worker, n - 2));
    a + b
}
