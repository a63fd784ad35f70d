//! Soak: many small runs on many workers, and everything is back where it began.
#![cfg(all(target_os = "linux", not(miri)))]

mod common;
#[path = "common/process.rs"]
mod process;
#[path = "common/system.rs"]
mod system;

use common::{fib, tick};
use process::isolated;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use system::{resident_kb, threads, until_threads};

const WORKERS: usize = 64;
const CALLERS: usize = 4;
/// Fewer where a tool slows everything down.
const RUNS: usize = if cfg!(debug_assertions) { 20_000 } else { 1_000_000 };

/// So many small runs, from all callers together.
fn run_often(pool: &lyocell::Pool, runs: usize) {
    let (tasks, jobs) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
    thread::scope(|threads| {
        for _ in 0..CALLERS {
            threads.spawn(|| {
                for run in 0..runs / CALLERS {
                    let sum = pool.run(|w| {
                        tick(&tasks);
                        let (a, b) = w.join(|w| fib(w, 4), |w| fib(w, 3));
                        a + b
                    });
                    assert_eq!(sum, 5);
                    if run % 100 == 0 {
                        let jobs = Arc::clone(&jobs);
                        pool.spawn(move |_| tick(&jobs));
                        pool.scope(|s| s.spawn(|_| tick(&tasks)));
                    }
                }
            });
        }
    });
    let extra = CALLERS * (runs / CALLERS).div_ceil(100);
    assert_eq!(tasks.into_inner(), runs / CALLERS * CALLERS + extra);
    while jobs.load(Ordering::Relaxed) < extra {
        thread::yield_now();
    }
}

#[test]
fn a_million_small_runs_on_sixty_four_workers() {
    isolated(|| {
        let (threads_before, memory_before) = (threads(), resident_kb());
        let pool = common::pool(WORKERS);
        run_often(&pool, RUNS / 10);
        let early = resident_kb();
        run_often(&pool, RUNS - RUNS / 10);
        let late = resident_kb();
        assert!(cfg!(debug_assertions) || late < early + 4096, "{early} kB grew to {late} kB");
        // The callers have returned, but their threads may be on the way out yet.
        until_threads(threads_before + WORKERS - 1);
        drop(pool);
        until_threads(threads_before);
        let after = resident_kb();
        // What is left are the allocator's arenas, one for every few threads that ever were.
        assert!(
            cfg!(debug_assertions) || after < memory_before + (16 << 10),
            "{memory_before} kB before, {after} kB after"
        );
    });
}
