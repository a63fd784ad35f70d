//! What a program may rely on whatever the deque, the number of workers, the
//! room and the wait policy.

use crate::common::{Drops, join_stolen, many, panic_of, pool_of};
use lyocell::{Builder, Deque, Pool, Wait, Worker};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

on_each_deque! { here:
    every_task_runs_once_on_any_number_of_workers,
    every_task_runs_once_under_every_wait_policy,
    every_task_runs_once_when_there_is_hardly_any_room,
    a_recursion_deeper_than_the_first_arrays_gives_every_result,
    an_irregular_tree_is_counted_in_full,
    results_of_a_range_come_in_order,
    results_of_any_size_come_back_from_thieves,
    panics_come_out_and_nothing_is_dropped_twice,
    what_panicked_at_a_thief_comes_out_at_the_join,
    tasks_of_a_scope_run_once,
    loops_visit_every_item_once,
    a_deterministic_sum_has_one_bit_pattern,
    workers_that_park_at_once_are_woken_for_work,
}

/// As many as the issue of exactly-once demands, on however few processors.
const WORKERS: &[usize] = if cfg!(miri) { &[1, 2, 3] } else { &[1, 2, 3, 8, 64] };

/// A binary tree of tasks, each of which counts its runs.
struct Tree(Box<[AtomicUsize]>);

impl Tree {
    fn new(nodes: usize) -> Tree {
        Tree((0..nodes).map(|_| AtomicUsize::new(0)).collect())
    }

    fn visit<D: Deque>(&self, w: &Worker<D>, node: usize) -> usize {
        let Some(runs) = self.0.get(node) else { return 0 };
        runs.fetch_add(1, Ordering::Relaxed);
        let (a, b) = w.join(|w| self.visit(w, 2 * node + 1), |w| self.visit(w, 2 * node + 2));
        1 + a + b
    }

    /// Runs the tree some times and checks each count and each sum.
    fn check<D: Deque>(pool: &Pool<D>, nodes: usize, times: usize) {
        let tree = Tree::new(nodes);
        for time in 1..=times {
            assert_eq!(pool.run(|w| tree.visit(w, 0)), nodes);
            for (node, runs) in tree.0.iter().enumerate() {
                assert_eq!(runs.load(Ordering::Relaxed), time, "runs of node {node}");
            }
        }
    }
}

fn every_task_runs_once_on_any_number_of_workers<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for &workers in WORKERS {
        Tree::check(&pool_of(&builder, workers), many(20_000, 40), many(10, 2));
    }
}

fn every_task_runs_once_under_every_wait_policy<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for &wait in Wait::ALL {
        for workers in [2, 3, 8] {
            let pool = builder().workers(workers).wait(wait).build().unwrap();
            Tree::check(&pool, many(20_000, 40), many(5, 1));
        }
    }
}

fn every_task_runs_once_when_there_is_hardly_any_room<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for capacity in [1, 2, 4] {
        for workers in [1, 2, 3] {
            let pool = builder().workers(workers).deque_capacity(capacity).build().unwrap();
            Tree::check(&pool, many(5_000, 40), many(10, 2));
            // More branches than there is room for.
            let sum = pool.run(|w| w.join_range(0..100, 0, |_, i| i, |a, b| a + b));
            assert_eq!(sum, 4950);
        }
    }
}

/// Leaves a task behind at every level.
fn descend<D: Deque>(w: &Worker<D>, levels: usize) -> usize {
    if levels == 0 {
        return 0;
    }
    let (a, b) = w.join(|w| descend(w, levels - 1), |_| levels);
    a + b
}

fn a_recursion_deeper_than_the_first_arrays_gives_every_result<D: Deque>(
    builder: impl Fn() -> Builder<D>,
) {
    let levels = many(300, 150);
    for workers in [1, 2, 8] {
        let pool = pool_of(&builder, workers);
        for _ in 0..many(20, 2) {
            assert_eq!(pool.run(|w| descend(w, levels)), levels * (levels + 1) / 2);
        }
    }
}

/// A tree whose shape only chance knows: a node has up to four children, two on average where the tree is
/// high, fewer below.
fn count<D: Deque>(w: &Worker<D>, seed: u64, levels: u64) -> usize {
    1 + w.join_range(
        0..children(seed, levels),
        0,
        |w, child| count(w, child_of(seed, child), levels - 1),
        |a, b| a + b,
    )
}

fn count_serially(seed: u64, levels: u64) -> usize {
    1 + (0..children(seed, levels))
        .map(|child| count_serially(child_of(seed, child), levels - 1))
        .sum::<usize>()
}

fn children(seed: u64, levels: u64) -> usize {
    if levels == 0 { 0 } else { (seed >> 61) as usize % 5 }
}

