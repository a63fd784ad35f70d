//! Bodies that are isolated: what comes out of them, and that what they fork is run.

use crate::common::{fib, join_stolen, many, panic_of, pool};
use lyocell::{Caller, Pool};
use std::cell::Cell;

#[test]
fn what_the_body_returns_or_panics_with_comes_out() {
    for workers in [1, 2] {
        let pool = pool(workers);
        assert_eq!(pool.run(|w| w.isolated(|w| fib(w, 10))), 55);
        assert_eq!(panic_of(|| pool.run(|w| w.isolated(|_| panic!("in it")))), "in it");
        assert_eq!(pool.run(|w| w.isolated(|w| w.isolated(|w| fib(w, 5)))), 5);
        assert_eq!(pool.run(|_| lyocell::isolated(|| lyocell::join(|| 1, || 2))), (1, 2));
    }
    assert_eq!(lyocell::isolated(|| 3), 3, "without a worker");
}

/// Whoever waits in it runs nothing of what waits in the lanes.
#[test]
fn nothing_else_is_run_meanwhile() {
    thread_local!(static IS_IN: Cell<bool> = const { Cell::new(false) });
    let pool = pool(2);
    for _ in 0..many(20, 2) {
        pool.run(|w| {
            w.scope(|s| {
                for _ in 0..8 {
                    s.spawn(|_| assert!(!IS_IN.get()));
                }
                w.isolated(|w| {
                    IS_IN.set(true);
                    join_stolen(w, |_| (), |w| fib(w, 8));
                    IS_IN.set(false);
                });
            });
        });
    }
}

#[test]
fn every_kind_of_caller_returns() {
    for caller in [Caller::Works, Caller::WorksForAll, Caller::Sleeps] {
        let pool = Pool::builder().workers(2).caller(caller).build().unwrap();
        std::thread::scope(|threads| {
            for _ in 0..2 {
                threads.spawn(|| assert_eq!(pool.run(|w| fib(w, 10)), 55));
            }
        });
    }
}
