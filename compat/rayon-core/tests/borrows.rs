//! What borrows, what is handed over and what is dropped, on pools whose threads are joined: for Miri as well.

use rayon_core::{Scope, ScopeFifo, ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// So many, but few where Miri interprets every step.
const fn many(native: usize, miri: usize) -> usize {
    if cfg!(miri) {
        miri
    } else {
        native
    }
}

/// Runs `body` with a pool, and waits until its threads are over.
fn with_pool<R>(threads: usize, body: impl FnOnce(&ThreadPool) -> R) -> R {
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    builder.build_scoped(|thread| thread.run(), body).unwrap()
}

fn sum(values: &[u64]) -> u64 {
    if values.len() < 4 {
        return values.iter().sum();
    }
    let (left, right) = values.split_at(values.len() / 2);
    let (a, b) = rayon_core::join(|| sum(left), || sum(right));
    a + b
}

#[test]
fn joins_borrow_from_their_frame() {
    let values: Vec<u64> = (0..many(100_000, 60) as u64).collect();
    for threads in [1, 3] {
        let total = with_pool(threads, |pool| pool.install(|| sum(&values)));
        assert_eq!(total, values.iter().sum::<u64>());
    }
}

#[test]
fn joins_hand_over_large_closures_and_results() {
    with_pool(2, |pool| {
        for _ in 0..many(200, 5) {
            let (left, right) = ([1_u64; 30], [2_u64; 30]);
            let text = String::from("owned");
            let both = pool.install(|| rayon_core::join(move || left, move || (right, text)));
            assert_eq!(both, ([1; 30], ([2; 30], String::from("owned"))));
        }
    });
}

#[test]
fn scopes_borrow_what_outlives_them_and_end_last() {
    fn halve<'scope>(scope: &Scope<'scope>, values: &'scope mut [usize]) {
        match values {
            [] => {}
            [one] => *one += 1,
            more => {
                let (left, right) = more.split_at_mut(more.len() / 2);
                scope.spawn(|scope| halve(scope, left));
                scope.spawn(|scope| halve(scope, right));
            }
        }
    }
    fn halve_fifo<'scope>(scope: &ScopeFifo<'scope>, values: &'scope mut [usize]) {
        match values {
            [] => {}
            [one] => *one += 1,
            more => {
                let (left, right) = more.split_at_mut(more.len() / 2);
                scope.spawn_fifo(|scope| halve_fifo(scope, left));
                scope.spawn_fifo(|scope| halve_fifo(scope, right));
            }
        }
    }
    let mut values = vec![0; many(1000, 9)];
    with_pool(3, |pool| {
        pool.scope(|scope| halve(scope, &mut values));
        pool.scope_fifo(|scope| halve_fifo(scope, &mut values));
        pool.in_place_scope(|scope| halve(scope, &mut values));
        pool.in_place_scope_fifo(|scope| halve_fifo(scope, &mut values));
    });
    assert!(values.iter().all(|value| *value == 4));
}

#[test]
fn broadcasts_borrow_and_their_captures_are_dropped_once() {
    let owned = Arc::new(AtomicUsize::new(0));
    with_pool(3, |pool| {
        let borrowed = &owned;
        assert_eq!(
            pool.broadcast(|context| borrowed.fetch_add(context.index(), Ordering::Relaxed)).len(),
            3
        );
        let kept = Arc::clone(&owned);
        pool.scope(|scope| {
            scope.spawn_broadcast(move |_, context| {
                _ = kept.fetch_add(context.num_threads(), Ordering::Relaxed)
            });
        });
        let kept = Arc::clone(&owned);
        pool.spawn_broadcast(move |_| _ = kept.fetch_add(1, Ordering::Relaxed));
    });
    assert_eq!((owned.load(Ordering::Relaxed), Arc::strong_count(&owned)), (3 + 9 + 3, 1));
}

#[test]
fn spawned_tasks_are_over_when_the_threads_are() {
    let order = Arc::new(Mutex::new(Vec::new()));
    with_pool(1, |pool| {
        let order = Arc::clone(&order);
        pool.install(move || {
            for i in 0..3 {
                let (newest, oldest) = (Arc::clone(&order), Arc::clone(&order));
                rayon_core::spawn(move || newest.lock().unwrap().push(i));
                rayon_core::spawn_fifo(move || oldest.lock().unwrap().push(10 + i));
            }
        });
    });
    // The newest first, and of those in order the oldest.
    assert_eq!(Arc::into_inner(order).unwrap().into_inner().unwrap(), [10, 2, 11, 1, 12, 0]);
}

#[test]
fn panics_cross_threads_and_leave_nothing_behind() {
    let owned = Arc::new(());
    with_pool(2, |pool| {
        for a_panics in [true, false] {
            for b_panics in [true, false] {
                let (kept, also) = (Arc::clone(&owned), Arc::clone(&owned));
                let join = || {
                    pool.join(
                        move || {
                            assert!(!a_panics, "a");
                            kept
                        },
                        move || {
                            assert!(!b_panics, "b");
                            also
                        },
                    )
                };
                let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(join));
                match outcome {
                    Ok(_) => assert!(!a_panics && !b_panics),
                    Err(panic) => {
                        let text = *panic.downcast_ref::<&str>().unwrap();
                        assert_eq!(text, if a_panics { "a" } else { "b" });
                    }
                }
            }
        }
    });
    assert_eq!(Arc::strong_count(&owned), 1);
}

#[test]
fn a_pool_in_a_pool_in_a_pool() {
    let depth = with_pool(1, |first| {
        with_pool(1, |second| {
            first.install(|| second.install(|| first.install(rayon_core::current_thread_index)))
        })
    });
    assert_eq!(depth, Some(0));
}
