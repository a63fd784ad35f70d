//! Too many workers, too little memory, threads that cannot be had.

use crate::common::{fib, pool, pool_of, tick};
use crate::process::isolated;
use crate::system::{addresses_kb, limit_addresses, resident_kb, threads, until_threads};
use lyocell::probe::Counters;
use lyocell::{BuildError, Builder, Caller, ChaseLev, Deque, Pool};
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

on_each_kind_of_deque! { isolated:
    sixty_four_workers_on_a_few_processors,
    memory_that_cannot_be_had,
}

fn sixty_four_workers_on_a_few_processors<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let before = resident_kb();
    let pool = pool_of(&builder, 64);
    for _ in 0..20 {
        assert_eq!(pool.run(|w| fib(w, 22)), 17_711);
    }
    let sum = pool.run(|w| w.map_reduce(0..1_000_000_u64, |i| i, || 0, |a, b| a + b));
    assert_eq!(sum, 499_999_500_000);
    let count = AtomicUsize::new(0);
    pool.scope(|s| {
        for _ in 0..10_000 {
            s.spawn(|_| {
                count.fetch_add(1, Ordering::Relaxed);
            });
        }
    });
    assert_eq!(count.into_inner(), 10_000);
    let used = resident_kb() - before;
    // Tools keep books of every byte; without them a worker is some tens of kilobytes.
    assert!(cfg!(debug_assertions) || used < 20 << 10, "{used} kB for 64 workers that have worked");
}

#[test]
fn sixty_four_idle_workers_use_little_memory() {
    isolated(|| {
        let before = resident_kb();
        let pool = pool(64);
        assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
        let used = resident_kb() - before;
        assert!(cfg!(debug_assertions) || used < 10 << 10, "{used} kB for 64 idle workers");
    });
}

#[test]
fn the_most_workers_there_can_be() {
    isolated(|| {
        let pool = Pool::builder()
            .workers(1023)
            .stack_size(256 << 10)
            .deque_capacity(1000)
            .build()
            .unwrap();
        assert_eq!(pool.run(|w| w.workers()), 1023);
        assert_eq!(pool.run(|w| fib(w, 20)), 6765);
        drop(pool);
        until_threads(threads().min(3));
    });
}

#[test]
fn zero_and_too_many_workers() {
    isolated(|| {
        for asked in [0, 1024, usize::MAX] {
            let error = Pool::builder().workers(asked).build().unwrap_err();
            assert!(matches!(error, BuildError::Workers { asked: told } if told == asked));
        }
    });
}

#[test]
fn a_stack_that_cannot_be_had() {
    isolated(|| {
        let before = threads();
        for bytes in [1_usize << 46, usize::MAX / 2] {
            for (caller, first) in [(Caller::Works, 1), (Caller::Sleeps, 0)] {
                let builder = Pool::builder().workers(3).stack_size(bytes).caller(caller);
                let error = builder.build().unwrap_err();
                let BuildError::Thread { worker, .. } = &error else { panic!("{error}") };
                assert_eq!(*worker, first);
                assert!(error.source().is_some());
            }
        }
        // In a pool of one worker it is the backup thread that cannot start.
        assert!(Pool::builder().workers(1).stack_size(1 << 46).build().is_err());
        assert_eq!(threads(), before);
    });
}

