//! Chains of adaptors over some thousands of items of some hundred nanoseconds, as in rayon's documentation.

use crate::{Program, chain, numbers, timed};
use rayon::prelude::*;
use std::time::Duration;

pub(crate) const PROGRAMS: &[Program] = &[
    ("enumerate-zip", enumerate_zip),
    ("filter-map-collect", filter_map_collect),
    ("flat-map-iter", flat_map_iter),
    ("fold-chunks", fold_chunks),
    ("map-init", map_init),
    ("map-with-buffer", map_with_buffer),
    ("chunks-of-iterator", chunks_of_iterator),
    ("with-min-len", || min_len(1_024)),
    ("with-max-len", max_len),
    ("step-by-rev", step_by_rev),
    ("interleave-chain", interleave_chain),
    ("unzip", unzip),
    ("partition-map", partition_map),
    ("scan-by-two-passes", two_passes),
    ("min-max-by-key", min_max_by_key),
    ("count-filter", count_filter),
    ("find-first", find_first),
    ("find-any", find_any),
    ("any-all", any_all),
    ("try-for-each", try_for_each),
    ("try-reduce-fails", try_reduce),
    ("collect-result", collect_result),
    ("while-some", while_some),
    ("multizip", multizip),
    ("float-sum", float_sum),
    ("mandelbrot-rows", mandelbrot),
    ("monte-carlo-pi", pi),
];

const ITEMS: u64 = 20_000;

fn item(i: u64) -> u64 {
    chain(100 + i % 64) ^ i
}

fn enumerate_zip() -> Result<Duration, String> {
    let (a, b) = (numbers(500_000), numbers(500_000));
    let one = |(i, (x, y)): (usize, (&u64, &u64))| (x ^ y).wrapping_mul(i as u64);
    let expected = a.iter().zip(&b).enumerate().map(one).fold(0, |a, b| a ^ b);
    timed(&expected, || a.par_iter().zip(&b).enumerate().map(one).reduce(|| 0, |a, b| a ^ b))
}

fn filter_map_collect() -> Result<Duration, String> {
    let one = |i: u64| Some(item(i)).filter(|x| x % 3 == 0);
    let expected: Vec<u64> = (0..ITEMS).filter_map(one).collect();
    timed(&expected, || (0..ITEMS).into_par_iter().filter_map(one).collect())
}

fn flat_map_iter() -> Result<Duration, String> {
    let few = |i: u64| (0..i % 7).map(move |j| item(i + j));
    let expected: u64 = (0..ITEMS / 4).flat_map(few).fold(0, u64::wrapping_add);
    timed(&expected, || {
        (0..ITEMS / 4).into_par_iter().flat_map_iter(few).reduce(|| 0, u64::wrapping_add)
    })
}

fn fold_chunks() -> Result<Duration, String> {
    let add = |a: u64, i: u64| a.wrapping_add(item(i));
    let expected = (0..ITEMS).fold(0, add);
    timed(&expected, || {
        let chunks = (0..ITEMS as usize).into_par_iter().map(|i| i as u64);
        chunks.fold_chunks(64, || 0, add).reduce(|| 0, u64::wrapping_add)
    })
}

fn map_init() -> Result<Duration, String> {
    let expected = (0..ITEMS).map(item).fold(0, u64::wrapping_add);
    timed(&expected, || {
        let items = (0..ITEMS).into_par_iter();
        let one = |room: &mut Vec<u64>, i| {
            room.clear();
            room.push(item(i));
            room[0]
        };
        items.map_init(|| Vec::with_capacity(16), one).reduce(|| 0, u64::wrapping_add)
    })
}

fn map_with_buffer() -> Result<Duration, String> {
    let expected: usize = (0..ITEMS).map(|i| item(i).to_string().len()).sum();
    timed(&expected, || {
        let one = |text: &mut String, i| {
            use std::fmt::Write;
            text.clear();
            write!(text, "{}", item(i)).map_or(0, |()| text.len())
        };
        (0..ITEMS).into_par_iter().map_with(String::new(), one).sum()
    })
}

