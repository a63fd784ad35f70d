//! Soak: many workers, much of everything, and all is back where it began.
//!
//! `LYOCELL_SOAK_SECONDS` says how long each deque is soaked, where the tests' few rounds are not enough, and
//! `LYOCELL_SOAK_SEED` which programs are drawn: a soak that fails tells its seed.

use crate::common::{fib, tick};
use crate::drawn::{Drawn, number};
use crate::process::{in_a_fork, isolated};
use crate::system::{resident_kb, threads, until_threads};
use lyocell::deque::Interrupts;
use lyocell::{Builder, Deque, Pool, Worker};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

on_each_deque! { isolated: everything_at_random }

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
                        pool.spawn_detached(move |_| tick(&jobs));
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
        let pool = crate::common::pool(WORKERS);
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

/// One round of a pool: calls, scopes, detached and background tasks and forks from several threads at once.
fn round<D: Deque>(pool: &Pool<D>, seed: u64) {
    let detached = Arc::new(AtomicUsize::new(0));
    thread::scope(|threads| {
        for caller in 0..CALLERS as u64 {
            let detached = &detached;
            threads.spawn(move || {
                let drawn = Drawn { seed: seed.wrapping_add(caller << 32), depth: 8 };
                let size = drawn.size();
                let counter = Arc::clone(detached);
                pool.spawn_detached(move |w| {
                    counter.fetch_add(drawn.run(w), Ordering::Relaxed);
                });
                let counter = Arc::clone(detached);
                pool.spawn_background(move |w| {
                    counter.fetch_add(drawn.run(w), Ordering::Relaxed);
                });
                assert_eq!(pool.run(|w| drawn.run(w)), size);
                let scoped = AtomicUsize::new(0);
                pool.scope(|s| {
                    s.spawn(|w| {
                        scoped.fetch_add(drawn.run(w), Ordering::Relaxed);
                    });
                });
                assert_eq!(scoped.into_inner(), size);
                if drawn.draw(3) % 8 == 0 {
                    let small = Drawn { depth: 4, ..drawn };
                    let in_the_child = |w: &Worker<D>| assert_eq!(small.run(w), small.size());
                    pool.run(|w| in_a_fork(|| in_the_child(w)));
                }
            });
        }
    });
    let sizes = (0..CALLERS as u64)
        .map(|caller| Drawn { seed: seed.wrapping_add(caller << 32), depth: 8 }.size());
    // One each is detached, and one in the background.
    let all: usize = 2 * sizes.sum::<usize>();
    while detached.load(Ordering::Relaxed) < all {
        thread::yield_now();
    }
    assert_eq!(detached.load(Ordering::Relaxed), all, "a detached task ran twice");
}

fn everything_at_random<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970");
    let seed = number("LYOCELL_SOAK_SEED").unwrap_or(now.as_nanos() as u64);
    println!("{}: LYOCELL_SOAK_SEED={seed}", D::NAME);
    let (threads_before, memory_before) = (threads(), resident_kb());
    let builder = match D::INTERRUPTS {
        Interrupts::Refused => builder(),
        _ => builder().interrupt(Duration::from_micros(200)),
    };
    let pool = builder.workers(WORKERS).build().expect("a large pool");
    let (start, rounds) = (Instant::now(), if cfg!(debug_assertions) { 2 } else { 100 });
    let seconds = number("LYOCELL_SOAK_SECONDS").map(Duration::from_secs);
    let mut at = 0_u64;
    while seconds.map_or(at < rounds, |seconds| start.elapsed() < seconds) {
        round(&pool, seed.wrapping_add(at.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        at += 1;
    }
    drop(pool);
    until_threads(threads_before);
    let after = resident_kb();
    // As above, and what so many threads have left in the allocator's arenas.
    assert!(
        cfg!(debug_assertions) || after < memory_before + (64 << 10),
        "{memory_before} kB before, {after} kB after"
    );
    println!("{}: {at} rounds, {memory_before} kB before, {after} kB after", D::NAME);
}
