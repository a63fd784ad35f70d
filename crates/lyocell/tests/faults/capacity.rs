//! Deques with next to no room.

use crate::common::{Drops, fib, panic_of};
use crate::process::isolated;
use crate::rounds;
use lyocell::{Builder, Deque, Scope, Worker};
use std::sync::atomic::{AtomicUsize, Ordering};

on_each_kind_of_deque! { isolated:
    everything_works_in_a_deque_of_one_two_and_four,
    panics_in_a_full_deque_drop_everything_once,
}

fn spawn_tree<'scope, D: Deque>(
    s: &'scope Scope<'scope, '_, D>,
    depth: usize,
    count: &'scope AtomicUsize,
) {
    count.fetch_add(1, Ordering::Relaxed);
    if depth > 0 {
        s.spawn(move |w| {
            w.join(|_| spawn_tree(s, depth - 1, count), |_| spawn_tree(s, depth - 1, count));
        });
    }
}

fn everything_works_in_a_deque_of_one_two_and_four<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for capacity in [1, 2, 4] {
        for workers in [1, 2, 8] {
            let pool = builder().workers(workers).deque_capacity(capacity).build().unwrap();
            for _ in 0..20 {
                assert_eq!(pool.run(|w| fib(w, 18)), 2584);
            }
            let sum = pool.run(|w| w.join_range(0..1000, 0, |_, i| i, |a, b| a + b));
            assert_eq!(sum, 499_500);
            let sum = pool.run(|w| w.map_reduce(0..100_000_u64, |i| i, || 0, |a, b| a + b));
            assert_eq!(sum, 4_999_950_000);
            let count = AtomicUsize::new(0);
            pool.scope(|s| spawn_tree(s, 8, &count));
            assert_eq!(count.into_inner(), 511);
        }
    }
}

fn panics_in_a_full_deque_drop_everything_once<D: Deque>(builder: impl Fn() -> Builder<D>) {
    fn fall<D: Deque>(w: &Worker<D>, depth: usize, drops: &Drops) {
        let (a, b) = (drops.ticket(), drops.ticket());
        assert!(depth > 0, "at the bottom");
        w.join(
            move |w| {
                let _a = a;
                fall(w, depth - 1, drops);
            },
            move |_| drop(b),
        );
    }
    for capacity in [1, 2, 4] {
        for workers in [1, 2, 8] {
            let pool = builder().workers(workers).deque_capacity(capacity).build().unwrap();
            let drops = Drops::default();
            let rounds = rounds::<D>(20, 4);
            for _ in 0..rounds {
                let text = panic_of(|| pool.run(|w| fall(w, 50, &drops)));
                assert_eq!(text, "at the bottom");
            }
            assert_eq!(drops.count(), 102 * rounds);
        }
    }
}
