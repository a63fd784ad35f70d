//! Loops: for each, and map-reduce, over ranges and slices; split only when somebody asks.
//!
//! These are [`Worker::for_each`] and [`Worker::map_reduce`] for code that was handed no worker. What loops run over
//! is a [`Source`].
//!
//! [`Worker::for_each`]: crate::Worker::for_each
//! [`Worker::map_reduce`]: crate::Worker::map_reduce

pub use crate::fork_join::{IntoSource, Source};

use super::with_worker;

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
pub fn for_each<S: IntoSource>(source: S, body: impl Fn(<S::Source as Source>::Item) + Sync) {
    let source = source.into_source();
    let body = &body;
    with_worker(move |w| w.for_each(source, body));
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
    with_worker(move |w| w.map_reduce(source, map, identity, reduce))
}
