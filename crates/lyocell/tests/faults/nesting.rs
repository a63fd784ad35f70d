//! Pools that call pools that call pools.

use crate::common::{fib, join_stolen, pool};
use crate::process::isolated;
use crate::system::{threads, until_threads};
use lyocell::{Caller, Pool};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;

#[test]
fn back_and_forth_on_one_thread() {
    isolated(|| {
        for workers in [1, 2] {
            let (a, b) = (pool(workers), pool(workers));
            for _ in 0..200 {
                let result = a.run(|_| b.run(|_| a.run(|w| b.run(|v| fib(v, 10)) + fib(w, 10))));
                assert_eq!(result, 110);
            }
        }
    });
}

#[test]
fn a_stolen_task_of_one_pool_needs_the_other_whose_only_worker_waits_for_it() {
    isolated(|| {
        let one = pool(1);
        for caller in [Caller::Works, Caller::Sleeps] {
            let two = Pool::builder().workers(3).caller(caller).build().unwrap();
            for _ in 0..100 {
                let ((), answer) =
                    one.run(|_| two.run(|w| join_stolen(w, |_| (), |_| one.run(|v| fib(v, 5)))));
                assert_eq!(answer, 5);
            }
        }
    });
}

#[test]
fn two_threads_cross_between_pools_of_one_worker() {
    isolated(|| {
        let (a, b) = (pool(1), pool(1));
        let (a, b) = (&a, &b);
        let start = &Barrier::new(2);
        thread::scope(|threads| {
            for (mine, other) in [(a, b), (b, a)] {
                threads.spawn(move || {
                    for _ in 0..500 {
                        start.wait();
                        let result =
                            mine.run(|_| other.run(|w| mine.run(|v| fib(v, 5)) + fib(w, 5)));
                        assert_eq!(result, 10);
                    }
                });
            }
        });
    });
}

#[test]
fn chains_through_four_pools_of_one_worker_in_every_order() {
    fn visit(pools: &[Pool], order: &[usize]) -> usize {
        match order {
            [] => 0,
            [next, rest @ ..] => 1 + pools[*next].run(|_| visit(pools, rest)),
        }
    }
    isolated(|| {
        let pools: Vec<Pool> = (0..4).map(|_| pool(1)).collect();
        thread::scope(|threads| {
            for thread in 0..6 {
                let pools = &pools;
                threads.spawn(move || {
                    for round in 0..300 {
                        let order: Vec<usize> =
                            (0..8).map(|i| (i * (thread + 1) + round * 7 + i * i) % 4).collect();
                        assert_eq!(visit(pools, &order), 8);
                    }
                });
            }
        });
    });
}

#[test]
fn scopes_and_loops_across_pools() {
    isolated(|| {
        let (a, b) = (pool(1), pool(2));
        let count = AtomicUsize::new(0);
        for _ in 0..50 {
            a.scope(|s| {
                for _ in 0..10 {
                    s.spawn(|_| {
                        b.run(|w| {
                            w.for_each(0..10, |_| {
                                count.fetch_add(a.run(|w| fib(w, 3)) as usize, Ordering::Relaxed);
                            });
                        });
                    });
                }
            });
        }
        assert_eq!(count.into_inner(), 50 * 10 * 10 * 2);
    });
}

#[test]
fn a_pool_dropped_on_a_worker_of_another_that_its_tasks_need() {
    isolated(|| {
        let before = threads();
        for _ in 0..100 {
            let outer = Arc::new(pool(1));
            let inner = pool(2);
            let ran = Arc::new(AtomicUsize::new(0));
            let (needed, counter) = (Arc::clone(&outer), Arc::clone(&ran));
            outer.run(move |_| {
                inner.spawn(move |_| {
                    needed.run(|w| counter.fetch_add(fib(w, 5) as usize, Ordering::Relaxed));
                });
                drop(inner);
            });
            assert_eq!(ran.load(Ordering::Relaxed), 5, "the drop returned before the task ran");
        }
        until_threads(before);
    });
}
