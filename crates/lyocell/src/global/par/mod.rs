//! Loops over ranges, slices, chunks of slices and pairs of these, in parallel as far as workers are free.
//!
//! The functions that loop are methods of [`Worker`](crate::Worker) for code that was handed none. What loops run over
//! is a [`Source`].

pub use crate::fork_join::{
    Integer, IntoSource, Numbered, Owned, Source, Zip, Zip3, chunks, chunks_mut, rev, step_by,
    windows,
};

mod early;

pub use early::{all, any, find_any, find_first, position, try_fold, try_for_each, try_map_reduce};

use super::with_worker;
use crate::fork_join::{deterministic, loops, named, sort};
use std::cmp::Ordering;
use std::iter::Sum;
use std::mem::MaybeUninit;

/// [`Worker::for_each`](crate::Worker::for_each) on the current worker, else on the global pool.
///
/// # Panics
/// Panics with the panic of one of the calls. Panics also if the global pool is needed and could not be built, see
/// [`global`](crate::global()).
///
/// # Examples
/// ```
/// let mut data = [3, 1, 2];
/// lyocell::par::for_each(&mut data, |x| *x += 1);
/// assert_eq!(data, [4, 2, 3]);
/// ```
#[doc(alias = "par_iter")]
pub fn for_each<S: IntoSource>(source: S, body: impl Fn(<S::Source as Source>::Item) + Sync) {
    let source = source.into_source();
    let body = &body;
    with_worker(move |w| loops::for_each(w, source, |_, item| body(item)));
}

/// [`Worker::map_reduce`](crate::Worker::map_reduce) on the current worker, else on the global pool.
///
/// # Panics
/// Panics with the panic of one of the calls. Panics also if the global pool is needed and could not be built, see
/// [`global`](crate::global()).
///
/// # Examples
/// ```
/// let sum = lyocell::par::map_reduce(0..1_000_u64, |i| i * i, || 0, |a, b| a + b);
/// assert_eq!(sum, 332_833_500);
/// ```
pub fn map_reduce<S: IntoSource, T: Send>(
    source: S,
    map: impl Fn(<S::Source as Source>::Item) -> T + Sync,
    identity: impl Fn() -> T + Sync,
    reduce: impl Fn(T, T) -> T + Sync,
) -> T {
    let source = source.into_source();
    let (map, identity, reduce) = (&map, &identity, &reduce);
    with_worker(move |w| loops::map_reduce(w, source, |_, item| map(item), identity, reduce))
}

/// [`Worker::map_reduce_deterministic`](crate::Worker::map_reduce_deterministic) on the current worker, else on the global
/// pool.
///
/// # Panics
/// As [`map_reduce`].
///
/// # Examples
/// ```
/// let thirds = [1.0 / 3.0; 1_000];
/// let sum = lyocell::par::map_reduce_deterministic(&thirds, |x| *x, || 0.0, |a, b| a + b);
/// assert_eq!(sum, lyocell::par::map_reduce_deterministic(&thirds, |x| *x, || 0.0, |a, b| a + b));
/// ```
pub fn map_reduce_deterministic<S: IntoSource, T: Send>(
    source: S,
    map: impl Fn(<S::Source as Source>::Item) -> T + Sync,
    identity: impl Fn() -> T + Sync,
    reduce: impl Fn(T, T) -> T + Sync,
) -> T {
    let source = source.into_source();
    let (map, identity, reduce) = (&map, &identity, &reduce);
    with_worker(move |w| deterministic::map_reduce(w, source, map, identity, reduce))
}

