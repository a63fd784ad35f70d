//! What is held across a wait, and the tasks that run meanwhile.

use crate::common::{join_stolen, pool_of, tick};
use crate::process::isolated;
use crate::rounds;
use lyocell::{Builder, Caller, Deque, Pool, Worker};
use std::cell::{Cell, RefCell};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::Duration;

// The strangers hang or panic where the body is not isolated, each time; the others now and then.
on_each_kind_of_deque! { isolated:
    joins_under_a_lock,
    loops_and_scopes_under_a_lock,
    strangers_that_take_a_lock,
    strangers_that_ask_for_what_is_being_made,
    strangers_that_borrow,
    strangers_beside_a_destructor_that_forks,
    a_region_in_a_region,
    what_is_spawned_and_broadcast_in_a_region,
    a_stream_of_strangers_beside_a_region,
    scopes_of_regions_beside_tasks_that_are_sent,
}

/// Forks down to leaves that take a while.
pub(crate) fn forks<D: Deque>(w: &Worker<D>, depth: u32) -> u64 {
    if depth == 0 {
        return (0..200_u64).map(std::hint::black_box).sum();
    }
    let (a, b) = w.join(|w| forks(w, depth - 1), |w| forks(w, depth - 1));
    a + b
}

const LEAF: u64 = 199 * 100;

/// On pools of several sizes, several times.
fn on_pools<D: Deque>(builder: impl Fn() -> Builder<D>, body: impl Fn(&Pool<D>)) {
    for workers in [1, 2, 3, 8] {
        for caller in [Caller::Works, Caller::Sleeps, Caller::WorksForAll] {
            let pool = builder().workers(workers).caller(caller).build().unwrap();
            (0..rounds::<D>(20, 5)).for_each(|_| body(&pool));
        }
    }
}

fn joins_under_a_lock<D: Deque>(builder: impl Fn() -> Builder<D>) {
    on_pools(builder, |pool| {
        let sum = Mutex::new(0);
        pool.run(|w| {
            w.for_each_with(0..64, |w, _| {
                let mut sum = sum.lock().unwrap();
                *sum += w.isolated(|w| forks(w, 4));
            });
        });
        assert_eq!(sum.into_inner().unwrap(), 64 * 16 * LEAF);
    });
}

fn loops_and_scopes_under_a_lock<D: Deque>(builder: impl Fn() -> Builder<D>) {
    on_pools(builder, |pool| {
        let count = AtomicUsize::new(0);
        let lock = Mutex::new(());
        pool.scope(|s| {
            for _ in 0..32 {
                s.spawn(|w| {
                    let _held = lock.lock().unwrap();
                    w.isolated(|w| {
                        w.for_each_with(0..10, |w, _| _ = (forks(w, 1), tick(&count)));
                        w.scope(|s| {
                            for _ in 0..5 {
                                s.spawn(|w| {
                                    s.spawn(|_| tick(&count));
                                    forks(w, 2);
                                });
                                s.spawn_fifo(|_| tick(&count));
                            }
                        });
                        w.coalesce(0..10, 1, |w, _, _| _ = (forks(w, 1), tick(&count)));
                    });
                });
            }
        });
        assert_eq!(count.into_inner(), 32 * (10 + 2 * 5 + 10));
    });
}

thread_local!(static HOLDS: Cell<bool> = const { Cell::new(false) });

/// Calls `body` on a worker with jobs in its lane, and has it wait in between, in a region, for parts that others run: each of these
/// jobs calls `stranger` if it is run by a thread that is in `body`.
fn beside_strangers<D: Deque>(
    builder: impl Fn() -> Builder<D>,
    body: impl Fn(&Worker<D>, &dyn Fn(&Worker<D>)) + Sync,
    stranger: impl Fn() + Sync,
) {
    let wait = |w: &Worker<D>| {
        for _ in 0..3 {
            // Longer than it takes to find something else to do.
            join_stolen(w, |_| (), |_| thread::sleep(Duration::from_millis(1)));
        }
    };
    for workers in [2, 3, 8] {
        let pool = pool_of(&builder, workers);
        for _ in 0..rounds::<D>(10, 3) {
            let stranger = || {
                if HOLDS.get() {
                    stranger();
                }
            };
            pool.run(|w| {
                w.scope(|s| {
                    (0..500).for_each(|_| s.spawn(|_| stranger()));
                    HOLDS.set(true);
                    body(w, &|w| w.isolated(wait));
                    HOLDS.set(false);
                });
            });
        }
    }
}

fn strangers_that_take_a_lock<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let lock = Mutex::new(());
    let locked = |w: &Worker<D>, forks: &dyn Fn(&Worker<D>)| {
        let _held = lock.lock().unwrap();
        forks(w);
    };
    beside_strangers(builder, locked, || drop(lock.lock().unwrap()));
}

