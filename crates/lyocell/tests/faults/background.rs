//! Background work beside calls and other tasks: nothing is lost, the bound holds, a flood starves nobody. What may come before is
//! counted, never timed.

use crate::common::{fib, tick};
use crate::isolation::forks;
use crate::process::isolated;
use crate::rounds;
use lyocell::{Builder, Caller, Deque, Pool, SpawnOrder, Worker};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

on_each_kind_of_deque! { isolated:
    calls_beside_saturated_background,
    the_bound_holds_whatever_is_forked,
    regions_in_the_background,
    what_waits_for_the_background,
    pools_that_end_with_much_waiting,
}

/// As many looks as there may be from one turn of the background to the next.
const TURN: usize = 976;
/// So many things one that has begun gives way to before it runs on to its next fork.
const MOST: usize = 61;

/// On pools of several sizes, with several bounds, several times.
fn on_pools<D: Deque>(builder: impl Fn() -> Builder<D>, body: impl Fn(&Pool<D>, usize)) {
    for workers in [1, 2, 3, 8] {
        for caller in [Caller::Works, Caller::Sleeps, Caller::WorksForAll] {
            for most in [1, workers] {
                let builder = builder().workers(workers).caller(caller).background_workers(most);
                let pool = builder.build().unwrap();
                (0..rounds::<D>(10, 3)).for_each(|_| body(&pool, most));
            }
        }
    }
}

/// A background task that does all there is, and counts it.
fn everything<D: Deque>(w: &Worker<D>, count: &AtomicUsize) {
    let (a, b) = w.join(|w| forks(w, 3), |w| forks(w, 3));
    assert_eq!(a, b);
    w.for_each_with(0..20, |w, _| _ = (forks(w, 1), tick(count)));
    w.scope(|s| {
        for _ in 0..5 {
            s.spawn(|w| {
                s.spawn(|_| tick(count));
                forks(w, 2);
            });
            s.spawn_fifo(|_| tick(count));
        }
    });
    w.coalesce(0..10, 1, |w, _, _| _ = (forks(w, 1), tick(count)));
}

const OF_EVERYTHING: usize = 20 + 2 * 5 + 10;

fn calls_beside_saturated_background<D: Deque>(builder: impl Fn() -> Builder<D>) {
    on_pools(builder, |pool, _| {
        let count = Arc::new(AtomicUsize::new(0));
        let tasks: Vec<_> = (0..16)
            .map(|_| {
                let count = Arc::clone(&count);
                pool.spawn_background_with_handle(move |w| everything(w, &count))
            })
            .collect();
        thread::scope(|threads| {
            for _ in 0..3 {
                threads.spawn(|| {
                    for _ in 0..10 {
                        assert_eq!(pool.run(|w| fib(w, 12)), 144);
                        let within = pool.run(|w| {
                            w.spawn_background(|w| _ = fib(w, 5));
                            w.spawn_detached_with_handle(|w| fib(w, 6)).join()
                        });
                        assert_eq!(within, 8);
                    }
                });
            }
        });
        tasks.into_iter().for_each(|task| task.join());
        assert_eq!(count.load(Ordering::Relaxed), 16 * OF_EVERYTHING);
    });
}

fn the_bound_holds_whatever_is_forked<D: Deque>(builder: impl Fn() -> Builder<D>) {
    on_pools(builder, |pool, most| {
        let (inside, peak) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let tasks: Vec<_> = (0..8)
            .map(|_| {
                let (inside, peak) = (Arc::clone(&inside), Arc::clone(&peak));
                pool.spawn_background_with_handle(move |w| {
                    let leaf = || {
                        let now = inside.fetch_add(1, Ordering::Relaxed) + 1;
                        peak.fetch_max(now, Ordering::Relaxed);
                        (0..100).for_each(|_| std::hint::spin_loop());
                        inside.fetch_sub(1, Ordering::Relaxed);
                    };
                    w.for_each(0..50, |_| leaf());
                    w.scope(|s| (0..20).for_each(|_| s.spawn(|_| leaf())));
                    w.join(|_| leaf(), |_| leaf());
                })
            })
            .collect();
        for _ in 0..20 {
            assert_eq!(pool.run(|w| fib(w, 12)), 144);
        }
        tasks.into_iter().for_each(|task| task.join());
        assert!(peak.load(Ordering::Relaxed) <= most);
    });
}

fn regions_in_the_background<D: Deque>(builder: impl Fn() -> Builder<D>) {
    on_pools(builder, |pool, _| {
        let lock = Arc::new(Mutex::new(0));
        let tasks: Vec<_> = (0..8)
            .map(|_| {
                let lock = Arc::clone(&lock);
                pool.spawn_background_with_handle(move |w| {
                    w.for_each_with(0..8, |w, _| {
                        let mut held = lock.lock().unwrap();
                        *held += w.isolated(|w| {
                            w.scope(|s| (0..4).for_each(|_| s.spawn(|w| _ = forks(w, 1))));
                            forks(w, 2);
                            w.spawn_detached_with_handle(|_| 1).join()
                        });
                    });
                })
            })
            .collect();
        for _ in 0..20 {
            assert_eq!(pool.run(|w| fib(w, 10)), 55);
        }
        tasks.into_iter().for_each(|task| task.join());
        assert_eq!(*lock.lock().unwrap(), 64);
    });
}

