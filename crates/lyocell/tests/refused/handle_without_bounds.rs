//! A function for workers of every pool names what their deques and probes are.
use lyocell::Worker;

fn depth<D, P>(w: &Worker<D, P>) -> usize {
    w.workers()
}

fn main() {}
