//! Fibonacci numbers, one task for every call: all fork and join, no work. What this loses to plain
//! recursion is what a fork costs.
//!
//! `cargo run --release --example fib -p lyocell [N]`

use lyocell::{Pool, Worker};
use std::error::Error;
use std::time::{Duration, Instant};

/// No cut-off: the smallest call is as good a task as any.
fn fib(w: &Worker, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = w.join(|w| fib(w, n - 1), |w| fib(w, n - 2));
    a + b
}

/// What the parallel one is measured against.
fn serial(n: u64) -> u64 {
    if n < 2 { n } else { serial(n - 1) + serial(n - 2) }
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}

fn main() -> Result<(), Box<dyn Error>> {
    let n = std::env::args().nth(1).map_or(Ok(38), |n| n.parse())?;
    let (expected, time) = timed(|| serial(n));
    println!("fib({n}) = {expected}");
    println!("serial     {time:10.1?}");
    let one = Pool::builder().workers(1).build()?;
    // As many workers as there are processors; this thread is one of them while it is in `run`.
    for pool in [one, Pool::new()?] {
        let (answer, time) = timed(|| pool.run(|w| fib(w, n)));
        assert_eq!(answer, expected);
        println!("{} worker(s) {time:9.1?}", pool.workers());
    }
    Ok(())
}
