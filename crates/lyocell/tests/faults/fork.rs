//! `fork()`: the child of a process with pools.

use crate::common::{fib, join_stolen, panic_of, pool_of, share_until, tick};
use crate::process::{assert_ended_well, in_a_fork, isolated};
use crate::rounds;
use crate::system::shared_counter;
use lyocell::{Builder, Caller, Deque, Pool, Scope, SpawnOrder, Worker, Yield};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

on_each_kind_of_deque! { isolated, the locked one too:
    a_pool_works_in_the_child_and_goes_on_in_the_parent,
    pools_of_before_are_dropped_and_new_ones_built_in_the_child,
    a_pool_of_before_without_threads_is_left_as_it_is_in_the_child,
    forks_while_every_lock_and_seat_is_in_use,
    a_child_of_a_task_forks_and_joins_through_its_handle,
    what_was_stolen_and_finished_before_the_fork_is_retired_in_the_child,
    a_child_of_a_task_spawns_while_every_lock_is_in_use,
    what_waited_at_the_fork_runs_in_the_parent_only,
    a_child_of_a_task_uses_pools_of_its_own,
    a_thread_that_is_a_worker_for_good_forks,
}

/// All that one can do with a pool from outside.
fn use_all_of<D: Deque>(pool: &Pool<D>) {
    assert_eq!(pool.run(|w| fib(w, 10)), 55);
    assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
    assert_eq!(pool.run(|w| w.map_reduce(0..1000_u64, |i| i, || 0, |a, b| a + b)), 499_500);
    assert_eq!(pool.run(|_| pool.run(|w| fib(w, 5))), 5);
    assert!(pool.broadcast(|w| w.index()).contains(&0));
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
    pool.spawn_detached(move |_| tick(&counter));
    pool.spawn_detached_fifo(move |_| tick(&again));
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

/// No thread in the child keeps the registry of such a pool, whose lanes a caller may have been changing at the fork.
fn a_pool_of_before_without_threads_is_left_as_it_is_in_the_child<D: Deque>(
    builder: impl Fn() -> Builder<D>,
) {
    let hooked = Arc::new(());
    let owned = Arc::clone(&hooked);
    let builder = builder().workers(2).on_panic(move |_| _ = &owned);
    // Whoever calls is its only worker.
    let never_run = |thread| {
        drop(thread);
        Ok(())
    };
    let mut pool = Some(builder.build_with(never_run).unwrap());
    let works = |pool: &Option<Pool<D>>| {
        assert_eq!(pool.as_ref().unwrap().run(|w| fib(w, 10)), 55);
    };
    works(&pool);
    in_a_fork(|| {
        works(&pool);
        drop(pool.take());
        assert_eq!(Arc::strong_count(&hooked), 2, "the registry has its hook");
    });
    works(&pool);
    drop(pool);
    assert_eq!(Arc::strong_count(&hooked), 1);
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

/// All that leaves jobs to a pool, by the handle of one of its workers.
fn spawn_all_of<D: Deque>(w: &Worker<D>, pool: &Pool<D>) {
    let count = &Arc::new(AtomicUsize::new(0));
    let ticks = || {
        let count = Arc::clone(count);
        move |_: &Worker<D>| tick(&count)
    };
    w.scope(|s| {
        s.spawn(|_| s.spawn(ticks()));
        s.spawn_fifo(ticks());
        s.spawn_broadcast(|_| tick(count));
    });
    assert_eq!(count.load(Ordering::Relaxed), 3);
    pool.scope(|s| (0..7).for_each(|_| s.spawn(ticks())));
    pool.in_place_scope(|s| (0..10).for_each(|_| s.spawn_fifo(ticks())));
    assert_eq!(count.load(Ordering::Relaxed), 20);
    assert_eq!(w.broadcast(|_| tick(count)).len(), 1);
    w.coalesce(0..9, 1, |_, _, _| tick(count));
    assert_eq!(count.load(Ordering::Relaxed), 30);
    assert_eq!(w.spawn_detached_with_handle(|w| fib(w, 5)).join(), 5);
    assert_eq!(
        pool.spawn_detached_with_handle(|w| w.spawn_detached_with_handle(|w| fib(w, 5)).join())
            .join(),
        5
    );
    // Detached tasks are over when the call is that left them.
    w.spawn_detached(ticks());
    w.spawn_detached_fifo(ticks());
    pool.spawn_detached(ticks());
    w.spawn_detached_broadcast({
        let tick = ticks();
        move |w| tick(w)
    });
    let (outer, inner) = (ticks(), ticks());
    w.spawn_detached(move |w| {
        outer(w);
        w.spawn_detached(inner);
    });
    assert_eq!(count.load(Ordering::Relaxed), 36);
    let (a, b) = w.join_context(
        |w, _| {
            w.spawn_detached(ticks());
            pool.run(|w| fib(w, 10))
        },
        |w, _| w.map_reduce(0..1000_u64, |i| i, || 0, |a, b| a + b),
    );
    assert_eq!((a, b, count.load(Ordering::Relaxed)), (55, 499_500, 37));
    let (a, b) = lyocell::join(|| lyocell::scope(|s| s.spawn(|_| tick(count))), || 2);
    assert_eq!((a, b, count.load(Ordering::Relaxed)), ((), 2, 38));
    let text = panic_of(|| w.scope(|s| s.spawn(|_| panic!("a task"))));
    assert_eq!(text, "a task");
}

/// Others take and leave jobs all the time, so that their locks are taken at many a fork.
fn a_child_of_a_task_spawns_while_every_lock_is_in_use<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for order in [SpawnOrder::Fair, SpawnOrder::OldestFirst] {
        let pool = &builder().workers(4).spawn_order(order).build().unwrap();
        let stop = &AtomicBool::new(false);
        thread::scope(|threads| {
            for _ in 0..2 {
                threads.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        pool.in_place_scope(|s| {
                            (0..9).for_each(|_| s.spawn(|_| s.spawn_fifo(|w| _ = fib(w, 3))));
                            s.spawn_broadcast(|_| ());
                        });
                    }
                });
            }
            let spawn_and_fork = |w: &Worker<D>, s: &Scope<'_, '_, D>| {
                (0..3).for_each(|_| w.spawn_detached(|w| w.spawn_detached_fifo(|w| _ = fib(w, 3))));
                in_a_fork(|| {
                    spawn_all_of(w, pool);
                    // Into a scope that others spawn into.
                    let ran = AtomicUsize::new(0);
                    let ran: &'static AtomicUsize = Box::leak(Box::new(ran));
                    for _ in 0..100 {
                        // SAFETY: the child ends before the scope, and what is borrowed is there for good.
                        let s: &'static Scope<'static, 'static, D> =
                            unsafe { &*std::ptr::from_ref(s).cast() };
                        s.spawn(|_| tick(ran));
                        s.spawn_fifo(|_| s.spawn_fifo(|_| tick(ran)));
                        s.spawn_broadcast(|_| tick(ran));
                    }
                    assert_eq!(ran.load(Ordering::Relaxed), 300);
                });
            };
            for _ in 0..rounds::<D>(200, 10) {
                pool.scope(|s| {
                    for _ in 0..3 {
                        s.spawn(|_| s.spawn_fifo(|w| _ = fib(w, 3)));
                    }
                    pool.run(|w| spawn_and_fork(w, s));
                });
            }
            stop.store(true, Ordering::Relaxed);
        });
        use_all_of(pool);
    }
}

