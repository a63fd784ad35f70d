//! Floods of one kind of work beside a little of another. What may come before is counted, never timed.

use crate::common::{join_stolen, pool, tick};
use crate::process::{isolated, isolated_with};
use lyocell::{Caller, Pool};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, mpsc};
use std::thread;

/// As many calls, or jobs, as one kind may have in a row while another waits.
const TURN: usize = 61;
/// As many looks as there may be from one turn of a source of jobs to its next: there are three.
const ROUND: usize = 3 * TURN;

fn until(event: &AtomicBool) {
    while !event.load(Ordering::Relaxed) {
        thread::yield_now();
    }
}

/// The pool's only thread is busy until the call is over, so nobody but the caller can run it.
#[test]
fn a_caller_that_waits_has_the_seat_when_it_is_left() {
    isolated(|| {
        let pool = &pool(2);
        for _ in 0..200 {
            let (begun, over) = (Arc::new(Barrier::new(2)), Arc::new(AtomicBool::new(false)));
            let (begins, ends) = (Arc::clone(&begun), Arc::clone(&over));
            pool.spawn_detached(move |_| {
                begins.wait();
                until(&ends);
            });
            begun.wait();
            let start = &Barrier::new(2);
            thread::scope(|threads| {
                let second = threads.spawn(move || {
                    start.wait();
                    pool.run(|w| w.index())
                });
                pool.run(|_| {
                    start.wait();
                    (0..100).for_each(|_| thread::yield_now());
                });
                assert_eq!(second.join().unwrap(), 0);
            });
            over.store(true, Ordering::Relaxed);
        }
    });
}

/// Each of them would take the seat again before anybody else is awake.
#[test]
fn callers_in_a_loop_let_each_other_have_the_seat() {
    isolated(|| {
        for workers in [1, 2] {
            let pool = &pool(workers);
            let open = &AtomicUsize::new(4);
            thread::scope(|threads| {
                for _ in 0..4 {
                    threads.spawn(move || {
                        pool.run(|_| open.fetch_sub(1, Ordering::Relaxed));
                        while pool.run(|_| open.load(Ordering::Relaxed)) > 0 {}
                    });
                }
            });
        }
    });
}

#[test]
fn a_caller_in_a_loop_lets_detached_tasks_run() {
    isolated(|| {
        let pool = pool(1);
        for _ in 0..50 {
            let ran = Arc::new(AtomicBool::new(false));
            let runs = Arc::clone(&ran);
            pool.spawn_detached(move |_| runs.store(true, Ordering::Relaxed));
            let calls = (0..).take_while(|_| !pool.run(|_| ran.load(Ordering::Relaxed))).count();
            assert!(calls <= TURN, "{calls} calls came before it");
        }
    });
}

fn spawn_again_until(over: Arc<AtomicBool>) {
    lyocell::spawn_detached(move || {
        if !over.load(Ordering::Relaxed) {
            spawn_again_until(over);
        }
    });
}

#[test]
fn a_task_that_spawns_itself_again_lets_callers_and_others_run_and_the_pool_end() {
    isolated(|| {
        for _ in 0..50 {
            let pool = pool(1);
            let over = Arc::new(AtomicBool::new(false));
            let respawned = Arc::clone(&over);
            pool.spawn_detached(move |_| spawn_again_until(respawned));
            pool.scope(|s| {
                s.spawn(|_| ());
            });
            assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
            let ends = Arc::clone(&over);
            pool.spawn_detached(move |_| ends.store(true, Ordering::Relaxed));
            drop(pool);
            assert!(over.load(Ordering::Relaxed));
        }
    });
}

/// Two of three workers are busy until a job of the second has run, and the first has many in its lane: how many of
/// these the third runs before.
fn jobs_before(pool: &Pool, first: usize, second: usize) -> usize {
    const FLOOD: usize = 10 * ROUND;
    let (ran, over) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let met = Arc::new(Barrier::new(3));
    let (send, receive) = mpsc::channel();
    for _ in 0..3 {
        let (ran, over) = (Arc::clone(&ran), Arc::clone(&over));
        let (met, send) = (Arc::clone(&met), send.clone());
        pool.spawn_detached(move |w| {
            met.wait();
            let (index, ends) = (w.index(), Arc::clone(&over));
            if index == first {
                for _ in 0..FLOOD {
                    let ran = Arc::clone(&ran);
                    lyocell::spawn_detached(move || tick(&ran));
                }
            } else if index == second {
                lyocell::spawn_detached(move || {
                    send.send(ran.load(Ordering::Relaxed)).unwrap();
                    ends.store(true, Ordering::Relaxed);
                });
            }
            met.wait();
            if index == first || index == second {
                until(&over);
            }
        });
    }
    receive.recv().unwrap()
}

#[test]
fn a_full_lane_starves_no_other() {
    isolated(|| {
        for (first, second) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
            let pool = Pool::builder().workers(3).caller(Caller::Sleeps).build().unwrap();
            let before = jobs_before(&pool, first, second);
            assert!(before <= 3 * ROUND, "{before} jobs of worker {first} before that of {second}");
        }
    });
}

/// The holder of the seat feeds the other worker join after join. It spawns a task in its own lane, then has one spawned
/// from outside.
#[test]
fn a_flood_of_joins_lets_detached_tasks_run() {
    isolated(|| {
        let pool = &pool(2);
        for _ in 0..50 {
            pool.run(|w| {
                let feed = || {
                    join_stolen(w, |_| (), |_| ());
                };
                feed();
                for is_inside in [true, false] {
                    let ran = Arc::new(AtomicBool::new(false));
                    let runs = Arc::clone(&ran);
                    let task = move || runs.store(true, Ordering::Relaxed);
                    if is_inside {
                        lyocell::spawn_detached(task);
                    } else {
                        let outside = || pool.spawn_detached(move |_| task());
                        thread::scope(|threads| threads.spawn(outside).join().unwrap());
                    }
                    let stolen =
                        (0..).take_while(|_| !ran.load(Ordering::Relaxed)).map(|_| feed()).count();
                    assert!(stolen <= 2 * ROUND, "{stolen} stolen tasks came before it");
                }
            });
        }
    });
}

/// The only worker is taken, and is left when the join is over.
#[test]
fn a_join_outside_runs_what_nobody_has_begun() {
    let one_worker = |command: &mut std::process::Command| {
        command.env("LYOCELL_WORKERS", "1");
    };
    isolated_with(one_worker, || {
        let pool = lyocell::global().unwrap();
        let (taken, over) = (&AtomicBool::new(false), &AtomicBool::new(false));
        thread::scope(|threads| {
            threads.spawn(|| {
                pool.run(|_| {
                    taken.store(true, Ordering::Relaxed);
                    until(over);
                });
            });
            until(taken);
            assert_eq!(fib(16), 987);
            over.store(true, Ordering::Relaxed);
        });
    });
}

fn fib(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = lyocell::join(|| fib(n - 1), || fib(n - 2));
    a + b
}
