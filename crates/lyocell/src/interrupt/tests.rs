//! Signals at 10 kHz at every worker, wanted or not.

use crate::deque::{
    Acquire, Amount, Attempts, Deque, HandOver, Receiver, ReceiverOptions, Sender, SenderOptions,
    Share, Split, SplitOptions,
};
use crate::pool::Pool;
use crate::probe::{Counters, Event, Probe};
use crate::scheduler::Registry;
use crate::scheduler::Worker;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

const PERIOD: Duration = Duration::from_micros(100);

/// Signals all occupants at 10 kHz, as if all were asked and withheld something, until it is dropped.
struct Hammer<'a>(&'a AtomicBool);

impl Drop for Hammer<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn hammer<D: Deque, P: Probe>(registry: &Registry<D, P>, over: &AtomicBool) {
    let ticker = registry.ticker.as_ref().expect("the pool was built with interrupts");
    while !over.load(Ordering::Relaxed) {
        for worker in &registry.workers[..] {
            worker.owner.deque.request();
            ticker.interrupt(worker);
        }
        thread::sleep(PERIOD);
    }
}

/// How often workers have been interrupted.
fn interrupts<D: Deque, P: Probe>(pool: &Pool<D, P>) -> usize {
    pool.interrupts().map(|done| done.counts().of(Event::Interrupt)).sum()
}

fn under_fire<D: Deque, P: Probe>(pool: &Pool<D, P>, body: impl FnOnce()) {
    let (registry, over) = (pool.registry(), &AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| hammer(registry, over));
        let _hammer = Hammer(over);
        body();
    });
}

/// A binary tree of tasks, each of which counts its runs.
fn visit<D: Deque>(w: &Worker<D, Counters>, runs: &[AtomicUsize], node: usize) -> usize {
    let Some(count) = runs.get(node) else { return 0 };
    count.fetch_add(1, Ordering::Relaxed);
    let (a, b) = w.join(|w| visit(w, runs, 2 * node + 1), |w| visit(w, runs, 2 * node + 2));
    1 + a + b
}

/// What a pool is asked for, over and over: trees, ranges, scopes, loops, and panics. Accounts for every task.
fn use_all<D: Deque>(pool: &Pool<D, Counters>, runs: &[AtomicUsize]) {
    assert_eq!(pool.run(|w| visit(w, runs, 0)), runs.len());
    assert_eq!(pool.run(|w| w.join_range(0..100, 0, |_, i| i, |a, b| a + b)), 4950);
    let spawned = AtomicUsize::new(0);
    pool.run(|w| {
        w.scope(|scope| {
            for _ in 0..10 {
                scope.spawn(|w| {
                    w.join(
                        |_| spawned.fetch_add(1, Ordering::Relaxed),
                        |_| spawned.fetch_add(1, Ordering::Relaxed),
                    );
                });
            }
        });
    });
    assert_eq!(spawned.into_inner(), 20);
    assert_eq!(pool.run(|w| w.map_reduce(0..1000, |i| i, || 0, |a, b| a + b)), 499_500);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        pool.run(|w| w.join_range(0..20, (), |w, i| blow_up(w, i), |(), ()| ()));
    }));
    assert_eq!(outcome.expect_err("tasks panic").downcast_ref(), Some(&"blown up"));
}

/// Panics on one side of a join or the other, some levels down.
fn blow_up<D: Deque>(w: &Worker<D, Counters>, depth: usize) {
    match depth {
        0 => resume_unwind(Box::new("blown up")),
        odd if odd % 2 == 1 => drop(w.join(|w| blow_up(w, depth - 1), |_| ())),
        _ => drop(w.join(|_| (), |w| blow_up(w, depth - 1))),
    }
}

