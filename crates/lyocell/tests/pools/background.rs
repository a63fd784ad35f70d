//! Background tasks in pools without threads, where nobody else would run them, and beside spare workers.

use crate::alone::{a_pool, alone};
use crate::common::{fib, join_stolen, many, panic_of, share_until, tick};
use lyocell::{Builder, Caller, Deque, Pool, Worker, Yield};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex, mpsc};
use std::thread;

on_each_kind_of_deque! { here:
    without_threads_it_is_run_by_who_leaves_it_or_calls,
    without_threads_it_gives_way_at_its_forks,
    one_that_blocks_lets_another_begin,
    parts_of_a_call_are_had_by_who_is_in_the_background,
    parts_of_a_call_of_before_are_had_by_who_is_in_the_background,
}

/// Notes that it has run, by this name.
fn note<D: Deque>(
    order: &Arc<Mutex<String>>,
    name: &'static str,
) -> impl FnOnce(&Worker<D>) + use<D> {
    let order = Arc::clone(order);
    move |_| order.lock().unwrap().push_str(name)
}

fn without_threads_it_is_run_by_who_leaves_it_or_calls<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let (pool, order) = (alone(builder()), Arc::new(Mutex::new(String::new())));
    let ran = || std::mem::take(&mut *order.lock().unwrap());
    pool.spawn_background(note(&order, "b"));
    assert_eq!(ran(), "b", "at once");
    pool.run(|w| {
        w.spawn_background(note(&order, "b"));
        w.spawn_background(note(&order, "c"));
        w.spawn_detached(note(&order, "1"));
        pool.spawn_detached(note(&order, "2"));
        assert_eq!(ran(), "");
    });
    assert!(matches!(ran().as_str(), "12bc" | "21bc"), "before the call returns, and last");
    assert_eq!(pool.run(|w| w.spawn_background_with_handle(|w| fib(w, 7)).join()), 13);
    assert_eq!(pool.spawn_background_with_handle(|w| fib(w, 6)).try_join().ok(), Some(8));
    pool.run(|w| {
        w.spawn_background(note(&order, "b"));
        assert_eq!(w.yield_local(), Yield::Idle);
        assert_eq!((w.yield_now(), ran().as_str()), (Yield::Executed, "b"));
    });
    let text = panic_of(|| {
        pool.run(|w| {
            w.spawn_background(note(&order, "b"));
            panic!("the call");
        })
    });
    assert_eq!((text.as_str(), ran().as_str()), ("the call", "b"));
    pool.run(|w| w.spawn_background(note(&order, "b")));
    drop(pool);
    assert_eq!(ran(), "b");
}

fn without_threads_it_gives_way_at_its_forks<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = alone(builder());
    let task = pool.spawn_background_with_handle(|w| {
        let came = Arc::new(AtomicBool::new(false));
        let comes = Arc::clone(&came);
        w.spawn_detached(move |_| comes.store(true, Ordering::Relaxed));
        while !came.load(Ordering::Relaxed) {
            w.join(|_| (), |_| ());
        }
    });
    assert_eq!(task.try_join().ok(), Some(()));
}

/// On the stack of one, it would be as deep.
#[test]
fn without_threads_they_are_run_one_after_the_other() {
    fn next(w: &Worker, left: usize, count: Arc<AtomicUsize>) {
        tick(&count);
        if left > 1 {
            w.spawn_background(move |w| next(w, left - 1, count));
        }
    }
    let (pool, count) = (a_pool(), Arc::new(AtomicUsize::new(0)));
    let (first, tasks) = (Arc::clone(&count), many(100_000, 100));
    pool.spawn_background(move |w| next(w, tasks, first));
    assert_eq!(count.load(Ordering::Relaxed), tasks);
}

/// It waits for what only that thread could bring about: for a background task of its own pool, or of one further down its stack; or for
/// what comes of one.
#[test]
fn who_waits_without_threads_comes_to_it() {
    let (one, other, threads) = (&a_pool(), &a_pool(), &Pool::with_workers(2).unwrap());
    let sum = one.run(|w| {
        let below = w.spawn_background_with_handle(|w| fib(w, 9));
        other.run(|w| {
            let here = w.spawn_background_with_handle(|w| fib(w, 8));
            below.join() + here.join()
        })
    });
    assert_eq!(sum, 34 + 21);
    let what_comes_of_it = |w: &Worker| {
        let (send, receive) = mpsc::channel();
        let answer = threads.spawn_detached_with_handle(move |_| receive.recv().unwrap());
        w.spawn_background(move |_| send.send(42).unwrap());
        answer.join()
    };
    assert_eq!(one.run(what_comes_of_it), 42);
    assert_eq!(one.run(|_| other.run(what_comes_of_it)), 42);
    assert_eq!(threads.run(|_| other.run(what_comes_of_it)), 42);
}

/// The one in the call comes to it before the call returns.
#[test]
fn what_another_thread_leaves_is_run_by_who_is_in_a_call() {
    let pool = &a_pool();
    let (send, receive) = mpsc::channel();
    pool.run(move |_| {
        thread::scope(|threads| {
            threads.spawn(move || {
                pool.spawn_background(move |_| send.send(thread::current().id()).unwrap());
            });
        });
    });
    assert_eq!(receive.try_recv(), Ok(thread::current().id()));
}

