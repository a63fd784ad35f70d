//! Callers that wait while others' tasks are in the pool: whose run on their threads.

use crate::common::{fib, join_stolen, pool, pool_of, tick};
use crate::isolation::forks;
use crate::process::isolated;
use crate::rounds;
use lyocell::{Builder, Caller, Deque, Pool, Worker};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

on_each_kind_of_deque! { isolated:
    a_caller_runs_nothing_of_another_call,
    a_caller_runs_nothing_of_another_thread_s_scope,
    a_barrier_in_the_scope_of_a_caller_that_is_not_alone,
}

/// Has a caller wait for a stolen part of its call until `others` is over, which can ask whether it is on that caller's thread.
fn beside_a_caller_that_waits<D: Deque>(
    pool: &Pool<D>,
    others: impl FnOnce(&(dyn Fn() -> bool + Sync)),
) {
    let is_over = AtomicBool::new(false);
    let (begun, begins) = mpsc::channel();
    thread::scope(|threads| {
        let caller = threads.spawn(|| {
            let wait = |_: &Worker<D>| {
                begun.send(()).unwrap();
                while !is_over.load(Ordering::Relaxed) {
                    thread::yield_now();
                }
            };
            pool.run(|w| join_stolen(w, |_| (), wait));
        });
        begins.recv().unwrap();
        let id = caller.thread().id();
        others(&|| thread::current().id() == id);
        is_over.store(true, Ordering::Relaxed);
    });
}

fn a_caller_runs_nothing_of_another_call<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = pool_of(&builder, 3);
    for _ in 0..rounds::<D>(10, 3) {
        beside_a_caller_that_waits(&pool, |is_caller| {
            let note = || assert!(!is_caller(), "it runs on the stack of another caller");
            pool.run(|w| w.for_each_with(0..500, |w, _| _ = (note(), forks(w, 4))));
        });
    }
}

fn a_caller_runs_nothing_of_another_thread_s_scope<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = pool_of(&builder, 3);
    for _ in 0..rounds::<D>(10, 3) {
        beside_a_caller_that_waits(&pool, |is_caller| {
            let note = || assert!(!is_caller(), "it runs on the stack of another caller");
            pool.in_place_scope(|s| {
                for _ in 0..50 {
                    s.spawn(|_| s.spawn(|w| _ = (note(), forks(w, 4))));
                }
            });
        });
    }
}

/// As many tasks as workers: the caller has to run one, wherever it waits, though another call is in the pool.
fn a_barrier_in_the_scope_of_a_caller_that_is_not_alone<D: Deque>(
    builder: impl Fn() -> Builder<D>,
) {
    for workers in 2..5 {
        let pool = &pool_of(&builder, workers);
        for _ in 0..rounds::<D>(50, 10) {
            let (met, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
            thread::scope(|threads| {
                pool.scope(|s| {
                    // Another call waits meanwhile, or runs.
                    threads.spawn(|| {
                        while !is_over.load(Ordering::Relaxed) {
                            assert_eq!(pool.run(|w| fib(w, 5)), 5);
                        }
                    });
                    for _ in 0..workers {
                        s.spawn(|_| {
                            tick(&met);
                            while met.load(Ordering::Relaxed) < workers {
                                thread::yield_now();
                            }
                        });
                    }
                });
                is_over.store(true, Ordering::Relaxed);
            });
        }
    }
}

/// A small stack beside tasks that need a large one.
#[test]
fn a_small_caller_beside_deep_tasks() {
    fn deep(w: &Worker, levels: usize) -> usize {
        let frame = std::hint::black_box([1_u8; 1 << 10]);
        if levels == 0 {
            return usize::from(frame[0]);
        }
        let (a, b) = w.join(|w| deep(w, levels - 1), |_| 0);
        a + b + usize::from(std::hint::black_box(frame)[levels % 2]) - 1
    }
    isolated(|| {
        let pool = &pool(3);
        let is_over = AtomicBool::new(false);
        thread::scope(|threads| {
            for _ in 0..2 {
                threads.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        pool.spawn_detached_with_handle(|w| {
                            w.for_each_with(0..4, |w, _| assert_eq!(deep(w, 8 << 10), 1));
                        })
                        .join();
                    }
                });
            }
            let small = thread::Builder::new().stack_size(256 << 10);
            let calls = || {
                for _ in 0..2_000 {
                    assert_eq!(pool.run(|w| fib(w, 12)), 144);
                }
                is_over.store(true, Ordering::Relaxed);
            };
            small.spawn_scoped(threads, calls).expect("a thread");
        });
    });
}

#[test]
fn a_caller_that_works_for_all_does() {
    isolated(|| {
        let pool = Pool::builder().workers(3).caller(Caller::WorksForAll).build().unwrap();
        beside_a_caller_that_waits(&pool, |is_caller| {
            let seen = AtomicBool::new(false);
            let look = || seen.fetch_or(is_caller(), Ordering::Relaxed);
            while !seen.load(Ordering::Relaxed) {
                pool.run(|w| w.for_each_with(0..500, |w, _| _ = (look(), forks(w, 4))));
            }
        });
    });
}
