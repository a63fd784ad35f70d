//! `join`: results, order, where its closures run and how often what they own is dropped, and panics.

use crate::common::{Drops, fib, join_stolen, many, panic_of, pool, share_until};
use lyocell::Worker;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

#[test]
fn recursion_of_any_grain_gives_the_serial_result() {
    let n = many(25, 6) as u64;
    let expected = [8, 75025][usize::from(n == 25)];
    for workers in [1, 2, 3, 8] {
        let pool = pool(workers);
        for _ in 0..many(10, 2) {
            assert_eq!(pool.run(|w| fib(w, n)), expected, "{workers} workers");
        }
    }
}

#[test]
fn one_worker_runs_a_before_b_as_serial_code_would() {
    fn visit(w: &Worker, node: usize, nodes: usize, order: &RefCell<Vec<usize>>) {
        if node < nodes {
            order.borrow_mut().push(node);
            // Only one worker, so the order may be kept in what no other thread can see.
            let order = Here(order);
            w.join(
                |w| visit(w, 2 * node + 1, nodes, order.get()),
                |w| visit(w, 2 * node + 2, nodes, order.get()),
            );
        }
    }

    /// Says that it does not leave the thread, which with one worker is true.
    #[derive(Clone, Copy)]
    struct Here<'a>(&'a RefCell<Vec<usize>>);
    // SAFETY: the pool of this test has one worker, and the caller is it.
    unsafe impl Send for Here<'_> {}
    // SAFETY: as above.
    unsafe impl Sync for Here<'_> {}
    impl<'a> Here<'a> {
        fn get(&self) -> &'a RefCell<Vec<usize>> {
            self.0
        }
    }

    let order = RefCell::new(Vec::new());
    let shown = Here(&order);
    pool(1).run(|w| visit(w, 0, 15, shown.get()));
    assert_eq!(order.into_inner(), [0, 1, 3, 7, 8, 4, 9, 10, 2, 5, 11, 12, 6, 13, 14]);
}

#[test]
fn a_stays_on_the_thread_and_owns_what_is_not_send() {
    let pool = pool(3);
    for _ in 0..many(200, 10) {
        let here = thread::current().id();
        let (a, b) = pool.run(|w| {
            let shared = Rc::new(Cell::new(1));
            let result = w.join(
                {
                    let shared = Rc::clone(&shared);
                    move |_| {
                        shared.set(2);
                        (thread::current().id(), shared)
                    }
                },
                |_| 3,
            );
            assert_eq!(shared.get(), 2);
            assert_eq!(Rc::strong_count(&shared), 2);
            (result.0.0, result.1)
        });
        assert_eq!((a, b), (here, 3));
    }
}

#[test]
fn a_stolen_b_runs_on_another_worker_and_its_result_comes_back() {
    let pool = pool(2);
    let here = thread::current().id();
    let ((), (there, index)) =
        pool.run(|w| join_stolen(w, |_| (), |w| (thread::current().id(), w.index())));
    assert_ne!(here, there);
    assert_eq!(index, 1);
}

/// An empty, a small, a just fitting, a large and an over-aligned value, all with a checkable content.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bytes<const N: usize>([u8; N]);

#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(128))]
struct Aligned(u64);

fn pattern<const N: usize>() -> Bytes<N> {
    Bytes(std::array::from_fn(|i| i as u8))
}

#[test]
fn closures_and_results_of_any_size_survive_both_ways() {
    fn both_ways<T: Copy + Send + Sync + PartialEq + std::fmt::Debug>(w: &Worker, value: T) {
        assert_eq!(w.join(|_| value, move |_| value), (value, value));
        assert_eq!(join_stolen(w, |_| value, move |_| value), (value, value));
    }
    pool(2).run(|w| {
        both_ways(w, ());
        both_ways(w, 7_u8);
        both_ways(w, pattern::<40>());
        both_ways(w, pattern::<48>());
        both_ways(w, pattern::<49>());
        both_ways(w, pattern::<4096>());
        both_ways(w, Aligned(42));
        both_ways(w, 1_u128 << 100);
    });
}

#[test]
fn what_closures_own_is_dropped_once_whoever_runs_them() {
    let drops = Drops::default();
    let pool = pool(2);
    pool.run(|w| {
        let (a, b) = (drops.ticket(), drops.ticket());
        w.join(move |_| drop(a), move |_| drop(b));
        assert_eq!(drops.count(), 2);
        let (a, b) = (drops.ticket(), drops.ticket());
        join_stolen(w, move |_| drop(a), move |_| drop(b));
        assert_eq!(drops.count(), 4);
        let (a, b) = (drops.ticket(), drops.ticket());
        let results = join_stolen(w, move |_| a, move |_| (b, pattern::<64>()));
        assert_eq!(drops.count(), 4);
        drop(results);
        assert_eq!(drops.count(), 6);
    });
}

