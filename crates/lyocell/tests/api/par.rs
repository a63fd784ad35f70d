//! Loops.

use crate::common::{Drops, Ticket, many, panic_of, pool, tick};
use lyocell::Worker;
use lyocell::par::{self, Source};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

const WORKERS: &[usize] = if cfg!(miri) { &[1, 3] } else { &[1, 2, 3, 4] };

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
    let n = many(5000, 8);
    for &workers in WORKERS {
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

macro_rules! ends {
    ($($integer:ident),*) => {$(
        #[test]
        fn $integer() {
            const MIN: $integer = $integer::MIN;
            const MAX: $integer = $integer::MAX;
            pool(2).run(|w| {
                assert_eq!(items(w, MIN..MIN + 3), [MIN, MIN + 1, MIN + 2]);
                assert_eq!(items(w, MAX - 2..MAX), [MAX - 2, MAX - 1]);
                assert_eq!(items(w, MAX..MAX), []);
                assert_eq!(items(w, MIN..=MIN + 1), [MIN, MIN + 1]);
                assert_eq!(items(w, MAX - 2..=MAX), [MAX - 2, MAX - 1, MAX]);
                assert_eq!(items(w, MAX..=MAX), [MAX]);
                assert_eq!(items(w, MAX..=MIN), []);
            });
            let whole = MIN..=MAX;
            assert_eq!(whole.cut(0), (MAX..=MIN, MIN..=MAX));
            assert_eq!((MAX - 2..=MAX).items(), 3);
            assert_eq!((MAX - 2..=MAX).cut(3), (MAX - 2..=MAX, MAX..=MIN));
            assert_eq!((MAX - 2..=MAX).cut(1), (MAX - 2..=MAX - 2, MAX - 1..=MAX));
            let whole = MIN..=MAX;
            let half = whole.items() / 2 + 1;
            let (left, right) = whole.cut(half);
            assert_eq!(left.items(), half);
            assert_eq!((*left.start(), *left.end() + 1, *right.end()), (MIN, *right.start(), MAX));
            let mut used_up = MIN..=MIN;
            assert_eq!(used_up.next(), Some(MIN));
            assert_eq!(used_up.items(), 0);
        }
    )*};
}

/// Ranges of each integer type reach its ends.
#[allow(clippy::reversed_empty_ranges)]
mod ends_of {
    use super::*;

    ends!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);
}

#[test]
fn ranges_with_all_values_of_their_type_give_each_once() {
    for &workers in WORKERS {
        pool(workers).run(|w| {
            assert_eq!(items(w, u8::MIN..=u8::MAX), (u8::MIN..=u8::MAX).collect::<Vec<_>>());
            if !cfg!(miri) {
                assert_eq!(items(w, i8::MIN..=i8::MAX), (i8::MIN..=i8::MAX).collect::<Vec<_>>());
                let all = w.map_reduce(i16::MIN..=i16::MAX, i64::from, || 0, |a, b| a + b);
                assert_eq!(all, i64::from(i16::MIN));
            }
        });
    }
}

