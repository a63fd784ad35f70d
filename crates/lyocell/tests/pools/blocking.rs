//! Tasks that block, and the workers that work in their place.

use crate::common::{fib, many, panic_of, tick};
use lyocell::{BuildError, Builder, Caller, Deque, Exposing, Pool, Worker};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex, mpsc};
use std::thread;

on_each_kind_of_deque! { here:
    tasks_that_wait_for_each_other_each_have_a_worker,
    what_a_blocked_worker_has_spawned_is_run,
    blocking_now_and_then_beside_joins,
    calls_that_wait_for_each_other_each_have_a_worker,
    calls_beside_tasks_that_block,
}

/// As many tasks as there are workers, spare ones included.
fn tasks_that_wait_for_each_other_each_have_a_worker<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for (workers, spares) in [(1, 1), (2, 2), (1, 4)] {
        let pool = builder().workers(workers).spare_workers(spares).build().unwrap();
        assert_eq!(pool.workers(), workers + spares);
        let barrier = &Barrier::new(workers + spares);
        for _ in 0..many(20, 2) {
            pool.scope(|s| {
                for _ in 0..workers + spares {
                    s.spawn(|w| _ = w.blocking(|| barrier.wait()));
                }
            });
        }
        // They rest, and are not missed.
        assert_eq!(pool.run(|w| fib(w, 10)), 55);
    }
}

/// As many calls as there are spare workers, and the one on the seat.
fn calls_that_wait_for_each_other_each_have_a_worker<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for (workers, spares) in [(1, 1), (1, 3), (2, 2)] {
        let pool = &builder().workers(workers).spare_workers(spares).build().unwrap();
        let barrier = &Barrier::new(1 + spares);
        for _ in 0..many(20, 2) {
            thread::scope(|threads| {
                for _ in 0..1 + spares {
                    threads.spawn(|| {
                        let call = |w: &Worker<D>| {
                            barrier.wait();
                            w.spawn_detached(|w| assert_eq!(fib(w, 5), 5));
                            fib(w, 10)
                        };
                        assert_eq!(pool.run(call), 55);
                    });
                }
            });
        }
    }
}

/// More calls than there is room for, some of which block.
fn calls_beside_tasks_that_block<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = &builder().workers(2).spare_workers(2).build().unwrap();
    let over = &AtomicUsize::new(0);
    thread::scope(|threads| {
        for caller in 0..4 {
            threads.spawn(move || {
                for round in 0..many(100, 3) {
                    let call = |w: &Worker<D>| {
                        if (caller + round) % 3 == 0 {
                            w.blocking(thread::yield_now);
                        }
                        fib(w, 9)
                    };
                    assert_eq!(pool.run(call), 34);
                    tick(over);
                }
            });
        }
    });
    assert_eq!(over.load(Ordering::Relaxed), 4 * many(100, 3));
}

fn what_a_blocked_worker_has_spawned_is_run<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for caller in [Caller::Works, Caller::Sleeps] {
        let pool = builder().workers(1).spare_workers(1).caller(caller).build().unwrap();
        let received = pool.run(|w| {
            let (send, receive) = mpsc::channel();
            w.spawn_detached(move |w| send.send(fib(w, 8)).unwrap());
            w.blocking(|| receive.recv())
        });
        assert_eq!(received, Ok(21));
    }
}

fn blocking_now_and_then_beside_joins<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = builder().workers(2).spare_workers(2).build().unwrap();
    let blocked = AtomicUsize::new(0);
    for _ in 0..many(30, 2) {
        pool.run(|w| {
            w.for_each_with(0..8, |w, i| {
                if i % 2 == 0 {
                    w.blocking(|| {
                        thread::yield_now();
                        tick(&blocked);
                    });
                }
                assert_eq!(fib(w, 7), 13);
            });
        });
    }
    assert_eq!(blocked.into_inner(), 4 * many(30, 2));
}