#[test]
fn a_panics_and_b_is_dropped_unrun() {
    let (drops, ran) = (Drops::default(), AtomicBool::new(false));
    let pool = pool(1);
    let text = panic_of(|| {
        pool.run(|w| {
            let ticket = drops.ticket();
            w.join(
                |_| panic!("a fell"),
                |_| {
                    ran.store(true, Ordering::Relaxed);
                    drop(ticket);
                },
            )
        })
    });
    assert_eq!(text, "a fell");
    assert_eq!(drops.count(), 1);
    assert!(!ran.into_inner());
    assert_eq!(pool.run(|w| fib(w, 10)), 55);
}

#[test]
fn a_panics_and_the_thief_of_b_is_awaited() {
    let pool = pool(2);
    let (drops, over) = (Drops::default(), AtomicBool::new(false));
    let text = panic_of(|| {
        pool.run(|w| {
            let ticket = drops.ticket();
            join_stolen(
                w,
                |_| panic!("a fell"),
                |_| {
                    for _ in 0..many(100, 10) {
                        thread::yield_now();
                    }
                    over.store(true, Ordering::Relaxed);
                    ticket
                },
            )
        })
    });
    assert_eq!(text, "a fell");
    assert!(over.into_inner(), "the thief still ran");
    assert_eq!(drops.count(), 1);
    assert_eq!(pool.run(|w| fib(w, 10)), 55);
}

#[test]
fn b_panics_here_or_at_a_thief_and_the_panic_comes_out_of_the_join() {
    let pool = pool(2);
    let drops = Drops::default();
    let text =
        panic_of(|| pool.run(|w| w.join(|_| drops.ticket(), |_| -> u32 { panic!("b fell") })));
    assert_eq!(text, "b fell");
    assert_eq!(drops.count(), 1);
    let text = panic_of(|| {
        pool.run(|w| join_stolen(w, |_| drops.ticket(), |_| -> u32 { panic!("b fell far away") }))
    });
    assert_eq!(text, "b fell far away");
    assert_eq!(drops.count(), 2);
    assert_eq!(pool.run(|w| fib(w, 10)), 55);
}

#[test]
fn of_two_panics_that_of_a_wins() {
    let pool = pool(2);
    let text = panic_of(|| {
        pool.run(|w| {
            join_stolen(w, |_| panic!("a fell"), |_| panic!("b fell"));
        });
    });
    assert_eq!(text, "a fell");
    assert_eq!(pool.run(|w| fib(w, 5)), 5);
}

#[test]
fn a_payload_of_any_type_comes_out() {
    let pool = pool(2);
    let outcome = std::panic::catch_unwind(|| {
        pool.run(|w| join_stolen(w, |_| (), |_| std::panic::panic_any(pattern::<100>())))
    });
    assert_eq!(outcome.unwrap_err().downcast_ref(), Some(&pattern::<100>()));
}

#[test]
fn a_panic_deep_inside_unwinds_every_join_above() {
    fn fall(w: &Worker, depth: usize, drops: &Drops) {
        let (a, b) = (drops.ticket(), drops.ticket());
        if depth == 0 {
            panic!("at the bottom");
        }
        w.join(
            move |w| {
                let _a = a;
                fall(w, depth - 1, drops);
            },
            move |_| drop(b),
        );
    }
    let depth = many(1000, 10);
    for workers in [1, 2, 4] {
        let drops = Drops::default();
        let pool = pool(workers);
        assert_eq!(panic_of(|| pool.run(|w| fall(w, depth, &drops))), "at the bottom");
        assert_eq!(drops.count(), 2 * (depth + 1));
        assert_eq!(pool.run(|w| fib(w, 10)), 55);
    }
}

#[test]
fn a_caught_panic_inside_a_task_leaves_the_deque_in_order() {
    let pool = pool(2);
    let caught = AtomicUsize::new(0);
    pool.run(|w| {
        for _ in 0..many(500, 10) {
            w.join(
                |w| {
                    let text = panic_of(|| w.join(|_| panic!("inner"), |w| fib(w, 3)));
                    assert_eq!(text, "inner");
                    caught.fetch_add(1, Ordering::Relaxed);
                },
                |w| assert_eq!(fib(w, 5), 5),
            );
        }
    });
    assert_eq!(caught.into_inner(), many(500, 10));
}

#[test]
fn a_waiting_owner_leapfrogs_into_the_task_it_waits_for() {
    // The stolen task does not end before a part of it has run on the worker that waits for it.
    let pool = pool(2);
    let ((), helped) = pool.run(|w| {
        let owner = w.index();
        join_stolen(
            w,
            |_| (),
            move |w| {
                let (helped, asked) = (AtomicBool::new(false), AtomicUsize::new(0));
                while !helped.load(Ordering::Relaxed) {
                    w.join(
                        |w| share_until(w, || asked.load(Ordering::Relaxed) > 0),
                        |w| {
                            helped.fetch_or(w.index() == owner, Ordering::Relaxed);
                            asked.fetch_add(1, Ordering::Relaxed);
                        },
                    );
                }
                true
            },
        )
    });
    assert!(helped);
}
