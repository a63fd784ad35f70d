//! Joins that tell what migrated, and of which both closures always run.

use crate::common::{Drops, many, panic_of, pool, share_until, tick};
use lyocell::{Caller, Pool, Worker, Yield};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex};

#[test]
fn what_nobody_steals_does_not_migrate() {
    let (a, b) = pool(1).run(|w| w.join_context(|_, c| c.migrated(), |_, c| c.migrated()));
    assert_eq!((a, b), (false, false));
}

/// Waits in `a` until `b` has begun on another worker.
fn join_stolen<RA, RB: Send>(
    w: &Worker,
    a: impl FnOnce(bool) -> RA,
    b: impl FnOnce(bool) -> RB + Send,
) -> (RA, RB) {
    let begun = AtomicBool::new(false);
    w.join_context(
        |w, context| {
            share_until(w, || begun.load(Ordering::Relaxed));
            a(context.migrated())
        },
        |_, context| {
            begun.store(true, Ordering::Relaxed);
            b(context.migrated())
        },
    )
}

#[test]
fn what_is_stolen_migrates() {
    let pool = pool(2);
    for _ in 0..many(100, 3) {
        let (a, b) = pool.run(|w| join_stolen(w, |migrated| migrated, |migrated| migrated));
        assert_eq!((a, b), (false, true));
    }
}

/// As rayon has it: its iterators cut what is run in a wait into smaller parts, so that there is something to run in the next.
#[test]
fn what_its_own_worker_runs_in_the_middle_of_a_migrates() {
    pool(1).run(|w| {
        let (yielded, migrated) = w.join_context(|w, _| w.yield_now(), |_, c| c.migrated());
        assert_eq!((yielded, migrated), (Yield::Executed, true));
        // In the same slot.
        assert!(!w.join_context(|_, _| (), |_, c| c.migrated()).1);
    });
}

#[test]
fn a_stolen_b_of_any_size_comes_back() {
    let pool = pool(2);
    let large = [7_u64; 40];
    for _ in 0..many(100, 3) {
        let (a, b) = pool.run(|w| join_stolen(w, |_| 1, move |_| large));
        assert_eq!((a, b), (1, large));
    }
}

/// In `a` a worker waits for a job of another's lane, and takes more of these than it asked for: they are none of this join's.
#[test]
fn what_a_takes_from_other_workers_does_not_come_before_b() {
    const JOBS: usize = 32;
    let pool = &Pool::builder().workers(2).caller(Caller::Sleeps).build().unwrap();
    let (met, over, ran) = (&Barrier::new(2), &AtomicBool::new(false), &AtomicUsize::new(0));
    let oldest = &Mutex::new(None);
    pool.scope(|s| {
        s.spawn(move |w| {
            *oldest.lock().unwrap() = Some(w.spawn_detached_with_handle(|_| ()));
            (0..JOBS).for_each(|_| s.spawn(|_| tick(ran)));
            met.wait();
            while !over.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
        });
        s.spawn(move |w| {
            met.wait();
            let oldest = oldest.lock().unwrap().take().unwrap();
            let b = |_: &Worker, _| ran.load(Ordering::Relaxed);
            let (_, before) = w.join_context(|_, _| oldest.join(), b);
            over.store(true, Ordering::Relaxed);
            assert_eq!(before, 0, "jobs of another worker ran before `b`");
        });
    });
    assert_eq!(ran.load(Ordering::Relaxed), JOBS);
}

#[test]
fn b_runs_though_a_panics() {
    for capacity in [1, 2, 100] {
        let pool = Pool::builder().workers(1).deque_capacity(capacity).build().unwrap();
        let ran = AtomicUsize::new(0);
        // The outer join takes the room there is, so that with a capacity of one the inner has none.
        let panic = panic_of(|| {
            pool.run(|w| {
                w.join(|w| w.join_context(|_, _| panic!("a"), |_, _| tick(&ran)), |_| ());
            })
        });
        assert_eq!((panic.as_str(), ran.into_inner()), ("a", 1), "capacity {capacity}");
    }
}

#[test]
fn the_panic_of_a_comes_out_also_if_b_panics_here_or_there() {
    let alone = pool(1);
    let both = || alone.run(|w| w.join_context(|_, _| panic!("a"), |_, _| panic!("b")));
    assert_eq!(panic_of(both), "a");
    let two = pool(2);
    for _ in 0..many(50, 2) {
        let both = || two.run(|w| join_stolen(w, |_| panic!("a"), |_| panic!("b")));
        assert_eq!(panic_of(both), "a");
        let b = || two.run(|w| join_stolen(w, |_| (), |_| panic!("b")));
        assert_eq!(panic_of(b), "b");
    }
    let b = || alone.run(|w| w.join_context(|_, _| (), |_, _| panic!("b")));
    assert_eq!(panic_of(b), "b");
}

#[test]
fn what_a_returned_is_dropped_once_if_b_panics() {
    let drops = Drops::default();
    let b = || pool(1).run(|w| w.join_context(|_, _| drops.ticket(), |_, _| panic!("b")).1);
    assert_eq!((panic_of(b).as_str(), drops.count()), ("b", 1));
}

#[test]
fn what_a_spawned_here_runs_before_b_newest_first_and_what_was_there_does_not() {
    let pool = Pool::builder().workers(1).caller(Caller::Sleeps).build().unwrap();
    let order = Mutex::new(Vec::new());
    let note = |text| order.lock().unwrap().push(text);
    pool.scope(|s| {
        s.spawn(|_| note("before"));
        pool.with_current(|w| {
            let a = |_: &Worker, _| {
                s.spawn(|_| note("first"));
                s.spawn(|_| note("second"));
                note("a");
            };
            w.expect("the body is on a worker").join_context(a, |_, _| note("b"))
        });
    });
    assert_eq!(order.into_inner().unwrap(), ["a", "second", "first", "b", "before"]);
}

#[test]
fn without_a_handle_both_migrate_from_outside_and_neither_inside() {
    // The global pool is not for Miri, which wants every thread joined.
    if !cfg!(miri) {
        let (a, b) = lyocell::join_context(|c| c.migrated(), |c| c.migrated());
        assert_eq!((a, b), (true, true));
    }
    let (a, b) = pool(1).run(|_| lyocell::join_context(|c| c.migrated(), |c| c.migrated()));
    assert_eq!((a, b), (false, false));
}

#[test]
fn a_recursion_of_joins_that_migrate_adds_up() {
    fn fib(w: &Worker, n: u32) -> u64 {
        if n < 2 {
            return n.into();
        }
        let (a, b) = w.join_context(|w, _| fib(w, n - 1), |w, _| fib(w, n - 2));
        a + b
    }
    let depth = if cfg!(miri) { 8 } else { 24 };
    let expected = [0, 1, 1, 2, 3, 5, 8, 13, 21];
    let of = |n: u32| (2..=n).fold((0_u64, 1_u64), |(a, b), _| (b, a + b)).1;
    assert_eq!(of(8), expected[8]);
    assert_eq!(pool(3).run(|w| fib(w, depth)), of(depth));
}
