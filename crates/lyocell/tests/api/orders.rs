//! In which order a worker takes up what was spawned on it, and yielding to it.

use crate::common::{join_stolen, many, pool};
use lyocell::{Caller, Deque, Pool, SpawnOrder, Worker, Yield};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc;

/// More than the looks after which a fair worker lets the oldest come first.
const MANY: usize = many(200, 70);
/// Enough to tell strict orders apart.
const SOME: usize = many(200, 8);

/// The order in which a worker runs so many tasks that `spawn` spawns on it, in the order of their numbers.
fn order_of(
    order: SpawnOrder,
    tasks: usize,
    spawn: fn(&Worker, Box<dyn FnOnce() + Send>),
) -> Vec<usize> {
    let builder = Pool::builder().workers(1).caller(Caller::Sleeps).spawn_order(order);
    let pool = builder.build().unwrap();
    let (send, receive) = mpsc::channel();
    pool.run(|w| {
        for i in 0..tasks {
            let send = send.clone();
            spawn(w, Box::new(move || send.send(i).unwrap()));
        }
    });
    drop((pool, send));
    receive.iter().collect()
}

#[test]
fn newest_first_is_strict_and_fair_is_not() {
    let newest_first = |tasks: usize| (0..tasks).rev().collect::<Vec<_>>();
    let spawn = |w: &Worker, task: Box<dyn FnOnce() + Send>| w.spawn_detached(move |_| task());
    assert_eq!(order_of(SpawnOrder::NewestFirst, SOME, spawn), newest_first(SOME));
    let fair = order_of(SpawnOrder::Fair, MANY, spawn);
    assert_eq!(fair[0], MANY - 1);
    assert_ne!(fair, newest_first(MANY));
}

#[test]
fn oldest_first_is_strict_and_so_is_fifo() {
    let oldest_first: Vec<usize> = (0..SOME).collect();
    let spawn = |w: &Worker, task: Box<dyn FnOnce() + Send>| w.spawn_detached(move |_| task());
    assert_eq!(order_of(SpawnOrder::OldestFirst, SOME, spawn), oldest_first);
    let fifo = |w: &Worker, task: Box<dyn FnOnce() + Send>| w.spawn_detached_fifo(move |_| task());
    for order in [SpawnOrder::NewestFirst, SpawnOrder::Fair, SpawnOrder::OldestFirst] {
        assert_eq!(order_of(order, SOME, fifo), oldest_first, "{order:?}");
    }
}

#[test]
fn tasks_in_order_that_come_from_outside_run() {
    let pool = pool(2);
    let (send, receive) = mpsc::channel();
    let tasks = many(100, 10);
    for i in 0..tasks {
        let send = send.clone();
        pool.spawn_detached_fifo(move |_| send.send(i).unwrap());
    }
    drop((pool, send));
    assert_eq!(receive.iter().sum::<usize>(), tasks * (tasks - 1) / 2);
}

#[test]
fn yielding_runs_one_task_and_says_so() {
    let pool = Pool::builder().workers(1).caller(Caller::Sleeps).build().unwrap();
    pool.run(|w| {
        let (send, receive) = mpsc::channel();
        for i in 0..2 {
            let send = send.clone();
            w.spawn_detached(move |_| send.send(i).unwrap());
        }
        assert_eq!(w.yield_local(), Yield::Executed);
        assert_eq!(receive.try_iter().collect::<Vec<_>>(), [1]);
        assert_eq!(w.yield_now(), Yield::Executed);
        assert_eq!(receive.try_iter().collect::<Vec<_>>(), [0]);
        assert_eq!((w.yield_local(), w.yield_now()), (Yield::Idle, Yield::Idle));
        assert_eq!(lyocell::yield_now(), Some(Yield::Idle));
        assert_eq!(lyocell::yield_local(), Some(Yield::Idle));
        // A task from outside is not this worker's.
        std::thread::scope(|threads| threads.spawn(|| pool.spawn_detached(|_| ())).join().unwrap());
        assert_eq!((w.yield_local(), w.yield_now()), (Yield::Idle, Yield::Executed));
    });
    assert_eq!(lyocell::yield_now(), None);
    assert_eq!(lyocell::yield_local(), None);
}

/// Alone, a worker that polls in `a` for what `b` does runs `b`, of however many joins.
#[test]
fn who_yields_runs_the_tasks_of_its_own_joins() {
    fn on<D: Deque>() {
        let pool = Pool::builder().deque::<D>().workers(1).build().unwrap();
        for yields in [Worker::<D>::yield_now, Worker::<D>::yield_local] {
            let sum = AtomicU32::new(0);
            let add = |number| _ = sum.fetch_add(number, Ordering::Relaxed);
            pool.run(|w| {
                let poll = |w: &Worker<D>| {
                    while sum.load(Ordering::Relaxed) < 3 {
                        yields(w);
                    }
                    assert_eq!(yields(w), Yield::Idle);
                };
                let inner = |w: &Worker<D>| w.join(poll, |w| w.join(|_| add(1), |_| ())).0;
                w.join(inner, |_| add(2))
            });
            assert_eq!(sum.into_inner(), 3, "{}", D::NAME);
        }
    }
    on::<lyocell::Split>();
    on::<lyocell::Direct>();
    on::<lyocell::DirectLocked>();
    on::<lyocell::ChaseLev>();
    on::<lyocell::Abp>();
    on::<lyocell::Receiver>();
    on::<lyocell::Sender>();
}

#[test]
fn a_panic_of_a_task_run_by_yielding_comes_out_where_it_is_joined() {
    let yields = |w: &Worker| assert_eq!(w.yield_local(), Yield::Executed);
    let panic = crate::common::panic_of(|| {
        pool(1).run(|w| {
            w.join(
                |w| {
                    yields(w);
                    assert_eq!(w.join(|_| 1, |_| 2), (1, 2), "it goes on");
                },
                |_| panic!("b"),
            )
        })
    });
    assert_eq!(panic, "b");
}

/// The worker that polls takes the task of another, which is kept from running it.
#[test]
fn who_yields_steals() {
    let pool = pool(2);
    let done = &AtomicBool::new(false);
    pool.run(|w| {
        join_stolen(
            w,
            |w| {
                w.join(
                    |w| crate::common::share_until(w, || done.load(Ordering::Relaxed)),
                    |_| done.store(true, Ordering::Relaxed),
                );
            },
            |w| {
                while !done.load(Ordering::Relaxed) {
                    w.yield_now();
                }
            },
        )
    });
}

#[test]
fn pending_tasks_are_seen_until_they_are_taken() {
    let pool = Pool::builder().workers(1).caller(Caller::Sleeps).build().unwrap();
    pool.run(|w| {
        assert!(!w.has_pending_tasks());
        w.spawn_detached(|_| ());
        assert!(w.has_pending_tasks());
        w.yield_local();
        assert!(!w.has_pending_tasks());
        w.join(
            |w| {
                assert!(w.has_pending_tasks());
                w.join(|_| (), |_| ());
                assert!(w.has_pending_tasks());
            },
            |w| assert!(!w.has_pending_tasks()),
        );
    });
}
