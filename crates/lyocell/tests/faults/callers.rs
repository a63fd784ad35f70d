//! Many threads that call one pool.

use crate::common::{fib, panic_of, pool, tick};
use crate::process::isolated;
use crate::rounds;
use lyocell::{Builder, Caller, Deque};
use std::sync::atomic::AtomicUsize;
use std::thread;

on_each_deque! { isolated: a_hundred_callers }

fn a_hundred_callers<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for (workers, caller) in
        [(1, Caller::Works), (1, Caller::Sleeps), (2, Caller::Works), (4, Caller::Sleeps)]
    {
        let pool = builder().workers(workers).caller(caller).build().unwrap();
        let (sum, rounds) = (AtomicUsize::new(0), rounds::<D>(50, 10));
        thread::scope(|threads| {
            for caller in 0..100_usize {
                let (pool, sum) = (&pool, &sum);
                threads.spawn(move || {
                    for round in 0..rounds {
                        match (caller + round) % 4 {
                            0 => assert_eq!(pool.run(|w| fib(w, 12)), 144),
                            1 => pool.scope(|s| {
                                s.spawn(|_| tick(sum));
                            }),
                            2 => assert_eq!(
                                panic_of(|| pool.run(|w| w.join(|_| (), |_| panic!("b")))),
                                "b"
                            ),
                            _ => pool.run(|w| {
                                w.for_each(0..100, |_| tick(sum));
                            }),
                        }
                    }
                });
            }
        });
        // A quarter of the rounds of each kind.
        assert_eq!(sum.into_inner(), 25 * rounds * (1 + 100));
    }
}

#[test]
fn a_hundred_first_callers_of_the_global_pool() {
    isolated(|| {
        thread::scope(|threads| {
            for _ in 0..100 {
                threads.spawn(|| assert_eq!(lyocell::join(|| 1, || 2), (1, 2)));
            }
        });
    });
}

#[test]
fn callers_that_come_one_by_one_from_new_threads() {
    isolated(|| {
        let pool = pool(2);
        for i in 0..500 {
            let answer = thread::scope(|threads| {
                threads.spawn(|| pool.run(|w| w.join(|_| i, |_| i))).join().unwrap()
            });
            assert_eq!(answer, (i, i));
        }
    });
}
