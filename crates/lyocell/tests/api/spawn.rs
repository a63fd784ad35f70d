//! Detached tasks.

use crate::common::{many, pool, text_of};
use lyocell::{Caller, Pool};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

#[test]
fn detached_tasks_run_though_nobody_calls() {
    for workers in 1..=many(3, 2) {
        for caller in [Caller::Works, Caller::Sleeps] {
            let pool = Pool::builder().workers(workers).caller(caller).build().unwrap();
            for _ in 0..many(20, 2) {
                let (send, receive) = mpsc::channel();
                pool.spawn_detached(move |w| send.send(w.index()).unwrap());
                assert!(receive.recv().unwrap() < workers);
            }
        }
    }
}

#[test]
fn detached_tasks_spawn_and_join() {
    for workers in [1, 3] {
        let pool = Arc::new(pool(workers));
        let (send, receive) = mpsc::channel();
        let inner = Arc::downgrade(&pool);
        pool.spawn_detached(move |w| {
            let sum = w.join(|_| 1, |_| 2);
            if let Some(pool) = inner.upgrade() {
                let send = send.clone();
                pool.spawn_detached(move |_| send.send(3).unwrap());
            }
            send.send(sum.0 + sum.1).unwrap();
        });
        let mut got: Vec<i32> = receive.iter().collect();
        got.sort_unstable();
        assert_eq!(got, [3, 3]);
    }
}

#[test]
fn a_pool_runs_its_detached_tasks_to_their_end_before_its_drop_returns() {
    for workers in [1, 2, 4] {
        let ran = Arc::new(AtomicUsize::new(0));
        let pool = pool(workers);
        for _ in 0..many(200, 5) {
            let ran = Arc::clone(&ran);
            pool.spawn_detached(move |w| {
                let again = Arc::clone(&ran);
                w.join(|_| (), |_| ());
                again.fetch_add(1, Ordering::Relaxed);
            });
        }
        drop(pool);
        assert_eq!(ran.load(Ordering::Relaxed), many(200, 5));
        assert_eq!(Arc::strong_count(&ran), 1, "what tasks own is dropped");
    }
}

#[test]
fn panics_of_detached_tasks_go_to_the_hook_and_nowhere_else() {
    for workers in [1, 2] {
        let (send, receive) = mpsc::channel();
        let pool = Pool::builder()
            .workers(workers)
            .on_panic(move |panic| send.send(text_of(&*panic)).unwrap())
            .build()
            .unwrap();
        pool.spawn_detached(|_| panic!("first"));
        assert_eq!(receive.recv().unwrap(), "first");
        // A panic in the hook itself is dropped: the receiver is gone.
        drop(receive);
        pool.spawn_detached(|_| panic!("second"));
        let (send, receive) = mpsc::channel();
        pool.spawn_detached(move |_| send.send("still there").unwrap());
        assert_eq!(receive.recv().unwrap(), "still there");
    }
}

#[test]
fn panics_of_detached_tasks_without_a_hook_are_dropped() {
    let pool = pool(1);
    pool.spawn_detached(|_| panic!("nobody hears"));
    let (send, receive) = mpsc::channel();
    pool.spawn_detached(move |_| send.send("still there").unwrap());
    assert_eq!(receive.recv().unwrap(), "still there");
}

#[test]
fn a_worker_spawns_through_the_handleless_function_into_its_own_pool() {
    let pool = pool(2);
    let (send, receive) = mpsc::channel();
    pool.run(|_| {
        lyocell::spawn_detached(move || send.send(lyocell::current_num_threads()).unwrap())
    });
    assert_eq!(receive.recv().unwrap(), 2);
}

/// The functions without a handle find the pool though they cannot name the type of its workers.
#[test]
fn what_is_spawned_without_a_handle_runs_in_a_pool_of_any_type() {
    let builder = Pool::builder().deque::<lyocell::ChaseLev>().probe::<lyocell::probe::Counters>();
    let pool = builder.workers(3).caller(lyocell::Caller::Sleeps).build().unwrap();
    let where_it_runs = || (lyocell::current_num_threads(), lyocell::current_thread_index());
    let (send, receive) = mpsc::channel();
    pool.run(|_| {
        let one = send.clone();
        lyocell::spawn_detached(move || one.send(where_it_runs().0).unwrap());
        let one = send.clone();
        lyocell::spawn_detached_fifo(move || one.send(where_it_runs().0).unwrap());
        let one = send.clone();
        lyocell::spawn_detached_broadcast(move || one.send(where_it_runs().0).unwrap());
        assert_eq!(lyocell::spawn_detached_with_handle(move || where_it_runs().0).join(), 3);
        let all = lyocell::broadcast(where_it_runs);
        assert_eq!(all, [(3, Some(0)), (3, Some(1)), (3, Some(2))]);
    });
    drop(send);
    assert_eq!(receive.iter().collect::<Vec<_>>(), [3; 5]);
}

/// A task that spawns itself again until somebody else has run, and counts its turns.
fn respawn(
    pool: &Arc<Pool>,
    turns: &Arc<AtomicUsize>,
    others_ran: &Arc<AtomicUsize>,
    others: usize,
) {
    let again = (Arc::clone(pool), Arc::clone(turns), Arc::clone(others_ran));
    pool.spawn_detached(move |_| {
        let (pool, turns, others_ran) = again;
        turns.fetch_add(1, Ordering::Relaxed);
        if others_ran.load(Ordering::Relaxed) < others {
            respawn(&pool, &turns, &others_ran, others);
        }
    });
}

/// As many jobs as may come before one that has become the oldest of its kind: three kinds have their turn, one at
/// every 61st look.
const BOUND: usize = 3 * 61 + 1;

#[test]
fn a_task_that_spawns_itself_again_starves_nobody() {
    const OTHERS: usize = 5;
    let pool = Arc::new(Pool::builder().workers(1).caller(Caller::Sleeps).build().unwrap());
    let (turns, ran) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (send, waits) = mpsc::channel();
    // The older tasks of the worker's own lane.
    let inside = (Arc::clone(&pool), Arc::clone(&turns), Arc::clone(&ran));
    pool.spawn_detached(move |_| {
        let (pool, turns, ran) = inside;
        for _ in 0..OTHERS {
            let (turns, ran, send) = (Arc::clone(&turns), Arc::clone(&ran), send.clone());
            pool.spawn_detached(move |_| {
                ran.fetch_add(1, Ordering::Relaxed);
                send.send(turns.load(Ordering::Relaxed)).unwrap();
            });
        }
        respawn(&pool, &turns, &ran, 2 * OTHERS);
    });
    for (place, turn) in waits.iter().enumerate() {
        assert!(turn <= (place + 1) * BOUND, "task {place} came after {turn} turns");
    }
    // And those that come from outside, calls and tasks, while it goes on.
    for _ in 0..OTHERS {
        let before = turns.load(Ordering::Relaxed);
        assert!(ran.load(Ordering::Relaxed) < 2 * OTHERS, "it goes on");
        let turns = Arc::clone(&turns);
        let begun = pool.run(move |_| turns.load(Ordering::Relaxed));
        assert!(begun >= before);
        ran.fetch_add(1, Ordering::Relaxed);
    }
}