fn what_waited_at_the_fork_runs_in_the_parent_only<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for caller in [Caller::Works, Caller::Sleeps] {
        let ran = shared_counter();
        let pool = builder().workers(1).caller(caller).build().unwrap();
        pool.run(|w| {
            // Where a worker keeps them, and on its way from outside.
            w.spawn_detached(|_| tick(ran));
            w.spawn_detached_fifo(|_| tick(ran));
            thread::scope(|threads| _ = threads.spawn(|| pool.spawn_detached(|_| tick(ran))));
            if caller == Caller::Sleeps {
                w.spawn_detached_broadcast(|_| tick(ran));
            }
            w.join_context(
                |w, _| {
                    w.spawn_detached(|_| tick(ran));
                    in_a_fork(|| {
                        spawn_all_of(w, &pool);
                        w.join_context(|_, _| (), |_, _| ());
                        assert_eq!((w.yield_now(), w.yield_local()), (Yield::Idle, Yield::Idle));
                        assert_eq!(lyocell::yield_now(), Some(Yield::Idle));
                        pool.run(|w| w.scope(|s| s.spawn(|_| ())));
                    });
                },
                |_, _| (),
            );
        });
        drop(pool);
        let expected = if caller == Caller::Sleeps { 5 } else { 4 };
        assert_eq!(ran.load(Ordering::Relaxed), expected);
    }
}