/// Uses a pool until so many signals have been handled, and accounts for every task.
fn soak<D: Deque>(options: &D::Options, workers: usize, capacity: usize, signals: usize) {
    const NODES: usize = 5_000;
    let pool = Pool::builder()
        .workers(workers)
        .deque::<D>()
        .deque_options(options.clone())
        .probe::<Counters>()
        .deque_capacity(capacity)
        .interrupt(PERIOD)
        .build()
        .unwrap();
    let runs: Box<[AtomicUsize]> = (0..NODES).map(|_| AtomicUsize::new(0)).collect();
    let mut times = 0;
    under_fire(&pool, || {
        while times == 0 || interrupts(&pool) < signals {
            times += 1;
            use_all(&pool, &runs);
        }
    });
    for (node, runs) in runs.iter().enumerate() {
        assert_eq!(runs.load(Ordering::Relaxed), times, "runs of node {node}, {workers} workers");
    }
    let spawned: usize = pool.probes().map(|probe| probe.counts().of(Event::Spawn)).sum();
    assert!(capacity < NODES || spawned >= times * NODES, "{spawned} tasks in {times} times");
}

/// As many signals for two workers as in half a second of 10 kHz, and fewer where more share the processors.
const SOAKS: [(usize, usize); 8] = [
    (2, 5_000),
    (3, 3_000),
    (4, 2_000),
    (5, 2_000),
    (6, 2_000),
    (7, 2_000),
    (8, 2_000),
    (64, 2_000),
];

fn every_task_runs_once<D: Deque>(options: &D::Options) {
    for (workers, signals) in SOAKS {
        soak::<D>(options, workers, 1 << 13, signals);
    }
    // A push that finds no room is never shared.
    for capacity in [1, 2, 4] {
        soak::<D>(options, 2, capacity, 1_000);
    }
}

#[test]
fn split_runs_every_task_once_under_signals_at_10_khz() {
    let split = SplitOptions::default();
    every_task_runs_once::<Split>(&split);
    every_task_runs_once::<Split>(&SplitOptions { amount: Amount::Half, ..split });
    every_task_runs_once::<Split>(&SplitOptions { share: Share::All, ..split });
}

#[test]
fn receiver_runs_every_task_once_under_signals_at_10_khz() {
    every_task_runs_once::<Receiver>(&ReceiverOptions::default());
    let (amount, acquire) = (Amount::Half, Acquire::Block);
    every_task_runs_once::<Receiver>(&ReceiverOptions { amount, acquire });
}

#[test]
fn sender_runs_every_task_once_under_signals_at_10_khz() {
    every_task_runs_once::<Sender>(&SenderOptions::default());
    let (amount, hand_over, delta) = (Amount::One, HandOver::TwoStep, Duration::ZERO);
    let options = SenderOptions { amount, hand_over, delta, ..Default::default() };
    every_task_runs_once::<Sender>(&options);
    every_task_runs_once::<Sender>(&SenderOptions { attempts: Attempts::Blind, ..options });
}

/// A thread that blocks all signals, as programs do that wait for them elsewhere, is interrupted all the same,
/// and its mask is as before.
#[test]
fn a_caller_that_blocks_signals_is_open_only_in_the_call() {
    let pool = Pool::builder().workers(2).interrupt(PERIOD).build().unwrap();
    let blocked = || {
        // SAFETY: the sets are in place.
        unsafe {
            let mut mask = std::mem::zeroed();
            libc::pthread_sigmask(libc::SIG_BLOCK, std::ptr::null(), &mut mask);
            (libc::SIGRTMIN()..=libc::SIGRTMAX())
                .map(|signal| libc::sigismember(&mask, signal) == 1)
                .collect::<Vec<_>>()
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| {
            // SAFETY: the set is in place.
            unsafe {
                let mut all = std::mem::zeroed();
                libc::sigfillset(&mut all);
                libc::pthread_sigmask(libc::SIG_SETMASK, &all, std::ptr::null_mut());
            }
            assert!(blocked().iter().all(|blocked| *blocked));
            let inside = pool.run(|_| blocked());
            assert_eq!(inside.iter().filter(|blocked| !**blocked).count(), 1);
            assert!(blocked().iter().all(|blocked| *blocked));
        });
    });
}

/// Threads come and go in the seat while signals fly.
#[test]
fn a_thread_that_has_left_the_seat_may_end() {
    let pool = Pool::builder().workers(2).interrupt(PERIOD).build().unwrap();
    under_fire(&pool, || {
        while interrupts(&pool) < 2_000 {
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2)));
                }
            });
        }
    });
}
