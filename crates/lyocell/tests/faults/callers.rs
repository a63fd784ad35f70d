//! Many threads that call one pool.

use crate::common::{fib, panic_of, pool, tick};
use crate::process::isolated;
use crate::rounds;
use lyocell::{Builder, Caller, Deque};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::task::{Context, Wake, Waker};
use std::thread;

on_each_kind_of_deque! { isolated: a_hundred_callers }

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

/// Works on the pool when it is dropped.
struct Works;

impl Wake for Works {
    fn wake(self: Arc<Self>) {}
}

impl Drop for Works {
    fn drop(&mut self) {
        lyocell::yield_now();
    }
}

/// The task that is polled for ends within the poll, on the same thread: when the waker of the poll before is dropped.
#[test]
fn a_waker_whose_drop_runs_the_task() {
    isolated(|| {
        let pool = pool(1);
        pool.run(|w| {
            let mut handle = w.spawn_detached_with_handle(|_| 42);
            for _ in 0..2 {
                let waker = Waker::from(Arc::new(Works));
                let poll = Pin::new(&mut handle).poll(&mut Context::from_waker(&waker));
                assert!(poll.is_pending());
            }
            assert!(handle.is_finished());
            assert_eq!(handle.join(), 42);
            // And when somebody joins what was polled.
            let mut handle = w.spawn_detached_with_handle(|_| 43);
            let waker = Waker::from(Arc::new(Works));
            let _ = Pin::new(&mut handle).poll(&mut Context::from_waker(&waker));
            drop(waker);
            assert_eq!(handle.join(), 43);
        });
    });
}
