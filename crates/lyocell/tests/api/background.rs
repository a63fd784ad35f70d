//! Background tasks: what comes out of them, what they let come before, and that they come to an end.

use crate::common::{Once, fib, join_stolen, many, panic_of, pool, text_of, tick};
use lyocell::{BuildError, Caller, Pool, Worker};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex, mpsc};
use std::thread;

/// A pool whose threads are its workers: nobody but them runs anything.
fn threads(workers: usize) -> Pool {
    Pool::builder().workers(workers).caller(Caller::Sleeps).build().unwrap()
}

/// Pools in which a call finds every worker in the background, if so many tasks are.
fn pools() -> [(Pool, usize); 4] {
    [(pool(1), 1), (threads(1), 1), (threads(2), 2), (pool(2), 1)]
}

fn is_set(flag: &AtomicBool) -> bool {
    flag.load(Ordering::Relaxed)
}

fn set(flag: &AtomicBool) {
    flag.store(true, Ordering::Relaxed);
}

#[test]
fn what_a_task_returns_or_panics_with_comes_by_its_handle() {
    for (pool, _) in pools() {
        assert_eq!(pool.spawn_background_with_handle(|w| fib(w, 10)).join(), 55);
        let panics = pool.spawn_background_with_handle(|_| panic!("in it"));
        let panics: lyocell::TaskHandle<()> = panics;
        assert_eq!(text_of(&*panics.join_result().unwrap_err()), "in it");
        assert_eq!(pool.run(|w| w.spawn_background_with_handle(|w| fib(w, 8)).join()), 21);
        let nested = |w: &Worker| {
            let inner = w.spawn_background_with_handle(|w| fib(w, 7));
            (fib(w, 6), inner.join())
        };
        assert_eq!(pool.spawn_background_with_handle(nested).join(), (8, 13));
        assert_eq!(pool.run(|_| lyocell::spawn_background_with_handle(|| 3).join()), 3);
    }
}

#[test]
fn a_panic_that_nobody_waits_for_goes_to_the_hook() {
    let (send, panics) = mpsc::channel();
    let send = Mutex::new(send);
    let hook = move |panic: Box<dyn std::any::Any + Send>| {
        send.lock().unwrap().send(text_of(&*panic)).unwrap();
    };
    let pool = Pool::builder().workers(2).on_panic(hook).build().unwrap();
    pool.spawn_background(|w| _ = w.join(|_| (), |_| panic!("told")));
    assert_eq!(panics.recv().unwrap(), "told");
}

#[test]
fn the_end_of_the_pool_is_that_of_all_of_them() {
    const TASKS: usize = many(10, 2);
    for (pool, _) in pools() {
        let count = Arc::new(AtomicUsize::new(0));
        for _ in 0..TASKS {
            let count = Arc::clone(&count);
            pool.spawn_background(move |w| {
                let again = Arc::clone(&count);
                w.spawn_background(move |_| tick(&again));
                w.for_each(0..10, |_| tick(&count));
            });
        }
        drop(pool);
        assert_eq!(Arc::into_inner(count).unwrap().into_inner(), 11 * TASKS);
    }
}

#[test]
fn it_comes_after_all_that_waits_and_the_oldest_first() {
    let pool = threads(1);
    for _ in 0..many(20, 2) {
        let (begun, queued) = (Arc::new(Once::default()), Arc::new(Once::default()));
        let order = Arc::new(Mutex::new(String::new()));
        let (begins, waits) = (Arc::clone(&begun), Arc::clone(&queued));
        pool.spawn_detached(move |_| {
            begins.happens();
            waits.wait();
        });
        begun.wait();
        let note = |name: &'static str| {
            let order = Arc::clone(&order);
            move |_: &Worker| order.lock().unwrap().push_str(name)
        };
        let last = pool.spawn_background_with_handle(note("b"));
        pool.spawn_detached(note("1"));
        let very_last = pool.spawn_background_with_handle(note("c"));
        pool.spawn_detached(note("2"));
        queued.happens();
        last.join();
        very_last.join();
        assert_eq!(*order.lock().unwrap(), "12bc");
    }
}

