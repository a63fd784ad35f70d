//! Signals at 10 kHz at every worker, wanted or not.

use crate::deque::{Amount, Deque, Split};
use crate::pool::{Pool, Shared};
use crate::probe::NoProbe;
use crate::worker::Worker;
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

fn hammer<D: Deque>(shared: &Shared<D, NoProbe>, over: &AtomicBool) {
    let ticker = shared.ticker.as_ref().expect("the pool was built with interrupts");
    while !over.load(Ordering::Relaxed) {
        for worker in &shared.workers[..] {
            worker.deque.request();
            ticker.interrupt(worker);
        }
        thread::sleep(PERIOD);
    }
}

fn under_fire<D: Deque>(pool: &Pool<D>, body: impl FnOnce()) {
    let (shared, over) = (pool.shared(), &AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| hammer(shared, over));
        let _hammer = Hammer(over);
        body();
    });
}

/// A binary tree of tasks, each of which counts its runs.
fn visit<D: Deque>(w: &Worker<D>, runs: &[AtomicUsize], node: usize) -> usize {
    let Some(count) = runs.get(node) else { return 0 };
    count.fetch_add(1, Ordering::Relaxed);
    let (a, b) = w.join(|w| visit(w, runs, 2 * node + 1), |w| visit(w, runs, 2 * node + 2));
    1 + a + b
}

/// Runs trees until so many signals have been handled, and accounts for every task.
fn soak(workers: usize, capacity: usize, amount: Amount, signals: usize) {
    const NODES: usize = 5_000;
    let pool = Pool::builder()
        .workers(workers)
        .deque::<Split>()
        .deque_options(amount)
        .deque_capacity(capacity)
        .interrupt(PERIOD)
        .build()
        .unwrap();
    let runs: Box<[AtomicUsize]> = (0..NODES).map(|_| AtomicUsize::new(0)).collect();
    let mut times = 0;
    under_fire(&pool, || {
        while times == 0 || pool.interrupts() < signals {
            times += 1;
            assert_eq!(pool.run(|w| visit(w, &runs, 0)), NODES);
            assert_eq!(pool.run(|w| w.join_range(0..100, 0, |_, i| i, |a, b| a + b)), 4950);
        }
    });
    for (node, runs) in runs.iter().enumerate() {
        assert_eq!(runs.load(Ordering::Relaxed), times, "runs of node {node}, {workers} workers");
    }
}

#[test]
fn every_task_runs_once_under_signals_at_10_khz() {
    for (workers, signals) in [(2, 10_000), (3, 5_000), (8, 5_000), (64, 5_000)] {
        for amount in [Amount::One, Amount::Half] {
            soak(workers, 1 << 10, amount, signals);
        }
    }
}

#[test]
fn a_push_that_finds_no_room_is_never_shared() {
    for capacity in [1, 2, 4] {
        soak(2, capacity, Amount::One, 3_000);
    }
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
        while pool.interrupts() < 2_000 {
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2)));
                }
            });
        }
    });
}
