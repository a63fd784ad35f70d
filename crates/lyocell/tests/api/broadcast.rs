//! Tasks that each thread of a pool runs.

use crate::common::{many, panic_of, pool, share_until, tick};
use lyocell::{Caller, Deque, Pool, Wait};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, mpsc};
use std::thread;

fn of_threads(workers: usize) -> Pool {
    Pool::builder().workers(workers).caller(Caller::Sleeps).build().unwrap()
}

#[test]
fn each_thread_runs_it_once_from_wherever_it_is_called() {
    let pool = of_threads(3);
    let elsewhere = pool_of_one();
    for _ in 0..many(200, 3) {
        assert_eq!(pool.broadcast(|w| w.index()), [0, 1, 2]);
        assert_eq!(pool.run(|w| w.broadcast(|w| w.index())), [0, 1, 2]);
        let indices = pool.run(|_| lyocell::broadcast(lyocell::current_thread_index));
        assert_eq!(indices, [Some(0), Some(1), Some(2)]);
        assert_eq!(elsewhere.run(|_| pool.broadcast(|w| w.index())), [0, 1, 2]);
    }
}

fn pool_of_one() -> Pool {
    pool(1)
}

#[test]
fn each_runs_it_on_a_thread_of_its_own() {
    let pool = of_threads(4);
    // Nobody passes before all are there.
    let barrier = Barrier::new(4);
    let threads = pool.broadcast(|_| {
        barrier.wait();
        thread::current().id()
    });
    let different: std::collections::HashSet<_> = threads.iter().collect();
    assert_eq!(different.len(), 4);
}

/// From outside, from the seat, from a worker while nobody sits there, and while somebody does.
#[test]
fn worker_0_runs_it_too_though_it_has_no_thread() {
    for workers in 1..=3 {
        let pool = &pool(workers);
        let all: Vec<usize> = (0..workers).collect();
        let threads = pool.broadcast(|_| thread::current().id());
        assert_eq!(threads[0], thread::current().id(), "nobody else has sat yet: it is the caller");
        for _ in 0..many(100, 2) {
            assert_eq!(pool.broadcast(|w| w.index()), all);
            assert_eq!(pool.run(|w| w.broadcast(|w| w.index())), all);
            assert_eq!(
                pool.run(|_| lyocell::broadcast(lyocell::current_num_threads)),
                vec![workers; workers]
            );
            let detached = pool.spawn_detached_with_handle(|w| w.broadcast(|w| w.index()));
            assert_eq!(detached.join(), all);
            let by_one_within =
                pool.run(|w| w.spawn_detached_with_handle(|w| w.broadcast(|w| w.index())).join());
            assert_eq!(by_one_within, all);
        }
    }
}

/// Who sits waits for nothing meanwhile: it runs it when it gets up. (Worker 1 may be so quick that the seat is free before
/// it is asked for on behalf of worker 0; so it takes a few rounds now and then.)
#[test]
fn who_gets_up_from_the_seat_runs_it() {
    let pool = &pool(2);
    let gets_up_and_runs_it = || {
        let (sits, posted) = (&Barrier::new(2), &AtomicBool::new(false));
        thread::scope(|threads| {
            let sitter = threads.spawn(|| {
                pool.run(|w| {
                    assert_eq!(w.index(), 0);
                    sits.wait();
                    while !posted.load(Ordering::Relaxed) {
                        thread::yield_now();
                    }
                });
                thread::current().id()
            });
            sits.wait();
            let caller = threads.spawn(|| {
                pool.broadcast(|w| {
                    // Worker 1 is first: worker 0 is not at home yet.
                    posted.store(true, Ordering::Relaxed);
                    (w.index(), thread::current().id())
                })
            });
            let ran = caller.join().unwrap();
            assert_eq!([ran[0].0, ran[1].0], [0, 1]);
            ran[0].1 == sitter.join().unwrap()
        })
    };
    assert!((0..1_000).any(|_| gets_up_and_runs_it()), "somebody else always ran it");
}

