//! Loops over ranges, slices, chunks of slices and pairs of these, in parallel as far as workers are free.
//!
//! The functions that loop are methods of [`Worker`](crate::Worker) for code that was handed none. What loops run over
//! is a [`Source`].

pub use crate::fork_join::{Integer, IntoSource, Numbered, Source, Zip, chunks, chunks_mut};

use super::with_worker;
use crate::fork_join::{deterministic, loops};

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

/// [`Worker::try_for_each`](crate::Worker::try_for_each) on the current worker, else on the global pool.
///
/// # Panics
/// Panics with the panic of one of the calls. Panics also if the global pool is needed and could not be built, see
/// [`global`](crate::global()).
///
/// # Errors
/// Returns the error of one of the calls that failed.
///
/// # Examples
/// ```
/// let is_small = |x: &i32| if *x < 10 { Ok(()) } else { Err(*x) };
/// assert_eq!(lyocell::par::try_for_each(&[3, 1, 2], is_small), Ok(()));
/// assert_eq!(lyocell::par::try_for_each(&[3, 10, 2], is_small), Err(10));
/// ```
pub fn try_for_each<S: IntoSource, E: Send>(
    source: S,
    body: impl Fn(<S::Source as Source>::Item) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let source = source.into_source();
    let body = &body;
    with_worker(move |w| loops::try_for_each(w, source, body))
}

/// [`Worker::find_any`](crate::Worker::find_any) on the current worker, else on the global pool.
///
/// # Panics
/// Panics with the panic of one of the calls. Panics also if the global pool is needed and could not be built, see
/// [`global`](crate::global()).
///
/// # Examples
/// ```
/// assert_eq!(lyocell::par::find_any(1..=1000_u32, |n| n * n == 961), Some(31));
/// assert_eq!(lyocell::par::find_any(1..=1000_u32, |n| n * n == 962), None);
/// ```
pub fn find_any<S: IntoSource>(
    source: S,
    predicate: impl Fn(&<S::Source as Source>::Item) -> bool + Sync,
) -> Option<<S::Source as Source>::Item>
where
    <S::Source as Source>::Item: Send,
{
    let source = source.into_source();
    let predicate = &predicate;
    with_worker(move |w| loops::find_any(w, source, predicate))
}
