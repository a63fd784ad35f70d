//! rayon, on the drop-in.

use crate::Check;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) const CHECKS: &[Check] = &[
    ("rayon: join", || {
        fn fib(n: u64) -> u64 {
            if n < 2 {
                return n;
            }
            let (a, b) = rayon::join(|| fib(n - 1), || fib(n - 2));
            a + b
        }
        fib(15)
    }),
    ("rayon: iterators", || {
        let values: Vec<u64> = (0..10_000).into_par_iter().map(|i| i * 3).collect();
        let sum: u64 = values.par_iter().filter(|value| *value % 2 == 0).sum();
        let words = "there are no threads here".split(' ').par_bridge();
        sum + words.map(|word| word.len() as u64).sum::<u64>()
    }),
    ("rayon: sorts", || {
        let mut values: Vec<u64> = (0..20_000).map(|i| i * 2_654_435_761 % 1_000_003).collect();
        values.par_sort_unstable();
        u64::from(values.is_sorted())
    }),
    ("rayon: scopes", || {
        let mut results = [0_u64; 8];
        rayon::scope(|s| {
            results.iter_mut().for_each(|result| s.spawn(move |s| s.spawn(|_| *result = 2)));
        });
        let mut last = 0;
        rayon::in_place_scope_fifo(|s| s.spawn_fifo(|_| last = 1));
        results.iter().sum::<u64>() + last
    }),
    ("rayon: spawned tasks are run", || {
        let count = Arc::new(AtomicU64::new(0));
        let task = Arc::clone(&count);
        rayon::spawn(move || _ = task.fetch_add(1, Ordering::Relaxed));
        let one = count.load(Ordering::Relaxed);
        let task = Arc::clone(&count);
        rayon::spawn(move || rayon::spawn(move || _ = task.fetch_add(1, Ordering::Relaxed)));
        one * 10 + count.load(Ordering::Relaxed)
    }),
    ("rayon: threads", || {
        let broadcast: u64 =
            rayon::broadcast(|b| b.num_threads() as u64 + b.index() as u64).iter().sum();
        rayon::current_num_threads() as u64 * 10 + broadcast
    }),
    ("rayon: a pool of its own", || {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        let sum: u64 = pool.install(|| (0..100_u64).into_par_iter().sum());
        let count = Arc::new(AtomicU64::new(0));
        let task = Arc::clone(&count);
        pool.spawn(move || _ = task.fetch_add(1, Ordering::Relaxed));
        drop(pool);
        sum + count.load(Ordering::Relaxed)
    }),
    ("rayon: there is one global pool", || {
        let first = rayon::join(|| (), rayon::current_num_threads).1 as u64;
        let again = rayon::ThreadPoolBuilder::new().build_global();
        first + u64::from(again.is_err()) + u64::from(rayon::yield_now().is_none())
    }),
];