#[test]
fn what_is_spawned_on_all_runs_on_worker_0_before_the_pool_is_gone() {
    for workers in 1..=3 {
        for _ in 0..many(100, 2) {
            let (send, receive) = mpsc::channel();
            let pool = pool(workers);
            let again = send.clone();
            pool.spawn_detached_broadcast(move |w| again.send(w.index()).unwrap());
            pool.scope(|s| s.spawn_broadcast(|w| send.send(w.index()).unwrap()));
            drop(pool);
            drop(send);
            let mut ran: Vec<usize> = receive.iter().collect();
            ran.sort_unstable();
            assert_eq!(ran, (0..workers).flat_map(|worker| [worker; 2]).collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_panic_on_the_seat_comes_out_and_leaves_the_seat_free() {
    let pool = pool(2);
    let on_the_seat = || pool.broadcast(|w| assert!(w.index() != 0, "on the seat"));
    assert_eq!(panic_of(on_the_seat), "on the seat");
    assert_eq!(pool.run(|w| w.index()), 0);
    assert_eq!(pool.broadcast(|w| w.index()), [0, 1]);
}

#[test]
fn the_first_panic_comes_out_when_all_are_over() {
    let pool = of_threads(4);
    let ran = AtomicUsize::new(0);
    let panic = panic_of(|| {
        pool.broadcast(|w| {
            tick(&ran);
            assert!(w.index() != 2, "the third");
        })
    });
    assert_eq!((panic.as_str(), ran.into_inner()), ("the third", 4));
    assert_eq!(pool.broadcast(|w| w.index()).len(), 4);
}

#[test]
fn broadcasts_of_pools_that_wait_for_each_other() {
    let (first, second) = (of_threads(2), of_threads(3));
    let ran = AtomicUsize::new(0);
    first.broadcast(|_| second.broadcast(|_| first.broadcast(|_| tick(&ran))));
    assert_eq!(ran.into_inner(), 2 * 3 * 2);
}

#[test]
fn spawned_ones_run_before_the_pool_is_gone_and_their_captures_with_them() {
    let (send, receive) = mpsc::channel();
    let owned = Arc::new(());
    let pool = of_threads(3);
    let kept = Arc::clone(&owned);
    pool.spawn_detached_broadcast(move |w| {
        let _ = &kept;
        send.send(w.index()).unwrap();
    });
    drop(pool);
    let mut indices: Vec<usize> = receive.iter().collect();
    indices.sort_unstable();
    assert_eq!((indices, Arc::strong_count(&owned)), (vec![0, 1, 2], 1));
}

#[test]
fn a_broadcast_comes_after_those_before_it() {
    let pool = of_threads(3);
    for _ in 0..many(100, 3) {
        let ran = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&ran);
        pool.spawn_detached_broadcast(move |_| tick(&count));
        pool.broadcast(|_| ());
        assert_eq!(ran.load(Ordering::Relaxed), 3);
    }
}

#[test]
fn a_scope_ends_after_its_broadcasts() {
    let pool = of_threads(3);
    let ran = AtomicUsize::new(0);
    for _ in 0..many(100, 3) {
        pool.scope(|s| {
            s.spawn_broadcast(|_| {
                tick(&ran);
                s.spawn_broadcast(|_| tick(&ran));
            });
        });
    }
    assert_eq!(ran.into_inner(), many(100, 3) * (3 + 9));
}

/// The owner of a join waits for its thief, and runs nothing else by policy or because it unwinds; the thief waits for
/// the owner to run the broadcast.
#[test]
fn who_waits_for_a_thief_reads_its_mail() {
    for wait in [Wait::None, Wait::Leap, Wait::default()] {
        for panics in [false, true] {
            let builder = Pool::builder().workers(2).caller(Caller::Sleeps).wait(wait);
            let pool = builder.build().unwrap();
            let (begun, a_is_over) = (AtomicBool::new(false), AtomicBool::new(false));
            let join = || {
                pool.run(|w| {
                    w.join(
                        |w| {
                            share_until(w, || begun.load(Ordering::Relaxed));
                            a_is_over.store(true, Ordering::Relaxed);
                            assert!(!panics, "a");
                        },
                        |w| {
                            begun.store(true, Ordering::Relaxed);
                            while !a_is_over.load(Ordering::Relaxed) {
                                thread::yield_now();
                            }
                            w.broadcast(|w| w.index())
                        },
                    )
                    .1
                })
            };
            match panics {
                true => assert_eq!(panic_of(join), "a"),
                false => assert_eq!(join(), [0, 1]),
            }
        }
    }
}

#[test]
fn on_each_kind_of_deque() {
    fn on<D: Deque>() {
        let pool = Pool::builder().deque::<D>().workers(3).caller(Caller::Sleeps).build().unwrap();
        for _ in 0..many(50, 2) {
            assert_eq!(pool.broadcast(|w| w.index()), [0, 1, 2]);
        }
    }
    on::<lyocell::Split>();
    on::<lyocell::Direct>();
    on::<lyocell::Receiver>();
    on::<lyocell::Sender>();
    on::<lyocell::ChaseLev>();
    on::<lyocell::Abp>();
}
