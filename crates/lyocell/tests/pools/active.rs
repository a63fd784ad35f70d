//! Workers that sit out, and come again.

use crate::common::{fib, many, tick};
use lyocell::{Builder, Caller, Deque, Pool, Worker};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex, mpsc};
use std::time::Duration;

on_each_kind_of_deque! { here:
    who_sits_out_runs_nothing_and_then_all_again,
    changes_at_any_time_lose_nothing,
}

/// How many workers run so much that each of those that may gets some.
fn workers_of<D: Deque>(pool: &Pool<D>) -> Vec<usize> {
    let seen: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    let note = |w: &Worker<D>| {
        let mut seen = seen.lock().unwrap();
        if !seen.contains(&w.index()) {
            seen.push(w.index());
        }
    };
    pool.run(|w| {
        w.for_each_with(0..many(500, 20), |w, _| {
            note(w);
            fib(w, 5);
        });
    });
    let mut seen = seen.into_inner().unwrap();
    seen.sort_unstable();
    seen
}

fn who_sits_out_runs_nothing_and_then_all_again<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for caller in [Caller::Works, Caller::Sleeps] {
        let pool = builder().workers(4).caller(caller).build().unwrap();
        let all = [0, 1, 2, 3];
        for active in [3, 2, 4, 2] {
            assert_eq!(pool.set_active(active), active);
            // Whoever has read its mail after that looks whether it sits out before anything else.
            assert_eq!(pool.broadcast(|w| w.index()), all, "who sits out reads its mail");
            let seen = workers_of(&pool);
            assert!(seen.iter().all(|worker| *worker < active), "{seen:?} of {active}");
            let (send, receive) = mpsc::channel();
            (0..20).for_each(|task| {
                let send = send.clone();
                pool.spawn_detached(move |w| send.send((task, w.index())).unwrap());
            });
            drop(send);
            let mut ran: Vec<(usize, usize)> = receive.iter().collect();
            assert!(ran.iter().all(|(_, worker)| *worker < active), "{ran:?} of {active}");
            ran.sort_unstable();
            assert!(ran.iter().map(|(task, _)| *task).eq(0..20));
        }
        // Each of them is needed.
        pool.set_active(usize::MAX);
        let barrier = Barrier::new(4);
        pool.scope(|s| (0..4).for_each(|_| s.spawn(|_| _ = barrier.wait())));
    }
}

fn changes_at_any_time_lose_nothing<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = Arc::new(builder().workers(4).build().unwrap());
    let changes = Arc::clone(&pool);
    let over = Arc::new(AtomicUsize::new(0));
    let is_over = Arc::clone(&over);
    let changer = std::thread::spawn(move || {
        let mut active = 0;
        while is_over.load(Ordering::Relaxed) == 0 {
            active = (active * 5 + 3) % 7;
            changes.set_active(active);
            std::thread::yield_now();
        }
    });
    let ran = Arc::new(AtomicUsize::new(0));
    for _ in 0..many(30, 3) {
        assert_eq!(pool.run(|w| fib(w, 12)), 144);
        let ran = Arc::clone(&ran);
        pool.spawn_detached(move |w| {
            let ran = Arc::clone(&ran);
            w.spawn_detached(move |_| tick(&ran));
        });
        assert_eq!(pool.broadcast(|w| w.index()), [0, 1, 2, 3]);
    }
    over.store(1, Ordering::Relaxed);
    changer.join().unwrap();
    // Whoever sits out ends with the pool.
    drop(Arc::into_inner(pool).expect("the changer is over"));
    assert_eq!(ran.load(Ordering::Relaxed), many(30, 3));
}

#[test]
fn one_thread_of_the_pool_is_active_at_least() {
    for (workers, caller, least) in
        [(1, Caller::Works, 1), (3, Caller::Works, 2), (3, Caller::Sleeps, 1)]
    {
        let pool = Pool::builder().workers(workers).caller(caller).build().unwrap();
        assert_eq!(pool.active(), workers);
        assert_eq!((pool.set_active(0), pool.active()), (least, least));
        assert_eq!(pool.workers(), workers);
        assert_eq!(pool.spawn_detached_with_handle(|w| fib(w, 10)).join(), 55);
        assert_eq!((pool.set_active(9), pool.active()), (workers, workers));
    }
}

/// Spare workers come for those that block, whoever sits out.
#[test]
fn a_spare_worker_works_while_others_sit_out() {
    let pool = Pool::builder().workers(3).spare_workers(1).caller(Caller::Sleeps).build().unwrap();
    assert_eq!(pool.set_active(1), 1);
    let _ = pool.broadcast(|_| ());
    let (send, receive) = mpsc::channel();
    let received = pool.run(move |w| {
        w.spawn_detached(move |w| send.send(w.index()).unwrap());
        w.blocking(|| receive.recv())
    });
    assert_eq!(received, Ok(3), "the last one is the spare");
}

/// Where the number of processors stays, what the program has set stays, too.
#[test]
fn a_watched_pool_has_as_many_active_as_there_are_processors() {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let every = Duration::from_millis(1);
    let workers = processors + 2;
    let pool = Pool::builder().workers(workers).watch_processors(every).build().unwrap();
    while pool.active() != processors.max(2) {
        std::thread::yield_now();
    }
    assert_eq!(pool.run(|w| fib(w, 12)), 144);
    assert_eq!(pool.set_active(workers), workers);
    std::thread::sleep(20 * every);
    assert_eq!(pool.active(), workers);
}
