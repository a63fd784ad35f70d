//! Slices in pieces, windows and sorts.

use crate::{Program, numbers, timed};
use rayon::prelude::*;
use std::time::Duration;

pub(crate) const PROGRAMS: &[Program] = &[
    ("chunks-exact", chunks_exact),
    ("chunks-mut-images", images),
    ("windows", windows),
    ("split-by-value", split),
    ("chunk-by", chunk_by),
    ("sort-by-key", sort_by_key),
    ("sort-by-cached-key", sort_by_cached_key),
    ("sort-strings", sort_strings),
    ("sort-sorted", sort_sorted),
    ("sort-few-values", sort_few),
    ("fill-and-scale", fill),
    ("transpose", transpose),
    ("stencil", stencil),
    ("dot-products", dots),
];

fn chunks_exact() -> Result<Duration, String> {
    let values = numbers(400_000);
    let sum = |piece: &[u64]| piece.iter().fold(0, |a: u64, b| a ^ b);
    let expected: Vec<u64> = values.chunks_exact(256).map(sum).collect();
    timed(&expected, || values.par_chunks_exact(256).map(sum).collect())
}

/// Rows of an image, each pixel by its own.
fn images() -> Result<Duration, String> {
    let pixel = |x: u8| ((u32::from(x) * 77 + 13) >> 7) as u8;
    let image: Vec<u8> = numbers(60_000).iter().flat_map(|x| x.to_le_bytes()).collect();
    let expected: Vec<u8> = image.iter().map(|x| pixel(*x)).collect();
    let mut room = image;
    let time = timed(&(), || {
        room.par_chunks_mut(800).for_each(|row| row.iter_mut().for_each(|x| *x = pixel(*x)));
    })?;
    if room == expected { Ok(time) } else { Err(String::from("another image")) }
}

fn windows() -> Result<Duration, String> {
    let values = numbers(300_000);
    let rises = |pair: &&[u64]| pair[0] < pair[1];
    let expected = values.windows(2).filter(rises).count();
    timed(&expected, || values.par_windows(2).filter(rises).count())
}

fn split() -> Result<Duration, String> {
    let values = numbers(300_000);
    let expected: Vec<usize> = values.split(|x| x % 50 == 0).map(<[u64]>::len).collect();
    timed(&expected, || values.par_split(|x| x % 50 == 0).map(<[u64]>::len).collect())
}

fn chunk_by() -> Result<Duration, String> {
    let values = numbers(200_000);
    let expected = values.chunk_by(|a, b| a < b).count();
    timed(&expected, || values.par_chunk_by(|a, b| a < b).count())
}

fn sorted<T: Clone + PartialEq>(
    values: &[T],
    expected: &[T],
    sort: impl FnOnce(&mut [T]),
) -> Result<Duration, String> {
    let mut room = values.to_vec();
    let time = timed(&(), || sort(&mut room))?;
    if room == expected { Ok(time) } else { Err(String::from("not sorted")) }
}

fn sort_by_key() -> Result<Duration, String> {
    let values: Vec<(u64, u64)> = numbers(100_000).iter().map(|x| (x % 1_000, *x)).collect();
    let mut expected = values.clone();
    expected.sort_by_key(|pair| pair.0);
    sorted(&values, &expected, |room| room.par_sort_by_key(|pair| pair.0))
}

fn sort_by_cached_key() -> Result<Duration, String> {
    let values = numbers(40_000);
    let mut expected = values.clone();
    expected.sort_by_cached_key(u64::to_string);
    sorted(&values, &expected, |room| room.par_sort_by_cached_key(u64::to_string))
}

fn sort_strings() -> Result<Duration, String> {
    let values: Vec<String> = numbers(50_000).iter().map(u64::to_string).collect();
    let mut expected = values.clone();
    expected.sort();
    sorted(&values, &expected, |room| room.par_sort_unstable())
}

fn sort_sorted() -> Result<Duration, String> {
    let values: Vec<u64> = (0..500_000).collect();
    sorted(&values, &values, |room| room.par_sort())
}

fn sort_few() -> Result<Duration, String> {
    let values: Vec<u64> = numbers(300_000).iter().map(|x| x % 5).collect();
    let mut expected = values.clone();
    expected.sort();
    sorted(&values, &expected, |room| room.par_sort_unstable())
}

fn fill() -> Result<Duration, String> {
    let mut room = vec![1.0_f32; 1_000_000];
    timed(&3.5, || {
        room.par_iter_mut().for_each(|x| *x = 3.0);
        room.par_iter_mut().for_each(|x| *x += 0.5);
        room.par_iter().copied().reduce(|| 3.5, f32::max)
    })
}

fn transpose() -> Result<Duration, String> {
    const SIZE: usize = 500;
    let matrix = numbers(SIZE * SIZE);
    let expected: Vec<u64> =
        (0..SIZE * SIZE).map(|at| matrix[at % SIZE * SIZE + at / SIZE]).collect();
    let mut room = vec![0; SIZE * SIZE];
    let time = timed(&(), || {
        let rows = room.par_chunks_mut(SIZE).enumerate();
        rows.for_each(|(i, row)| (0..SIZE).for_each(|j| row[j] = matrix[j * SIZE + i]));
    })?;
    if room == expected { Ok(time) } else { Err(String::from("not transposed")) }
}

/// Steps of heat along a rod.
fn stencil() -> Result<Duration, String> {
    let begin: Vec<f64> = numbers(50_000).iter().map(|x| (x >> 40) as f64).collect();
    let point = |rod: &[f64], at: usize| {
        let (left, right) = (rod[at.saturating_sub(1)], rod[(at + 1).min(rod.len() - 1)]);
        (left + rod[at] * 2.0 + right) / 4.0
    };
    let serial = |rod: Vec<f64>, _| (0..rod.len()).map(|at| point(&rod, at)).collect();
    let expected: Vec<f64> = (0..20).fold(begin.clone(), serial);
    timed(&expected, || {
        let step =
            |rod: Vec<f64>, _| (0..rod.len()).into_par_iter().map(|at| point(&rod, at)).collect();
        (0..20).fold(begin.clone(), step)
    })
}

fn dots() -> Result<Duration, String> {
    let vectors: Vec<Vec<u64>> = numbers(64_000).chunks(64).map(<[u64]>::to_vec).collect();
    let dot = |a: &[u64], b: &[u64]| {
        a.iter().zip(b).fold(0, |sum: u64, (a, b)| sum.wrapping_add(a.wrapping_mul(*b)))
    };
    let nearest = |v: &Vec<u64>| vectors.iter().take(200).map(|other| dot(v, other)).max();
    let expected: Vec<Option<u64>> = vectors.iter().map(nearest).collect();
    timed(&expected, || vectors.par_iter().map(nearest).collect())
}
