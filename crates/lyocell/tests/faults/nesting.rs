//! Pools that call pools that call pools.

use crate::common::{fib, join_stolen, pool_of};
use crate::process::isolated;
use crate::system::{threads, until_threads};
use lyocell::{Builder, Caller, Deque, Pool};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

on_each_kind_of_deque! { isolated:
    back_and_forth_on_one_thread,
    a_stolen_task_of_one_pool_needs_the_other_whose_only_worker_waits_for_it,
    two_threads_cross_between_pools_of_one_worker,
    chains_through_four_pools_of_one_worker_in_every_order,
    scopes_and_loops_across_pools,
    a_pool_dropped_on_a_worker_of_another_that_its_tasks_need,
    a_worker_deep_in_its_stack_waits_for_a_pool_that_calls_back,
}

fn back_and_forth_on_one_thread<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for workers in [1, 2] {
        let (a, b) = (pool_of(&builder, workers), pool_of(&builder, workers));
        for _ in 0..200 {
            let result = a.run(|_| b.run(|_| a.run(|w| b.run(|v| fib(v, 10)) + fib(w, 10))));
            assert_eq!(result, 110);
        }
    }
}

fn a_stolen_task_of_one_pool_needs_the_other_whose_only_worker_waits_for_it<D: Deque>(
    builder: impl Fn() -> Builder<D>,
) {
    let one = pool_of(&builder, 1);
    for caller in [Caller::Works, Caller::Sleeps] {
        let two = builder().workers(3).caller(caller).build().unwrap();
        for _ in 0..100 {
            let ((), answer) =
                one.run(|_| two.run(|w| join_stolen(w, |_| (), |_| one.run(|v| fib(v, 5)))));
            assert_eq!(answer, 5);
        }
    }
}

fn two_threads_cross_between_pools_of_one_worker<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let (a, b) = (pool_of(&builder, 1), pool_of(&builder, 1));
    let (a, b) = (&a, &b);
    let start = &Barrier::new(2);
    thread::scope(|threads| {
        for (mine, other) in [(a, b), (b, a)] {
            threads.spawn(move || {
                for _ in 0..500 {
                    start.wait();
                    let result = mine.run(|_| other.run(|w| mine.run(|v| fib(v, 5)) + fib(w, 5)));
                    assert_eq!(result, 10);
                }
            });
        }
    });
}

fn visit<D: Deque>(pools: &[Pool<D>], order: &[usize]) -> usize {
    match order {
        [] => 0,
        [next, rest @ ..] => 1 + pools[*next].run(|_| visit(pools, rest)),
    }
}

fn chains_through_four_pools_of_one_worker_in_every_order<D: Deque>(
    builder: impl Fn() -> Builder<D>,
) {
    let pools: Vec<_> = (0..4).map(|_| pool_of(&builder, 1)).collect();
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
}

fn scopes_and_loops_across_pools<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let (a, b) = (pool_of(&builder, 1), pool_of(&builder, 2));
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
}

fn a_pool_dropped_on_a_worker_of_another_that_its_tasks_need<D: Deque>(
    builder: impl Fn() -> Builder<D>,
) {
    let before = threads();
    for _ in 0..100 {
        let outer = Arc::new(pool_of(&builder, 1));
        let inner = pool_of(&builder, 2);
        let ran = Arc::new(AtomicUsize::new(0));
        let (needed, counter) = (Arc::clone(&outer), Arc::clone(&ran));
        outer.run(move |_| {
            inner.spawn_detached(move |_| {
                needed.run(|w| counter.fetch_add(fib(w, 5) as usize, Ordering::Relaxed));
            });
            drop(inner);
        });
        assert_eq!(ran.load(Ordering::Relaxed), 5, "the drop returned before the task ran");
    }
    until_threads(before);
}

const STACK_BYTES: usize = 2 << 20;

/// Calls the body at least so many bytes of stack below here.
fn below<R>(bytes: usize, body: impl FnOnce() -> R) -> R {
    fn sink(lowest: usize, body: &mut dyn FnMut()) {
        let frame = std::hint::black_box([0_u8; 1 << 10]);
        if frame.as_ptr().addr() > lowest {
            sink(lowest, body)
        } else {
            body()
        }
        std::hint::black_box(&frame);
    }
    let (mut body, mut result) = (Some(body), None);
    let lowest = (&raw const result).addr() - bytes;
    sink(lowest, &mut || result = body.take().map(|body| body()));
    result.expect("the body was called")
}

/// The one that waits may steal nothing there, but it must hear of calls.
fn a_worker_deep_in_its_stack_waits_for_a_pool_that_calls_back<D: Deque>(
    builder: impl Fn() -> Builder<D>,
) {
    for workers in [1, 2] {
        let a = &builder().workers(workers).search_time(Duration::ZERO).build().unwrap();
        let b = &pool_of(&builder, 1);
        let deep = || {
            for _ in 0..20 {
                let back = || {
                    b.run(|w| {
                        // Time to fall asleep.
                        (0..1_000).for_each(|_| thread::yield_now());
                        a.run(|v| fib(v, 5)) + fib(w, 5)
                    })
                };
                let result = a.run(|_| below(STACK_BYTES / 8 * 7, back));
                assert_eq!(result, 10);
            }
        };
        thread::scope(|threads| {
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(threads, deep).expect("a thread").join().unwrap();
        });
    }
}
