//! Loops with names of their own, sources by value, sorts.

use crate::common::{Drops, Ticket, many, panic_of, pool};
use lyocell::par::{self, IntoSource, Source};
use std::cell::Cell;
use std::cmp::Ordering;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

const WORKERS: &[usize] = if cfg!(miri) { &[1, 3] } else { &[1, 2, 4] };

/// Numbers in no order, the same each time; each of `0..n` once if `n` is no multiple of 7.
fn shuffled(n: usize) -> Vec<usize> {
    assert_ne!(n % 7, 0);
    (0..n).map(|i| i * 7 % n).collect()
}

#[test]
fn maps_keep_the_order() {
    let n = many(20_000, 20);
    for &workers in WORKERS {
        pool(workers).run(|w| {
            assert!(w.map(0..n, |i| i * 2).into_iter().eq((0..n).map(|i| i * 2)));
            assert_eq!(w.map(&[] as &[u8], |_| 1), []);
            let mut out: Vec<_> = (0..n).map(|_| MaybeUninit::uninit()).collect();
            let written = w.map_into(0..n, &mut out, |i| i.to_string());
            assert!(written.iter().enumerate().all(|(i, text)| *text == i.to_string()));
            // They are there, and dropped by nobody else.
            written.iter_mut().for_each(|text| drop(std::mem::take(text)));
        });
    }
}

#[test]
fn what_does_not_fit_is_told() {
    let mut out = [const { MaybeUninit::<u8>::uninit() }; 3];
    let text = panic_of(|| _ = pool(1).run(|w| w.map_into(0..4, &mut out, |i| i as u8).len()));
    assert_eq!(text, "4 items do not fit 3 places: there must be as many");
    let text = panic_of(|| _ = pool(2).run(|w| w.map_into(0..2, &mut out, |i| i as u8).len()));
    assert_eq!(text, "2 items do not fit 3 places: there must be as many");
}

#[test]
#[cfg_attr(miri, ignore = "safe code over loops that Miri sees elsewhere")]
fn what_was_mapped_before_a_panic_is_dropped() {
    let (n, fatal) = (many(2_000, 30), many(700, 17));
    for &workers in WORKERS {
        let (drops, made) = (Drops::default(), AtomicUsize::new(0));
        let map = |i| {
            assert!(i != fatal, "the fatal one");
            made.fetch_add(1, Relaxed);
            drops.ticket()
        };
        let text = panic_of(|| _ = pool(workers).run(|w| w.map(0..n, map).len()));
        assert_eq!(text, "the fatal one");
        assert_eq!(drops.count(), made.into_inner());
    }
}

#[test]
#[cfg_attr(miri, ignore = "safe code over loops that Miri sees elsewhere")]
fn sums_and_counts() {
    let n = many(30_000, 30);
    for &workers in WORKERS {
        pool(workers).run(|w| {
            assert_eq!(w.sum(0..n, |i| i), n * (n - 1) / 2);
            assert_eq!(w.sum(0..0_usize, |i| i), 0);
            assert_eq!(w.count(0..n, |i| i % 3 == 0), n.div_ceil(3));
        });
    }
}

#[test]
#[cfg_attr(miri, ignore = "safe code over loops that Miri sees elsewhere")]
fn any_and_all_end_early() {
    for &workers in WORKERS {
        pool(workers).run(|w| {
            // Nobody could look at all of these.
            assert!(w.any(0..u64::MAX, |i| i == 5));
            assert!(!w.all(0..u64::MAX, |i| i != 5));
            let n = many(10_000, 20);
            assert!(!w.any(0..n, |i| i == n) && w.all(0..n, |i| i < n));
            assert!(!w.any(0..0, |_| true) && w.all(0..0, |_| false));
        });
    }
}

#[test]
#[cfg_attr(miri, ignore = "safe code over loops that Miri sees elsewhere")]
fn of_the_least_the_first_and_of_the_greatest_the_last() {
    let n = many(20_000, 31);
    let values: Vec<(usize, usize)> = (0..n).map(|i| (i * 31 % 10, i)).collect();
    for &workers in WORKERS {
        pool(workers).run(|w| {
            let (least, greatest) =
                (w.min_by_key(&values, |v| v.0), w.max_by_key(&values, |v| v.0));
            assert_eq!(least, values.iter().min_by_key(|v| v.0));
            assert_eq!(greatest, values.iter().max_by_key(|v| v.0));
            assert_eq!(
                (w.min(&values), w.max(&values)),
                (values.iter().min(), values.iter().max())
            );
            assert_eq!((w.min(0..0), w.max(0..0)), (None, None));
        });
    }
}

