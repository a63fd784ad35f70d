//! Functions without a handle run in the current pool, whatever its deque and its probe are; and the global pool may have any.
#![cfg(not(miri))]

mod common;
#[path = "common/process.rs"]
mod process;

use common::panic_of;
use lyocell::probe::{Counters, Event};
use lyocell::{BuildError, ChaseLev, Deque, Pool, Probe, par};
use process::isolated;
use std::sync::atomic::{AtomicUsize, Ordering};

fn forks<D: Deque>(pool: &Pool<D, Counters>) -> usize {
    pool.probes().map(|probe| probe.counts().of(Event::Spawn)).sum()
}

/// Every way of forking without a handle; each closure counts whether it runs in a pool of so many workers.
fn use_all(workers: usize) {
    let here = |count: &AtomicUsize| {
        assert_eq!(lyocell::current_num_threads(), workers);
        count.fetch_add(1, Ordering::Relaxed);
    };
    let count = AtomicUsize::new(0);
    let tick = || here(&count);
    lyocell::join(tick, tick);
    lyocell::join_context(|_| tick(), |_| tick());
    lyocell::scope(|s| {
        s.spawn(|s| {
            tick();
            s.spawn(|_| tick());
        });
        s.spawn_fifo(|_| tick());
        s.spawn_broadcast(|_| tick());
    });
    lyocell::in_place_scope(|s| s.spawn(|_| tick()));
    let expected = 8 + workers;
    assert_eq!(count.load(Ordering::Relaxed), expected);
    par::for_each(0..1000, |_| tick());
    assert_eq!(
        par::map_reduce(
            0..1000,
            |_| {
                tick();
                1
            },
            || 0,
            |a, b| a + b
        ),
        1000
    );
    assert_eq!(
        par::fold(
            0..1000,
            || 0,
            |sum, _| {
                tick();
                sum + 1
            },
            |a, b| a + b
        ),
        1000
    );
    assert_eq!(
        par::try_for_each(0..1000, |_| {
            tick();
            Ok::<(), ()>(())
        }),
        Ok(())
    );
    assert_eq!(
        par::find_any(0..1000, |_| {
            tick();
            false
        }),
        None
    );
    assert_eq!(count.load(Ordering::Relaxed), expected + 5000);
    assert_eq!(lyocell::spawn_detached_with_handle(lyocell::current_num_threads).join(), workers);
}

#[test]
fn in_a_pool_of_another_type_nothing_leaves_it() {
    isolated(|| {
        fn on<D: Deque>() {
            let pool = Pool::builder().deque::<D>().probe::<Counters>().workers(3).build().unwrap();
            pool.run(|_| use_all(3));
            assert!(forks(&pool) > 5, "{}", forks(&pool));
        }
        on::<lyocell::Split>();
        on::<lyocell::Direct>();
        on::<lyocell::Receiver>();
        on::<lyocell::Sender>();
        on::<ChaseLev>();
        // The global pool has not been made meanwhile.
        assert!(Pool::builder().workers(2).build_global().is_ok());
        use_all(2);
    });
}

#[test]
fn the_global_pool_has_any_deque_and_probe() {
    isolated(|| {
        let pool = Pool::builder().deque::<ChaseLev>().probe::<Counters>().workers(3);
        let pool = pool.build_global().unwrap();
        use_all(3);
        assert!(forks(pool) > 5);
        let again = lyocell::global_or_init::<ChaseLev, Counters>(|| unreachable!("it is there"));
        assert!(std::ptr::eq(pool, again.unwrap()));
        // As another type it is not to be had.
        assert!(matches!(lyocell::global(), Err(BuildError::GlobalPoolOfAnotherType)));
        let error = lyocell::global().unwrap_err().to_string();
        assert!(error.contains("another deque or another probe"), "{error}");
        assert!(matches!(Pool::builder().build_global(), Err(BuildError::GlobalPoolExists)));
    });
}

fn nothing_is_made_of_itself<D: Deque, P: Probe>(
    pool: Result<&'static Pool<D, P>, &'static BuildError>,
) -> String {
    pool.map(|_| ()).unwrap_err().to_string()
}

#[test]
fn the_global_pool_is_not_made_from_within_itself() {
    isolated(|| {
        let within = || {
            panic_of(|| {
                _ = lyocell::global_or_init(|| {
                    lyocell::join(|| (), || ());
                    Pool::new()
                })
            })
        };
        // There is none after that either, so the next try says the same.
        for text in [within(), within()] {
            assert!(text.contains("asked for by what builds it"), "{text}");
        }
        let inner = std::cell::Cell::new(String::new());
        let pool = lyocell::global_or_init(|| {
            inner.set(nothing_is_made_of_itself(lyocell::global()));
            Pool::builder().workers(2).build()
        });
        assert!(inner.take().contains("asked for by what builds it"));
        assert_eq!(pool.unwrap().workers(), 2);
        assert_eq!(lyocell::join(|| 1, || 2), (1, 2));
    });
}

#[test]
fn names_of_threads_are_no_place_to_join_on_the_pool_that_is_made() {
    isolated(|| {
        let named = Pool::builder().workers(2).thread_names(|worker| {
            let (a, b) = lyocell::join(|| worker, || worker);
            format!("{a}{b}")
        });
        let text = panic_of(|| _ = named.clone().build_global());
        assert!(text.contains("asked for by what builds it"), "{text}");
        // Once there is a global pool, they may.
        lyocell::global().unwrap();
        assert_eq!(named.build().unwrap().run(|w| w.workers()), 2);
    });
}
