//! Loops that may end early: when something is found, or one call fails.

use super::loops::{Forks, fold_until};
use super::source::{IntoSource, Source};
use super::zip::Numbered;
use crate::deque::Deque;
use crate::probe::Probe;
use crate::scheduler::Worker;
use crate::task::panic::DroppedQuietly;
use crossbeam_utils::CachePadded;
use lyocell_sync::unmodelled::{AtomicBool, AtomicUsize, Ordering};
use std::ops::ControlFlow;

/// What the source of such a loop gives.
type Item<S> = <<S as IntoSource>::Source as Source>::Item;

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Calls `body` with each item of a [`Source`], in parallel as far as workers are free, until one call fails.
    ///
    /// A worker that hears of a failure begins no other item. Which items are passed over so is open, but on a pool of one
    /// worker: there it is all after the first that fails.
    ///
    /// # Panics
    /// As [`Worker::for_each`]; a panic does not stop the other parts.
    ///
    /// # Errors
    /// Returns the error of one of the calls that failed; those of others are dropped.
    ///
    /// # Cost
    /// One load of a shared flag for each item.
    ///
    /// # Source
    /// As [`Worker::for_each`].
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// let parsed = |text: &&str| text.parse::<u32>().map(drop);
    /// assert!(pool.run(|w| w.try_for_each(&["1", "2", "3"], parsed)).is_ok());
    /// assert!(pool.run(|w| w.try_for_each(&["1", "two", "3"], parsed)).is_err());
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn try_for_each<S: IntoSource, E: Send>(
        &self,
        source: S,
        body: impl Fn(<S::Source as Source>::Item) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        try_for_each(self, source, body)
    }

    /// Finds an item of a [`Source`] that satisfies `predicate`, if there is one; which one of several is open.
    ///
    /// A worker that hears of a find looks at no other item.
    ///
    /// # Panics
    /// As [`Worker::try_for_each`].
    ///
    /// # Cost
    /// As [`Worker::try_for_each`].
    ///
    /// # Source
    /// As [`Worker::for_each`].
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// let divisor = pool.run(|w| w.find_any(2..91_u32, |d| 91 % d == 0));
    /// assert!(matches!(divisor, Some(7 | 13)));
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn find_any<S: IntoSource>(
        &self,
        source: S,
        predicate: impl Fn(&<S::Source as Source>::Item) -> bool + Sync,
    ) -> Option<<S::Source as Source>::Item>
    where
        <S::Source as Source>::Item: Send,
    {
        find_any(self, source, predicate)
    }

    /// Tells whether an item of a [`Source`] satisfies `predicate`. A worker that hears of one looks at no other.
    ///
    /// # Panics
    /// Panics with the panic of one of the calls; other parts run on to their end first.
    ///
    /// # Source
    /// As [`Worker::for_each`].
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// pool.run(|w| {
    ///     assert!(w.any(&[3, 1, 2], |x| *x == 2));
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn any<S: IntoSource>(
        &self,
        source: S,
        predicate: impl Fn(<S::Source as Source>::Item) -> bool + Sync,
    ) -> bool {
        any(self, source, predicate)
    }

    /// Tells whether all items of a [`Source`] satisfy `predicate`. A worker that hears of one that does not looks at no other.
    ///
    /// # Panics
    /// Panics with the panic of one of the calls; other parts run on to their end first.
    ///
    /// # Source
    /// As [`Worker::for_each`].
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// pool.run(|w| {
    ///     assert!(w.all(&[3, 1, 2], |x| *x < 4));
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn all<S: IntoSource>(
        &self,
        source: S,
        predicate: impl Fn(<S::Source as Source>::Item) -> bool + Sync,
    ) -> bool {
        all(self, source, predicate)
    }

    /// Returns the first item of a [`Source`] that satisfies `predicate`; nothing if none does.
    ///
    /// What comes after a find is looked at no more, what comes before it is. Where any find will do, [`Worker::find_any`] ends sooner.
    ///
    /// # Panics
    /// Panics with the panic of one of the calls; other parts run on to their end first.
    ///
    /// # Source
    /// As [`Worker::for_each`].
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// pool.run(|w| {
    ///     assert_eq!(w.find_first(2..1000_u32, |d| 91 % d == 0), Some(7));
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn find_first<S: IntoSource>(
        &self,
        source: S,
        predicate: impl Fn(&<S::Source as Source>::Item) -> bool + Sync,
    ) -> Option<<S::Source as Source>::Item>
    where
        <S::Source as Source>::Item: Send,
    {
        find_first(self, source, predicate)
    }

    /// Returns the place of the first item of a [`Source`] that satisfies `predicate`, from 0; nothing if none does.
    ///
    /// What comes after a find is looked at no more.
    ///
    /// # Panics
    /// Panics with the panic of one of the calls; other parts run on to their end first.
    ///
    /// # Source
    /// As [`Worker::for_each`].
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// pool.run(|w| {
    ///     assert_eq!(w.position(b"three words here", |byte| *byte == b' '), Some(5));
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn position<S: IntoSource>(
        &self,
        source: S,
        predicate: impl Fn(<S::Source as Source>::Item) -> bool + Sync,
    ) -> Option<usize> {
        position(self, source, predicate)
    }

    /// As [`Worker::fold`], until one call of `fold` or of `reduce` fails.
    ///
    /// A worker that hears of a failure begins no other item. Where a sum is put together is open, so what can fail in
    /// `fold` can as a rule fail in `reduce` too.
    ///
    /// # Panics
    /// Panics with the panic of one of the calls; other parts run on to their end first.
    ///
    /// # Errors
    /// Returns the error of one of the calls that failed.
    ///
    /// # Source
    /// As [`Worker::for_each`].
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// pool.run(|w| {
    ///     let add = |sum: u8, x: &u8| sum.checked_add(*x).ok_or("too much");
    ///     assert_eq!(w.try_fold(&[1, 2, 3], || 0, add, |a, b| add(a, &b)), Ok(6));
    ///     assert_eq!(w.try_fold(&[200, 100], || 0, add, |a, b| add(a, &b)), Err("too much"));
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn try_fold<S: IntoSource, T: Send, E: Send>(
        &self,
        source: S,
        identity: impl Fn() -> T + Sync,
        fold: impl Fn(T, <S::Source as Source>::Item) -> Result<T, E> + Sync,
        reduce: impl Fn(T, T) -> Result<T, E> + Sync,
    ) -> Result<T, E> {
        try_fold(self, source, identity, fold, reduce)
    }

    /// As [`Worker::map_reduce`], until one call of `map` fails.
    ///
    /// A worker that hears of a failure begins no other item.
    ///
    /// # Panics
    /// Panics with the panic of one of the calls; other parts run on to their end first.
    ///
    /// # Errors
    /// Returns the error of one of the calls that failed; those of others are dropped.
    ///
    /// # Source
    /// As [`Worker::for_each`].
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// let sum = |words: &[&str]| {
    ///     pool.run(|w| w.try_map_reduce(words, |word| word.parse::<i32>(), || 0, |a, b| a + b))
    /// };
    /// assert_eq!(sum(&["1", "2", "3"]), Ok(6));
    /// assert!(sum(&["1", "two", "3"]).is_err());
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn try_map_reduce<S: IntoSource, T: Send, E: Send>(
        &self,
        source: S,
        map: impl Fn(<S::Source as Source>::Item) -> Result<T, E> + Sync,
        identity: impl Fn() -> T + Sync,
        reduce: impl Fn(T, T) -> T + Sync,
    ) -> Result<T, E> {
        try_map_reduce(self, source, map, identity, reduce)
    }
}