/// What it had forked before, and kept to itself: whatever deque lets others have it.
#[test]
fn the_joins_of_a_blocked_worker_are_taken() {
    fn run<D: Deque>(builder: Builder<D>) {
        for exposing in [Exposing::Allowed, Exposing::Off] {
            let builder = builder.clone().workers(1).spare_workers(1).exposing(exposing);
            let pool = builder.build().unwrap();
            let (send, receive) = mpsc::channel();
            let (received, ()) = pool.run(|w| {
                w.join(
                    |w| w.join(|w| w.blocking(move || receive.recv()), |_| ()).0,
                    move |_| send.send(7).unwrap(),
                )
            });
            assert_eq!(received, Ok(7));
        }
    }
    run(Pool::builder());
    run(Pool::builder().deque::<lyocell::Direct>());
    run(Pool::builder().deque::<lyocell::DirectLocked>());
    run(Pool::builder().deque::<lyocell::ChaseLev>());
    run(Pool::builder().deque::<lyocell::Abp>());
}

#[test]
fn there_are_no_more_threads_than_that_and_they_end_with_the_pool() {
    let [started, ended] = [0, 1].map(|_| Arc::new(AtomicUsize::new(0)));
    let (starts, ends) = (Arc::clone(&started), Arc::clone(&ended));
    let pool = Pool::builder()
        .workers(2)
        .spare_workers(2)
        .caller(Caller::Sleeps)
        .on_start(move |_| tick(&starts))
        .on_exit(move |_| tick(&ends))
        .build()
        .unwrap();
    let threads = Mutex::new(HashSet::new());
    pool.scope(|s| {
        for _ in 0..many(50, 6) {
            s.spawn(|w| {
                assert!(w.index() < 4);
                threads.lock().unwrap().insert(thread::current().id());
                w.blocking(thread::yield_now);
            });
        }
    });
    let threads = threads.into_inner().unwrap().len();
    assert!(threads <= 4, "{threads} threads");
    drop(pool);
    let (started, ended) = (started.load(Ordering::Relaxed), ended.load(Ordering::Relaxed));
    assert!(started == ended && (2..=4).contains(&started), "{started} began, {ended} ended");
}

#[test]
fn what_is_awake_in_place_of_others_is_no_part_of_a_broadcast() {
    let pool = Pool::builder().workers(2).spare_workers(3).caller(Caller::Sleeps).build().unwrap();
    assert_eq!(pool.broadcast(|w| w.index()), [0, 1]);
    assert_eq!(pool.broadcast(|w| w.blocking(|| w.index())), [0, 1]);
}

#[test]
fn a_panic_ends_it_and_one_within_another_is_one() {
    let pool = Pool::builder().workers(1).spare_workers(1).build().unwrap();
    pool.run(|w| {
        assert_eq!(panic_of(|| w.blocking(|| panic!("the body"))), "the body");
        assert_eq!(w.blocking(|| w.blocking(|| lyocell::blocking(|| 1))), 1);
        // It may fork all the same.
        assert_eq!(w.blocking(|| lyocell::join(|| fib(w, 5), || 2)), (5, 2));
    });
    let (send, receive) = mpsc::channel();
    pool.spawn_detached(move |w| w.blocking(|| send.send(3).unwrap()));
    assert_eq!(receive.recv(), Ok(3));
}

#[test]
fn without_spares_it_is_a_call() {
    assert_eq!(lyocell::blocking(|| 1), 1);
    let pool = Pool::with_workers(1).unwrap();
    assert_eq!(pool.run(|w| w.blocking(|| thread::current().id())), thread::current().id());
    let pool = Pool::builder().workers(2).spare_workers(5).build_with(|thread| {
        thread::spawn(|| thread.run());
        Ok(())
    });
    assert_eq!(pool.unwrap().workers(), 2);
}

#[test]
fn too_many_are_refused() {
    let error = Pool::builder().workers(1_000).spare_workers(24).build().unwrap_err();
    assert!(matches!(error, BuildError::Workers { asked: 1_024 }), "{error}");
    let error = Pool::builder().workers(1).spare_workers(usize::MAX).build().unwrap_err();
    assert!(matches!(error, BuildError::Workers { asked: usize::MAX }), "{error}");
}