#[cfg(not(miri))]
#[test]
fn a_worker_for_good_runs_it_where_it_waits_and_where_it_drops_the_pool() {
    let order = Arc::new(Mutex::new(String::new()));
    let noted = Arc::clone(&order);
    let ended = thread::spawn(move || {
        let pool = alone(Pool::builder().use_current_thread());
        pool.spawn_background(note(&noted, "b"));
        let (send, receive) = mpsc::channel();
        pool.spawn_background(move |_| send.send(7).unwrap());
        let threads = Pool::with_workers(1).unwrap();
        let answer = threads.spawn_detached_with_handle(move |_| receive.recv().unwrap());
        assert_eq!(answer.join(), 7);
        assert_eq!(pool.spawn_background_with_handle(|w| fib(w, 6)).join(), 8);
        pool.spawn_background(note(&noted, "c"));
        pool.spawn_detached(note(&noted, "1"));
        drop(pool);
    });
    ended.join().unwrap();
    assert_eq!(*order.lock().unwrap(), "b1c");
}

/// Neither would end: between the two is a pool without threads, on the same thread.
#[test]
fn a_task_that_waits_for_what_is_below_it_on_the_stack_panics() {
    let (threads, other) =
        (Pool::builder().workers(1).caller(Caller::Sleeps).build().unwrap(), a_pool());
    let over = Arc::new(AtomicBool::new(false));
    let (begin, begun) = mpsc::channel();
    let ends = Arc::clone(&over);
    let task = threads.spawn_background_with_handle(move |w| {
        begin.send(()).unwrap();
        while !ends.load(Ordering::Relaxed) {
            w.join(|_| (), |_| thread::yield_now());
        }
    });
    begun.recv().unwrap();
    let text = threads.run(|_| {
        let text = panic_of(|| other.run(|_| task.join()));
        over.store(true, Ordering::Relaxed);
        text
    });
    assert!(text.contains("neither would end"), "{text}");
}

/// What it waits for is in the background as well, where there is room for one.
fn one_that_blocks_lets_another_begin<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for (workers, caller) in [(1, Caller::Sleeps), (1, Caller::Works), (2, Caller::Sleeps)] {
        let builder = builder().workers(workers).caller(caller).spare_workers(1);
        let pool = builder.background_workers(1).build().unwrap();
        for _ in 0..many(20, 2) {
            let (send, receive) = mpsc::channel();
            let blocks = pool.spawn_background_with_handle(move |w| {
                let received = w.blocking(|| receive.recv().unwrap());
                fib(w, received)
            });
            // A leaf: where it waits for a part of it, it may begin what waits for it.
            pool.spawn_background(move |_| send.send(8).unwrap());
            assert_eq!(pool.run(|w| fib(w, 5)), 5);
            assert_eq!(blocks.join(), 21);
        }
        // All room has been given back.
        let inside = Arc::new(AtomicUsize::new(0));
        for _ in 0..many(20, 2) {
            let inside = Arc::clone(&inside);
            pool.spawn_background(move |_| {
                assert_eq!(inside.fetch_add(1, Ordering::Relaxed), 0, "one at a time");
                thread::yield_now();
                inside.fetch_sub(1, Ordering::Relaxed);
            });
        }
        drop(pool);
        assert_eq!(inside.load(Ordering::Relaxed), 0);
    }
}

/// All workers but the caller's are in the background, and fork there until the call is over, which waits for a thief.
fn parts_of_a_call_are_had_by_who_is_in_the_background<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = builder().workers(3).build().unwrap();
    for _ in 0..many(50, 2) {
        let over = Arc::new(AtomicBool::new(false));
        let begun = Arc::new(Barrier::new(3));
        let tasks = [(); 2].map(|()| {
            let (over, begun) = (Arc::clone(&over), Arc::clone(&begun));
            pool.spawn_background_with_handle(move |w| {
                begun.wait();
                share_until(w, || over.load(Ordering::Relaxed));
            })
        });
        begun.wait();
        let (here, there) = pool.run(|w| join_stolen(w, |w| w.index(), |w| w.index()));
        assert_ne!(here, there);
        over.store(true, Ordering::Relaxed);
        tasks.into_iter().for_each(|task| task.join());
    }
}

/// The same where the call began first: nobody was in the background then.
fn parts_of_a_call_of_before_are_had_by_who_is_in_the_background<D: Deque>(
    builder: impl Fn() -> Builder<D>,
) {
    let pool = builder().workers(3).build().unwrap();
    for _ in 0..many(50, 2) {
        let over = Arc::new(AtomicBool::new(false));
        let begun = Arc::new(Barrier::new(3));
        let tasks = pool.run(|w| {
            // Nobody sleeps after that, and so nobody has asked.
            let awake = Barrier::new(3);
            let meet = |_: &Worker<D>| {
                awake.wait();
            };
            join_stolen(w, |w| join_stolen(w, meet, meet).0, meet);
            let tasks = [(); 2].map(|()| {
                let (over, begun) = (Arc::clone(&over), Arc::clone(&begun));
                w.spawn_background_with_handle(move |w| {
                    begun.wait();
                    share_until(w, || over.load(Ordering::Relaxed));
                })
            });
            begun.wait();
            let (here, there) = join_stolen(w, |w| w.index(), |w| w.index());
            assert_ne!(here, there);
            tasks
        });
        over.store(true, Ordering::Relaxed);
        tasks.into_iter().for_each(|task| task.join());
    }
}