pub(crate) fn try_for_each<W: Forks + ?Sized, S: IntoSource, E: Send>(
    worker: &W,
    source: S,
    body: impl Fn(<S::Source as Source>::Item) -> Result<(), E> + Sync,
) -> Result<(), E> {
    try_fold(worker, source, || (), |(), item| body(item), |(), ()| Ok(()))
}

pub(crate) fn find_any<W: Forks + ?Sized, S: IntoSource>(
    worker: &W,
    source: S,
    predicate: impl Fn(&<S::Source as Source>::Item) -> bool + Sync,
) -> Option<<S::Source as Source>::Item>
where
    <S::Source as Source>::Item: Send,
{
    let found = |item| if predicate(&item) { Err(item) } else { Ok(()) };
    try_for_each(worker, source, found).err()
}

pub(crate) fn any<W: Forks + ?Sized, S: IntoSource>(
    worker: &W,
    source: S,
    predicate: impl Fn(Item<S>) -> bool + Sync,
) -> bool {
    let missed = |item| if predicate(item) { Err(()) } else { Ok(()) };
    try_for_each(worker, source, missed).is_err()
}

pub(crate) fn all<W: Forks + ?Sized, S: IntoSource>(
    worker: &W,
    source: S,
    predicate: impl Fn(Item<S>) -> bool + Sync,
) -> bool {
    !any(worker, source, |item| !predicate(item))
}

