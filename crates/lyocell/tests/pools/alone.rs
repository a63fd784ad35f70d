//! Pools without threads: as where the system supports none, which here the program says that starts them.
//!
//! What they do without any other thread in the process, `compat/wasm` tells.

use crate::common::{fib, many, panic_of, tick};
use lyocell::probe::Observe;
use lyocell::{BuildError, Builder, Caller, Deque, Observed, Pool, Yield};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::thread;

/// A pool without threads, whatever the builder says.
pub(crate) fn alone<D: Deque>(builder: Builder<D>) -> Pool<D> {
    let unsupported = || Err(io::Error::from(io::ErrorKind::Unsupported));
    builder.build_with(|_| unsupported()).expect("a pool without threads")
}

pub(crate) fn a_pool() -> Pool {
    alone(Pool::builder())
}

#[test]
fn whoever_calls_is_its_worker() {
    for caller in [Caller::Works, Caller::WorksForAll, Caller::Sleeps] {
        let pool = alone(Pool::builder().workers(7).caller(caller));
        assert_eq!(pool.workers(), 1);
        let here = thread::current().id();
        assert_eq!(pool.run(|w| (w.index(), w.workers(), thread::current().id())), (0, 1, here));
        assert_eq!(pool.run(|w| fib(w, 12)), 144);
        assert_eq!(pool.broadcast(|w| w.index()), [0]);
    }
}

#[test]
fn only_who_has_started_none_is_without() {
    let mut started = 0;
    let built = Pool::builder().workers(3).build_with(|thread| {
        if started > 0 {
            return Err(io::ErrorKind::Unsupported.into());
        }
        started += 1;
        thread::spawn(|| thread.run());
        Ok(())
    });
    assert!(matches!(built, Err(BuildError::Thread { worker: 2, .. })), "{built:?}");
    let other = Pool::builder().build_with(|_| Err(io::ErrorKind::OutOfMemory.into()));
    assert!(matches!(other, Err(BuildError::Thread { .. })), "{other:?}");
}

#[test]
fn what_is_spawned_is_over_when_the_call_returns() {
    let (pool, count) = (a_pool(), Arc::new(AtomicUsize::new(0)));
    let task = || {
        let count = Arc::clone(&count);
        move || tick(&count)
    };
    let ran = || count.swap(0, Ordering::Relaxed);
    let one = task();
    pool.spawn_detached(move |_| one());
    assert_eq!(ran(), 1);
    let (one, other) = (task(), task());
    pool.run(|w| {
        w.spawn_detached(move |w| {
            one();
            w.spawn_detached_fifo(move |_| other());
        });
        assert_eq!(ran(), 0);
    });
    assert_eq!(ran(), 2);
    let one = task();
    pool.spawn_detached_broadcast(move |_| one());
    assert_eq!(ran(), 1);
    assert_eq!(pool.spawn_detached_with_handle(|w| fib(w, 7)).try_join().ok(), Some(13));
    let one = task();
    drop(pool.run_async(move |_| one()));
    assert_eq!(ran(), 1);
    pool.in_place_scope(|s| {
        let one = task();
        s.spawn(move |_| one());
        assert_eq!(ran(), 0, "it waits for the end of the body");
    });
    assert_eq!(ran(), 1);
    let (one, other) = (task(), task());
    pool.run(|w| {
        w.spawn_detached(move |_| one());
        assert_eq!(w.yield_now(), Yield::Executed);
        w.spawn_detached(move |_| other());
    });
    drop(pool);
    assert_eq!(ran(), 2);
}

/// On the stack of one, it would be as deep.
#[test]
fn tasks_that_spawn_each_other_are_run_one_after_the_other() {
    fn next(w: &lyocell::Worker, left: usize, count: Arc<AtomicUsize>) {
        tick(&count);
        if left > 1 {
            w.spawn_detached(move |w| next(w, left - 1, count));
        }
    }
    let (pool, count) = (a_pool(), Arc::new(AtomicUsize::new(0)));
    let (first, tasks) = (Arc::clone(&count), many(100_000, 100));
    pool.spawn_detached(move |w| next(w, tasks, first));
    assert_eq!(count.load(Ordering::Relaxed), tasks);
}

#[test]
fn what_waits_is_run_though_the_call_panics() {
    let (pool, count) = (a_pool(), Arc::new(AtomicUsize::new(0)));
    let task = Arc::clone(&count);
    let text = panic_of(|| {
        pool.run(|w| {
            w.spawn_detached(move |_| tick(&task));
            panic!("the call");
        })
    });
    assert_eq!((text.as_str(), count.load(Ordering::Relaxed)), ("the call", 1));
    assert_eq!(pool.run(|w| fib(w, 5)), 5);
}

#[test]
fn pools_call_each_other_and_themselves() {
    let (one, other) = (&a_pool(), &alone(Pool::builder().deque::<lyocell::Direct>()));
    let sum = one.run(|w| {
        let inner = other.run(|w| {
            assert_eq!(lyocell::current_thread_index(), Some(0));
            fib(w, 5) + one.run(|w| fib(w, 6) + other.run(|w| fib(w, 7)))
        });
        inner + fib(w, 8)
    });
    assert_eq!(sum, 5 + 8 + 13 + 21);
    let mut scoped = 0;
    one.run(|_| other.run(|_| one.in_place_scope(|s| s.spawn(|w| scoped = fib(w, 6)))));
    assert_eq!(scoped, 8);
    assert_eq!(one.run(|_| other.run(|_| one.broadcast(|w| w.index()))), [0]);
    // A panic on its way through all of them leaves each as it was.
    assert_eq!(panic_of(|| one.run(|_| other.run(|_| one.run(|_| panic!("within"))))), "within");
    assert_eq!(one.run(|w| fib(w, 5)) + other.run(|w| fib(w, 5)), 10);
}

