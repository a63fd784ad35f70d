//! Sorting: halves in parallel, over the sorts of the standard library.
//!
//! A stable sort sorts two halves and merges them. Where more workers are, the merge is cut at the median of both: what lies between the
//! two cuts is rotated, and then each half is two runs again. Two runs at the end are sorted as they are: the library's sort finds the
//! runs and merges them. An unstable sort parts the slice at its median first, so that the halves need no merge. Either cuts no
//! further than all workers need.
//!
//! Source: the sorts below are driftsort and ipnsort (Bergdoll and Peters 2024), as the standard library has them.

use super::loops::Forks;
use crate::deque::Deque;
use crate::probe::Probe;
use crate::scheduler::Worker;
use std::cmp::Ordering;

/// What is sorted at once: to fork costs nothing beside it. Untuned.
const SHORT: usize = if cfg!(any(loom, miri)) { 16 } else { 1 << 12 };
/// How many pieces each worker has, so that all end at about the same time. Untuned.
const PIECES: usize = 2;

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Sorts a slice; equal items stay in their order.
    ///
    /// # Panics
    /// Panics with the panic of a comparison; the slice has all its items then, in an order that is open. May panic as [`slice::sort_by`] does if the order is not total.
    ///
    /// # Cost
    /// A comparison sort, with halves in parallel. A stable one moves half of the items once more each time that workers share a merge.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// pool.run(|w| {
    ///     let mut words = ["to", "be", "or", "not"];
    ///     w.sort(&mut words);
    ///     assert_eq!(words, ["be", "not", "or", "to"]);
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn sort<T: Ord + Send>(&self, slice: &mut [T]) {
        stable(self, slice, &T::cmp);
    }

    /// Sorts a slice by a comparison; equal items stay in their order.
    ///
    /// # Panics
    /// Panics with the panic of a comparison; the slice has all its items then, in an order that is open. May panic as [`slice::sort_by`] does if the order is not total.
    ///
    /// # Cost
    /// A comparison sort, with halves in parallel. A stable one moves half of the items once more each time that workers share a merge.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// pool.run(|w| {
    ///     let mut values = [2.0, -1.0, 0.5];
    ///     w.sort_by(&mut values, f64::total_cmp);
    ///     assert_eq!(values, [-1.0, 0.5, 2.0]);
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn sort_by<T: Send>(&self, slice: &mut [T], compare: impl Fn(&T, &T) -> Ordering + Sync) {
        stable(self, slice, &compare);
    }

    /// Sorts a slice by keys; equal items stay in their order.
    ///
    /// # Panics
    /// Panics with the panic of a comparison; the slice has all its items then, in an order that is open. May panic as [`slice::sort_by`] does if the order is not total.
    ///
    /// # Cost
    /// A comparison sort, with halves in parallel. A stable one moves half of the items once more each time that workers share a merge.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// pool.run(|w| {
    ///     let mut words = ["three", "one", "two"];
    ///     w.sort_by_key(&mut words, |word| word.len());
    ///     assert_eq!(words, ["one", "two", "three"]);
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn sort_by_key<T: Send, K: Ord>(&self, slice: &mut [T], key: impl Fn(&T) -> K + Sync) {
        stable(self, slice, &|a, b| key(a).cmp(&key(b)));
    }

    /// Sorts a slice, without memory besides; equal items may change places.
    ///
    /// # Panics
    /// Panics with the panic of a comparison; the slice has all its items then, in an order that is open. May panic as [`slice::sort_unstable_by`] does if the order is not total.
    ///
    /// # Cost
    /// A comparison sort: a median parts the slice, on one worker, and the halves are sorted in parallel.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// pool.run(|w| {
    ///     let mut numbers = [3, 1, 2];
    ///     w.sort_unstable(&mut numbers);
    ///     assert_eq!(numbers, [1, 2, 3]);
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn sort_unstable<T: Ord + Send>(&self, slice: &mut [T]) {
        unstable(self, slice, &T::cmp);
    }

    /// Sorts a slice by a comparison, without memory besides; equal items may change places.
    ///
    /// # Panics
    /// Panics with the panic of a comparison; the slice has all its items then, in an order that is open. May panic as [`slice::sort_unstable_by`] does if the order is not total.
    ///
    /// # Cost
    /// A comparison sort: a median parts the slice, on one worker, and the halves are sorted in parallel.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// pool.run(|w| {
    ///     let mut numbers = [3, 1, 2];
    ///     w.sort_unstable_by(&mut numbers, |a, b| b.cmp(a));
    ///     assert_eq!(numbers, [3, 2, 1]);
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn sort_unstable_by<T: Send>(
        &self,
        slice: &mut [T],
        compare: impl Fn(&T, &T) -> Ordering + Sync,
    ) {
        unstable(self, slice, &compare);
    }

    /// Sorts a slice by keys, without memory besides; equal items may change places.
    ///
    /// # Panics
    /// Panics with the panic of a comparison; the slice has all its items then, in an order that is open. May panic as [`slice::sort_unstable_by`] does if the order is not total.
    ///
    /// # Cost
    /// A comparison sort: a median parts the slice, on one worker, and the halves are sorted in parallel.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// pool.run(|w| {
    ///     let mut numbers = [-3, 1, 2];
    ///     w.sort_unstable_by_key(&mut numbers, |x: &i32| x.abs());
    ///     assert_eq!(numbers, [1, 2, -3]);
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn sort_unstable_by_key<T: Send, K: Ord>(
        &self,
        slice: &mut [T],
        key: impl Fn(&T) -> K + Sync,
    ) {
        unstable(self, slice, &|a, b| key(a).cmp(&key(b)));
    }
}

