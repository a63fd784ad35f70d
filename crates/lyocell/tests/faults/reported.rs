//! The shortest programs of what users of rayon have reported to hang, with that isolated which hangs there.

use crate::common::pool_of;
use crate::isolation::forks;
use crate::process::isolated;
use crate::rounds;
use lyocell::{Builder, Deque, Worker};
use std::sync::{Mutex, OnceLock, RwLock};

on_each_kind_of_deque! { isolated:
    a_loop_under_a_mutex_in_a_loop,
    a_value_made_by_a_loop_that_all_items_of_a_loop_ask_for,
    readers_that_loop_beside_a_writer,
}

/// A thousand runs on the default deque, on 2 to 16 workers.
fn on_pools<D: Deque>(builder: impl Fn() -> Builder<D>, body: impl Fn(&Worker<D>) + Sync) {
    for workers in 2..=16 {
        let pool = pool_of(&builder, workers);
        (0..rounds::<D>(67, 3)).for_each(|_| pool.run(|w| body(w)));
    }
}

/// rayon #592.
fn a_loop_under_a_mutex_in_a_loop<D: Deque>(builder: impl Fn() -> Builder<D>) {
    on_pools(builder, |w| {
        let values = Mutex::new(vec![1_u64; 50]);
        w.for_each_with(0..40, |w, _| {
            let values = values.lock().unwrap();
            let sum = w.isolated(|w| {
                forks(w, 2);
                w.map_reduce(&values[..], |value| *value, || 0, |a, b| a + b)
            });
            assert_eq!(sum, 50);
        });
    });
}

/// rayon #1251.
fn a_value_made_by_a_loop_that_all_items_of_a_loop_ask_for<D: Deque>(
    builder: impl Fn() -> Builder<D>,
) {
    on_pools(builder, |w| {
        let made = OnceLock::new();
        w.for_each_with(0..40, |w, _| {
            made.get_or_init(|| w.isolated(|w| forks(w, 6)));
        });
        assert!(made.into_inner().is_some());
    });
}

/// rayon #1205: who reads while a writer waits keeps all later readers out, until it has come to its end.
fn readers_that_loop_beside_a_writer<D: Deque>(builder: impl Fn() -> Builder<D>) {
    on_pools(builder, |w| {
        let lock = RwLock::new(0);
        w.scope(|s| {
            for task in 0..24 {
                let lock = &lock;
                s.spawn(move |w| {
                    if task % 6 == 5 {
                        *lock.write().unwrap() += 1;
                    } else {
                        let writes = lock.read().unwrap();
                        w.isolated(|w| forks(w, 4));
                        assert!(*writes <= 4);
                    }
                });
            }
        });
        assert_eq!(lock.into_inner().unwrap(), 4);
    });
}
