//! `join_range`: n tasks of one frame.

use crate::common::{Drops, many, panic_of, pool, share_until};
use lyocell::{Pool, Worker};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The indices as a list, in the order in which they are folded.
fn indices(w: &Worker, range: std::ops::Range<usize>) -> Vec<usize> {
    w.join_range(range, Vec::new(), |_, i| vec![i], |a, b| [a, b].concat())
}

#[test]
fn results_are_folded_in_ascending_order_from_the_identity() {
    for workers in [1, 2, 5] {
        pool(workers).run(|w| {
            let end = many(40, 16);
            for _ in 0..many(100, 2) {
                assert_eq!(indices(w, 3..end), (3..end).collect::<Vec<_>>());
            }
            let digits = w.join_range(0..4, String::from("<"), |_, i| i.to_string(), |a, b| a + &b);
            assert_eq!(digits, "<0123");
        });
    }
}

#[test]
fn empty_reversed_and_single_ranges() {
    pool(2).run(|w| {
        assert_eq!(indices(w, 7..7), []);
        #[allow(clippy::reversed_empty_ranges)]
        let reversed = 9..3;
        assert_eq!(indices(w, reversed), []);
        assert_eq!(indices(w, 7..8), [7]);
        assert_eq!(indices(w, usize::MAX - 2..usize::MAX), [usize::MAX - 2, usize::MAX - 1]);
    });
}

#[test]
fn one_worker_runs_the_tasks_in_ascending_order() {
    let next = AtomicUsize::new(0);
    let run = |_: &Worker, i: usize| assert_eq!(next.fetch_add(1, Ordering::Relaxed), i);
    pool(1).run(|w| w.join_range(0..50, (), run, |(), ()| ()));
    assert_eq!(next.into_inner(), 50);
}

#[test]
fn the_tasks_run_on_several_workers_at_once() {
    let arrived = AtomicUsize::new(0);
    pool(3).run(|w| {
        w.join_range(
            0..3,
            (),
            |w, _| {
                arrived.fetch_add(1, Ordering::Relaxed);
                share_until(w, || arrived.load(Ordering::Relaxed) == 3);
            },
            |(), ()| (),
        );
    });
}

#[test]
fn what_does_not_fit_into_the_deque_runs_here() {
    let tasks = many(100, 36);
    for capacity in [1, 2, 4, 30] {
        for workers in [1, 3] {
            let pool = Pool::builder().workers(workers).deque_capacity(capacity).build().unwrap();
            pool.run(|w| assert_eq!(indices(w, 0..tasks), (0..tasks).collect::<Vec<_>>()));
        }
    }
}

#[test]
fn nested_ranges_count_the_queens() {
    fn queens(w: &Worker, columns: &[usize], n: usize) -> u64 {
        if columns.len() == n {
            return 1;
        }
        let is_safe = |column: usize| {
            let row = columns.len();
            columns.iter().enumerate().all(|(r, c)| *c != column && c.abs_diff(column) != row - r)
        };
        let place = |w: &Worker, column: usize| {
            if is_safe(column) { queens(w, &[columns, &[column]].concat(), n) } else { 0 }
        };
        w.join_range(0..n, 0, place, |a, b| a + b)
    }
    let (n, solutions) = if cfg!(miri) { (4, 2) } else { (8, 92) };
    for workers in [1, 2, 4] {
        assert_eq!(pool(workers).run(|w| queens(w, &[], n)), solutions);
    }
}

#[test]
fn a_panic_of_one_task_comes_out_after_all_tasks_are_over() {
    const TASKS: usize = many(50, 12);
    for workers in [1, 2, 4] {
        let pool = pool(workers);
        for fatal in [0, 1, TASKS / 3, TASKS - 1] {
            let (drops, running) = (Drops::default(), AtomicUsize::new(0));
            let started = AtomicUsize::new(0);
            let text = panic_of(|| {
                pool.run(|w| {
                    let task = |_: &Worker, i: usize| {
                        started.fetch_add(1, Ordering::Relaxed);
                        running.fetch_add(1, Ordering::Relaxed);
                        let ticket = drops.ticket();
                        if i == fatal {
                            running.fetch_sub(1, Ordering::Relaxed);
                            panic!("task {i}");
                        }
                        running.fetch_sub(1, Ordering::Relaxed);
                        vec![ticket]
                    };
                    w.join_range(0..TASKS, Vec::new(), task, |mut a, b| {
                        a.extend(b);
                        a
                    });
                });
            });
            assert_eq!(text, format!("task {fatal}"));
            assert_eq!(running.into_inner(), 0);
            assert_eq!(drops.count(), started.into_inner(), "each result is dropped once");
            assert_eq!(pool.run(|w| indices(w, 0..5)), [0, 1, 2, 3, 4]);
        }
    }
}

#[test]
fn a_panic_of_the_reduction_comes_out() {
    let pool = pool(2);
    let text = panic_of(|| {
        pool.run(|w| {
            w.join_range(0..20, 0, |_, i| i, |a, b| if b == 7 { panic!("seven") } else { a + b })
        })
    });
    assert_eq!(text, "seven");
    assert_eq!(pool.run(|w| indices(w, 0..3)), [0, 1, 2]);
}

#[test]
fn of_several_panics_the_lowest_index_is_seen_first() {
    // Everybody is in before anybody panics, so all four panics are there to choose from.
    let arrived = AtomicUsize::new(0);
    let pool = pool(4);
    let text = panic_of(|| {
        pool.run(|w| {
            let task = |w: &Worker, i: usize| {
                arrived.fetch_add(1, Ordering::Relaxed);
                share_until(w, || arrived.load(Ordering::Relaxed) >= 4);
                panic!("task {i}");
            };
            w.join_range(0..4, (), task, |(), ()| ());
        });
    });
    assert_eq!(text, "task 0");
}

#[test]
fn a_stolen_result_larger_than_a_slot_comes_back() {
    let stolen = AtomicBool::new(false);
    let sum = pool(2).run(|w| {
        let task = |w: &Worker, i: usize| {
            if w.index() == 0 {
                share_until(w, || stolen.load(Ordering::Relaxed));
            } else {
                stolen.store(true, Ordering::Relaxed);
            }
            [i as u64; 32]
        };
        w.join_range(0..8, [0; 32], task, |a, b| std::array::from_fn(|k| a[k] + b[k]))
    });
    assert_eq!(sum, [28; 32]);
}