/// Occupies so many workers in the background, in a task each that goes on until the flag is set.
fn occupied(
    pool: &Pool,
    tasks: usize,
    flag: &Arc<AtomicBool>,
    work: fn(&Worker, &AtomicBool),
) -> Vec<lyocell::TaskHandle<()>> {
    // All begin before one forks, whose parts others would take.
    let begun = Arc::new(Barrier::new(tasks + 1));
    let task = |_| {
        let (flag, begun) = (Arc::clone(flag), Arc::clone(&begun));
        pool.spawn_background_with_handle(move |w| {
            begun.wait();
            work(w, &flag);
        })
    };
    let handles = (0..tasks).map(task).collect();
    begun.wait();
    handles
}

/// Ways to fork until the flag is set, which is done by what a fork lets come before.
const WAYS: [fn(&Worker, &AtomicBool); 4] = [
    |w, flag| {
        while !is_set(flag) {
            w.join(|_| (), |_| thread::yield_now());
        }
    },
    |w, flag| {
        let until = |_| {
            thread::yield_now();
            if is_set(flag) { Err(()) } else { Ok(()) }
        };
        assert!(w.try_for_each(0..u64::MAX, until).is_err());
    },
    |w, flag| {
        while !is_set(flag) {
            w.scope(|s| (0..3).for_each(|_| s.spawn(|w| _ = fib(w, 2))));
        }
    },
    |w, flag| {
        while !is_set(flag) {
            w.join_range(0..4, (), |_, _| (), |(), ()| ());
        }
    },
];

#[test]
fn it_gives_way_to_a_call() {
    for work in WAYS {
        for (pool, tasks) in pools() {
            let flag = Arc::new(AtomicBool::new(false));
            let occupied = occupied(&pool, tasks, &flag, work);
            pool.run(|_| set(&flag));
            occupied.into_iter().for_each(|task| task.join());
        }
    }
}

#[test]
fn it_gives_way_to_a_detached_task_from_outside_and_of_its_own() {
    for work in WAYS {
        for (pool, tasks) in pools() {
            let flag = Arc::new(AtomicBool::new(false));
            let occupied = occupied(&pool, tasks, &flag, work);
            let sets = Arc::clone(&flag);
            pool.spawn_detached(move |_| set(&sets));
            occupied.into_iter().for_each(|task| task.join());
            let own = pool.spawn_background_with_handle(move |w| {
                let flag = Arc::new(AtomicBool::new(false));
                let sets = Arc::clone(&flag);
                w.spawn_detached(move |_| set(&sets));
                work(w, &flag);
            });
            own.join();
        }
    }
}

/// The caller sits on the seat, and its `b` is taken by the worker that is in the background.
#[test]
fn it_gives_way_to_the_tasks_of_joins() {
    for work in WAYS {
        let pool = pool(2);
        for _ in 0..many(10, 1) {
            let flag = Arc::new(AtomicBool::new(false));
            let occupied = occupied(&pool, 1, &flag, work);
            let (here, there) = pool.run(|w| {
                join_stolen(
                    w,
                    |w| w.index(),
                    |w| {
                        set(&flag);
                        w.index()
                    },
                )
            });
            assert_eq!((here, there), (0, 1));
            occupied.into_iter().for_each(|task| task.join());
        }
    }
}

/// A call that a background task has given way to forks, and the other worker, in the background too, takes a part of it.
#[test]
fn parts_of_what_it_gave_way_to_are_had_by_others() {
    let pool = threads(2);
    for _ in 0..many(10, 1) {
        let flag = Arc::new(AtomicBool::new(false));
        let deep: fn(&Worker, &AtomicBool) = |w, flag| {
            // With open joins below, which are older than what the call forks.
            w.join(|w| w.join(|w| WAYS[0](w, flag), |_| ()), |_| ());
        };
        let occupied = occupied(&pool, 2, &flag, deep);
        let (here, there) = pool.run(|w| join_stolen(w, |w| w.index(), |w| w.index()));
        assert_ne!(here, there);
        set(&flag);
        occupied.into_iter().for_each(|task| task.join());
    }
}

