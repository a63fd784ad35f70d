//! A function that takes `&Worker` takes the workers of default pools only.
use lyocell::{ChaseLev, Pool, Worker};

fn fib(w: &Worker, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = w.join(|w| fib(w, n - 1), |w| fib(w, n - 2));
    a + b
}

fn main() {
    let pool = Pool::builder().deque::<ChaseLev>().build().unwrap();
    pool.run(|w| fib(w, 20));
}
