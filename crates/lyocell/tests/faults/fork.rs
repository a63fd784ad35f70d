//! `fork()`: the child of a process with pools.

use crate::common::{fib, join_stolen, panic_of, pool_of, share_until, tick};
use crate::process::{assert_ended_well, in_a_fork, isolated};
use crate::rounds;
use lyocell::{Builder, Caller, Deque, Pool, Worker};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

on_each_deque! { isolated:
    a_pool_works_in_the_child_and_goes_on_in_the_parent,
    pools_of_before_are_dropped_and_new_ones_built_in_the_child,
    forks_while_every_lock_and_seat_is_in_use,
    a_child_of_a_task_forks_and_joins_through_its_handle,
    what_was_stolen_and_finished_before_the_fork_is_retired_in_the_child,
}

/// All that one can do with a pool from outside.
fn use_all_of<D: Deque>(pool: &Pool<D>) {
    assert_eq!(pool.run(|w| fib(w, 10)), 55);
    assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
    assert_eq!(pool.run(|w| w.map_reduce(0..1000_u64, |i| i, || 0, |a, b| a + b)), 499_500);
    assert_eq!(pool.run(|_| pool.run(|w| fib(w, 5))), 5);
    let count = Arc::new(AtomicUsize::new(0));
    pool.scope(|s| {
        for _ in 0..10 {
            s.spawn(|_| {
                tick(&count);
                s.spawn(|_| tick(&count));
            });
        }
    });
    assert_eq!(count.load(Ordering::Relaxed), 20);
    assert_eq!(panic_of(|| pool.run(|w| w.join(|_| (), |_| panic!("b")))), "b");
    let (counter, again) = (Arc::clone(&count), Arc::clone(&count));
    pool.spawn(move |_| tick(&counter));
    pool.spawn_fifo(move |_| tick(&again));
    while count.load(Ordering::Relaxed) < 22 {
        thread::yield_now();
    }
}

fn a_pool_works_in_the_child_and_goes_on_in_the_parent<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for workers in [1, 2, 4] {
        for caller in [Caller::Works, Caller::Sleeps] {
            let pool = builder().workers(workers).caller(caller).build().unwrap();
            use_all_of(&pool);
            for _ in 0..rounds::<D>(10, 2) {
                in_a_fork(|| use_all_of(&pool));
            }
            use_all_of(&pool);
        }
    }
}

#[test]
fn the_global_pool_works_in_the_child() {
    isolated(|| {
        let use_it = || {
            assert_eq!(lyocell::join(|| 1, || 2), (1, 2));
            assert_eq!(lyocell::par::map_reduce(0..10, |i| i, || 0, |a, b| a + b), 45);
            let count = AtomicUsize::new(0);
            lyocell::scope(|s| s.spawn(|_| tick(&count)));
            assert_eq!(count.into_inner(), 1);
        };
        // Once built in the child, once before.
        in_a_fork(use_it);
        use_it();
        in_a_fork(use_it);
    });
}

fn pools_of_before_are_dropped_and_new_ones_built_in_the_child<D: Deque>(
    builder: impl Fn() -> Builder<D>,
) {
    let mut pools = vec![pool_of(&builder, 1), pool_of(&builder, 2), pool_of(&builder, 4)];
    pools.iter().for_each(use_all_of);
    in_a_fork(|| {
        pools.clear();
        let pool = pool_of(&builder, 2);
        use_all_of(&pool);
        let ((), there) = pool.run(|w| join_stolen(w, |_| (), |w| w.index()));
        assert_eq!(there, 1, "a pool of the child's own has threads");
        // And a grandchild of it.
        in_a_fork(|| use_all_of(&pool));
        use_all_of(&pool);
    });
    pools.iter().for_each(use_all_of);
}

fn forks_while_every_lock_and_seat_is_in_use<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let (pool, other) = (pool_of(&builder, 3), pool_of(&builder, 1));
    let stop = AtomicBool::new(false);
    thread::scope(|threads| {
        for _ in 0..3 {
            threads.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    pool.scope(|s| (0..20).for_each(|_| s.spawn(|w| assert_eq!(fib(w, 3), 2))));
                    assert_eq!(other.run(|_| pool.run(|w| fib(w, 8))), 21);
                }
            });
        }
        // Two hundred on the default deque, which comes with either amount.
        for _ in 0..rounds::<D>(100, 10) {
            in_a_fork(|| {
                use_all_of(&pool);
                use_all_of(&other);
                assert_eq!(other.run(|_| pool.run(|_| other.run(|w| fib(w, 8)))), 21);
            });
        }
        stop.store(true, Ordering::Relaxed);
    });
    use_all_of(&pool);
}

/// Forks at every level: a child, and a task that is left behind for thieves.
fn fork_below<D: Deque>(w: &Worker<D>, levels: usize) {
    in_a_fork(|| {
        assert_eq!(fib(w, 12), 144);
        assert_eq!(w.join_range(0..10, 0, |_, i| i, |a, b| a + b), 45);
    });
    if levels > 0 {
        let ((), b) = w.join(|w| fork_below(w, levels - 1), |w| fib(w, 12));
        assert_eq!(b, 144);
    }
}

fn a_child_of_a_task_forks_and_joins_through_its_handle<D: Deque>(
    builder: impl Fn() -> Builder<D>,
) {
    let pool = pool_of(&builder, 4);
    for _ in 0..20 {
        pool.run(|w| fork_below(w, 4));
    }
    use_all_of(&pool);
}

/// The thief has nothing else to do, so it is at the owner's deque all the time, and now and then in the middle of a
/// steal when the process forks.
fn what_was_stolen_and_finished_before_the_fork_is_retired_in_the_child<D: Deque>(
    builder: impl Fn() -> Builder<D>,
) {
    let pool = builder().workers(2).search_time(Duration::from_secs(60)).build().unwrap();
    for _ in 0..rounds::<D>(400, 400) {
        pool.run(|w| {
            let started = AtomicBool::new(false);
            let (child, b) = w.join(
                |w| {
                    share_until(w, || started.load(Ordering::Relaxed));
                    // There is one thief: it has finished `b` when it comes for this.
                    join_stolen(w, |_| (), |_| ());
                    // SAFETY: the child goes on with this task, on memory that is its own, and ends inside it.
                    unsafe { libc::fork() }
                },
                |_| {
                    started.store(true, Ordering::Relaxed);
                    "stolen"
                },
            );
            assert_eq!(b, "stolen");
            match child {
                // SAFETY: no preconditions.
                0 => unsafe { libc::_exit(0) },
                child => assert_ended_well(child),
            }
        });
    }
    use_all_of(&pool);
}