#[test]
fn in_a_region_it_gives_way_to_nobody() {
    let pool = threads(1);
    for _ in 0..many(10, 1) {
        let (begun, queued) = (Arc::new(Once::default()), Arc::new(Once::default()));
        let flag = Arc::new(AtomicBool::new(false));
        let (begins, waits, reads) = (Arc::clone(&begun), Arc::clone(&queued), Arc::clone(&flag));
        let task = pool.spawn_background_with_handle(move |w| {
            begins.happens();
            waits.wait();
            w.isolated(|w| {
                assert_eq!(fib(w, 10), 55);
                assert!(!is_set(&reads), "a stranger in the region");
            });
            w.join(|_| (), |_| ());
            assert!(is_set(&reads), "the fork after it gives way");
        });
        begun.wait();
        let sets = Arc::clone(&flag);
        pool.spawn_detached(move |_| set(&sets));
        queued.happens();
        task.join();
    }
}

/// So many were inside at a time, at the most.
#[derive(Default)]
struct Gauge {
    inside: AtomicUsize,
    most: AtomicUsize,
}

impl Gauge {
    fn enter(&self) {
        let inside = self.inside.fetch_add(1, Ordering::Relaxed) + 1;
        self.most.fetch_max(inside, Ordering::Relaxed);
        thread::yield_now();
        self.inside.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Of the tasks, and of what they fork, loop over and spawn.
#[test]
fn no_more_workers_than_allowed_are_in_the_background() {
    for caller in [Caller::Works, Caller::Sleeps] {
        for most in [1, 2] {
            let builder = Pool::builder().workers(4).caller(caller).background_workers(most);
            let pool = builder.build().unwrap();
            let gauge = Arc::new(Gauge::default());
            for _ in 0..many(20, 1) {
                let gauge = Arc::clone(&gauge);
                pool.spawn_background(move |w| {
                    w.for_each(0..many(50, 3), |_| gauge.enter());
                    w.join(|_| gauge.enter(), |_| gauge.enter());
                    w.scope(|s| (0..many(20, 2)).for_each(|_| s.spawn(|_| gauge.enter())));
                });
                // Others look round meanwhile, and steal.
                assert_eq!(pool.run(|w| fib(w, many(12, 4) as u64)), many(144, 3) as u64);
            }
            drop(pool);
            assert!(gauge.most.load(Ordering::Relaxed) <= most);
        }
    }
}

#[test]
fn a_pool_without_room_for_any_is_refused() {
    let error = Pool::builder().background_workers(0).build().unwrap_err();
    assert!(matches!(error, BuildError::BackgroundWorkers { asked: 0 }), "{error:?}");
    assert!(error.to_string().contains("on 0 workers at a time"), "{error}");
}

/// Neither would end; where it can be told it is.
#[test]
fn a_task_that_waits_for_what_it_runs_on_top_of_panics() {
    let pool = threads(1);
    let flag = Arc::new(AtomicBool::new(false));
    let mut occupied = occupied(&pool, 1, &flag, WAYS[0]);
    let task = occupied.pop().unwrap();
    let text = panic_of(|| {
        pool.run(|_| {
            let _set = SetAtTheEnd(&flag);
            task.join();
        })
    });
    assert!(text.contains("neither would end"), "{text}");
}

struct SetAtTheEnd<'a>(&'a AtomicBool);

impl Drop for SetAtTheEnd<'_> {
    fn drop(&mut self) {
        set(self.0);
    }
}

#[test]
fn a_worker_that_polls_comes_to_it() {
    let pool = pool(1);
    pool.run(|w| {
        let task = w.spawn_background_with_handle(|_| 42);
        assert_eq!(w.yield_local(), lyocell::Yield::Idle, "it is not left here");
        assert_eq!(w.yield_now(), lyocell::Yield::Executed);
        assert_eq!(task.try_join().unwrap(), 42);
    });
}
