//! Those that may end early.

use super::super::with_worker;
#[allow(unused_imports, reason = "documentation links to it")]
use super::for_each;
use crate::fork_join::early;
use crate::par::{IntoSource, Source};

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
    with_worker(move |w| early::try_for_each(w, source, body))
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
    with_worker(move |w| early::find_any(w, source, predicate))
}

/// [`Worker::any`](crate::Worker::any) on the current worker, else on the global pool.
///
/// # Panics
/// As the method. Panics also if the global pool is needed and could not be built, see [`global`](crate::global()).
///
/// # Examples
/// ```
/// assert!(lyocell::par::any(&[3, 1, 2], |x| *x == 2));
/// ```
pub fn any<S: IntoSource>(
    source: S,
    predicate: impl Fn(<S::Source as Source>::Item) -> bool + Sync,
) -> bool {
    let source = source.into_source();
    let predicate = &predicate;
    with_worker(move |w| early::any(w, source, predicate))
}

/// [`Worker::all`](crate::Worker::all) on the current worker, else on the global pool.
///
/// # Panics
/// As the method. Panics also if the global pool is needed and could not be built, see [`global`](crate::global()).
///
/// # Examples
/// ```
/// assert!(lyocell::par::all(&[3, 1, 2], |x| *x < 4));
/// ```
pub fn all<S: IntoSource>(
    source: S,
    predicate: impl Fn(<S::Source as Source>::Item) -> bool + Sync,
) -> bool {
    let source = source.into_source();
    let predicate = &predicate;
    with_worker(move |w| early::all(w, source, predicate))
}

/// [`Worker::find_first`](crate::Worker::find_first) on the current worker, else on the global pool.
///
/// # Panics
/// As the method. Panics also if the global pool is needed and could not be built, see [`global`](crate::global()).
///
/// # Examples
/// ```
/// assert_eq!(lyocell::par::find_first(2..1000_u32, |d| 91 % d == 0), Some(7));
/// ```
pub fn find_first<S: IntoSource>(
    source: S,
    predicate: impl Fn(&<S::Source as Source>::Item) -> bool + Sync,
) -> Option<<S::Source as Source>::Item>
where
    <S::Source as Source>::Item: Send,
{
    let source = source.into_source();
    let predicate = &predicate;
    with_worker(move |w| early::find_first(w, source, predicate))
}

/// [`Worker::position`](crate::Worker::position) on the current worker, else on the global pool.
///
/// # Panics
/// As the method. Panics also if the global pool is needed and could not be built, see [`global`](crate::global()).
///
/// # Examples
/// ```
/// assert_eq!(lyocell::par::position(b"three words here", |byte| *byte == b' '), Some(5));
/// ```
pub fn position<S: IntoSource>(
    source: S,
    predicate: impl Fn(<S::Source as Source>::Item) -> bool + Sync,
) -> Option<usize> {
    let source = source.into_source();
    let predicate = &predicate;
    with_worker(move |w| early::position(w, source, predicate))
}

/// [`Worker::try_fold`](crate::Worker::try_fold) on the current worker, else on the global pool.
///
/// # Panics
/// As the method. Panics also if the global pool is needed and could not be built, see [`global`](crate::global()).
///
/// # Errors
/// Returns the error of one of the calls that failed.
///
/// # Examples
/// ```
/// let add = |sum: u8, x: &u8| sum.checked_add(*x).ok_or("too much");
/// assert_eq!(lyocell::par::try_fold(&[1, 2, 3], || 0, add, |a, b| add(a, &b)), Ok(6));
/// assert_eq!(lyocell::par::try_fold(&[200, 100], || 0, add, |a, b| add(a, &b)), Err("too much"));
/// ```
pub fn try_fold<S: IntoSource, T: Send, E: Send>(
    source: S,
    identity: impl Fn() -> T + Sync,
    fold: impl Fn(T, <S::Source as Source>::Item) -> Result<T, E> + Sync,
    reduce: impl Fn(T, T) -> Result<T, E> + Sync,
) -> Result<T, E> {
    let source = source.into_source();
    let (identity, fold, reduce) = (&identity, &fold, &reduce);
    with_worker(move |w| early::try_fold(w, source, identity, fold, reduce))
}

/// [`Worker::try_map_reduce`](crate::Worker::try_map_reduce) on the current worker, else on the global pool.
///
/// # Errors
/// Returns the error of one of the calls that failed; those of others are dropped.
///
/// # Panics
/// As [`for_each`].
///
/// # Examples
/// ```
/// let sum = |words: &[&str]| {
///     lyocell::par::try_map_reduce(words, |word| word.parse::<i32>(), || 0, |a, b| a + b)
/// };
/// assert_eq!(sum(&["1", "2", "3"]), Ok(6));
/// assert!(sum(&["1", "two", "3"]).is_err());
/// ```
pub fn try_map_reduce<S: IntoSource, T: Send, E: Send>(
    source: S,
    map: impl Fn(<S::Source as Source>::Item) -> Result<T, E> + Sync,
    identity: impl Fn() -> T + Sync + Send,
    reduce: impl Fn(T, T) -> T + Sync + Send,
) -> Result<T, E> {
    let source = source.into_source();
    let (map, identity, reduce) = (&map, &identity, &reduce);
    with_worker(move |w| early::try_map_reduce(w, source, map, identity, reduce))
}
