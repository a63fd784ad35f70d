//! Little work: where the cost of going parallel is most of it.

use crate::{Program, chain, numbers, timed};
use rayon::prelude::*;
use std::time::Duration;

pub(crate) const PROGRAMS: &[Program] = &[
    ("ten-items-of-1us", || items(10, 700, 300)),
    ("fifty-items-of-10us", || items(50, 7_000, 10)),
    ("four-items-of-200us", || items(4, 140_000, 5)),
    ("two-items-of-1ms", || items(2, 700_000, 3)),
    ("one-item", || items(1, 700, 500)),
    ("empty", empty),
    ("two-joins-of-20us", two_joins),
    ("uncached-reads", uncached),
    ("small-sorts", small_sorts),
    ("norms-of-100", norms),
    ("alternating-serial", alternating),
];

fn items(count: u64, steps: u64, times: u32) -> Result<Duration, String> {
    let one = |i: u64| chain(steps) ^ i;
    let expected = (0..count).map(one).fold(0, |a, b| a ^ b);
    let all = timed(&true, || {
        (0..times)
            .all(|_| (0..count).into_par_iter().map(one).reduce(|| 0, |a, b| a ^ b) == expected)
    })?;
    Ok(all / times)
}

fn empty() -> Result<Duration, String> {
    let none: Vec<u64> = Vec::new();
    timed(&0, || (0..2_000).map(|_| none.par_iter().sum::<u64>()).sum::<u64>())
}

fn two_joins() -> Result<Duration, String> {
    let work = || chain(14_000);
    let expected = work();
    timed(&true, || {
        (0..100).all(|_| {
            let ((a, b), (c, d)) =
                rayon::join(|| rayon::join(work, work), || rayon::join(work, work));
            [a, b, c, d] == [expected; 4]
        })
    })
}

/// Items that read memory here and there: some, each of thirty reads.
fn uncached() -> Result<Duration, String> {
    let memory = numbers(1 << 20);
    let one = |i: u64| {
        (0..30)
            .fold(i, |at, _| memory[(at.wrapping_mul(0x9e37_79b9) >> 12) as usize % memory.len()])
    };
    let expected = (0..2_000).map(one).fold(0, |a, b| a ^ b);
    timed(&true, || {
        (0..5).all(|_| (0..2_000).into_par_iter().map(one).reduce(|| 0, |a, b| a ^ b) == expected)
    })
}

fn small_sorts() -> Result<Duration, String> {
    let lists: Vec<Vec<u64>> = numbers(40_000).chunks(100).map(<[u64]>::to_vec).collect();
    timed(&true, || {
        let mut lists = lists.clone();
        lists.iter_mut().for_each(|list| list.par_sort());
        lists.iter().all(|list| list.is_sorted())
    })
}

fn norms() -> Result<Duration, String> {
    let values = vec![2.0_f64; 100];
    timed(&true, || {
        (0..1_000).all(|_| values.par_iter().map(|x| x * x).sum::<f64>().sqrt() == 20.0)
    })
}

/// A parallel step, and a serial one that needs its result.
fn alternating() -> Result<Duration, String> {
    let one = |seed: u64, i: u64| chain(500) ^ seed ^ i;
    let steps = |sum: &dyn Fn(u64) -> u64| (0..100).fold(1, |seed, _| sum(seed) ^ chain(2_000));
    let expected = steps(&|seed| (0..40).map(|i| one(seed, i)).fold(0, |a, b| a ^ b));
    timed(&expected, || {
        steps(&|seed| (0..40).into_par_iter().map(|i| one(seed, i)).reduce(|| 0, |a, b| a ^ b))
    })
}