/// [`Worker::fold`](crate::Worker::fold) on the current worker, else on the global pool.
///
/// # Panics
/// Panics with the panic of one of the calls. Panics also if the global pool is needed and could not be built, see
/// [`global`](crate::global()).
///
/// # Examples
/// ```
/// let lengths = |mut lengths: [u32; 8], word: &&str| {
///     lengths[word.len()] += 1;
///     lengths
/// };
/// let add = |a: [u32; 8], b: [u32; 8]| std::array::from_fn(|i| a[i] + b[i]);
/// let lengths = lyocell::par::fold(&["to", "be", "or", "not"], Default::default, lengths, add);
/// assert_eq!(lengths, [0, 0, 3, 1, 0, 0, 0, 0]);
/// ```
pub fn fold<S: IntoSource, T: Send>(
    source: S,
    identity: impl Fn() -> T + Sync,
    fold: impl Fn(T, <S::Source as Source>::Item) -> T + Sync,
    reduce: impl Fn(T, T) -> T + Sync,
) -> T {
    let source = source.into_source();
    let (identity, fold, reduce) = (&identity, &fold, &reduce);
    with_worker(move |w| loops::fold(w, source, identity, |_, sum, item| fold(sum, item), reduce))
}

/// [`Worker::map`](crate::Worker::map) on the current worker, else on the global pool.
///
/// # Panics
/// As the method. Panics also if the global pool is needed and could not be built, see [`global`](crate::global()).
///
/// # Examples
/// ```
/// let lengths = lyocell::par::map(&["to", "be", "or", "not"], |word| word.len());
/// assert_eq!(lengths, [2, 2, 2, 3]);
/// ```
#[doc(alias = "collect")]
pub fn map<S: IntoSource, T: Send>(
    source: S,
    map: impl Fn(<S::Source as Source>::Item) -> T + Sync,
) -> Vec<T> {
    let source = source.into_source();
    let map = &map;
    with_worker(move |w| named::map(w, source, map))
}

/// [`Worker::map_into`](crate::Worker::map_into) on the current worker, else on the global pool.
///
/// # Panics
/// As the method. Panics also if the global pool is needed and could not be built, see [`global`](crate::global()).
///
/// # Examples
/// ```
/// use std::mem::MaybeUninit;
///
/// let mut place = [const { MaybeUninit::uninit() }; 4];
/// let squares = lyocell::par::map_into(0..4_u32, &mut place, |i| i * i);
/// assert_eq!(squares, [0, 1, 4, 9]);
/// ```
pub fn map_into<S: IntoSource, T: Send>(
    source: S,
    out: &mut [MaybeUninit<T>],
    map: impl Fn(<S::Source as Source>::Item) -> T + Sync,
) -> &mut [T] {
    let source = source.into_source();
    let map = &map;
    with_worker(move |w| named::map_into(w, source, out, map))
}

/// [`Worker::sum`](crate::Worker::sum) on the current worker, else on the global pool.
///
/// # Panics
/// As the method. Panics also if the global pool is needed and could not be built, see [`global`](crate::global()).
///
/// # Examples
/// ```
/// assert_eq!(lyocell::par::sum(0..1000_u64, |i| i * i), 332_833_500);
/// ```
pub fn sum<S: IntoSource, T: Send + Sum>(
    source: S,
    map: impl Fn(<S::Source as Source>::Item) -> T + Sync,
) -> T {
    let source = source.into_source();
    let map = &map;
    with_worker(move |w| named::sum(w, source, map))
}

/// [`Worker::count`](crate::Worker::count) on the current worker, else on the global pool.
///
/// # Panics
/// As the method. Panics also if the global pool is needed and could not be built, see [`global`](crate::global()).
///
/// # Examples
/// ```
/// assert_eq!(lyocell::par::count(0..100, |i| i % 7 == 0), 15);
/// ```
pub fn count<S: IntoSource>(
    source: S,
    predicate: impl Fn(<S::Source as Source>::Item) -> bool + Sync,
) -> usize {
    let source = source.into_source();
    let predicate = &predicate;
    with_worker(move |w| named::count(w, source, predicate))
}

