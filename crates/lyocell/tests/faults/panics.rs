//! Panics everywhere, also in destructors.

use crate::common::{Drops, fib, join_stolen, panic_of, pool_of, text_of};
use crate::process::isolated;
use crate::rounds;
use lyocell::{Builder, Deque, Pool, Worker};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

on_each_kind_of_deque! { isolated:
    a_storm_of_panics_loses_nothing,
    panics_in_a_in_b_in_both_here_and_at_a_thief,
    who_slept_while_it_unwound_is_robbed_again,
    a_payload_whose_drop_panics,
    a_closure_whose_drop_panics,
    a_result_whose_drop_panics,
    sums_and_results_of_many_whose_drop_panics,
    drops_that_panic_in_joins_without_a_handle,
    a_panic_while_the_thread_already_unwinds,
}

/// Panics when it is dropped, even if that is part of a panic: then the process would abort.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("the bomb went off");
    }
}

/// A bomb whose explosion is another bomb.
struct Chain;

impl Drop for Chain {
    fn drop(&mut self) {
        panic_any(Bomb);
    }
}

fn works<D: Deque>(pool: &Pool<D>) {
    assert_eq!(pool.run(|w| fib(w, 15)), 610);
}

/// A tree of joins in which every third leaf or so panics, and some nodes catch.
fn stormy<D: Deque>(
    w: &Worker<D>,
    depth: u32,
    seed: u64,
    drops: &Drops,
    made: &AtomicUsize,
) -> u64 {
    made.fetch_add(1, Ordering::Relaxed);
    let _ticket = drops.ticket();
    let next = |salt: u64| (seed ^ salt).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31);
    if depth == 0 {
        assert!(seed % 3 != 0, "a leaf");
        return 1;
    }
    let fork = || {
        w.join(
            |w| stormy(w, depth - 1, next(1), drops, made),
            |w| stormy(w, depth - 1, next(2), drops, made),
        )
    };
    if seed % 2 == 0 {
        let (a, b) = fork();
        return a + b;
    }
    match catch_unwind(AssertUnwindSafe(fork)) {
        Ok((a, b)) => a + b,
        Err(panic) => {
            assert_eq!(text_of(&*panic), "a leaf");
            0
        }
    }
}

fn a_storm_of_panics_loses_nothing<D: Deque>(builder: impl Fn() -> Builder<D>) {
    std::panic::set_hook(Box::new(|_| ()));
    for workers in [1, 2, 8] {
        let pool = pool_of(&builder, workers);
        let (drops, made) = (Drops::default(), AtomicUsize::new(0));
        for seed in 0..rounds::<D>(300, 60) as u64 {
            let outcome = catch_unwind(|| pool.run(|w| stormy(w, 8, seed, &drops, &made)));
            if let Err(panic) = outcome {
                assert_eq!(text_of(&*panic), "a leaf");
            }
        }
        assert_eq!(drops.count(), made.into_inner());
        works(&pool);
    }
}

fn panics_in_a_in_b_in_both_here_and_at_a_thief<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = pool_of(&builder, 2);
    for round in 0..rounds::<D>(400, 80) {
        let (a_falls, b_falls, stolen) = (round & 1 != 0, round & 2 != 0, round & 4 != 0);
        let outcome = catch_unwind(|| {
            pool.run(|w| {
                let a = |_: &Worker<D>| assert!(!a_falls, "a");
                let b = |_: &Worker<D>| assert!(!b_falls, "b");
                if stolen { join_stolen(w, a, b) } else { w.join(a, b) }
            })
        });
        let expected = match (a_falls, b_falls) {
            (true, _) => Some("a"),
            (false, true) => Some("b"),
            (false, false) => None,
        };
        assert_eq!(outcome.err().map(|panic| text_of(&*panic)).as_deref(), expected);
    }
    works(&pool);
}

fn who_slept_while_it_unwound_is_robbed_again<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = pool_of(&builder, 2);
    let text = panic_of(|| {
        pool.run(|w| join_stolen(w, |_| panic!("a"), |_| thread::sleep(Duration::from_millis(50))))
    });
    assert_eq!(text, "a");
    pool.run(|w| join_stolen(w, |_| (), |_| ()));
}

fn a_payload_whose_drop_panics<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = pool_of(&builder, 2);
    for chained in [false, true] {
        let throw = || -> () { if chained { panic_any(Chain) } else { panic_any(Bomb) } };
        // Dropped by the join, for the panic of `a` wins.
        let text = panic_of(|| pool.run(|w| join_stolen(w, |_| panic!("a"), |_| throw())));
        assert_eq!(text, "a");
        // Dropped by the scope, for there is an earlier one; and for that of the body wins.
        let panic = catch_unwind(|| {
            pool.scope(|s| (0..4).for_each(|_| s.spawn(|_| throw())));
        })
        .unwrap_err();
        assert!(panic.is::<Bomb>() || panic.is::<Chain>());
        std::mem::forget(panic);
        let text = panic_of(|| {
            pool.scope(|s| {
                s.spawn(|_| throw());
                panic!("the body");
            });
        });
        assert_eq!(text, "the body");
        // Dropped where the detached task ran.
        pool.spawn_detached(move |_| if chained { panic_any(Chain) } else { panic_any(Bomb) });
        works(&pool);
    }
}