#[test]
fn thread_creation_that_fails_at_some_worker() {
    isolated(|| {
        const STACK: usize = 64 << 20;
        if addresses_kb() > 1 << 32 {
            // A tool has mapped terabytes, and does not survive a limit.
            return;
        }
        let before = threads();
        let (starts, exits) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        limit_addresses((5 * STACK + STACK / 2) >> 10);
        for _ in 0..20 {
            let (on_start, on_exit) = (Arc::clone(&starts), Arc::clone(&exits));
            let error = Pool::builder()
                .workers(16)
                .deque_capacity(100)
                .stack_size(STACK)
                .on_start(move |_| tick(&on_start))
                .on_exit(move |_| tick(&on_exit))
                .build()
                .unwrap_err();
            let BuildError::Thread { worker, .. } = &error else { panic!("{error}") };
            assert!((2..16).contains(worker), "{error}");
            assert!(error.to_string().contains(&format!("worker {worker}")), "{error}");
            // Those before it ran, and were joined.
            assert!(starts.load(Ordering::Relaxed) > 0);
            assert_eq!(starts.load(Ordering::Relaxed), exits.load(Ordering::Relaxed));
            assert_eq!(Arc::strong_count(&starts), 1);
            until_threads(before);
        }
        // There is room for a smaller one.
        let pool = Pool::builder().workers(2).deque_capacity(100).stack_size(1 << 20).build();
        assert_eq!(pool.unwrap().run(|w| fib(w, 15)), 610);
    });
}

fn memory_that_cannot_be_had<D: Deque>(builder: impl Fn() -> Builder<D>) {
    if addresses_kb() > 1 << 32 {
        return;
    }
    let before = threads();
    limit_addresses(1 << 20);
    for (workers, deque_capacity) in [(1, 1 << 25), (64, 1 << 20), (2, (1_usize << 31) - 1)] {
        let error = builder().workers(workers).deque_capacity(deque_capacity).build().unwrap_err();
        let told = (workers, deque_capacity);
        assert!(
            matches!(error, BuildError::Memory { workers, deque_capacity } if (workers, deque_capacity) == told),
            "{error}"
        );
        assert!(error.to_string().contains(&deque_capacity.to_string()), "{error}");
    }
    assert_eq!(threads(), before);
    let pool = builder().workers(2).deque_capacity(1 << 10).build().unwrap();
    assert_eq!(pool.run(|w| fib(w, 15)), 610);
}

/// As deep a deque as the tasks of one range make it, in which none is stolen.
fn depth_of_a_range(pool: &Pool<ChaseLev, Counters>, tasks: usize) -> usize {
    pool.probes().for_each(|probe| probe.reset());
    let sum = pool.run(|w| w.join_range(0..tasks, 0, |_, i| i, |a, b| a + b));
    assert_eq!(sum, tasks * (tasks - 1) / 2);
    pool.probes().map(|probe| probe.counts().peak_depth).max().unwrap()
}

/// From here on the process gets no more memory, and what it has left is in pieces of some 64 kilobytes, until what
/// is returned is dropped.
fn only_small_pieces_of_memory() -> Vec<Vec<u8>> {
    let mut pieces = Vec::with_capacity(1 << 16);
    limit_addresses(0);
    loop {
        let mut piece = Vec::new();
        if piece.try_reserve_exact(64 << 10).is_err() {
            break;
        }
        pieces.push(piece);
    }
    // Every other one is free again.
    let mut count = 0;
    pieces.retain(|_| {
        count += 1;
        count % 2 == 0
    });
    pieces
}

#[test]
fn a_ring_that_cannot_grow() {
    isolated(|| {
        if addresses_kb() > 1 << 32 {
            return;
        }
        const TASKS: usize = 1 << 18;
        let started = Arc::new(AtomicUsize::new(0));
        let starts = Arc::clone(&started);
        let builder = Pool::builder().workers(1).deque_capacity(TASKS);
        let builder = builder.on_start(move |_| tick(&starts));
        let pool = builder.deque::<ChaseLev>().probe::<Counters>().build().unwrap();
        // A thread that starts needs memory.
        while started.load(Ordering::Relaxed) == 0 {
            thread::yield_now();
        }
        let pieces = only_small_pieces_of_memory();
        // The whole ring would have two megabytes.
        let short = depth_of_a_range(&pool, TASKS);
        assert!(short < TASKS / 2, "{short} tasks in a ring that there is no memory for");
        drop(pieces);
        limit_addresses(1 << 20);
        assert_eq!(depth_of_a_range(&pool, TASKS), TASKS - 1);
    });
}