/// [`Worker::min`](crate::Worker::min) on the current worker, else on the global pool.
///
/// # Panics
/// As the method. Panics also if the global pool is needed and could not be built, see [`global`](crate::global()).
///
/// # Examples
/// ```
/// assert_eq!(lyocell::par::min(&[3, 1, 2]), Some(&1));
/// ```
pub fn min<S: IntoSource>(source: S) -> Option<<S::Source as Source>::Item>
where
    <S::Source as Source>::Item: Ord + Send,
{
    let source = source.into_source();
    with_worker(move |w| named::min(w, source))
}

/// [`Worker::max`](crate::Worker::max) on the current worker, else on the global pool.
///
/// # Panics
/// As the method. Panics also if the global pool is needed and could not be built, see [`global`](crate::global()).
///
/// # Examples
/// ```
/// assert_eq!(lyocell::par::max(&[3, 1, 2]), Some(&3));
/// ```
pub fn max<S: IntoSource>(source: S) -> Option<<S::Source as Source>::Item>
where
    <S::Source as Source>::Item: Ord + Send,
{
    let source = source.into_source();
    with_worker(move |w| named::max(w, source))
}

/// [`Worker::min_by_key`](crate::Worker::min_by_key) on the current worker, else on the global pool.
///
/// # Panics
/// As the method. Panics also if the global pool is needed and could not be built, see [`global`](crate::global()).
///
/// # Examples
/// ```
/// let words = ["three", "one", "two"];
/// assert_eq!(lyocell::par::min_by_key(&words, |word| word.len()), Some(&"one"));
/// ```
pub fn min_by_key<S: IntoSource, K: Ord + Send>(
    source: S,
    key: impl Fn(&<S::Source as Source>::Item) -> K + Sync,
) -> Option<<S::Source as Source>::Item>
where
    <S::Source as Source>::Item: Send,
{
    let source = source.into_source();
    let key = &key;
    with_worker(move |w| named::min_by_key(w, source, key))
}

/// [`Worker::max_by_key`](crate::Worker::max_by_key) on the current worker, else on the global pool.
///
/// # Panics
/// As the method. Panics also if the global pool is needed and could not be built, see [`global`](crate::global()).
///
/// # Examples
/// ```
/// let words = ["one", "four", "five", "two"];
/// assert_eq!(lyocell::par::max_by_key(&words, |word| word.len()), Some(&"five"));
/// ```
pub fn max_by_key<S: IntoSource, K: Ord + Send>(
    source: S,
    key: impl Fn(&<S::Source as Source>::Item) -> K + Sync,
) -> Option<<S::Source as Source>::Item>
where
    <S::Source as Source>::Item: Send,
{
    let source = source.into_source();
    let key = &key;
    with_worker(move |w| named::max_by_key(w, source, key))
}

/// [`Worker::for_each_init`](crate::Worker::for_each_init) on the current worker, else on the global pool.
///
/// # Panics
/// As the method. Panics also if the global pool is needed and could not be built, see [`global`](crate::global()).
///
/// # Examples
/// ```
/// use std::fmt::Write;
///
/// let mut texts = vec![String::new(); 100];
/// lyocell::par::for_each_init((0.., &mut texts), String::new, |buffer, (i, text)| {
///     buffer.clear();
///     write!(buffer, "{i}").unwrap();
///     text.clone_from(buffer);
/// });
/// assert_eq!(texts[31], "31");
/// ```
pub fn for_each_init<S: IntoSource, T: Send>(
    source: S,
    init: impl Fn() -> T + Sync,
    body: impl Fn(&mut T, <S::Source as Source>::Item) + Sync,
) {
    let source = source.into_source();
    let (init, body) = (&init, &body);
    with_worker(move |w| named::for_each_init(w, source, init, body));
}