fn a_closure_whose_drop_panics<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = pool_of(&builder, 2);
    // Unrun, while `a` unwinds.
    let bomb = Bomb;
    let text = panic_of(|| {
        pool.run(move |w| {
            w.join(
                |_| panic!("a"),
                move |_| {
                    let _bomb = bomb;
                },
            )
        })
    });
    assert_eq!(text, "a");
    // Run: the panic is that of `b`, here or at the thief.
    let bomb = Bomb;
    let text = panic_of(|| pool.run(move |w| w.join(|_| (), move |_| drop(bomb))));
    assert_eq!(text, "the bomb went off");
    let bomb = Bomb;
    let text = panic_of(|| pool.run(move |w| join_stolen(w, |_| (), move |_| drop(bomb))));
    assert_eq!(text, "the bomb went off");
    // In a scope and detached.
    let bomb = Bomb;
    let text = panic_of(|| pool.scope(|s| s.spawn(move |_| drop(bomb))));
    assert_eq!(text, "the bomb went off");
    let bomb = Bomb;
    pool.spawn_detached(move |_| drop(bomb));
    works(&pool);
}

fn a_result_whose_drop_panics<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = pool_of(&builder, 2);
    // The thief's result is dropped while `a` unwinds.
    let text = panic_of(|| pool.run(|w| join_stolen(w, |_| panic!("a"), |_| Bomb)));
    assert_eq!(text, "a");
    let text = panic_of(|| pool.run(|w| join_stolen(w, |_| panic!("a"), |_| [const { Bomb }; 1])));
    assert_eq!(text, "a");
    // The result of `a` is dropped while `b` unwinds, here, at a thief, and where there is no room.
    let text = panic_of(|| pool.run(|w| w.join(|_| Bomb, |_| panic!("b"))));
    assert_eq!(text, "b");
    let text = panic_of(|| pool.run(|w| join_stolen(w, |_| Bomb, |_| panic!("b"))));
    assert_eq!(text, "b");
    let narrow = builder().workers(1).deque_capacity(1).build().unwrap();
    let text = panic_of(|| {
        narrow.run(|w| w.join(|w| w.join(|_| Bomb, |_| panic!("b without room")), |_| ()))
    });
    assert_eq!(text, "b without room");
    // The sum so far is dropped while a task of a range unwinds, or what it begins with.
    for (room, last) in [(1, 0), (1, 5), (64, 0), (64, 5)] {
        let pool = builder().workers(2).deque_capacity(room).build().unwrap();
        let text = panic_of(|| {
            let task = |_: &Worker<D>, index| if index == last { panic!("the last") } else { Bomb };
            let keep_one = |sum, result| {
                std::mem::forget(sum);
                result
            };
            pool.run(|w| std::mem::forget(w.join_range(0..8, Bomb, task, keep_one)));
        });
        assert_eq!(text, "the last");
    }
    // A scope's result is dropped in favour of a task's panic, whose payload does the same.
    let panic = catch_unwind(|| {
        pool.scope(|s| {
            s.spawn(|_| panic_any(Chain));
            Bomb
        })
    });
    let Err(panic) = panic else { panic!("no panic came out") };
    assert!(panic.is::<Chain>());
    std::mem::forget(panic);
    let text = panic_of(|| {
        pool.scope(|s| {
            s.spawn(|_| panic!("a task"));
            Bomb
        })
    });
    assert_eq!(text, "a task");
    works(&pool);
}

