//! Pools that are dropped at awkward moments, and often.

use crate::common::{fib, pool, pool_of, tick};
use crate::process::isolated;
use crate::rounds;
use crate::system::{resident_kb, threads, until_threads};
use lyocell::{Builder, Caller, Deque, Pool, Worker};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

on_each_kind_of_deque! { isolated:
    dropped_while_detached_tasks_fork_and_join,
    dropped_by_a_worker_of_itself,
}

/// The global pool is never dropped: its tasks end with the process, and do not keep it from ending.
#[test]
fn the_process_ends_beside_a_detached_task_that_does_not() {
    isolated(|| {
        let (send, receive) = std::sync::mpsc::channel();
        lyocell::spawn_detached(move || {
            send.send(()).unwrap();
            loop {
                thread::park();
            }
        });
        receive.recv().expect("the task has begun");
    });
}

#[test]
fn dropped_while_detached_tasks_run_and_spawn_more() {
    fn chain(w: &Worker, length: usize, ran: Arc<AtomicUsize>) {
        ran.fetch_add(1, Ordering::Relaxed);
        w.join(|_| (), |_| ());
        if length > 0 {
            lyocell::spawn_detached(move || {
                lyocell::with_current(|w| chain(w.unwrap(), length - 1, ran));
            });
        }
    }
    isolated(|| {
        let before = threads();
        for workers in [1, 2, 8] {
            for caller in [Caller::Works, Caller::Sleeps] {
                for _ in 0..20 {
                    let ran = Arc::new(AtomicUsize::new(0));
                    let pool = Pool::builder().workers(workers).caller(caller).build().unwrap();
                    for _ in 0..10 {
                        let ran = Arc::clone(&ran);
                        pool.spawn_detached(|w| chain(w, 99, ran));
                    }
                    drop(pool);
                    assert_eq!(ran.load(Ordering::Relaxed), 1000);
                    assert_eq!(Arc::strong_count(&ran), 1);
                }
            }
        }
        until_threads(before);
    });
}

fn dropped_while_detached_tasks_fork_and_join<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let before = threads();
    for workers in [1, 2, 8] {
        for caller in [Caller::Works, Caller::Sleeps] {
            for _ in 0..rounds::<D>(20, 4) {
                let ran = Arc::new(AtomicUsize::new(0));
                let pool = builder().workers(workers).caller(caller).build().unwrap();
                for _ in 0..10 {
                    let ran = Arc::clone(&ran);
                    pool.spawn_detached(move |w| {
                        assert_eq!(fib(w, 12), 144);
                        w.scope(|s| (0..9).for_each(|_| s.spawn(|_| tick(&ran))));
                        tick(&ran);
                    });
                }
                drop(pool);
                assert_eq!(ran.load(Ordering::Relaxed), 100);
                assert_eq!(Arc::strong_count(&ran), 1);
            }
        }
    }
    until_threads(before);
}

fn dropped_by_a_worker_of_itself<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let before = threads();
    for workers in [1, 2, 8] {
        for round in 0..rounds::<D>(50, 10) {
            let pool = Arc::new(pool_of(&builder, workers));
            let (go, wait) = mpsc::channel::<()>();
            let ran = Arc::new(AtomicUsize::new(0));
            for _ in 0..4 {
                let ran = Arc::clone(&ran);
                pool.spawn_detached(move |_| tick(&ran));
            }
            let (inner, counter) = (Arc::clone(&pool), Arc::clone(&ran));
            pool.spawn_detached(move |w| {
                let _ = wait.recv();
                drop(inner);
                // The pool is gone as far as anybody can see; this task still has its worker.
                w.join(|_| (), |_| ());
                counter.fetch_add(1, Ordering::Relaxed);
            });
            drop(pool);
            if round % 2 == 0 {
                go.send(()).unwrap();
            }
            drop(go);
            while Arc::strong_count(&ran) > 1 {
                thread::yield_now();
            }
            assert_eq!(ran.load(Ordering::Relaxed), 5);
        }
    }
    until_threads(before);
}

#[test]
fn dropped_in_the_middle_of_nothing() {
    isolated(|| {
        let before = threads();
        for round in 0..2000 {
            let pool = pool(1 + round % 4);
            if round % 3 == 0 {
                assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
            }
        }
        until_threads(before);
    });
}

#[test]
fn many_pools_come_and_go_without_a_trace() {
    isolated(|| {
        // With tools that slow everything down, fewer.
        let pools = if cfg!(debug_assertions) { 2_000 } else { 25_000 };
        let come_and_go = |count: usize| {
            for i in 0..count {
                let pool = Pool::builder().workers(2).build().unwrap();
                if i % 8 == 0 {
                    assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
                }
            }
        };
        let before = threads();
        come_and_go(pools / 10);
        let early = resident_kb();
        come_and_go(pools - pools / 10);
        let late = resident_kb();
        until_threads(before);
        // Fifty bytes a pool would show; what the allocator keeps differs by some pages.
        assert!(cfg!(debug_assertions) || late < early + 1024, "{early} kB grew to {late} kB");
    });
}