pub(crate) fn find_first<W: Forks + ?Sized, S: IntoSource>(
    worker: &W,
    source: S,
    predicate: impl Fn(&Item<S>) -> bool + Sync,
) -> Option<Item<S>>
where
    Item<S>: Send,
{
    first(worker, source, |item| predicate(&item).then_some(item)).map(|(_, item)| item)
}

pub(crate) fn position<W: Forks + ?Sized, S: IntoSource>(
    worker: &W,
    source: S,
    predicate: impl Fn(Item<S>) -> bool + Sync,
) -> Option<usize> {
    first(worker, source, |item| predicate(item).then_some(())).map(|(at, ())| at)
}

/// The first item of which something is found, its place and what was found.
fn first<W: Forks + ?Sized, S: IntoSource, T: Send>(
    worker: &W,
    source: S,
    find: impl Fn(Item<S>) -> Option<T> + Sync,
) -> Option<(usize, T)> {
    // The place of the first find so far. Ordering, here and below: Relaxed; it only ends work early, the find itself comes by
    // the joins.
    let place = CachePadded::new(AtomicUsize::new(usize::MAX));
    let place = &*place;
    let found = |_: &W, before: Option<(usize, T)>, (at, item)| {
        // It is in this frame while `find` may unwind.
        let before = DroppedQuietly::new(before);
        if before.is_some() || at > place.load(Ordering::Relaxed) {
            return ControlFlow::Break(before.into_inner());
        }
        match find(item) {
            None => ControlFlow::Continue(before.into_inner()),
            Some(found) => {
                place.fetch_min(at, Ordering::Relaxed);
                ControlFlow::Break(Some((at, found)))
            }
        }
    };
    let is_after =
        |piece: &Numbered<usize, S::Source>| piece.first() > place.load(Ordering::Relaxed);
    fold_until(worker, (0.., source).into_source(), None, || None, found, Option::or, is_after)
}

pub(crate) fn try_fold<W: Forks + ?Sized, S: IntoSource, T: Send, E: Send>(
    worker: &W,
    source: S,
    identity: impl Fn() -> T + Sync,
    fold: impl Fn(T, Item<S>) -> Result<T, E> + Sync,
    reduce: impl Fn(T, T) -> Result<T, E> + Sync,
) -> Result<T, E> {
    // What is written to this frame must not take the flag from the others' caches.
    let failed = CachePadded::new(AtomicBool::new(false));
    // Ordering: Relaxed; the flag only ends work early, the error itself comes by the joins.
    let is_over = || failed.load(Ordering::Relaxed);
    let told = |sum: Result<T, E>| {
        if sum.is_err() {
            failed.store(true, Ordering::Relaxed);
        }
        sum
    };
    let folded = |_: &W, sum: Result<T, E>, item| {
        let sum = told(sum.and_then(|sum| fold(sum, item)));
        if is_over() { ControlFlow::Break(sum) } else { ControlFlow::Continue(sum) }
    };
    let reduced = |a: Result<T, E>, b: Result<T, E>| told(a.and_then(|a| reduce(a, b?)));
    let begin = || Ok(identity());
    fold_until(worker, source.into_source(), begin(), begin, folded, reduced, |_| is_over())
}

pub(crate) fn try_map_reduce<W: Forks + ?Sized, S: IntoSource, T: Send, E: Send>(
    worker: &W,
    source: S,
    map: impl Fn(Item<S>) -> Result<T, E> + Sync,
    identity: impl Fn() -> T + Sync,
    reduce: impl Fn(T, T) -> T + Sync,
) -> Result<T, E> {
    let folded = |sum: T, item| {
        // It is in this frame while `map` may unwind.
        let sum = DroppedQuietly::new(sum);
        let mapped = map(item)?;
        Ok(reduce(sum.into_inner(), mapped))
    };
    try_fold(worker, source, identity, folded, |a, b| Ok(reduce(a, b)))
}