#[test]
#[cfg_attr(miri, ignore = "safe code over loops that Miri sees elsewhere")]
fn the_first_find_is_the_first_whoever_finds_sooner() {
    let n = many(30_000, 40);
    for &workers in WORKERS {
        let pool = pool(workers);
        for first in [0, 1, n / 3, n / 2, n - 1] {
            // All from there on satisfy it, so other workers find some, too.
            assert_eq!(pool.run(|w| w.find_first(0..n, |i| *i >= first)), Some(first));
            assert_eq!(pool.run(|w| w.position(n..2 * n, |i| i >= n + first)), Some(first));
        }
        assert_eq!(pool.run(|w| w.find_first(0..n, |_| false)), None);
        assert_eq!(pool.run(|w| w.position(0..0, |_| true)), None);
        assert_eq!(pool.run(|w| w.find_first(0..u64::MAX, |i| *i >= 9)), Some(9));
    }
}

#[test]
#[cfg_attr(miri, ignore = "safe code over loops that Miri sees elsewhere")]
fn what_comes_after_the_first_find_is_not_looked_at_on_one_worker() {
    let looks = AtomicUsize::new(0);
    let found = pool(1).run(|w| {
        w.position(0..many(10_000, 50), |i| {
            looks.fetch_add(1, Relaxed);
            i == 30
        })
    });
    assert_eq!((found, looks.into_inner()), (Some(30), 31));
}

#[test]
#[cfg_attr(miri, ignore = "safe code over loops that Miri sees elsewhere")]
fn a_fold_may_fail() {
    let n = many(20_000, 30);
    let add =
        |limit: usize| move |sum: usize, i: usize| if i < limit { Ok(sum + i) } else { Err(i) };
    for &workers in WORKERS {
        let pool = pool(workers);
        let sum = |limit| pool.run(|w| w.try_fold(0..n, || 0, add(limit), |a, b| Ok(a + b)));
        assert_eq!(sum(n), Ok(n * (n - 1) / 2));
        assert!(sum(n / 2).is_err_and(|i| (n / 2..n).contains(&i)));
        let endless = pool.run(|w| w.try_fold(0..usize::MAX, || 0, add(20), |a, _| Ok(a)));
        assert!(endless.is_err_and(|i| i >= 20));
    }
}

#[test]
fn a_reduction_may_fail() {
    // The first waits for the second, which is run elsewhere, or here in between: so there are two sums.
    let second_begun = AtomicBool::new(false);
    let add = |sum: usize, i| {
        second_begun.fetch_or(i == 1, Relaxed);
        while !second_begun.load(Relaxed) {
            lyocell::yield_now();
        }
        Ok(sum + i)
    };
    let sum = pool(2).run(|w| w.try_fold(0..2, || 0, add, |a, b| Err((a, b))));
    assert_eq!(sum, Err((0, 1)));
}

#[test]
#[cfg_attr(miri, ignore = "safe code over loops that Miri sees elsewhere")]
fn a_state_goes_from_item_to_item() {
    let n = many(20_000, 30);
    for &workers in WORKERS {
        let (states, seen) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let init = || {
            states.fetch_add(1, Relaxed);
            // Not to be shared, but sent.
            Cell::new(0)
        };
        pool(workers).run(|w| {
            w.for_each_init(0..n, init, |state, _| {
                state.set(state.get() + 1);
                seen.fetch_add(1, Relaxed);
            });
        });
        assert_eq!(seen.into_inner(), n);
        assert!(workers > 1 || states.into_inner() == 1);
    }
}

#[test]
#[cfg_attr(miri, ignore = "the global pool has no end")]
fn the_same_without_a_handle() {
    let n = many(1_000, 20);
    assert_eq!(par::map(0..n, |i| i).len(), n);
    assert_eq!(par::sum(0..n, |i| i), n * (n - 1) / 2);
    assert_eq!((par::min(0..n), par::max(0..n)), (Some(0), Some(n - 1)));
    assert_eq!(par::position(0..n, |i| i == 7), Some(7));
}

#[test]
fn vectors_and_arrays_give_their_items_away() {
    let n = many(5_000, 20);
    for &workers in WORKERS {
        let pool = pool(workers);
        let texts: Vec<String> = (0..n).map(|i| i.to_string()).collect();
        let lengths: usize = texts.iter().map(String::len).sum();
        let all = pool.run(|w| w.map_reduce(texts, |text| text, String::new, |a, b| a + &b));
        assert_eq!(all.len(), lengths);
        assert!(all.starts_with("0123456789"));
        assert_eq!(pool.run(|w| w.map([Box::new(1), Box::new(2)], |number| *number)), [1, 2]);
        assert_eq!(pool.run(|w| w.count(Vec::<u8>::new(), |_| true)), 0);
    }
}

