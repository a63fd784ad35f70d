//! Loops that may end before their last item.

mod common;

use common::{Drops, many, panic_of, pool, tick};
use std::sync::atomic::AtomicUsize;

const WORKERS: &[usize] = if cfg!(miri) { &[1, 3] } else { &[1, 2, 3, 4] };

#[test]
fn what_is_found_ends_the_loop_on_one_worker_at_once() {
    let pool = pool(1);
    for last in [0, 1, 63, 64, 65, many(100_000, 200)] {
        let visited = AtomicUsize::new(0);
        let found = pool.run(|w| {
            w.find_any(0..=usize::MAX, |i| {
                tick(&visited);
                *i >= last
            })
        });
        assert_eq!((found, visited.into_inner()), (Some(last), last + 1));
        let visited = AtomicUsize::new(0);
        let result = pool.run(|w| {
            w.try_for_each(0..u64::MAX, |i| {
                tick(&visited);
                if i as usize == last { Err(i) } else { Ok(()) }
            })
        });
        assert_eq!((result, visited.into_inner()), (Err(last as u64), last + 1));
    }
}

#[test]
fn a_loop_without_end_is_over_on_every_worker_when_one_has_found_something() {
    // A worker looks at no further item after it has heard of the find, and all hear of it.
    for workers in [2, 4] {
        let limit = many(100_000, 50) as u128;
        let found = pool(workers).run(|w| w.find_any(0..=u128::MAX, |i| *i >= limit));
        assert!(found.is_some_and(|i| i >= limit));
    }
}

#[test]
fn nothing_found_means_that_each_item_was_looked_at_once() {
    let n = many(5000, 20);
    for &workers in WORKERS {
        let looks: Vec<AtomicUsize> = (0..n).map(|_| AtomicUsize::new(0)).collect();
        let pool = pool(workers);
        let found = pool.run(|w| {
            w.find_any(&looks, |look| {
                tick(look);
                false
            })
        });
        assert!(found.is_none());
        let tried: Result<(), ()> = pool.run(|w| {
            w.try_for_each(&looks, |look| {
                tick(look);
                Ok(())
            })
        });
        assert_eq!(tried, Ok(()));
        assert!(looks.into_iter().all(|look| look.into_inner() == 2));
        assert_eq!(pool.run(|w| w.find_any(0..0, |_| true)), None);
    }
}

#[test]
fn one_error_comes_out_and_the_others_are_dropped() {
    for &workers in WORKERS {
        let pool = pool(workers);
        let (drops, failed) = (Drops::default(), AtomicUsize::new(0));
        let result = pool.run(|w| {
            w.try_for_each(0..many(1000, 20), |i| match i % 10 {
                9 => {
                    tick(&failed);
                    Err(drops.ticket())
                }
                _ => Ok(()),
            })
        });
        assert!(result.is_err());
        assert_eq!(drops.count() + 1, failed.into_inner());
        drop(result);
    }
}

#[test]
fn a_panic_comes_out_of_a_loop_that_may_end_early() {
    let (items, fatal) = (many(100, 30), many(77, 17));
    for &workers in WORKERS {
        let pool = pool(workers);
        let text = panic_of(|| {
            pool.run(|w| w.find_any(0..items, |i| *i == fatal && panic!("the fatal one")))
        });
        assert_eq!(text, "the fatal one");
        assert_eq!(pool.run(|w| w.find_any(0..items, |i| *i == fatal)), Some(fatal));
    }
}
