//! Parallel iterators.

use crate::{Program, chain, numbers, timed};
use rayon::prelude::*;
use std::time::Duration;

pub(crate) const PROGRAMS: &[Program] = &[
    ("sum-100", || sum(100, 2_000)),
    ("sum-10k", || sum(10_000, 500)),
    ("sum-1m", || sum(1_000_000, 20)),
    ("sum-100m", || sum(100_000_000, 1)),
    ("map-collect", map_collect),
    ("flat-map", flat_map),
    ("fold-reduce", fold_reduce),
    ("par-bridge", par_bridge),
    ("unequal-2", || unequal(2)),
    ("unequal-7", || unequal(7)),
    ("unequal-64", || unequal(64)),
    ("unequal-nested", unequal_nested),
    ("sieve", sieve),
    ("matmul", matmul),
];

fn sum(count: usize, times: u32) -> Result<Duration, String> {
    let values: Vec<u64> = (0..count as u64).collect();
    let expected = values.iter().sum::<u64>() * u64::from(times);
    let all = timed(&expected, || (0..times).map(|_| values.par_iter().sum::<u64>()).sum::<u64>())?;
    Ok(all / times)
}

fn map_collect() -> Result<Duration, String> {
    let values = numbers(2_000_000);
    let square = |x: &u64| x.wrapping_mul(*x);
    let expected: Vec<u64> = values.iter().map(square).collect();
    let mut squares = Vec::new();
    let time = timed(&(), || squares = values.par_iter().map(square).collect())?;
    if squares == expected { Ok(time) } else { Err(String::from("squares in another order")) }
}

fn flat_map() -> Result<Duration, String> {
    let expected = (0..3_000_u64).flat_map(|i| i..i + 300).filter(|x| x % 3 == 0).sum::<u64>();
    timed(&expected, || {
        let items = (0..3_000_u64).into_par_iter().flat_map(|i| i..i + 300);
        items.filter(|x| x % 3 == 0).sum::<u64>()
    })
}

fn fold_reduce() -> Result<Duration, String> {
    let values = numbers(3_000_000);
    let expected = values.iter().copied().max();
    timed(&expected, || {
        let fold = values.par_iter().fold(|| 0, |most: u64, x| most.max(*x));
        Some(fold.reduce(|| 0, u64::max))
    })
}

fn par_bridge() -> Result<Duration, String> {
    let item = |i: u64| chain(1_500 + i % 7) & 0xff;
    let expected: u64 = (0..5_000).map(item).sum();
    timed(&expected, || (0..5_000).par_bridge().map(item).sum())
}

/// Steps of the items, the dear ones anywhere.
fn steps(items: u64) -> impl ParallelIterator<Item = u64> {
    (0..items).into_par_iter().map(move |i| 4_000_000 / items * (1 + i * 5 % 7) / 4)
}

/// A few items that take milliseconds, each another time.
fn unequal(items: u64) -> Result<Duration, String> {
    let expected = (0..items).map(|i| chain(4_000_000 / items * (1 + i * 5 % 7) / 4) >> 32);
    let expected = expected.fold(0_u64, u64::wrapping_add);
    timed(&expected, || steps(items).map(|s| chain(s) >> 32).reduce(|| 0, u64::wrapping_add))
}

/// The same with a loop in each item.
fn unequal_nested() -> Result<Duration, String> {
    let inner = |s: u64, part: u64| chain(s / 8 * (1 + part % 3)) >> 32;
    let outer = |i: u64| 500_000 * (1 + i * 5 % 7) / 4;
    let expected = (0..8)
        .flat_map(|i| (0..6).map(move |part| inner(outer(i), part)))
        .fold(0_u64, u64::wrapping_add);
    timed(&expected, || {
        let one = |i| {
            let s = outer(i);
            (0..6).into_par_iter().map(|part| inner(s, part)).reduce(|| 0, u64::wrapping_add)
        };
        (0..8).into_par_iter().map(one).reduce(|| 0, u64::wrapping_add)
    })
}

/// The primes below ten million, by pieces.
fn sieve() -> Result<Duration, String> {
    const END: usize = 10_000_000;
    const PIECE: usize = 1 << 16;
    timed(&664_579, || {
        let small: Vec<usize> = (2..3_163).filter(|n| (2..*n).all(|d| n % d != 0)).collect();
        let mut composite = vec![false; END];
        composite[0] = true;
        composite[1] = true;
        composite.par_chunks_mut(PIECE).enumerate().for_each(|(piece, marks)| {
            let begin = piece * PIECE;
            for prime in &small {
                let first = (prime * prime).max(begin.div_ceil(*prime) * prime);
                for multiple in (first..begin + marks.len()).step_by(*prime) {
                    marks[multiple - begin] = true;
                }
            }
        });
        composite.par_iter().filter(|is_composite| !**is_composite).count()
    })
}

fn matmul() -> Result<Duration, String> {
    const SIZE: usize = 300;
    // In one place, as `chain`.
    #[inline(never)]
    fn row(a: &[u64], b: &[u64], i: usize) -> u64 {
        let entry = |j: usize| {
            (0..SIZE).fold(0_u64, |sum, k| {
                sum.wrapping_add(a[i * SIZE + k].wrapping_mul(b[k * SIZE + j]))
            })
        };
        (0..SIZE).map(entry).fold(0, u64::wrapping_add)
    }
    let (a, b) = (numbers(SIZE * SIZE), numbers(SIZE * SIZE));
    let expected = (0..SIZE).map(|i| row(&a, &b, i)).fold(0, u64::wrapping_add);
    let rows = (0..SIZE).into_par_iter().map(|i| row(&a, &b, i));
    timed(&expected, || rows.reduce(|| 0, u64::wrapping_add))
}
