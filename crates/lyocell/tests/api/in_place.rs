//! Scopes whose body runs where it is.

use crate::common::{many, panic_of, pool, tick};
use lyocell::{Caller, Pool};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;

#[test]
fn the_body_stays_here_and_the_tasks_are_over_after_it() {
    let pool = Pool::builder().workers(2).caller(Caller::Sleeps).build().unwrap();
    let here = thread::current().id();
    for _ in 0..many(200, 3) {
        let bound_to_this_thread = Rc::new(Cell::new(0));
        let ran = AtomicUsize::new(0);
        pool.in_place_scope(|s| {
            assert_eq!(thread::current().id(), here);
            bound_to_this_thread.set(1);
            for _ in 0..10 {
                s.spawn(|_| {
                    assert_ne!(thread::current().id(), here);
                    tick(&ran);
                    s.spawn(|_| tick(&ran));
                });
            }
        });
        assert_eq!((bound_to_this_thread.get(), ran.into_inner()), (1, 20));
    }
}

#[test]
fn a_pool_with_one_worker_runs_the_tasks_while_the_body_waits_for_them() {
    for caller in [Caller::Works, Caller::Sleeps] {
        let pool = Pool::builder().workers(1).caller(caller).build().unwrap();
        let (send, receive) = mpsc::channel();
        let answer = pool.in_place_scope(|s| {
            s.spawn(move |_| send.send(42).unwrap());
            receive.recv().unwrap()
        });
        assert_eq!(answer, 42);
    }
}

/// Each waits for a task in the other pool, and serves its own meanwhile.
#[test]
fn workers_of_pools_open_scopes_in_each_other() {
    let (first, second) = (pool(1), pool(1));
    for _ in 0..many(100, 3) {
        let ran = AtomicUsize::new(0);
        first.run(|_| {
            second.in_place_scope(|s| {
                s.spawn(|_| first.in_place_scope(|s| s.spawn(|_| tick(&ran))));
            });
        });
        assert_eq!(ran.into_inner(), 1);
    }
}

#[test]
fn in_its_own_pool_a_worker_works_while_it_waits() {
    let pool = pool(1);
    let index = pool.run(|w| {
        let mut index = None;
        pool.in_place_scope(|s| s.spawn(|w| index = Some(w.index())));
        (w.index(), index)
    });
    assert_eq!(index, (0, Some(0)));
}

#[test]
fn panics_come_out_when_all_is_over() {
    let pool = pool(2);
    let ran = AtomicUsize::new(0);
    let body = || {
        pool.in_place_scope(|s| {
            s.spawn(|_| tick(&ran));
            panic!("the body");
        })
    };
    assert_eq!((panic_of(body).as_str(), ran.load(Ordering::Relaxed)), ("the body", 1));
    let task = || {
        pool.in_place_scope(|s| {
            s.spawn(|_| panic!("a task"));
            s.spawn(|_| tick(&ran));
        })
    };
    assert_eq!((panic_of(task).as_str(), ran.into_inner()), ("a task", 2));
}

#[test]
fn tasks_that_are_to_run_in_order_do_so_on_their_worker() {
    let pool = Pool::builder().workers(1).caller(Caller::Sleeps).build().unwrap();
    let order = Mutex::new(Vec::new());
    let note = |number| order.lock().unwrap().push(number);
    pool.scope(|s| {
        for i in 0..10 {
            s.spawn_fifo(move |_| {
                for j in 0..10 {
                    s.spawn_fifo(move |_| note(i * 10 + j));
                }
            });
        }
    });
    assert_eq!(order.into_inner().unwrap(), (0..100).collect::<Vec<_>>());
}

#[test]
fn tasks_in_order_are_stolen_and_end_before_the_scope() {
    let pool = pool(3);
    for _ in 0..many(100, 2) {
        let ran = AtomicUsize::new(0);
        pool.scope(|s| {
            for _ in 0..20 {
                s.spawn_fifo(|_| {
                    tick(&ran);
                    s.spawn_fifo(|_| tick(&ran));
                });
            }
        });
        assert_eq!(ran.into_inner(), 40);
    }
}