/// In a pool that the child builds, the thread that was a worker before is a caller as any other: it is woken, and it may
/// take the seat.
fn a_child_of_a_task_uses_pools_of_its_own<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = pool_of(&builder, 2);
    let other = pool_of(&builder, 2);
    for _ in 0..rounds::<D>(20, 3) {
        let builders =
            [Caller::Works, Caller::Sleeps].map(|caller| (caller, builder().caller(caller)));
        let for_good = builder().workers(1).use_current_thread();
        pool.run(|w| {
            in_a_fork(|| {
                for (caller, builder) in builders {
                    let new = builder.workers(2).build().unwrap();
                    for _ in 0..20 {
                        use_all_of(&new);
                        assert_eq!(new.run(|_| pool.run(|_| other.run(|w| fib(w, 8)))), 21);
                        let handle = new.spawn_detached_with_handle(|w| fib(w, 8));
                        assert_eq!(handle.join(), 21);
                    }
                    let index = new.run(|w| w.index());
                    assert!(index == 0 || caller == Caller::Sleeps, "the seat was free");
                    drop(new);
                }
                assert_eq!(w.join(|w| fib(w, 8), |_| other.run(|w| fib(w, 8))), (21, 21));
                drop(for_good.build().unwrap());
            });
        });
    }
    use_all_of(&pool);
}

fn a_thread_that_is_a_worker_for_good_forks<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for workers in [1, 2] {
        let builder = builder().workers(workers).use_current_thread();
        let body = || {
            let ran = shared_counter();
            let pool = builder.build().unwrap();
            // It is run when this thread waits, if nobody else has; not in the child.
            pool.spawn_detached(|_| tick(ran));
            in_a_fork(|| for_good_in_the_child(&pool));
            while ran.load(Ordering::Relaxed) == 0 {
                lyocell::yield_now();
            }
            pool.scope(|s| s.spawn(|_| ()));
            assert_eq!(ran.load(Ordering::Relaxed), 1);
        };
        thread::scope(|threads| threads.spawn(body).join().unwrap());
    }
}

fn for_good_in_the_child<D: Deque>(pool: &Pool<D>) {
    pool.run(|w| spawn_all_of(w, pool));
    let count = Arc::new(AtomicUsize::new(0));
    let (one, two, three) = (Arc::clone(&count), Arc::clone(&count), Arc::clone(&count));
    pool.spawn_detached(move |_| tick(&one));
    lyocell::spawn_detached(move || tick(&two));
    lyocell::spawn_detached_broadcast(move || tick(&three));
    assert_eq!(count.load(Ordering::Relaxed), 3);
    assert_eq!(lyocell::spawn_detached_with_handle(|| 3).join(), 3);
    use_all_of(pool);
}