pub(crate) fn stable<W: Forks + ?Sized, T: Send>(
    worker: &W,
    slice: &mut [T],
    compare: &(impl Fn(&T, &T) -> Ordering + Sync),
) {
    let piece = piece(worker, slice);
    stable_by(worker, slice, compare, piece);
}

pub(crate) fn unstable<W: Forks + ?Sized, T: Send>(
    worker: &W,
    slice: &mut [T],
    compare: &(impl Fn(&T, &T) -> Ordering + Sync),
) {
    let piece = piece(worker, slice);
    unstable_by(worker, slice, compare, piece);
}

/// How long a piece is that is sorted at once.
fn piece<W: Forks + ?Sized, T>(worker: &W, slice: &[T]) -> usize {
    match worker.workers() {
        1 => usize::MAX,
        workers => SHORT.max(slice.len() / (workers * PIECES)),
    }
}

fn stable_by<W: Forks + ?Sized, T: Send>(
    worker: &W,
    slice: &mut [T],
    compare: &(impl Fn(&T, &T) -> Ordering + Sync),
    piece: usize,
) {
    worker.stop_if_cancelled();
    if slice.len() > piece {
        let (left, right) = slice.split_at_mut(slice.len() / 2);
        let middle = left.len();
        worker
            .fork(|w| stable_by(w, left, compare, piece), |w| stable_by(w, right, compare, piece));
        return merge(worker, slice, middle, compare, piece);
    }
    slice.sort_by(compare);
}

/// Merges two runs, of which the second begins at `middle`.
fn merge<W: Forks + ?Sized, T: Send>(
    worker: &W,
    slice: &mut [T],
    middle: usize,
    compare: &(impl Fn(&T, &T) -> Ordering + Sync),
    piece: usize,
) {
    worker.stop_if_cancelled();
    if slice.len() <= piece {
        return slice.sort_by(compare);
    }
    let half = slice.len() / 2;
    let from_first = of_first_run(slice, middle, half, compare);
    slice[from_first..middle + half - from_first].rotate_left(middle - from_first);
    let (left, right) = slice.split_at_mut(half);
    worker.fork(
        |w| merge(w, left, from_first, compare, piece),
        |w| merge(w, right, middle - from_first, compare, piece),
    );
}

/// How many of the first `count` items of two merged runs are of the first one, which ends at `middle`: the fewest after which
/// those of the second come before what is left of the first, so that equal items stay in their order.
fn of_first_run<T>(
    slice: &[T],
    middle: usize,
    count: usize,
    compare: &impl Fn(&T, &T) -> Ordering,
) -> usize {
    let (first, second) = slice.split_at(middle);
    let (mut low, mut high) = (count.saturating_sub(second.len()), count.min(first.len()));
    while low < high {
        let at = low + (high - low) / 2;
        // `at` is fewer than `count` and than the first has, and the second has so many.
        match compare(&second[count - at - 1], &first[at]) {
            Ordering::Less => high = at,
            Ordering::Equal | Ordering::Greater => low = at + 1,
        }
    }
    low
}

fn unstable_by<W: Forks + ?Sized, T: Send>(
    worker: &W,
    slice: &mut [T],
    compare: &(impl Fn(&T, &T) -> Ordering + Sync),
    piece: usize,
) {
    worker.stop_if_cancelled();
    if slice.len() <= piece {
        return slice.sort_unstable_by(compare);
    }
    let middle = slice.len() / 2;
    let (left, _, right) = slice.select_nth_unstable_by(middle, compare);
    worker
        .fork(|w| unstable_by(w, left, compare, piece), |w| unstable_by(w, right, compare, piece));
}
