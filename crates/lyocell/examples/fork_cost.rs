//! What a fork costs that nobody steals: a Fibonacci number by its definition, with a `join` for each addition and without.
//!
//! `cargo run --release -p lyocell --example fork_cost`. One worker; the four take turns, and medians are printed, so that a
//! slow spell of the machine hits all alike. Where code lies in memory is a quarter of a nanosecond more or less.

use lyocell::{Pool, Worker};
use std::hint::black_box;
use std::time::Instant;

const N: u64 = 32;
const TURNS: usize = 31;

fn serial(n: u64) -> u64 {
    if n < 2 { n } else { serial(n - 1) + serial(n - 2) }
}

fn by_reference(w: &Worker, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = w.join(|w| by_reference(w, n - 1), |w| by_reference(w, n - 2));
    a + b
}

fn by_move(w: &Worker, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = w.join(move |w| by_move(w, n - 1), move |w| by_move(w, n - 2));
    a + b
}

/// Each join looks up the worker it is on.
fn without_handle(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = lyocell::join(move || without_handle(n - 1), move || without_handle(n - 2));
    a + b
}

/// The number, and how many additions make it.
fn expected(n: u64) -> (u64, u64) {
    let (number, next) = (0..n).fold((0, 1), |(a, b), _| (b, a + b));
    (number, next - 1)
}

/// Nanoseconds an addition.
fn time(fib: impl FnOnce(u64) -> u64) -> f64 {
    let (number, additions) = expected(N);
    let start = Instant::now();
    let answer = fib(black_box(N));
    let time = start.elapsed();
    assert_eq!(answer, number, "fib({N})");
    time.as_nanos() as f64 / additions as f64
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() -> Result<(), lyocell::BuildError> {
    let pool = Pool::builder().workers(1).build()?;
    let turns: Vec<[f64; 4]> = (0..TURNS)
        .map(|_| {
            [
                time(serial),
                time(|n| pool.run(|w| by_reference(w, n))),
                time(|n| pool.run(|w| by_move(w, n))),
                time(|n| pool.run(|_| without_handle(n))),
            ]
        })
        .collect();
    let calls = median(turns.iter().map(|turn| turn[0]).collect());
    println!("an addition of fib({N}), medians of {TURNS} turns:");
    println!("  two calls                                       {calls:5.2} ns");
    for (of, what) in [(1, "by reference"), (2, "by move"), (3, "by move, no handle")] {
        let fork = median(turns.iter().map(|turn| turn[of]).collect());
        let more = median(turns.iter().map(|turn| turn[of] - turn[0]).collect());
        println!(
            "  a join, what it captures {what:<22} {fork:5.2} ns, {more:+.2} ns, {:.2} times",
            fork / calls
        );
    }
    Ok(())
}