/// In the middle of a call of one pool its worker waits for what only that thread could run.
#[test]
fn who_waits_in_one_pool_runs_what_waits_in_the_others() {
    let (one, other) = (&a_pool(), &a_pool());
    let sum = one.run(|w| {
        let below = w.spawn_detached_with_handle(|w| fib(w, 9));
        other.run(|_| {
            let beside = one.spawn_detached_with_handle(|w| fib(w, 8));
            let beyond = lyocell::spawn_detached_with_handle(|| 1);
            below.join() + beside.join() + beyond.join()
        })
    });
    assert_eq!(sum, 34 + 21 + 1);
}

/// Its worker has a pool with threads to go back to, and waits there.
#[test]
fn a_worker_of_a_pool_with_threads_calls_one_without() {
    for workers in [1, 2] {
        let (threads, alone) = (&Pool::with_workers(workers).unwrap(), &a_pool());
        let sum = threads.run(|w| {
            let left = w.spawn_detached_with_handle(|w| fib(w, 10));
            let sum = alone.run(|w| {
                let within = w.spawn_detached_with_handle(|w| fib(w, 6));
                let back = threads.run(|w| fib(w, 7));
                fib(w, 5) + back + within.join() + left.join()
            });
            sum + fib(w, 11)
        });
        assert_eq!(sum, 5 + 13 + 8 + 55 + 89);
    }
}

#[test]
fn threads_that_call_it_take_turns() {
    let (pool, ran) = (&a_pool(), &AtomicUsize::new(0));
    let rounds = many(2_000, 3);
    thread::scope(|threads| {
        for _ in 0..3 {
            threads.spawn(move || {
                let other = a_pool();
                for round in 0..rounds {
                    assert_eq!(pool.run(|w| fib(w, 5)), 5);
                    assert_eq!(pool.spawn_detached_with_handle(|w| fib(w, 6)).join(), 8);
                    pool.in_place_scope(|s| s.spawn(|_| tick(ran)));
                    // From a worker of another pool, which is not handed the seat.
                    assert_eq!(other.run(|_| pool.run(|_| round)), round);
                    assert_eq!(other.run(|_| pool.broadcast(|w| w.index())), [0]);
                }
            });
        }
    });
    assert_eq!(ran.load(Ordering::Relaxed), 3 * rounds);
}

/// The one in the call comes to it before the call returns.
#[test]
fn what_another_thread_leaves_is_run_by_who_is_in_a_call() {
    let pool = &a_pool();
    let (ask, asked) = mpsc::channel();
    let (send, receive) = mpsc::channel();
    thread::scope(|threads| {
        let other = threads.spawn(move || {
            asked.recv().unwrap();
            pool.spawn_detached(move |_| send.send(thread::current().id()).unwrap());
        });
        pool.run(move |_| {
            ask.send(()).unwrap();
            other.join().unwrap();
        });
    });
    assert_eq!(receive.try_recv(), Ok(thread::current().id()));
}

/// In the middle of a push, where nothing may run: neither in that pool nor in another.
#[test]
fn what_an_observer_leaves_is_run_by_who_calls_next() {
    static OTHER: OnceLock<Pool> = OnceLock::new();
    static RAN: AtomicUsize = AtomicUsize::new(0);

    #[derive(Default)]
    struct Spawns;

    impl Observe for Spawns {
        fn spawned(&self, _depth: usize) {
            OTHER.get_or_init(a_pool).spawn_detached(|_| tick(&RAN));
        }
    }

    let pool = Pool::builder()
        .probe::<Observed<Spawns>>()
        .build_with(|_| Err(io::ErrorKind::Unsupported.into()));
    let pool = pool.unwrap();
    pool.run(|w| {
        w.join(|w| w.join(|_| (), |_| ()), |_| assert_eq!(RAN.load(Ordering::Relaxed), 0))
    });
    assert!(pool.probes().all(|probe| !probe.has_panicked()));
    assert_eq!(RAN.load(Ordering::Relaxed), 0);
    OTHER.get().unwrap().run(|_| ());
    assert_eq!(RAN.load(Ordering::Relaxed), 2);
}

#[cfg(not(miri))]
#[test]
fn a_worker_for_good_runs_what_is_left_when_it_drops_the_pool() {
    thread::spawn(|| {
        let count = Arc::new(AtomicUsize::new(0));
        for workers in [1, 3] {
            let task = Arc::clone(&count);
            let ended = thread::spawn(move || {
                let pool = alone(Pool::builder().workers(workers).use_current_thread());
                pool.spawn_detached(move |_| tick(&task));
                let there = pool.run(|w| (w.workers(), w.join(|_| 1, |_| 2)));
                drop(pool);
                there
            });
            assert_eq!(ended.join().unwrap(), (1, (1, 2)));
        }
        assert_eq!(count.load(Ordering::Relaxed), 2);
    })
    .join()
    .unwrap();
}

on_each_kind_of_deque! { here: whoever_calls_works_on_any_deque }

fn whoever_calls_works_on_any_deque<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = alone(builder().deque_capacity(3));
    assert_eq!(pool.run(|w| fib(w, 10)), 55);
    assert_eq!(pool.run(|w| w.sum(0..1000_u64, |i| i)), 499_500);
    let mut doubled = [1, 2, 3];
    pool.scope(|s| doubled.iter_mut().for_each(|x| s.spawn(move |_| *x *= 2)));
    assert_eq!(doubled, [2, 4, 6]);
}
