//! Running tasks in a pool from outside and inside, and what a pool is.

use crate::common::{fib, join_stolen, many, panic_of, pool, share_until};
use lyocell::{Caller, Pool, Scope, Worker};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

#[test]
fn pools_and_scopes_cross_threads_and_outlive_panics() {
    fn shared<T: Send + Sync + UnwindSafe + RefUnwindSafe>() {}
    fn crosses<T: Send + Sync>() {}
    fn outlives<T: RefUnwindSafe>() {}
    shared::<Pool>();
    crosses::<Scope<'static, 'static>>();
    outlives::<Worker>();
}

#[test]
fn the_caller_in_the_seat_is_worker_zero() {
    for workers in [1, 2] {
        let pool = pool(workers);
        let here = thread::current().id();
        let (there, index) = pool.run(|w| (thread::current().id(), w.index()));
        assert_eq!((there, index), (here, 0));
        assert_eq!(pool.workers(), workers);
        assert_eq!(pool.run(|w| w.workers()), workers);
    }
}

#[test]
fn run_inside_a_task_is_a_call_on_the_same_worker() {
    for caller in [Caller::Works, Caller::Sleeps] {
        let pool = Pool::builder().workers(3).caller(caller).build().unwrap();
        pool.run(|w| {
            assert_eq!(pool.run(|v| v.index()), w.index());
            join_stolen(w, |_| (), |w| assert_eq!(pool.run(|v| v.index()), w.index()));
        });
    }
}

#[test]
fn what_a_task_borrows_and_returns_goes_both_ways() {
    let pool = Pool::builder().workers(1).caller(Caller::Sleeps).build().unwrap();
    let mut words = vec![String::from("a")];
    let kept: &str = pool.run(|_| {
        words.push(String::from("b"));
        words[1].as_str()
    });
    assert_eq!(kept, "b");
}

#[test]
fn who_finds_the_seat_taken_is_served_all_the_same() {
    for workers in [1, 2] {
        let pool = pool(workers);
        let (seated, served) = (AtomicBool::new(false), AtomicBool::new(false));
        thread::scope(|threads| {
            threads.spawn(|| {
                pool.run(|w| {
                    seated.store(true, Ordering::Relaxed);
                    if w.workers() > 1 {
                        // With another worker, a call does not wait for this one.
                        share_until(w, || served.load(Ordering::Relaxed));
                    }
                });
            });
            while !seated.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            assert_eq!(
                pool.run(|w| fib(w, many(15, 4) as u64)),
                [3, 610][usize::from(!cfg!(miri))]
            );
            served.store(true, Ordering::Relaxed);
        });
    }
}

#[test]
fn panics_come_out_of_a_call_as_out_of_the_seat() {
    for caller in [Caller::Works, Caller::Sleeps] {
        let pool = Pool::builder().workers(2).caller(caller).build().unwrap();
        assert_eq!(panic_of(|| pool.run(|_| panic!("fell"))), "fell");
        assert_eq!(panic_of(|| pool.scope(|_| panic!("fell too"))), "fell too");
        assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
    }
}

#[test]
fn a_pool_called_from_a_worker_of_another_runs_the_task_on_its_own_workers() {
    let outer = pool(1);
    for caller in [Caller::Works, Caller::Sleeps] {
        let inner = Pool::builder()
            .workers(2)
            .caller(caller)
            .thread_names(|worker| format!("inner-{worker}"))
            .build()
            .unwrap();
        let name = outer.run(|_| {
            inner.run(|w| {
                assert_eq!(w.workers(), 2);
                thread::current().name().unwrap_or_default().to_owned()
            })
        });
        assert!(name.starts_with("inner-"), "{name}");
        // And back in the outer pool, everything is as it was.
        assert_eq!(outer.run(|w| w.workers()), 1);
    }
}

#[test]
fn pools_are_told_apart_on_one_thread() {
    let (one, two) = (pool(1), pool(2));
    for _ in 0..many(50, 3) {
        let seen = one.run(|w| (w.workers(), two.run(|v| (v.workers(), one.run(|u| u.workers())))));
        assert_eq!(seen, (1, (2, 1)));
    }
}
