//! Sorting: rayon's own, and by joins.

use crate::{Program, numbers, timed};
use rayon::join;
use rayon::slice::ParallelSliceMut;
use std::time::Duration;

pub(crate) const PROGRAMS: &[Program] = &[
    ("par-sort", || sorted(2_000_000, |values| values.par_sort())),
    ("par-sort-unstable", || sorted(2_000_000, |values| values.par_sort_unstable())),
    ("quicksort", || sorted(1_000_000, quicksort)),
    ("mergesort", || sorted(1_000_000, mergesort)),
];

fn sorted(count: usize, sort: fn(&mut [u64])) -> Result<Duration, String> {
    let mut values = numbers(count);
    let mut expected = values.clone();
    expected.sort_unstable();
    let time = timed(&(), || sort(&mut values))?;
    if values == expected { Ok(time) } else { Err(String::from("it is not sorted")) }
}

/// Down to pieces of one: what a join costs counts.
fn quicksort(values: &mut [u64]) {
    if values.len() < 2 {
        return;
    }
    let pivot = values.len() - 1;
    values.swap(pivot / 2, pivot);
    let mut less = 0;
    for i in 0..pivot {
        if values[i] < values[pivot] {
            values.swap(i, less);
            less += 1;
        }
    }
    values.swap(less, pivot);
    let (low, high) = values.split_at_mut(less);
    join(|| quicksort(low), || quicksort(&mut high[1..]));
}

fn mergesort(values: &mut [u64]) {
    let mut room = vec![0; values.len()];
    merge_halves(values, &mut room);
}

fn merge_halves(values: &mut [u64], room: &mut [u64]) {
    if values.len() <= 64 {
        return values.sort();
    }
    let middle = values.len() / 2;
    let ((low, high), (low_room, high_room)) =
        (values.split_at_mut(middle), room.split_at_mut(middle));
    join(|| merge_halves(low, low_room), || merge_halves(high, high_room));
    let (mut i, mut j) = (0, 0);
    for place in room.iter_mut() {
        let takes_low = j == high.len() || i < low.len() && low[i] <= high[j];
        let from = if takes_low { &mut i } else { &mut j };
        *place = if takes_low { low[*from] } else { high[*from] };
        *from += 1;
    }
    values.copy_from_slice(room);
}