/// Tasks that wait for background tasks, in calls, in the background itself, and in tasks that are waited for.
fn what_waits_for_the_background<D: Deque>(builder: impl Fn() -> Builder<D>) {
    on_pools(builder, |pool, _| {
        // Leaves only: nothing gives way to what waits for it.
        let sum = pool.run(|w| {
            let tasks: Vec<_> =
                (0..10).map(|i| w.spawn_background_with_handle(move |_| i)).collect();
            tasks.into_iter().map(|task| task.join()).sum::<u64>()
        });
        assert_eq!(sum, 45);
        let nested = pool.spawn_background_with_handle(|w| {
            let inner = w.spawn_background_with_handle(|w| {
                w.spawn_background_with_handle(|w| fib(w, 10)).join()
            });
            inner.join()
        });
        assert_eq!(nested.join(), 55);
        let polled = pool.run(|w| {
            let mut task = w.spawn_background_with_handle(|_| 7);
            loop {
                match task.try_join() {
                    Ok(answer) => return answer,
                    Err(handle) => task = handle,
                }
                w.yield_now();
            }
        });
        assert_eq!(polled, 7);
    });
}

fn pools_that_end_with_much_waiting<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for workers in [1, 2, 4] {
        for caller in [Caller::Works, Caller::Sleeps] {
            for _ in 0..rounds::<D>(20, 5) {
                let pool = builder().workers(workers).caller(caller).background_workers(1);
                let pool = pool.build().unwrap();
                let count = Arc::new(AtomicUsize::new(0));
                for _ in 0..30 {
                    let (in_it, beside) = (Arc::clone(&count), Arc::clone(&count));
                    pool.spawn_background(move |w| everything(w, &in_it));
                    pool.spawn_detached(move |_| tick(&beside));
                }
                drop(pool);
                let count = Arc::into_inner(count).unwrap().into_inner();
                assert_eq!(count, 30 * (OF_EVERYTHING + 1));
            }
        }
    }
}

/// Spawns itself again until the flag is set, and counts.
fn flood(w: &Worker, over: Arc<AtomicBool>, count: Arc<AtomicUsize>) {
    tick(&count);
    if !over.load(Ordering::Relaxed) {
        w.spawn_detached(move |w| flood(w, over, count));
    }
}

/// One worker has a flood of its own: a background task comes in its turn, whatever the order of the others is.
#[test]
fn a_flood_of_tasks_does_not_starve_it() {
    isolated(|| {
        for order in [SpawnOrder::Fair, SpawnOrder::NewestFirst, SpawnOrder::OldestFirst] {
            let builder = Pool::builder().workers(1).caller(Caller::Sleeps).spawn_order(order);
            let pool = builder.build().unwrap();
            for _ in 0..10 {
                let (over, count) =
                    (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
                let (floods, counts) = (Arc::clone(&over), Arc::clone(&count));
                let begun = pool.spawn_detached_with_handle(move |w| {
                    let (ends, counted) = (Arc::clone(&floods), Arc::clone(&counts));
                    let task = w.spawn_background_with_handle(move |_| {
                        ends.store(true, Ordering::Relaxed);
                        counted.load(Ordering::Relaxed)
                    });
                    flood(w, floods, counts);
                    task
                });
                // Waited for out here: a worker that waits for it runs it at once.
                let before: usize = begun.join().join();
                assert!(before <= 2 * TURN, "{before} tasks came before it, {order:?}");
            }
        }
    });
}

/// It has begun, and forks: beside a flood it goes on.
#[test]
fn a_flood_does_not_stop_what_has_begun() {
    const FORKS: usize = 20;
    isolated(|| {
        let pool = Pool::builder().workers(1).caller(Caller::Sleeps).build().unwrap();
        for _ in 0..10 {
            let (over, count) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
            let (ends, counted) = (Arc::clone(&over), Arc::clone(&count));
            let task = pool.spawn_background_with_handle(move |w| {
                // From here on there is always something that comes before.
                let (floods, counts) = (Arc::clone(&ends), Arc::clone(&counted));
                w.spawn_detached(move |w| flood(w, floods, counts));
                for _ in 0..FORKS {
                    w.join(|_| (), |_| ());
                }
                ends.store(true, Ordering::Relaxed);
                counted.load(Ordering::Relaxed)
            });
            let before = task.join();
            assert!(before <= FORKS * MOST, "{before} things came before {FORKS} forks");
            assert!(before >= MOST, "{before}: it did not give way at all");
        }
    });
}
