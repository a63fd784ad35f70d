//! Recursions of joins, and calls from outside.

use crate::{Program, chain, timed};
use rayon::join;
use std::thread::sleep;
use std::time::{Duration, Instant};

pub(crate) const PROGRAMS: &[Program] = &[
    ("join", || recursion(30)),
    ("tree", || timed(&((1 << 21) - 1), || rayon::scope(|_| nodes(20)))),
    ("queens", || timed(&14_200, || queens(12, 0, 0, 0))),
    ("install-awake", || call(Duration::ZERO, |work| rayon::scope(|_| work()))),
    ("install-parked", || call(ASLEEP, |work| rayon::scope(|_| work()))),
    ("join-awake", || call(Duration::ZERO, |work| join(work, || ()).0)),
    ("join-parked", || call(ASLEEP, |work| join(work, || ()).0)),
    ("scope-spawn", scope_of_spawns),
];

/// The grain is a handful of instructions.
fn fib(n: u32) -> u64 {
    if n < 2 {
        return n.into();
    }
    let (a, b) = join(|| fib(n - 1), || fib(n - 2));
    a + b
}

fn recursion(n: u32) -> Result<Duration, String> {
    let expected = (2..=n).fold((0, 1), |(a, b), _| (b, a + b)).1;
    timed(&expected, || fib(n))
}

fn nodes(depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let (a, b) = join(|| nodes(depth - 1), || nodes(depth - 1));
    a + b + 1
}

/// How many ways there are to go on from a row, given the columns and diagonals that are taken.
fn queens(rows: u32, columns: u32, left: u32, right: u32) -> u64 {
    const SIZE: u32 = 12;
    if rows == 0 {
        return 1;
    }
    let free = ((1 << SIZE) - 1) & !(columns | left | right);
    ways(rows, free, columns, left, right)
}

/// The ways by the places of a row that are left: those of half of them, and those of the others.
fn ways(rows: u32, free: u32, columns: u32, left: u32, right: u32) -> u64 {
    if free == 0 {
        return 0;
    }
    let place = free & free.wrapping_neg();
    let rest = free & !place;
    let first =
        move || queens(rows - 1, columns | place, (left | place) << 1, (right | place) >> 1);
    if rest == 0 {
        return first();
    }
    let (a, b) = join(first, move || ways(rows, rest, columns, left, right));
    a + b
}

/// In such a pause a pool falls asleep.
const ASLEEP: Duration = Duration::from_millis(5);

/// A microsecond of work, given to the pool from outside again and again, after a pause.
fn call(pause: Duration, run: fn(fn() -> u64) -> u64) -> Result<Duration, String> {
    let calls = if pause.is_zero() { 2_000 } else { 100 };
    let work = || chain(700);
    let expected = work();
    let mut spent = Duration::ZERO;
    for _ in 0..calls {
        if !pause.is_zero() {
            sleep(pause);
        }
        let begin = Instant::now();
        let answer = run(work);
        spent += begin.elapsed();
        if answer != expected {
            return Err(format!("{answer}, and not {expected}"));
        }
    }
    Ok(spent / calls)
}

fn scope_of_spawns() -> Result<Duration, String> {
    use std::sync::atomic::{AtomicU64, Ordering};
    const SPAWNS: u64 = 20_000;
    timed(&(SPAWNS * (SPAWNS - 1) / 2), || {
        let sum = AtomicU64::new(0);
        rayon::scope(|s| {
            for i in 0..SPAWNS {
                let sum = &sum;
                s.spawn(move |_| _ = sum.fetch_add(i, Ordering::Relaxed));
            }
        });
        sum.into_inner()
    })
}
