//! Deep recursion: whatever is stolen on top of it, the stack must do.

use crate::process::isolated;
use crate::rounds;
use lyocell::{Builder, Caller, Deque, Pool, SpawnOrder, Wait, Worker};
use std::sync::atomic::{AtomicUsize, Ordering};

on_each_kind_of_deque! { isolated:
    twenty_thousand_levels_on_the_default_stack,
    a_small_stack_holds_what_serial_code_would_need_of_it,
}

/// A tree whose left branches are chains and whose right ones are small: what thieves find is always
/// somebody's small branch, and what is waited for is often deep.
fn comb<D: Deque>(w: &Worker<D>, depth: u64, seed: u64) -> u64 {
    if depth == 0 {
        return 1;
    }
    let next = (seed ^ depth).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    // Few branches are long, so that the whole stays small.
    let branch = if next % 512 == 0 { depth / 2 } else { next % 3 };
    let (a, b) = w.join(|w| comb(w, depth - 1, next), |w| comb(w, branch.min(depth - 1), next ^ 1));
    a + b
}

fn serial_comb(depth: u64, seed: u64) -> u64 {
    // Children of a node are counted from a list, so that the count needs no stack.
    let mut open = vec![(depth, seed)];
    let mut leaves = 0;
    while let Some((depth, seed)) = open.pop() {
        if depth == 0 {
            leaves += 1;
            continue;
        }
        let next = (seed ^ depth).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        let branch = if next % 512 == 0 { depth / 2 } else { next % 3 };
        open.push((depth - 1, next));
        open.push((branch.min(depth - 1), next ^ 1));
    }
    leaves
}

const WAITS: [Wait; 4] = [Wait::LeapRandom, Wait::Leap, Wait::Random, Wait::Transitive];

fn climb<D: Deque>(builder: impl Fn() -> Builder<D>, stack_bytes: usize, depth: u64, seeds: usize) {
    for workers in [2, 8, 64] {
        // An owner that deals is slow among so many idle workers: there, one policy has to do.
        let waits = if workers == 64 { rounds::<D>(WAITS.len(), 1) } else { WAITS.len() };
        for wait in WAITS.into_iter().take(waits) {
            let pool = builder()
                .workers(workers)
                .caller(Caller::Sleeps)
                .stack_size(stack_bytes)
                .wait(wait)
                .build()
                .unwrap();
            for seed in 0..seeds as u64 {
                let leaves = pool.run(|w| comb(w, depth, seed));
                assert_eq!(leaves, serial_comb(depth, seed), "{workers} workers, {wait}");
            }
        }
    }
}

fn twenty_thousand_levels_on_the_default_stack<D: Deque>(builder: impl Fn() -> Builder<D>) {
    // Optimised, a level takes some hundred bytes; without, ten times that.
    let depth = if cfg!(debug_assertions) { 5_000 } else { 20_000 };
    climb(builder, 64 << 20, depth, rounds::<D>(4, 1));
}

fn a_small_stack_holds_what_serial_code_would_need_of_it<D: Deque>(
    builder: impl Fn() -> Builder<D>,
) {
    let stack_bytes = if cfg!(debug_assertions) { 16 << 20 } else { 2 << 20 };
    climb(builder, stack_bytes, 2_000, rounds::<D>(20, 4));
}

/// Each task waits for a small one of its own. In the order of the spawns the next large one comes first, and waits on top of
/// that: a frame a task, until little of the stack is left.
#[test]
fn tasks_that_wait_for_their_own_in_every_order() {
    isolated(|| {
        const TASKS: usize = 200_000;
        for order in [SpawnOrder::OldestFirst, SpawnOrder::Fair, SpawnOrder::NewestFirst] {
            for workers in [1, 2] {
                let builder = Pool::builder().workers(workers).caller(Caller::Sleeps);
                let pool = builder.spawn_order(order).stack_size(8 << 20).build().unwrap();
                let ran = &AtomicUsize::new(0);
                let count = |_: &Worker| _ = ran.fetch_add(1, Ordering::Relaxed);
                pool.scope(|s| {
                    for _ in 0..TASKS / 2 {
                        s.spawn(|w| w.scope(|inner| inner.spawn(count)));
                        s.spawn_fifo(|w| w.scope(|inner| inner.spawn_fifo(count)));
                    }
                });
                assert_eq!(ran.load(Ordering::Relaxed), TASKS, "{order:?}");
            }
        }
    });
}