#[test]
fn ranges_with_more_items_than_a_count_has_say_so_and_lose_none() {
    assert_eq!((0..u128::MAX).items(), usize::MAX);
    assert_eq!((i128::MIN..=i128::MAX).items(), usize::MAX);
    assert_eq!((usize::MIN..=usize::MAX).items(), usize::MAX);
    let (left, right) = (usize::MIN..=usize::MAX).cut(usize::MAX);
    assert_eq!((left, right), (0..=usize::MAX - 1, usize::MAX..=usize::MAX));
    let (left, right) = (i128::MIN..=i128::MAX).cut(usize::MAX);
    assert_eq!(left.items(), usize::MAX);
    assert_eq!((*right.start(), *right.end()), (i128::MIN + usize::MAX as i128, i128::MAX));
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
    for &workers in WORKERS {
        let pool = pool(workers);
        let limit = many(100_000, 30) as u64;
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
    let n = many(10_000, 12);
    for &workers in WORKERS {
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
    let (items, fatal) = (many(200, 30), many(77, 17));
    for &workers in WORKERS {
        let pool = pool(workers);
        let (drops, mapped) = (Drops::default(), AtomicUsize::new(0));
        let text = panic_of(|| {
            pool.run(|w| {
                let map = |i: usize| {
                    assert!(i != fatal, "the fatal one");
                    mapped.fetch_add(1, Ordering::Relaxed);
                    vec![drops.ticket()]
                };
                w.map_reduce(0..items, map, Vec::new, |mut a, b| {
                    a.extend(b);
                    a
                });
            });
        });
        assert_eq!(text, "the fatal one");
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

#[test]
fn a_range_without_end_numbers_the_items() {
    let n = many(5000, 20);
    for &workers in WORKERS {
        pool(workers).run(|w| {
            let mut numbers = vec![0; n];
            w.for_each((7.., &mut numbers), |(i, number)| *number += i);
            assert!(numbers.iter().copied().eq(7..7 + n));
            let pairs = items(w, (-3_i8.., &numbers[..100.min(n)]));
            assert!(pairs.into_iter().eq((-3_i8..).zip(&numbers[..100.min(n)])));
        });
    }
}

#[test]
fn numbers_up_to_the_end_of_their_type_do_and_no_further() {
    let pool = pool(2);
    let pairs = pool.run(|w| items(w, (0_u8.., 1000..1256)));
    assert_eq!(pairs.last(), Some(&(u8::MAX, 1255)));
    assert_eq!(pairs.len(), 256);
    assert_eq!(pool.run(|w| items(w, (u8::MAX.., [(); 1].as_slice()))), [(u8::MAX, &())]);
    assert_eq!(pool.run(|w| items(w, (u8::MAX.., 0..0))), []);
    for text in [
        panic_of(|| pool.run(|w| w.for_each((0_u8.., 0..257), |_| panic!("an item")))),
        panic_of(|| pool.run(|w| w.for_each((u8::MAX.., 0..2), |_| panic!("an item")))),
    ] {
        assert!(text.starts_with("the range without end has too few numbers"), "{text}");
    }
}

#[test]
fn a_pair_is_as_long_as_the_shorter() {
    let n = many(3000, 10);
    let long: Vec<usize> = (0..n + 10).collect();
    for &workers in WORKERS {
        pool(workers).run(|w| {
            assert!(items(w, (0..n, &long)).into_iter().eq((0..n).zip(&long)));
            assert!(items(w, (&long, 3..=n)).into_iter().eq(long.iter().zip(3..=n)));
            assert_eq!(items(w, (&long, 0..0)), []);
            assert!(items(w, (0..u128::MAX, &long)).into_iter().eq((0..).zip(&long)));
            let nested = items(w, (1.., (&long, par::chunks(&long, 2))));
            let chunks = (n + 10).div_ceil(2);
            assert_eq!(nested.len(), chunks);
            assert_eq!(nested[chunks - 1], (chunks, (&(chunks - 1), &long[2 * (chunks - 1)..])));
            let mut sums = vec![0; n];
            w.for_each((&mut sums, (5.., &long)), |(sum, (a, b))| *sum = a + b);
            assert!(sums.into_iter().eq((0..n).map(|i| 2 * i + 5)));
        });
    }
}

#[test]
fn chunks_give_each_item_once_and_in_order() {
    let n = many(3000, 10);
    let values: Vec<usize> = (0..n).collect();
    for &workers in WORKERS {
        pool(workers).run(|w| {
            for size in [1, 7, n - 1, n, n + 1, usize::MAX] {
                assert!(items(w, par::chunks(&values, size)).into_iter().eq(values.chunks(size)));
                let mut changed = values.clone();
                w.for_each((0.., par::chunks_mut(&mut changed, size)), |(i, chunk)| {
                    chunk.iter_mut().for_each(|value| *value += i);
                });
                assert!(changed.into_iter().eq(values.iter().map(|value| value + value / size)));
            }
            assert_eq!(par::chunks(&[] as &[u8], 5).items(), 0);
            assert_eq!(items(w, par::chunks(&[] as &[u8], 5)).len(), 0);
        });
    }
}

#[test]
fn chunks_have_a_size() {
    let text = "chunks have at least one item, but a size of 0 was asked for";
    assert_eq!(panic_of(|| par::chunks(&[1], 0).items()), text);
    assert_eq!(panic_of(|| par::chunks_mut(&mut [1], 0).items()), text);
}

#[test]
fn a_fold_has_one_sum_on_one_worker_and_keeps_the_order_on_more() {
    let n = many(5000, 20);
    let push = |mut list: Vec<usize>, i| {
        list.push(i);
        list
    };
    let append = |mut a: Vec<usize>, b: Vec<usize>| {
        a.extend(b);
        a
    };
    for &workers in WORKERS {
        let sums = AtomicUsize::new(0);
        let begin = || {
            tick(&sums);
            Vec::new()
        };
        let list = pool(workers).run(|w| w.fold(0..n, begin, push, append));
        assert!(list.into_iter().eq(0..n));
        assert!(workers > 1 || sums.into_inner() == 1);
    }
}

/// A source that owns its items.
struct Owned<'a>(Vec<Ticket<'a>>);

impl<'a> Source for Owned<'a> {
    type Item = Ticket<'a>;

    fn items(&self) -> usize {
        self.0.len()
    }

    fn cut(mut self, count: usize) -> (Self, Self) {
        let rest = self.0.split_off(count);
        (self, Owned(rest))
    }

    fn iterator(self) -> impl Iterator<Item = Ticket<'a>> {
        self.0.into_iter()
    }
}

#[test]
fn items_that_a_source_owns_are_dropped_once_whether_visited_or_not() {
    let n = many(1000, 20);
    for &workers in WORKERS {
        let pool = pool(workers);
        let tickets = |drops| Owned((0..n).map(|_| Drops::ticket(drops)).collect());

        let drops = Drops::default();
        let kept = pool.run(|w| items(w, (0.., tickets(&drops))));
        assert!(drops.count() == 0 && kept.iter().map(|kept| kept.0).eq(0..n));
        drop(kept);
        assert_eq!(drops.count(), n);

        let drops = Drops::default();
        let kept = pool.run(|w| items(w, (tickets(&drops), 0..n / 3)));
        assert_eq!(drops.count(), n - n / 3);
        drop(kept);
        assert_eq!(drops.count(), n);

        let drops = Drops::default();
        let found = pool.run(|w| w.find_any((0.., tickets(&drops)), |(i, _)| *i == n / 2));
        assert_eq!(drops.count(), n - 1);
        drop(found);
        assert_eq!(drops.count(), n);

        let drops = Drops::default();
        panic_of(|| {
            pool.run(|w| w.for_each((0.., tickets(&drops)), |(i, _)| assert!(i != n / 2, "half")));
        });
        assert_eq!(drops.count(), n);
    }
}

#[test]
fn a_deterministic_reduction_keeps_the_order_and_brackets_alike_on_any_number_of_workers() {
    let bracketed = |workers: usize, n: usize| {
        pool(workers).run(|w| {
            let join = |a: String, b: String| format!("({a}{b})");
            w.map_reduce_deterministic(0..n, |i| i.to_string(), String::new, join)
        })
    };
    for n in [0, 1, 2, 7, many(300, 20)] {
        let expected = bracketed(1, n);
        let digits: String = expected.chars().filter(char::is_ascii_digit).collect();
        assert_eq!(digits, (0..n).map(|i| i.to_string()).collect::<String>());
        for &workers in WORKERS {
            assert_eq!(bracketed(workers, n), expected);
        }
    }
}

#[test]
fn a_deterministic_reduction_that_panics_drops_each_sum_once() {
    let n = many(1000, 20);
    for &workers in WORKERS {
        let (drops, made) = (Drops::default(), AtomicUsize::new(0));
        let ticket = || {
            made.fetch_add(1, Ordering::Relaxed);
            Drops::ticket(&drops)
        };
        panic_of(|| {
            let map = |i| {
                assert!(i != n / 2, "half");
                ticket()
            };
            pool(workers).run(|w| w.map_reduce_deterministic(0..n, map, ticket, |a, _| a));
        });
        assert_eq!(drops.count(), made.into_inner());
    }
}