/// Several at once: each is dropped quietly, after one that panics too.
fn sums_and_results_of_many_whose_drop_panics<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = builder().workers(3).caller(lyocell::Caller::Sleeps).build().unwrap();
    let made = AtomicUsize::new(0);
    for round in 0..rounds::<D>(60, 10) {
        // The sum of a left half is dropped while a right half unwinds.
        let map = |i: usize| {
            made.fetch_add(1, Ordering::Relaxed);
            assert!(i != 90, "item 90");
            if i == 0 && round % 2 == 0 {
                thread::sleep(Duration::from_micros(50));
            }
            Bomb
        };
        let keep_one = |sum, item| {
            std::mem::forget(sum);
            item
        };
        let text = panic_of(|| {
            std::mem::forget(pool.run(|w| w.map_reduce(0..100, map, || Bomb, keep_one)));
        });
        assert_eq!(text, "item 90");
        let fail = |i: &usize| {
            assert!(*i != 90, "item 90");
            if *i == 20 { Err(Bomb) } else { Ok(()) }
        };
        let end = catch_unwind(AssertUnwindSafe(|| pool.run(|w| w.try_for_each(&all(100), fail))));
        std::mem::forget(end);
        // What the others have returned is dropped for the one that panics.
        let one_panics = |index: usize| {
            assert!(index != 1, "worker 1");
            Bomb
        };
        let text = panic_of(|| std::mem::forget(pool.broadcast(|w| one_panics(w.index()))));
        assert_eq!(text, "worker 1");
        let text = panic_of(|| {
            let index = || lyocell::current_thread_index().unwrap();
            pool.run(|_| std::mem::forget(lyocell::broadcast(|| one_panics(index()))));
        });
        assert_eq!(text, "worker 1");
        // What is left in a bag.
        let text = panic_of(|| {
            pool.run(|w| {
                let items = (0..100).map(|i| (i, Bomb));
                w.coalesce(items, 1, |_, (i, bomb), _| {
                    std::mem::forget(bomb);
                    assert!(i != 50, "item 50");
                });
            });
        });
        assert_eq!(text, "item 50");
    }
    works(&pool);
}

fn all(count: usize) -> Vec<usize> {
    (0..count).collect()
}

fn drops_that_panic_in_joins_without_a_handle<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let bombs_beside_panics = || {
        let bomb = Bomb;
        let unrun = panic_of(|| lyocell::join(|| panic!("a"), move || drop(bomb)).1);
        // Outside, a worker may have begun `b`; what that left is dropped too.
        assert_eq!(unrun, "a");
        let result = panic_of(|| std::mem::forget(lyocell::join(|| Bomb, || panic!("b"))));
        assert_eq!(result, "b");
        let result = panic_of(|| {
            std::mem::forget(lyocell::join_context(|_| Bomb, |_| -> () { panic!("b") }));
        });
        assert_eq!(result, "b");
        let result = panic_of(|| {
            std::mem::forget(lyocell::join_context(|_| -> () { panic!("a") }, |_| Bomb));
        });
        assert_eq!(result, "a");
    };
    let pool = pool_of(&builder, 2);
    // In a pool whose deque `join` does not know, outside, and outside while somebody has the seat.
    pool.run(|_| bombs_beside_panics());
    bombs_beside_panics();
    let global = lyocell::global().unwrap();
    global.run(|_| thread::scope(|threads| threads.spawn(bombs_beside_panics).join().unwrap()));
    works(&pool);
}

#[test]
fn hooks_and_names_that_panic() {
    isolated(|| {
        let (send, heard) = mpsc::channel();
        let pool = Pool::builder()
            .workers(3)
            .on_start(|worker| panic!("start {worker}"))
            .on_exit(|worker| panic!("exit {worker}"))
            .on_panic(move |panic| {
                send.send(text_of(&*panic)).unwrap();
                panic!("the hook itself");
            })
            .build()
            .unwrap();
        works(&pool);
        drop(pool);
        let mut heard: Vec<String> = heard.iter().collect();
        heard.sort();
        assert_eq!(heard, ["exit 1", "exit 2", "start 1", "start 2"]);
        // A name that cannot be had: the threads so far are joined, and the panic is the caller's.
        let exits = std::sync::Arc::new(AtomicUsize::new(0));
        let counter = std::sync::Arc::clone(&exits);
        let text = panic_of(move || {
            Pool::builder()
                .workers(4)
                .thread_names(|worker| if worker == 3 { panic!("no name") } else { String::new() })
                .on_exit(move |_| {
                    counter.fetch_add(1, Ordering::Relaxed);
                })
                .build()
        });
        assert_eq!(text, "no name");
        assert_eq!(exits.load(Ordering::Relaxed), 2);
    });
}

fn a_panic_while_the_thread_already_unwinds<D: Deque>(builder: impl Fn() -> Builder<D>) {
    /// Forks and joins while it is dropped.
    struct Late<'a, D: Deque>(&'a Pool<D>, &'a AtomicBool);
    impl<D: Deque> Drop for Late<'_, D> {
        fn drop(&mut self) {
            self.0.run(|w| join_stolen(w, |_| (), |_| ()));
            let text = panic_of(|| self.0.run(|w| w.join(|_| panic!("inner"), |_| ())));
            assert_eq!(text, "inner");
            self.1.store(true, Ordering::Relaxed);
        }
    }
    let (pool, late) = (pool_of(&builder, 2), AtomicBool::new(false));
    let text = panic_of(|| {
        let _late = Late(&pool, &late);
        panic!("outer");
    });
    assert_eq!(text, "outer");
    let text = panic_of(|| {
        pool.run(|w| {
            w.join(
                |_| {
                    let _late = Late(&pool, &late);
                    panic!("in a task");
                },
                |_| (),
            )
        });
    });
    assert_eq!(text, "in a task");
    assert!(late.into_inner());
    works(&pool);
}