fn chunks_of_iterator() -> Result<Duration, String> {
    let expected = (0..ITEMS).map(item).fold(0, u64::wrapping_add);
    timed(&expected, || {
        let chunks = (0..ITEMS as usize).into_par_iter().chunks(100);
        let one = |chunk: Vec<usize>| {
            chunk.into_iter().map(|i| item(i as u64)).fold(0, u64::wrapping_add)
        };
        chunks.map(one).reduce(|| 0, u64::wrapping_add)
    })
}

fn min_len(least: usize) -> Result<Duration, String> {
    let expected = (0..ITEMS).map(item).fold(0, u64::wrapping_add);
    timed(&expected, || {
        let items = (0..ITEMS as usize).into_par_iter().with_min_len(least);
        items.map(|i| item(i as u64)).reduce(|| 0, u64::wrapping_add)
    })
}

fn max_len() -> Result<Duration, String> {
    let expected = (0..ITEMS).map(item).fold(0, u64::wrapping_add);
    timed(&expected, || {
        let items = (0..ITEMS as usize).into_par_iter().with_max_len(1);
        items.map(|i| item(i as u64)).reduce(|| 0, u64::wrapping_add)
    })
}

fn step_by_rev() -> Result<Duration, String> {
    let expected: Vec<u64> = (0..ITEMS as usize).step_by(3).rev().map(|i| item(i as u64)).collect();
    timed(&expected, || {
        (0..ITEMS as usize).into_par_iter().step_by(3).rev().map(|i| item(i as u64)).collect()
    })
}

fn interleave_chain() -> Result<Duration, String> {
    let (a, b) = (numbers(200_000), numbers(100_000));
    let expected = a.iter().chain(&b).copied().fold(0, u64::wrapping_add);
    timed(&expected, || {
        let mixed = a.par_iter().interleave(&b);
        mixed.chain([].par_iter()).copied().reduce(|| 0, u64::wrapping_add)
    })
}

fn unzip() -> Result<Duration, String> {
    let expected: (Vec<u64>, Vec<bool>) = (0..ITEMS).map(|i| (item(i), i % 3 == 0)).unzip();
    timed(&expected, || (0..ITEMS).into_par_iter().map(|i| (item(i), i % 3 == 0)).unzip())
}

fn partition_map() -> Result<Duration, String> {
    let expected: (Vec<u64>, Vec<u64>) = (0..ITEMS).map(item).partition(|x| x % 2 == 0);
    timed(&expected, || (0..ITEMS).into_par_iter().map(item).partition(|x| x % 2 == 0))
}

/// Prefix sums: the sums of the pieces, and then each piece from where the one before it ends.
fn two_passes() -> Result<Duration, String> {
    let values = numbers(1_000_000);
    let sums = |begin: u64, piece: &mut [u64]| {
        piece.iter_mut().fold(begin, |sum, x| {
            *x = x.wrapping_add(sum);
            *x
        })
    };
    let mut expected = values.clone();
    sums(0, &mut expected);
    let mut room = values.clone();
    let time = timed(&(), || {
        const PIECE: usize = 1 << 14;
        let ends: Vec<u64> = room
            .par_chunks(PIECE)
            .map(|piece| piece.iter().fold(0, |a: u64, b| a.wrapping_add(*b)))
            .collect();
        let mut begins = vec![0_u64];
        ends.iter().for_each(|end| begins.push(begins[begins.len() - 1].wrapping_add(*end)));
        let pieces = room.par_chunks_mut(PIECE).zip(&begins);
        pieces.for_each(|(piece, begin)| _ = sums(*begin, piece));
    })?;
    if room == expected { Ok(time) } else { Err(String::from("other sums")) }
}

fn min_max_by_key() -> Result<Duration, String> {
    let values = numbers(1_000_000);
    let key = |x: &&u64| x.wrapping_mul(7);
    let expected = (values.iter().min_by_key(key), values.iter().max_by_key(key));
    timed(&expected, || (values.par_iter().min_by_key(key), values.par_iter().max_by_key(key)))
}