/// A vector of tickets, and how many.
fn tickets(drops: &Drops, n: usize) -> Vec<Ticket<'_>> {
    (0..n).map(|_| drops.ticket()).collect()
}

#[test]
fn items_that_a_loop_leaves_are_dropped_once() {
    let n = many(5_000, 30);
    for &workers in WORKERS {
        let drops = Drops::default();
        let _ = pool(workers).run(|w| w.find_any((0.., tickets(&drops, n)), |(i, _)| *i == n / 3));
        assert_eq!(drops.count(), n);
        let drops = Drops::default();
        let text = panic_of(|| {
            let body = |(i, _)| assert!(i != n / 2, "the fatal one");
            pool(workers).run(|w| w.for_each((0.., tickets(&drops, n)), body));
        });
        assert_eq!((text.as_str(), drops.count()), ("the fatal one", n));
        // A pair drops what is longer.
        let drops = Drops::default();
        pool(workers).run(|w| w.for_each((tickets(&drops, n), 0..3), drop));
        assert_eq!(drops.count(), n);
    }
}

#[test]
#[cfg_attr(miri, ignore = "each panic takes Miri half a minute")]
fn items_whose_destructors_panic_end_nothing() {
    struct Bomb<'a>(Ticket<'a>);
    impl Drop for Bomb<'_> {
        fn drop(&mut self) {
            let _kept = &self.0;
            panic!("a destructor");
        }
    }
    let (drops, n) = (Drops::default(), many(200, 10));
    let bombs: Vec<_> = (0..n).map(|_| Bomb(drops.ticket())).collect();
    // All but that one are dropped while it unwinds.
    let text = panic_of(|| {
        pool(2).run(|w| {
            w.for_each(bombs, |bomb| {
                std::mem::forget(bomb);
                panic!("the body");
            });
        });
    });
    assert_eq!(text, "the body");
    assert!((1..n).contains(&drops.count()));
}

#[test]
#[cfg_attr(miri, ignore = "safe code over loops that Miri sees elsewhere")]
fn windows_and_strides() {
    let n = many(3_000, 12);
    let values: Vec<usize> = (0..n).collect();
    for &workers in WORKERS {
        pool(workers).run(|w| {
            for size in [1, 2, 7, n, n + 1, usize::MAX] {
                let lists = w.map(par::windows(&values, size), <[usize]>::to_vec);
                assert!(lists.iter().map(Vec::as_slice).eq(values.windows(size)));
            }
            for step in [1, 2, 7, n, n + 1, usize::MAX] {
                let stepped = w.map(par::step_by(&values, step), |value| *value);
                assert!(stepped.into_iter().eq(values.iter().copied().step_by(step)));
            }
            let (left, right) = par::windows(&values, 5).cut(0);
            assert_eq!((left.items(), right.items()), (0, n - 4));
        });
    }
    let text = "windows have at least one item, but a size of 0 was asked for";
    assert_eq!(panic_of(|| par::windows(&[1], 0).items()), text);
    assert_eq!(
        panic_of(|| par::step_by(0..1, 0).items()),
        "a step leads on, but one of 0 was asked for"
    );
}

#[test]
#[cfg_attr(miri, ignore = "safe code over loops that Miri sees elsewhere")]
fn from_the_end() {
    let n = many(3_000, 12);
    let values: Vec<usize> = (0..n).collect();
    for &workers in WORKERS {
        pool(workers).run(|w| {
            let reversed: Vec<_> = values.iter().copied().rev().collect();
            assert_eq!(w.map(par::rev(0..n), |i| i), reversed);
            assert_eq!(w.map(par::rev(&values), |i| *i), reversed);
            assert_eq!(w.map(par::rev(values.clone()), |i| i), reversed);
            assert_eq!(w.map(par::rev(par::rev(&values)), |i| *i), values);
            let chunks = w.map(par::rev(par::chunks(&values, 7)), <[usize]>::to_vec);
            assert!(chunks.iter().map(Vec::as_slice).eq(values.chunks(7).rev()));
            let stepped = w.map(par::step_by(par::rev(&values), 5), |value| *value);
            assert!(stepped.into_iter().eq(values.iter().copied().rev().step_by(5)));
            assert_eq!(
                w.find_first(par::rev(0..n), |i| i % 10 < 3),
                (0..n).rev().find(|i| i % 10 < 3)
            );
            assert_eq!(w.position(par::rev(&values), |i| *i == 2), Some(n - 3));
            assert_eq!(w.map(par::rev(0..0), |i: u8| i), []);
        });
    }
    let text = panic_of(|| par::rev(0..u128::MAX).items());
    assert_eq!(text, format!("a source of {} items or more has no end to begin at", usize::MAX));
}

