//! Fibonacci numbers, a task for every call: all fork and join, no work.

use lyocell::{Pool, Worker};
use std::time::Instant;

fn fib(w: &Worker, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = w.join(|w| fib(w, n - 1), |w| fib(w, n - 2));
    a + b
}

fn serial(n: u64) -> u64 {
    if n < 2 { n } else { serial(n - 1) + serial(n - 2) }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n = std::env::args().nth(1).map_or(Ok(35), |text| text.parse())?;
    let pool = Pool::new()?;
    for _ in 0..5 {
        let start = Instant::now();
        let parallel = pool.run(|w| fib(w, n));
        let took = start.elapsed();
        let start = Instant::now();
        assert_eq!(parallel, serial(n));
        println!(
            "fib({n}) = {parallel}: {took:.1?} on {} workers, {:.1?} serial",
            pool.workers(),
            start.elapsed()
        );
    }
    Ok(())
}
