//! Loops in loops, and pools in pools.

use crate::{Program, chain, timed};
use rayon::prelude::*;
use std::time::Duration;

pub(crate) const PROGRAMS: &[Program] = &[
    ("nested-three-levels", three_levels),
    ("nested-outer-unequal", outer_unequal),
    ("matrix-nested", matrix),
    ("install-between-pools", between_pools),
    ("install-in-items", install_in_items),
    ("scope-in-items", scope_in_items),
    ("par-sort-in-items", sort_in_items),
    ("game-of-life", life),
    ("floyd-warshall", floyd),
    ("breadth-first", breadth_first),
];

fn three_levels() -> Result<Duration, String> {
    let item = |i: u64, j: u64, k: u64| chain(50 + i) ^ (j * 100 + k);
    let serial = |i| (0..12).flat_map(move |j| (0..12).map(move |k| item(i, j, k)));
    let expected = (0..12).flat_map(serial).fold(0, |a, b| a ^ b);
    timed(&expected, || {
        let inner =
            |i, j| (0..12).into_par_iter().map(move |k| item(i, j, k)).reduce(|| 0, |a, b| a ^ b);
        let middle =
            |i| (0..12).into_par_iter().map(move |j| inner(i, j)).reduce(|| 0, |a, b| a ^ b);
        (0..12).into_par_iter().map(middle).reduce(|| 0, |a, b| a ^ b)
    })
}

fn outer_unequal() -> Result<Duration, String> {
    let inner = |i: u64| (0..i * i).map(move |j| chain(20) ^ j).fold(0, |a, b| a ^ b);
    let expected: Vec<u64> = (0..64).map(inner).collect();
    timed(&expected, || {
        let inner =
            |i: u64| (0..i * i).into_par_iter().map(|j| chain(20) ^ j).reduce(|| 0, |a, b| a ^ b);
        (0..64).into_par_iter().map(inner).collect()
    })
}

fn matrix() -> Result<Duration, String> {
    const SIZE: usize = 96;
    let entry = |i: usize, j: usize| (0..SIZE).map(|k| (i * k) ^ (k * j)).sum::<usize>();
    let expected: Vec<Vec<usize>> =
        (0..SIZE).map(|i| (0..SIZE).map(|j| entry(i, j)).collect()).collect();
    timed(&expected, || {
        let row = |i| (0..SIZE).into_par_iter().map(|j| entry(i, j)).collect();
        (0..SIZE).into_par_iter().map(row).collect()
    })
}

fn other_pool() -> rayon::ThreadPool {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(rayon::current_num_threads());
    builder.build().unwrap()
}

fn between_pools() -> Result<Duration, String> {
    let other = other_pool();
    timed(&true, || {
        rayon::scope(|_| {
            (0..100).all(|i| other.install(|| rayon::join(|| chain(500), || i)).1 == i)
        })
    })
}

fn install_in_items() -> Result<Duration, String> {
    let other = other_pool();
    let sum = |i: u64| (0..50).map(|j| chain(20) ^ i ^ j).fold(0, |a, b| a ^ b);
    let expected: Vec<u64> = (0..40).map(sum).collect();
    timed(&expected, || {
        let sum = |i: u64| {
            other.install(|| {
                (0..50).into_par_iter().map(|j| chain(20) ^ i ^ j).reduce(|| 0, |a, b| a ^ b)
            })
        };
        (0..40).into_par_iter().map(sum).collect()
    })
}

fn scope_in_items() -> Result<Duration, String> {
    timed(&true, || {
        (0..200_u64).into_par_iter().all(|i| {
            let (mut a, mut b) = (0, 0);
            rayon::scope(|s| {
                s.spawn(|_| a = chain(200) ^ i);
                s.spawn(|_| b = chain(200) ^ i);
            });
            a == b
        })
    })
}

fn sort_in_items() -> Result<Duration, String> {
    let lists: Vec<Vec<u64>> = crate::numbers(100_000).chunks(5_000).map(<[u64]>::to_vec).collect();
    let mut sorted = lists.clone();
    sorted.iter_mut().for_each(|list| list.sort());
    let mut room = lists;
    let time = timed(&(), || room.par_iter_mut().for_each(|list| list.par_sort()))?;
    if room == sorted { Ok(time) } else { Err(String::from("not sorted")) }
}

/// Generations of a small board.
fn life() -> Result<Duration, String> {
    const SIZE: usize = 128;
    let cell = |board: &[u8], at: usize| {
        let (row, column) = (at / SIZE, at % SIZE);
        let rows = [row + SIZE - 1, row, row + 1].map(|row| row % SIZE * SIZE);
        let columns = [column + SIZE - 1, column, column + 1].map(|column| column % SIZE);
        let around: u8 = rows.iter().flat_map(|r| columns.map(|c| board[r + c])).sum();
        u8::from(around == 3 || around == 4 && board[at] == 1)
    };
    let begin: Vec<u8> = crate::numbers(SIZE * SIZE).iter().map(|x| (x >> 63) as u8).collect();
    let serial = |board: Vec<u8>, _| (0..board.len()).map(|at| cell(&board, at)).collect();
    let expected: Vec<u8> = (0..20).fold(begin.clone(), serial);
    timed(&expected, || {
        let step = |board: Vec<u8>, _| {
            let mut next = vec![0; board.len()];
            let rows = next.par_chunks_mut(SIZE).enumerate();
            rows.for_each(|(row, cells)| {
                (0..SIZE).for_each(|column| cells[column] = cell(&board, row * SIZE + column));
            });
            next
        };
        (0..20).fold(begin.clone(), step)
    })
}

fn floyd() -> Result<Duration, String> {
    const SIZE: usize = 100;
    let begin: Vec<u64> = crate::numbers(SIZE * SIZE).iter().map(|x| x >> 50).collect();
    let relax = |row: &mut [u64], through: &[u64], k: usize| {
        let to = row[k];
        row.iter_mut().zip(through).for_each(|(far, near)| *far = (*far).min(to + near));
    };
    let mut expected = begin.clone();
    for k in 0..SIZE {
        let through = expected[k * SIZE..(k + 1) * SIZE].to_vec();
        expected.chunks_mut(SIZE).for_each(|row| relax(row, &through, k));
    }
    timed(&expected, || {
        let mut far = begin.clone();
        for k in 0..SIZE {
            let through = far[k * SIZE..(k + 1) * SIZE].to_vec();
            far.par_chunks_mut(SIZE).for_each(|row| relax(row, &through, k));
        }
        far
    })
}

/// Level by level through a graph in which some levels are wide and most are not.
fn breadth_first() -> Result<Duration, String> {
    use std::sync::atomic::{AtomicBool, Ordering};
    const NODES: usize = 30_000;
    let next = |node: usize| [(node * 2 + 1) % NODES, (node * 7 + 3) % NODES, (node + 1) % NODES];
    timed(&NODES, || {
        let seen: Vec<AtomicBool> = (0..NODES).map(|_| AtomicBool::new(false)).collect();
        seen[0].store(true, Ordering::Relaxed);
        let (mut level, mut count) = (vec![0], 1);
        while !level.is_empty() {
            let new = |node: &usize| !seen[*node].swap(true, Ordering::Relaxed);
            level = level.par_iter().flat_map_iter(|node| next(*node)).filter(new).collect();
            count += level.len();
        }
        count
    })
}