fn strangers_that_ask_for_what_is_being_made<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let made = Mutex::new(Arc::new(OnceLock::new()));
    let make = |w: &Worker<D>, forks: &dyn Fn(&Worker<D>)| {
        let new = Arc::new(OnceLock::new());
        *made.lock().unwrap() = Arc::clone(&new);
        new.get_or_init(|| forks(w));
    };
    beside_strangers(builder, make, || {
        let making = Arc::clone(&made.lock().unwrap());
        making.get_or_init(|| ());
    });
}

fn strangers_that_borrow<D: Deque>(builder: impl Fn() -> Builder<D>) {
    thread_local!(static KEPT: RefCell<()> = const { RefCell::new(()) });
    let borrowed = |w: &Worker<D>, forks: &dyn Fn(&Worker<D>)| KEPT.with_borrow_mut(|()| forks(w));
    beside_strangers(builder, borrowed, || KEPT.with_borrow_mut(|()| ()));
}

fn strangers_beside_a_destructor_that_forks<D: Deque>(builder: impl Fn() -> Builder<D>) {
    struct Forks<'a, D: Deque>(&'a Worker<D>, &'a dyn Fn(&Worker<D>), &'a Mutex<()>);
    impl<D: Deque> Drop for Forks<'_, D> {
        fn drop(&mut self) {
            let _held = self.2.lock().unwrap();
            self.1(self.0);
        }
    }
    let lock = Mutex::new(());
    let drops = |w: &Worker<D>, forks: &dyn Fn(&Worker<D>)| drop(Forks(w, forks, &lock));
    beside_strangers(builder, drops, || drop(lock.lock().unwrap()));
}

/// Who works for the inner one is not in the outer one's tasks, either.
fn a_region_in_a_region<D: Deque>(builder: impl Fn() -> Builder<D>) {
    on_pools(builder, |pool| {
        let (outer, inner) = (Mutex::new(0), Mutex::new(0));
        pool.run(|w| {
            w.for_each_with(0..16, |w, _| {
                let mut outer = outer.lock().unwrap();
                *outer += 1;
                w.isolated(|w| {
                    w.for_each_with(0..16, |w, _| {
                        let mut inner = inner.lock().unwrap();
                        *inner += w.isolated(|w| forks(w, 3));
                    });
                });
            });
        });
        assert_eq!(outer.into_inner().unwrap(), 16);
        assert_eq!(inner.into_inner().unwrap(), 16 * 16 * 8 * LEAF);
    });
}

fn what_is_spawned_and_broadcast_in_a_region<D: Deque>(builder: impl Fn() -> Builder<D>) {
    on_pools(builder, |pool| {
        pool.run(|w| {
            w.isolated(|w| {
                let handle = w.spawn_detached_with_handle(|w| forks(w, 3));
                assert_eq!(w.broadcast(|_| ()).len(), w.workers());
                assert_eq!(handle.join(), 8 * LEAF);
                let handle = w.spawn_detached_with_handle(|_| 1);
                w.yield_now();
                assert_eq!(handle.join(), 1);
            });
        });
    });
}

/// The lanes are full of what a worker in a region may not run, with what it waits for among them.
fn a_stream_of_strangers_beside_a_region<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for workers in [1, 2, 4] {
        let pool = pool_of(&builder, workers);
        let lock = Mutex::new(0);
        let (lock, pool) = (&lock, &pool);
        pool.scope(|s| {
            for _ in 0..rounds::<D>(200, 50) {
                s.spawn(move |w| {
                    let mut held = lock.lock().unwrap();
                    w.isolated(|w| {
                        w.scope(|s| (0..4).for_each(|_| s.spawn(|w| _ = forks(w, 2))));
                    });
                    *held += 1;
                    drop(held);
                    s.spawn(move |w| {
                        let mut held = lock.lock().unwrap();
                        *held += w.isolated(|w| forks(w, 3)) / (8 * LEAF);
                    });
                });
            }
        });
        assert_eq!(*lock.lock().unwrap(), 2 * rounds::<D>(200, 50) as u64);
    }
}

/// The items take the lock, and what a region waits for is in lanes: who has won a part of that must not be kept from it by an item
/// that was sent to it meanwhile.
fn scopes_of_regions_beside_tasks_that_are_sent<D: Deque>(builder: impl Fn() -> Builder<D>) {
    on_pools(builder, |pool| {
        let lock = Mutex::new(0);
        pool.scope(|s| {
            for _ in 0..4 {
                s.spawn(|w| {
                    w.for_each_with(0..8, |w, _| {
                        let mut held = lock.lock().unwrap();
                        w.isolated(|w| {
                            w.scope(|s| (0..4).for_each(|_| s.spawn(|w| _ = forks(w, 1))));
                        });
                        *held += 1;
                    });
                });
            }
        });
        assert_eq!(lock.into_inner().unwrap(), 32);
    });
}
