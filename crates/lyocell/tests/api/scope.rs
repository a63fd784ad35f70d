//! `scope`: borrowing tasks, spawned from anywhere, all over at its end.

use crate::common::{Drops, many, panic_of, pool, share_until};
use lyocell::{Caller, Pool, Scope, Worker};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

#[test]
fn tasks_borrow_and_are_over_when_the_scope_ends() {
    for workers in [1, 2, 4] {
        let pool = pool(workers);
        let mut values = vec![0; many(1000, 30)];
        let result = pool.run(|w| {
            w.scope(|s| {
                for (i, value) in values.iter_mut().enumerate() {
                    s.spawn(move |_| *value = i + 1);
                }
                "done"
            })
        });
        assert_eq!(result, "done");
        assert!(values.iter().enumerate().all(|(i, value)| *value == i + 1));
    }
}

#[test]
fn an_empty_scope_is_a_call() {
    let pool = pool(2);
    assert_eq!(pool.scope(|_| 5), 5);
    assert_eq!(pool.run(|w| w.scope(|_| w.scope(|_| 6))), 6);
}

fn spawn_tree<'scope>(s: &'scope Scope<'scope, '_>, depth: usize, count: &'scope AtomicUsize) {
    count.fetch_add(1, Ordering::Relaxed);
    if depth > 0 {
        for _ in 0..2 {
            s.spawn(move |_| spawn_tree(s, depth - 1, count));
        }
    }
}

#[test]
fn tasks_spawn_tasks() {
    let depth = many(12, 4);
    for workers in [1, 2, 4] {
        let count = AtomicUsize::new(0);
        pool(workers).scope(|s| spawn_tree(s, depth, &count));
        assert_eq!(count.into_inner(), (2 << depth) - 1);
    }
}

#[test]
fn tasks_join_and_open_scopes_of_their_own() {
    fn fib(w: &Worker, n: u64) -> u64 {
        if n < 2 {
            return n;
        }
        let (mut a, mut b) = (0, 0);
        w.scope(|s| {
            s.spawn(|w| a = fib(w, n - 1));
            let (left, right) = w.join(|_| 0, |w| fib(w, n - 2));
            b = left + right;
        });
        a + b
    }
    let (n, expected) = if cfg!(miri) { (4, 3) } else { (12, 144) };
    for workers in [1, 2, 4] {
        assert_eq!(pool(workers).run(|w| fib(w, n)), expected);
    }
}

#[test]
fn foreign_threads_spawn_into_a_scope() {
    let threads = many(4, 2);
    let (count, foreign) = (AtomicUsize::new(0), AtomicUsize::new(0));
    for workers in [1, 3] {
        let pool = pool(workers);
        pool.scope(|s| {
            thread::scope(|foreign_threads| {
                for _ in 0..threads {
                    foreign_threads.spawn(|| {
                        let here = thread::current().id();
                        for _ in 0..many(100, 2) {
                            s.spawn({
                                let (count, foreign) = (&count, &foreign);
                                move |_| {
                                    count.fetch_add(1, Ordering::Relaxed);
                                    let is_here = thread::current().id() == here;
                                    foreign.fetch_add(usize::from(is_here), Ordering::Relaxed);
                                }
                            });
                        }
                    });
                }
            });
        });
    }
    assert_eq!(count.into_inner(), 2 * threads * many(100, 2));
    assert_eq!(foreign.into_inner(), 0, "tasks run on workers only");
}

#[test]
fn a_task_of_another_pool_spawns_into_a_scope() {
    let (one, other) = (pool(1), pool(2));
    let count = AtomicUsize::new(0);
    one.scope(|s| {
        other.scope(|t| {
            for _ in 0..many(50, 4) {
                t.spawn(|_| {
                    s.spawn(|w| {
                        assert_eq!(w.workers(), 1);
                        count.fetch_add(1, Ordering::Relaxed);
                    });
                });
            }
        });
    });
    assert_eq!(count.into_inner(), many(50, 4));
}

#[test]
fn with_two_workers_tasks_run_beside_the_body() {
    for caller in [Caller::Works, Caller::Sleeps] {
        let pool = Pool::builder().workers(2).caller(caller).build().unwrap();
        let done = AtomicBool::new(false);
        pool.run(|w| {
            w.scope(|s| {
                s.spawn(|_| done.store(true, Ordering::Relaxed));
                while !done.load(Ordering::Relaxed) {
                    thread::yield_now();
                }
            });
        });
    }
}

#[test]
fn a_panic_of_a_task_comes_out_when_the_others_are_over() {
    for workers in [1, 2, 4] {
        let pool = pool(workers);
        let (ran, drops) = (AtomicUsize::new(0), Drops::default());
        let text = panic_of(|| {
            pool.scope(|s| {
                for i in 0..20 {
                    let (ran, ticket) = (&ran, drops.ticket());
                    s.spawn(move |_| {
                        let _ticket = ticket;
                        ran.fetch_add(1, Ordering::Relaxed);
                        assert!(i != 7, "the seventh");
                    });
                }
                drops.ticket()
            });
        });
        assert_eq!(text, "the seventh");
        assert_eq!(ran.into_inner(), 20);
        assert_eq!(drops.count(), 21);
    }
}

#[test]
fn a_panic_of_the_body_wins_and_waits_for_the_tasks() {
    for workers in [1, 2, 4] {
        let pool = pool(workers);
        let ran = AtomicUsize::new(0);
        let text = panic_of(|| {
            pool.scope(|s| {
                for _ in 0..20 {
                    s.spawn(|_| {
                        ran.fetch_add(1, Ordering::Relaxed);
                        panic!("a task");
                    });
                }
                panic!("the body");
            })
        });
        assert_eq!(text, "the body");
        assert_eq!(ran.into_inner(), 20);
    }
}

#[test]
fn a_scope_inside_a_join_does_not_disturb_it() {
    fn count_four(w: &Worker, sum: &AtomicUsize) {
        w.scope(|s| {
            for _ in 0..4 {
                s.spawn(|_| {
                    sum.fetch_add(1, Ordering::Relaxed);
                });
            }
        });
    }
    let sum = AtomicUsize::new(0);
    pool(3).run(|w| {
        for _ in 0..many(200, 5) {
            w.join(|w| count_four(w, &sum), |w| count_four(w, &sum));
        }
    });
    assert_eq!(sum.into_inner(), 8 * many(200, 5));
}

#[test]
fn the_owner_of_a_scope_sleeps_until_the_last_task_elsewhere() {
    // The one task is stolen before the body ends and ends long after its owner ran out of work.
    let pool = Pool::builder().workers(2).search_time(std::time::Duration::ZERO).build().unwrap();
    for _ in 0..many(50, 3) {
        let (started, over) = (AtomicBool::new(false), AtomicBool::new(false));
        pool.run(|w| {
            w.scope(|s| {
                s.spawn(|_| {
                    started.store(true, Ordering::Relaxed);
                    thread::sleep(std::time::Duration::from_millis(2));
                    over.store(true, Ordering::Relaxed);
                });
                while !started.load(Ordering::Relaxed) {
                    thread::yield_now();
                }
            });
            assert!(over.load(Ordering::Relaxed));
            share_until(w, || true);
        });
    }
}
