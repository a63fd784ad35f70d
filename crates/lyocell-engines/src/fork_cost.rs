//! What a `join` costs that nobody steals, over a call: a Fibonacci number by its definition, with a `join` for each addition and
//! without, on one worker. The recursion is short, so that hardly any is interrupted, and the ways take turns: what is slow for
//! a while is so for all.

use std::hint::black_box;
use std::time::Instant;

use lyocell::{BuildError, Pool, Worker};

/// About a tenth of a millisecond.
const N: u64 = 24;

/// Two calls, and no join.
pub const CALLS: &str = "two calls";

/// The ways to write a join, as tables name them.
pub const WAYS: [&str; 3] =
    ["by move, with a handle", "by reference, with a handle", "by move, without a handle"];

/// What an addition takes, in seconds: two calls, and each of [`WAYS`], in turn.
///
/// # Errors
/// A pool of one worker cannot be built.
pub fn fork_costs(turns: usize) -> Result<Vec<[f64; 1 + WAYS.len()]>, BuildError> {
    let pool = Pool::builder().workers(1).build()?;
    let turn = |_| {
        [
            time(serial),
            time(|n| pool.run(|w| by_move(w, n))),
            time(|n| pool.run(|w| by_reference(w, n))),
            time(|n| pool.run(|_| without_handle(n))),
        ]
    };
    Ok((0..turns).map(turn).collect())
}

fn serial(n: u64) -> u64 {
    if n < 2 { n } else { serial(n - 1) + serial(n - 2) }
}

fn by_move(w: &Worker, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = w.join(move |w| by_move(w, n - 1), move |w| by_move(w, n - 2));
    a + b
}

fn by_reference(w: &Worker, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = w.join(|w| by_reference(w, n - 1), |w| by_reference(w, n - 2));
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

/// Seconds an addition.
///
/// # Panics
/// If the answer is wrong.
fn time(fib: impl FnOnce(u64) -> u64) -> f64 {
    let (number, next) = (0..N).fold((0_u64, 1_u64), |(a, b), _| (b, a + b));
    let start = Instant::now();
    let answer = fib(black_box(N));
    let time = start.elapsed();
    assert_eq!(answer, number, "fib({N})");
    time.as_secs_f64() / (next - 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_computes_the_number_in_every_turn() {
        let turns = fork_costs(3).unwrap();
        assert_eq!(turns.len(), 3);
        assert!(turns.iter().flatten().all(|&seconds| seconds > 0.0));
    }
}
