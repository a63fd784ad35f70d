//! Loops.

mod common;

use common::{Drops, many, panic_of, pool};
use lyocell::Worker;
use lyocell::par::Source;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The items as a list, in the order in which they are reduced.
fn items<S: lyocell::par::IntoSource>(w: &Worker, source: S) -> Vec<<S::Source as Source>::Item>
where
    <S::Source as Source>::Item: Send,
{
    w.map_reduce(
        source,
        |i| vec![i],
        Vec::new,
        |mut a, b| {
            a.extend(b);
            a
        },
    )
}

#[test]
fn ranges_of_every_type_give_each_index_once_and_in_order() {
    let n = many(5000, 20);
    for workers in [1, 2, 4] {
        pool(workers).run(|w| {
            assert_eq!(items(w, 3..n), (3..n).collect::<Vec<_>>());
            assert_eq!(items(w, 3..n as u32), (3..n as u32).collect::<Vec<_>>());
            assert_eq!(items(w, 3..n as u64), (3..n as u64).collect::<Vec<_>>());
            let n = n as i32;
            assert_eq!(items(w, -n..n), (-n..n).collect::<Vec<_>>());
            let n = i64::from(n);
            assert_eq!(items(w, -n..-3), (-n..-3).collect::<Vec<_>>());
            assert_eq!(items(w, -5..5_isize), (-5..5).collect::<Vec<_>>());
        });
    }
}

#[test]
fn empty_and_reversed_ranges_do_nothing() {
    pool(2).run(|w| {
        assert_eq!(items(w, 5..5_u32), []);
        #[allow(clippy::reversed_empty_ranges)]
        let reversed = (5..-5_i64, 9..2_usize);
        assert_eq!(items(w, reversed.0), []);
        assert_eq!(items(w, reversed.1), []);
        assert_eq!(items(w, &[] as &[u8]).len(), 0);
        w.for_each(0..0_u64, |_| panic!("there is nothing"));
        assert_eq!(w.map_reduce(0..0, |i| i, || 42, |a, b| a + b), 42);
    });
}

#[test]
fn the_ends_of_each_type_are_in_reach() {
    pool(2).run(|w| {
        assert_eq!(items(w, i64::MIN..i64::MIN + 2), [i64::MIN, i64::MIN + 1]);
        assert_eq!(items(w, i64::MAX - 1..i64::MAX), [i64::MAX - 1]);
        assert_eq!(items(w, u64::MAX - 2..u64::MAX), [u64::MAX - 2, u64::MAX - 1]);
        assert_eq!(items(w, u32::MAX - 1..u32::MAX), [u32::MAX - 1]);
        assert_eq!(items(w, i32::MIN..i32::MIN + 1), [i32::MIN]);
    });
}

#[test]
fn ranges_wider_than_half_their_type_are_cut_right() {
    let whole = i64::MIN..i64::MAX;
    assert_eq!(whole.items() as u64, usize::MAX as u64);
    let (left, right) = whole.cut(usize::MAX / 2 + 2);
    assert_eq!((left.start, right.end), (i64::MIN, i64::MAX));
    assert_eq!(left.end, right.start);
    let (left, right) = (i32::MIN..i32::MAX).cut(u32::MAX as usize - 1);
    assert_eq!((left, right), (i32::MIN..i32::MAX - 1, i32::MAX - 1..i32::MAX));
    let (left, right) = (0..u64::MAX).cut(0);
    assert_eq!((left, right), (0..0, 0..u64::MAX));
}

#[test]
fn a_range_too_long_to_finish_is_left_by_a_panic() {
    for workers in [1, 3] {
        let pool = pool(workers);
        let limit = many(100_000, 100) as u64;
        let text = panic_of(|| {
            pool.run(|w| w.for_each(0..u64::MAX, |i| assert!(i < limit, "far enough")));
        });
        assert_eq!(text, "far enough");
        let text = panic_of(|| {
            pool.run(|w| {
                w.for_each(i64::MIN..i64::MAX, |i| {
                    assert!(i < i64::MIN + limit as i64, "far enough");
                });
            });
        });
        assert_eq!(text, "far enough");
    }
}

#[test]
fn slices_vectors_and_arrays_shared_and_mutable() {
    let n = many(10_000, 40);
    for workers in [1, 2, 4] {
        pool(workers).run(|w| {
            let mut values: Vec<usize> = (0..n).collect();
            w.for_each(&mut values, |value| *value += 1);
            w.for_each(&mut values[..n / 2], |value| *value *= 2);
            let expected = (1..=n).sum::<usize>() + (1..=n / 2).sum::<usize>();
            assert_eq!(w.map_reduce(&values, |value| *value, || 0, |a, b| a + b), expected);
            assert_eq!(w.map_reduce(&values[..], |value| *value, || 0, |a, b| a + b), expected);
            let mut array = [1, 2, 3];
            w.for_each(&mut array, |value| *value *= 10);
            assert_eq!(w.map_reduce(&array, |value| *value, || 0, |a, b| a + b), 60);
        });
    }
}

#[test]
fn reduction_keeps_the_order_of_neighbours() {
    let words: Vec<String> = (0..many(2000, 20)).map(|i| format!("{i} ")).collect();
    let expected = words.concat();
    let pool = pool(4);
    for _ in 0..many(10, 2) {
        let text = pool.run(|w| w.map_reduce(&words, String::clone, String::new, |a, b| a + &b));
        assert_eq!(text, expected);
    }
}

#[test]
fn a_loop_splits_when_another_worker_asks() {
    // No end in sight: it is over when two threads have been in it, and only then.
    let pool = pool(2);
    let first = Mutex::new(None);
    let text = panic_of(|| {
        pool.run(|w| {
            w.for_each(0..u64::MAX, |_| {
                let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                let here = thread::current().id();
                assert!(*first.get_or_insert(here) == here, "two of us");
                drop(first);
                thread::yield_now();
            });
        });
    });
    assert_eq!(text, "two of us");
}

#[test]
fn a_panic_of_the_body_comes_out_and_what_was_mapped_is_dropped() {
    for workers in [1, 2, 4] {
        let pool = pool(workers);
        let (drops, mapped) = (Drops::default(), AtomicUsize::new(0));
        let text = panic_of(|| {
            pool.run(|w| {
                let map = |i: usize| {
                    assert!(i != 77, "77");
                    mapped.fetch_add(1, Ordering::Relaxed);
                    vec![drops.ticket()]
                };
                w.map_reduce(0..200_usize, map, Vec::new, |mut a, b| {
                    a.extend(b);
                    a
                });
            });
        });
        assert_eq!(text, "77");
        assert_eq!(drops.count(), mapped.into_inner());
    }
}

#[test]
fn panics_of_identity_and_reduction_come_out() {
    let pool = pool(2);
    let text = panic_of(|| {
        pool.run(|w| w.map_reduce(0..10, |i| i, || -> i32 { panic!("identity") }, |a, b| a + b))
    });
    assert_eq!(text, "identity");
    let text = panic_of(|| {
        pool.run(|w| {
            let add = |a: usize, b: usize| if b == 7 { panic!("seven") } else { a + b };
            w.map_reduce(0..10_usize, |i| i, || 0, add)
        })
    });
    assert_eq!(text, "seven");
}

#[test]
fn loops_nest() {
    let n = many(60, 5);
    let count = AtomicUsize::new(0);
    pool(3).run(|w| {
        w.for_each(0..n, |_| {
            lyocell::par::for_each(0..n, |_| {
                count.fetch_add(1, Ordering::Relaxed);
            });
        });
    });
    assert_eq!(count.into_inner(), n * n);
}
