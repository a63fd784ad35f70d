//! Pools of the program's own, and broadcasts.

use crate::{Program, chain, timed};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

pub(crate) const PROGRAMS: &[Program] = &[
    ("pool-built-and-dropped", built_and_dropped),
    ("pool-of-eight-built", || built(8)),
    ("pool-of-one", pool_of_one),
    ("broadcast", broadcast),
    ("broadcast-from-inside", broadcast_from_inside),
    ("scope-broadcast", scope_broadcast),
    ("install-a-thousand", install_a_thousand),
    ("fib-on-eight", fib_on_eight),
    ("scope-on-eight", scope_on_eight),
    ("loop-on-eight", loop_on_eight),
];

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

fn built(threads: usize) -> Result<Duration, String> {
    let all = timed(&(0..20).sum(), || {
        (0..20_u64).map(|i| pool(threads).install(|| rayon::join(|| i, || ())).0).sum::<u64>()
    })?;
    Ok(all / 20)
}

fn built_and_dropped() -> Result<Duration, String> {
    built(rayon::current_num_threads())
}

fn pool_of_one() -> Result<Duration, String> {
    let one = pool(1);
    let expected = (0..1_000_u64).map(|i| chain(50) ^ i).fold(0, |a, b| a ^ b);
    timed(&expected, || {
        one.install(|| (0..1_000).into_par_iter().map(|i| chain(50) ^ i).reduce(|| 0, |a, b| a ^ b))
    })
}

fn broadcast() -> Result<Duration, String> {
    let threads = rayon::current_num_threads();
    timed(&(200 * threads), || {
        (0..200).map(|_| rayon::broadcast(|context| context.num_threads()).len()).sum()
    })
}

fn broadcast_from_inside() -> Result<Duration, String> {
    let threads = rayon::current_num_threads();
    timed(&(200 * threads), || {
        rayon::scope(|_| (0..200).map(|_| rayon::broadcast(|context| context.index()).len()).sum())
    })
}

fn scope_broadcast() -> Result<Duration, String> {
    let threads = rayon::current_num_threads();
    timed(&(100 * threads), || {
        let count = AtomicUsize::new(0);
        for _ in 0..100 {
            rayon::scope(|s| s.spawn_broadcast(|_, _| _ = count.fetch_add(1, Ordering::Relaxed)));
        }
        count.into_inner()
    })
}

fn install_a_thousand() -> Result<Duration, String> {
    let other = pool(rayon::current_num_threads());
    timed(&499_500, || (0..1_000_u64).map(|i| other.install(|| i)).sum())
}

fn fib(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = rayon::join(|| fib(n - 1), || fib(n - 2));
    a + b
}

/// Whatever the number of processors.
fn fib_on_eight() -> Result<Duration, String> {
    let eight = pool(8);
    timed(&75_025, || eight.install(|| fib(25)))
}

fn scope_on_eight() -> Result<Duration, String> {
    let eight = pool(8);
    timed(&2_000, || {
        let count = AtomicUsize::new(0);
        eight.scope(|s| {
            for _ in 0..2_000 {
                s.spawn(|_| _ = count.fetch_add(usize::from(chain(300) > 0), Ordering::Relaxed));
            }
        });
        count.into_inner()
    })
}

fn loop_on_eight() -> Result<Duration, String> {
    let eight = pool(8);
    let expected = (0..5_000_u64).map(|i| chain(300) ^ i).fold(0, |a, b| a ^ b);
    timed(&expected, || {
        eight.install(|| {
            (0..5_000).into_par_iter().map(|i| chain(300) ^ i).reduce(|| 0, |a, b| a ^ b)
        })
    })
}