/// One step of a splitmix generator.
fn child_of(seed: u64, child: usize) -> u64 {
    let mut x = seed.wrapping_add((child as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

fn an_irregular_tree_is_counted_in_full<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let (roots, levels) = (many(8, 1) as u64, many(14, 4) as u64);
    for &workers in WORKERS {
        let pool = pool_of(&builder, workers);
        for root in 0..roots {
            // The root has children for sure.
            let seed = child_of(root, 0) | 1 << 61 | 1 << 62;
            let counted = pool.run(|w| count(w, seed, levels));
            assert_eq!(counted, count_serially(seed, levels), "root {root}, {workers} workers");
        }
    }
}

fn results_of_a_range_come_in_order<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let items = many(500, 20);
    for &workers in WORKERS {
        let pool = pool_of(&builder, workers);
        let order = pool.run(|w| {
            let one = |_: &Worker<D>, i| vec![i];
            w.join_range(0..items, Vec::new(), one, |mut all, one| {
                all.extend(one);
                all
            })
        });
        assert!(order.iter().copied().eq(0..items), "{order:?}");
    }
}

fn results_of_any_size_come_back_from_thieves<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = pool_of(&builder, 2);
    for round in 0..many(100, 3) as u64 {
        let large = [round; 40];
        let stolen = pool.run(|w| join_stolen(w, |_| round, move |_| (large, large)));
        assert_eq!(stolen, (round, (large, large)));
        let small = pool.run(|w| join_stolen(w, |_| (), |_| round as u8));
        assert_eq!(small, ((), round as u8));
    }
}

fn panics_come_out_and_nothing_is_dropped_twice<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for workers in [1, 2, 8] {
        let pool = pool_of(&builder, workers);
        let drops = Drops::default();
        let rounds = many(200, 5);
        for _ in 0..rounds {
            let (mine, theirs) = (drops.ticket(), drops.ticket());
            let text = panic_of(|| {
                pool.run(|w| {
                    w.join(
                        |_| {
                            let _mine = mine;
                            panic!("a");
                        },
                        |_| {
                            let _theirs = theirs;
                            panic!("b");
                        },
                    )
                })
            });
            assert_eq!(text, "a");
        }
        assert_eq!(drops.count(), 2 * rounds);
        Tree::check(&pool, 500, 1);
    }
}

fn what_panicked_at_a_thief_comes_out_at_the_join<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = pool_of(&builder, 2);
    for _ in 0..many(50, 3) {
        let text = panic_of(|| pool.run(|w| join_stolen(w, |_| (), |_| panic!("b"))));
        assert_eq!(text, "b");
        let text = panic_of(|| pool.run(|w| join_stolen(w, |_| panic!("a"), |_| panic!("b"))));
        assert_eq!(text, "a");
    }
    Tree::check(&pool, 500, 1);
}

fn tasks_of_a_scope_run_once<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for &workers in WORKERS {
        let runs = Tree::new(many(1000, 20));
        pool_of(&builder, workers).scope(|scope| {
            for run in &runs.0 {
                scope.spawn(move |w: &Worker<D>| {
                    let (a, b) = w.join(|_| 1, |_| 2);
                    run.fetch_add(a + b, Ordering::Relaxed);
                });
            }
        });
        assert!(runs.0.iter().all(|run| run.load(Ordering::Relaxed) == 3), "{workers} workers");
    }
}

fn loops_visit_every_item_once<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for &workers in WORKERS {
        let pool = pool_of(&builder, workers);
        let items = many(100_000, 100);
        let mut visits = vec![0_u8; items];
        pool.run(|w| w.for_each(&mut visits, |visit| *visit += 1));
        assert!(visits.iter().all(|visit| *visit == 1), "{workers} workers");
        let sum = pool.run(|w| w.map_reduce(0..items as u64, |i| i, || 0, |a, b| a + b));
        assert_eq!(sum, items as u64 * (items as u64 - 1) / 2);
    }
}

/// Each round needs a thief, and between the rounds there is nothing to stay awake for. A wake-up that is lost
/// leaves the round waiting for ever.
fn workers_that_park_at_once_are_woken_for_work<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for workers in [2, 3] {
        let pool = builder().workers(workers).search_time(Duration::ZERO).build().unwrap();
        for round in 0..many(300, 3) {
            assert_eq!(pool.run(|w| join_stolen(w, |_| round, |_| round)), (round, round));
        }
    }
}

fn a_deterministic_sum_has_one_bit_pattern<D: Deque>(builder: impl Fn() -> Builder<D>) {
    // Magnitudes so different that every other bracketing rounds elsewhere.
    let value = |i: usize| f64::powi(-1.7, (i % 61) as i32 - 30);
    let values: Vec<f64> = (0..many(50_000, 100)).map(value).collect();
    let sums = |workers| {
        let pool = pool_of(&builder, workers);
        let sum = |_| {
            // Threads that give way in between have the loop stolen, and asked for, at other places each time.
            let map = |x: &f64| {
                if x.to_bits() % 512 == 0 {
                    std::thread::yield_now();
                }
                *x
            };
            pool.run(|w| w.map_reduce_deterministic(&values, map, || 0.0, |a, b| a + b)).to_bits()
        };
        (0..many(5, 1)).map(sum).collect::<Vec<_>>()
    };
    let expected = sums(1)[0];
    for &workers in WORKERS {
        assert!(sums(workers).iter().all(|sum| *sum == expected), "{workers} workers");
    }
    assert!((f64::from_bits(expected) / values.iter().sum::<f64>() - 1.0).abs() < 1e-9);
}