#[test]
#[cfg_attr(miri, ignore = "safe code over loops that Miri sees elsewhere")]
fn triples_are_as_long_as_the_shortest() {
    let n = many(3_000, 12);
    let (a, b): (Vec<usize>, Vec<usize>) = ((0..n).collect(), (0..n + 5).collect());
    for &workers in WORKERS {
        let mut sums = vec![0; n];
        pool(workers).run(|w| w.for_each((&a, &b, &mut sums), |(a, b, sum)| *sum = a + b));
        assert!(sums.into_iter().eq((0..n).map(|i| 2 * i)));
        assert_eq!(pool(workers).run(|w| w.count((&a, 0..3, &b), |_| true)), 3);
    }
}

#[test]
#[cfg_attr(miri, ignore = "safe code over loops that Miri sees elsewhere")]
fn characters_without_the_numbers_that_are_none() {
    let ends = ['\0', 'a', '\u{d7fe}', '\u{d7ff}', '\u{e000}', '\u{e001}', '\u{10fffe}', char::MAX];
    for from in ends {
        for to in ends.into_iter().filter(|to| *to >= from && (!cfg!(miri) || from > 'a')) {
            let (open, closed) = ((from..to).into_source(), (from..=to).into_source());
            assert_eq!((open.items(), closed.items()), ((from..to).count(), (from..=to).count()));
            let middle = open.items() / 2;
            let (left, right) = open.cut(middle);
            assert_eq!((left.count(), right.end), (middle, to));
            let (left, right) = closed.cut(middle + 1);
            assert_eq!((left.count(), right.last().unwrap_or(to)), (middle + 1, to));
        }
    }
    let letters = pool(2).run(|w| w.map('a'..='z', |letter| letter));
    assert!(letters.into_iter().eq('a'..='z'));
}

#[test]
#[cfg_attr(miri, ignore = "safe code over loops that Miri sees elsewhere")]
fn sorts_sort() {
    for n in [0, 1, 2, 3, 50, many(100_001, 60)] {
        let values = if n % 7 == 0 { Vec::new() } else { shuffled(n) };
        let expected: Vec<usize> = (0..values.len()).collect();
        for &workers in WORKERS {
            pool(workers).run(|w| {
                let sorted = |sort: &dyn Fn(&mut [usize])| {
                    let mut values = values.clone();
                    sort(&mut values);
                    assert_eq!(values, expected);
                };
                sorted(&|v| w.sort(v));
                sorted(&|v| w.sort_unstable(v));
                sorted(&|v| w.sort_by_key(v, |x| *x as u64));
                sorted(&|v| w.sort_unstable_by_key(v, |x| *x as u64));
                let reversed = |sort: &dyn Fn(&mut [usize])| {
                    let mut values = values.clone();
                    sort(&mut values);
                    assert!(values.iter().eq(expected.iter().rev()));
                };
                reversed(&|v| w.sort_by(v, |a, b| b.cmp(a)));
                reversed(&|v| w.sort_unstable_by(v, |a, b| b.cmp(a)));
            });
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "safe code over loops that Miri sees elsewhere")]
fn equal_items_stay_in_their_order() {
    let values: Vec<(usize, usize)> = (0..many(60_000, 60)).map(|i| (i * 7 % 5, i)).collect();
    let mut expected = values.clone();
    expected.sort_by_key(|value| value.0);
    for &workers in WORKERS {
        let mut sorted = values.clone();
        pool(workers).run(|w| w.sort_by_key(&mut sorted, |value| value.0));
        assert_eq!(sorted, expected);
    }
}

#[test]
#[cfg_attr(miri, ignore = "safe code over loops that Miri sees elsewhere")]
fn a_comparison_that_panics_loses_no_item() {
    let n = many(50_002, 61);
    for &workers in WORKERS {
        let compared = AtomicUsize::new(0);
        let compare = |a: &usize, b: &usize| -> Ordering {
            assert!(compared.fetch_add(1, Relaxed) != n, "the fatal one");
            a.cmp(b)
        };
        let mut values = shuffled(n);
        let text = panic_of(|| pool(workers).run(|w| w.sort_by(&mut values, compare)));
        assert_eq!(text, "the fatal one");
        values.sort_unstable();
        assert!(values.into_iter().eq(0..n));
    }
}