fn count_filter() -> Result<Duration, String> {
    let values = numbers(1_000_000);
    let odd = |x: &&u64| x.count_ones() % 2 == 1;
    let expected = values.iter().filter(odd).count();
    timed(&expected, || values.par_iter().filter(odd).count())
}

fn find_first() -> Result<Duration, String> {
    let values = numbers(400_000);
    let found = |x: &&u64| **x % 300_007 == 5;
    let expected = values.iter().find(found);
    timed(&expected, || values.par_iter().find_first(found))
}

fn find_any() -> Result<Duration, String> {
    timed(&Some(9_999), || (0..ITEMS).into_par_iter().find_any(|i| item(*i) > 0 && *i == 9_999))
}

fn any_all() -> Result<Duration, String> {
    let values = numbers(300_000);
    let last = values[299_999];
    timed(&(true, false, 20), || {
        let early = (0..20).filter(|i| values.par_iter().any(|x| *x == values[i * 7])).count();
        (values.par_iter().any(|x| *x == last), values.par_iter().all(|x| *x != last), early)
    })
}

fn try_for_each() -> Result<Duration, String> {
    let one = |i| if item(i) == 1 { Err(i) } else { Ok(()) };
    timed(&Ok(()), || (0..ITEMS).into_par_iter().try_for_each(one))
}

fn try_reduce() -> Result<Duration, String> {
    let one = |i| if i % 5_000 == 4_999 { None } else { Some(item(i)) };
    timed(&None, || {
        let parts = (0..ITEMS).into_par_iter().map(one);
        parts.try_reduce(|| 0, |a, b| Some(a.wrapping_add(b)))
    })
}

fn collect_result() -> Result<Duration, String> {
    let one = |i| if i > ITEMS { Err(i) } else { Ok(item(i)) };
    let expected: Result<Vec<u64>, u64> = (0..ITEMS).map(one).collect();
    timed(&expected, || (0..ITEMS).into_par_iter().map(one).collect())
}

fn while_some() -> Result<Duration, String> {
    let one = |i| Some(item(i)).filter(|_| i < ITEMS);
    let expected = (0..ITEMS).filter_map(one).count();
    timed(&expected, || (0..ITEMS).into_par_iter().map(one).while_some().count())
}

fn multizip() -> Result<Duration, String> {
    let (a, b, c) = (numbers(300_000), numbers(300_000), numbers(300_000));
    let one = |x: &u64, y: &u64, z: &u64| x.wrapping_mul(*y) ^ z;
    let expected: Vec<u64> = (0..a.len()).map(|i| one(&a[i], &b[i], &c[i])).collect();
    timed(&expected, || (&a, &b, &c).into_par_iter().map(|(x, y, z)| one(x, y, z)).collect())
}

fn float_sum() -> Result<Duration, String> {
    let values: Vec<f32> = (0..2_000).map(|i| (i % 10) as f32).collect();
    let expected = 100.0 * 57_000.0_f32;
    timed(&expected, || {
        (0..100).map(|_| values.par_iter().map(|x| x * x).sum::<f32>()).sum::<f32>()
    })
}

/// Rows of very unequal work.
fn mandelbrot() -> Result<Duration, String> {
    const SIZE: usize = 120;
    let point = |row: usize, column: usize| {
        let (a, b) = (column as f64 / 40.0 - 2.0, row as f64 / 60.0 - 1.0);
        let (mut x, mut y, mut steps) = (0.0, 0.0, 0_u64);
        while x * x + y * y < 4.0 && steps < 300 {
            (x, y, steps) = (x * x - y * y + a, 2.0 * x * y + b, steps + 1);
        }
        steps
    };
    let row = |row| (0..SIZE).map(|column| point(row, column)).sum::<u64>();
    let expected: Vec<u64> = (0..SIZE).map(row).collect();
    timed(&expected, || (0..SIZE).into_par_iter().map(row).collect())
}

fn pi() -> Result<Duration, String> {
    let inside = |batch: u64| {
        let mut state = batch.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        (0..2_000).filter(|_| next().hypot(next()) < 1.0).count()
    };
    let expected: usize = (0..100).map(inside).sum();
    timed(&expected, || (0..100).into_par_iter().map(inside).sum())
}