/// [`Worker::sort`](crate::Worker::sort) on the current worker, else on the global pool.
///
/// # Panics
/// As the method. Panics also if the global pool is needed and could not be built, see [`global`](crate::global()).
///
/// # Examples
/// ```
/// let mut words = ["to", "be", "or", "not"];
/// lyocell::par::sort(&mut words);
/// assert_eq!(words, ["be", "not", "or", "to"]);
/// ```
pub fn sort<T: Ord + Send>(slice: &mut [T]) {
    let compare = &T::cmp;
    with_worker(move |w| sort::stable(w, slice, compare));
}

/// [`Worker::sort_by`](crate::Worker::sort_by) on the current worker, else on the global pool.
///
/// # Panics
/// As the method. Panics also if the global pool is needed and could not be built, see [`global`](crate::global()).
///
/// # Examples
/// ```
/// let mut values = [2.0, -1.0, 0.5];
/// lyocell::par::sort_by(&mut values, f64::total_cmp);
/// assert_eq!(values, [-1.0, 0.5, 2.0]);
/// ```
pub fn sort_by<T: Send>(slice: &mut [T], compare: impl Fn(&T, &T) -> Ordering + Sync) {
    let compare = &compare;
    with_worker(move |w| sort::stable(w, slice, compare));
}

/// [`Worker::sort_by_key`](crate::Worker::sort_by_key) on the current worker, else on the global pool.
///
/// # Panics
/// As the method. Panics also if the global pool is needed and could not be built, see [`global`](crate::global()).
///
/// # Examples
/// ```
/// let mut words = ["three", "one", "two"];
/// lyocell::par::sort_by_key(&mut words, |word| word.len());
/// assert_eq!(words, ["one", "two", "three"]);
/// ```
pub fn sort_by_key<T: Send, K: Ord>(slice: &mut [T], key: impl Fn(&T) -> K + Sync) {
    let compare = &|a: &T, b: &T| key(a).cmp(&key(b));
    with_worker(move |w| sort::stable(w, slice, compare));
}

/// [`Worker::sort_unstable`](crate::Worker::sort_unstable) on the current worker, else on the global pool.
///
/// # Panics
/// As the method. Panics also if the global pool is needed and could not be built, see [`global`](crate::global()).
///
/// # Examples
/// ```
/// let mut numbers = [3, 1, 2];
/// lyocell::par::sort_unstable(&mut numbers);
/// assert_eq!(numbers, [1, 2, 3]);
/// ```
pub fn sort_unstable<T: Ord + Send>(slice: &mut [T]) {
    let compare = &T::cmp;
    with_worker(move |w| sort::unstable(w, slice, compare));
}

/// [`Worker::sort_unstable_by`](crate::Worker::sort_unstable_by) on the current worker, else on the global pool.
///
/// # Panics
/// As the method. Panics also if the global pool is needed and could not be built, see [`global`](crate::global()).
///
/// # Examples
/// ```
/// let mut numbers = [3, 1, 2];
/// lyocell::par::sort_unstable_by(&mut numbers, |a, b| b.cmp(a));
/// assert_eq!(numbers, [3, 2, 1]);
/// ```
pub fn sort_unstable_by<T: Send>(slice: &mut [T], compare: impl Fn(&T, &T) -> Ordering + Sync) {
    let compare = &compare;
    with_worker(move |w| sort::unstable(w, slice, compare));
}

/// [`Worker::sort_unstable_by_key`](crate::Worker::sort_unstable_by_key) on the current worker, else on the global pool.
///
/// # Panics
/// As the method. Panics also if the global pool is needed and could not be built, see [`global`](crate::global()).
///
/// # Examples
/// ```
/// let mut numbers = [-3, 1, 2];
/// lyocell::par::sort_unstable_by_key(&mut numbers, |x: &i32| x.abs());
/// assert_eq!(numbers, [1, 2, -3]);
/// ```
pub fn sort_unstable_by_key<T: Send, K: Ord>(slice: &mut [T], key: impl Fn(&T) -> K + Sync) {
    let compare = &|a: &T, b: &T| key(a).cmp(&key(b));
    with_worker(move |w| sort::unstable(w, slice, compare));
}
