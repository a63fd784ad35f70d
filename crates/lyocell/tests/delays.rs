//! Programs at random on pools whose threads come late at any access of a word that they share (`--cfg delays`).
//!
//! `RUSTFLAGS="--cfg delays" CARGO_TARGET_DIR=target/delays cargo test --release -p lyocell --test delays`. What is wrong
//! with a protocol shows as a wrong sum, a crash, or a test that never ends. `LYOCELL_DELAYS_ROUNDS` says how many programs each
//! deque runs, `LYOCELL_DELAYS_SEED` which. All of it with the asymmetric barrier, without, and where it is refused at its first
//! use or in the middle of a pool's life.
#![cfg(all(delays, target_os = "linux"))]

#[path = "common/barrier_filter.rs"]
mod barrier_filter;
mod common;
#[path = "common/drawn.rs"]
mod drawn;
#[macro_use]
#[path = "common/each_deque.rs"]
mod each_deque;
#[path = "common/process.rs"]
mod process;

use barrier_filter::{Refused, refuse};
use drawn::{Drawn, number};
use lyocell::{Builder, Deque, Pool};
use process::isolated;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::SystemTime;

on_each_deque! {
    isolated: with_the_barrier, refused_at_once, refused_at_its_first_use, refused_in_the_middle
}

/// How many programs a pool runs.
const ROUNDS_OF_A_POOL: u64 = 50;

/// Two calls from other threads, a detached task and one in the background, at once.
fn round<D: Deque>(pool: &Pool<D>, seed: u64) {
    let program = |number: u64| Drawn { seed: seed.wrapping_add(number << 32), depth: 4 };
    let (detached, ended) = (program(0), Arc::new(AtomicUsize::new(0)));
    let end = Arc::clone(&ended);
    pool.spawn_detached(move |w| {
        end.fetch_add(detached.run(w), Ordering::Relaxed);
    });
    let (background, end) = (program(3), Arc::clone(&ended));
    pool.spawn_background(move |w| {
        end.fetch_add(background.run(w), Ordering::Relaxed);
    });
    thread::scope(|threads| {
        for number in 1..=2 {
            threads.spawn(move || {
                let program = program(number);
                assert_eq!(pool.run(|w| program.run(w)), program.size(), "seed {seed}");
            });
        }
    });
    let both = detached.size() + background.size();
    while ended.load(Ordering::Relaxed) < both {
        thread::yield_now();
    }
    assert_eq!(ended.load(Ordering::Relaxed), both, "seed {seed}");
}

fn with_the_barrier<D: Deque>(builder: impl Fn() -> Builder<D>) {
    run_programs(builder, |_| ());
}

fn refused_at_once<D: Deque>(builder: impl Fn() -> Builder<D>) {
    refuse(Refused::All);
    run_programs(builder, |_| ());
}

fn refused_at_its_first_use<D: Deque>(builder: impl Fn() -> Builder<D>) {
    refuse(Refused::Use);
    run_programs(builder, |_| ());
}

/// Once in a process, so this wants to be run often, not long.
fn refused_in_the_middle<D: Deque>(builder: impl Fn() -> Builder<D>) {
    run_programs(builder, |round| {
        if round == ROUNDS_OF_A_POOL / 2 {
            thread::spawn(|| refuse(Refused::All));
        }
    });
}

/// Runs drawn programs; before each, `prepare` is called with its number.
fn run_programs<D: Deque>(builder: impl Fn() -> Builder<D>, prepare: impl Fn(u64)) {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970");
    let seed = number("LYOCELL_DELAYS_SEED").unwrap_or(now.as_nanos() as u64);
    let rounds = number("LYOCELL_DELAYS_ROUNDS").unwrap_or(100);
    println!("{}: LYOCELL_DELAYS_SEED={seed}", D::NAME);
    for first in (0..rounds).step_by(ROUNDS_OF_A_POOL as usize) {
        let workers = 2 + (first / ROUNDS_OF_A_POOL % 3) as usize;
        let pool = builder().workers(workers).build().expect("a small pool");
        for at in first..rounds.min(first + ROUNDS_OF_A_POOL) {
            prepare(at);
            round(&pool, seed.wrapping_add(at.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        }
    }
}
