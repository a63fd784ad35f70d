//! The loops that have names of their own: each is a few lines over a fold.
//!
//! Not here: a loop from the end, for a source is cut from its front; over `0..n` it is `n - 1 - i`. Chains of adaptors, which are
//! rayon's: its iterators run on this pool by `compat/rayon-core`.

use super::loops::{Forks, fold, fold_until};
use super::source::{IntoSource, Source};
use crate::deque::Deque;
use crate::probe::Probe;
use crate::scheduler::Worker;
use crate::task::panic::DroppedQuietly;
use std::iter::{Sum, empty};
use std::mem::MaybeUninit;
use std::ops::ControlFlow;

/// What the source of such a loop gives.
type Item<S> = <<S as IntoSource>::Source as Source>::Item;

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Maps each item of a [`Source`] into a vector, in order.
    ///
    /// # Panics
    /// Panics with the panic of one of the calls; other parts run on to their end first.
    ///
    /// # Cost
    /// A vector, and one more for each steal, which is appended to its neighbour.
    ///
    /// # Source
    /// As [`Worker::for_each`].
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// pool.run(|w| {
    ///     let lengths = w.map(&["to", "be", "or", "not"], |word| word.len());
    ///     assert_eq!(lengths, [2, 2, 2, 3]);
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    #[doc(alias = "collect")]
    pub fn map<S: IntoSource, T: Send>(
        &self,
        source: S,
        map: impl Fn(<S::Source as Source>::Item) -> T + Sync,
    ) -> Vec<T> {
        self::map(self, source, map)
    }

    /// Maps each item of a [`Source`] into memory that need not have values yet, in order, and returns it as what it is then.
    ///
    /// If one of the calls panics, what the others have written is not dropped.
    ///
    /// # Panics
    /// Panics with the panic of one of the calls; other parts run on to their end first. Panics if there are not as many items as places in `out`, after what fits has been written.
    ///
    /// # Source
    /// As [`Worker::for_each`].
    ///
    /// # Examples
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let pool = lyocell::Pool::new()?;
    /// pool.run(|w| {
    ///     let mut place = [const { MaybeUninit::uninit() }; 4];
    ///     let squares = w.map_into(0..4_u32, &mut place, |i| i * i);
    ///     assert_eq!(squares, [0, 1, 4, 9]);
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn map_into<'a, S: IntoSource, T: Send>(
        &self,
        source: S,
        out: &'a mut [MaybeUninit<T>],
        map: impl Fn(<S::Source as Source>::Item) -> T + Sync,
    ) -> &'a mut [T] {
        self::map_into(self, source, out, map)
    }

    /// Maps each item of a [`Source`], and adds up the results.
    ///
    /// Of floating-point numbers the sum may differ from run to run in its last bits; that of [`Worker::map_reduce_deterministic`] does not.
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
    ///     assert_eq!(w.sum(0..1000_u64, |i| i * i), 332_833_500);
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn sum<S: IntoSource, T: Send + Sum>(
        &self,
        source: S,
        map: impl Fn(<S::Source as Source>::Item) -> T + Sync,
    ) -> T {
        self::sum(self, source, map)
    }

    /// Counts the items of a [`Source`] that satisfy `predicate`.
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
    ///     assert_eq!(w.count(0..100, |i| i % 7 == 0), 15);
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn count<S: IntoSource>(
        &self,
        source: S,
        predicate: impl Fn(<S::Source as Source>::Item) -> bool + Sync,
    ) -> usize {
        self::count(self, source, predicate)
    }

    /// Returns the least item of a [`Source`], the first of several; nothing if there are no items.
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
    ///     assert_eq!(w.min(&[3, 1, 2]), Some(&1));
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn min<S: IntoSource>(&self, source: S) -> Option<<S::Source as Source>::Item>
    where
        <S::Source as Source>::Item: Ord + Send,
    {
        self::min(self, source)
    }

    /// Returns the greatest item of a [`Source`], the last of several; nothing if there are no items.
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
    ///     assert_eq!(w.max(&[3, 1, 2]), Some(&3));
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn max<S: IntoSource>(&self, source: S) -> Option<<S::Source as Source>::Item>
    where
        <S::Source as Source>::Item: Ord + Send,
    {
        self::max(self, source)
    }

    /// Returns the item of a [`Source`] with the least key, the first of several; nothing if there are no items.
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
    ///     let words = ["three", "one", "two"];
    ///     assert_eq!(w.min_by_key(&words, |word| word.len()), Some(&"one"));
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn min_by_key<S: IntoSource, K: Ord + Send>(
        &self,
        source: S,
        key: impl Fn(&<S::Source as Source>::Item) -> K + Sync,
    ) -> Option<<S::Source as Source>::Item>
    where
        <S::Source as Source>::Item: Send,
    {
        self::min_by_key(self, source, key)
    }

    /// Returns the item of a [`Source`] with the greatest key, the last of several; nothing if there are no items.
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
    ///     let words = ["one", "four", "five", "two"];
    ///     assert_eq!(w.max_by_key(&words, |word| word.len()), Some(&"five"));
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn max_by_key<S: IntoSource, K: Ord + Send>(
        &self,
        source: S,
        key: impl Fn(&<S::Source as Source>::Item) -> K + Sync,
    ) -> Option<<S::Source as Source>::Item>
    where
        <S::Source as Source>::Item: Send,
    {
        self::max_by_key(self, source, key)
    }

    /// Calls `body` with each item of a [`Source`], and with a state that it may change: one that `init` makes, and one more for each steal.
    ///
    /// # Panics
    /// Panics with the panic of one of the calls; other parts run on to their end first.
    ///
    /// # Source
    /// As [`Worker::for_each`].
    ///
    /// # Examples
    /// ```
    /// use std::fmt::Write;
    ///
    /// let pool = lyocell::Pool::new()?;
    /// pool.run(|w| {
    ///     let mut texts = vec![String::new(); 100];
    ///     w.for_each_init((0.., &mut texts), String::new, |buffer, (i, text)| {
    ///         buffer.clear();
    ///         write!(buffer, "{i}").unwrap();
    ///         text.clone_from(buffer);
    ///     });
    ///     assert_eq!(texts[31], "31");
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn for_each_init<S: IntoSource, T: Send>(
        &self,
        source: S,
        init: impl Fn() -> T + Sync,
        body: impl Fn(&mut T, <S::Source as Source>::Item) + Sync,
    ) {
        self::for_each_init(self, source, init, body);
    }
}

pub(crate) fn map<W: Forks + ?Sized, S: IntoSource, T: Send>(
    worker: &W,
    source: S,
    map: impl Fn(Item<S>) -> T + Sync,
) -> Vec<T> {
    let source = source.into_source();
    let mut first = Vec::new();
    // What there is no room for grows as it goes.
    let _ = first.try_reserve(source.items());
    let push = |_: &W, mapped: Vec<T>, item| {
        // It is in this frame while `map` may unwind.
        let mut mapped = DroppedQuietly::new(mapped);
        let item = map(item);
        mapped.get_mut().push(item);
        ControlFlow::Continue(mapped.into_inner())
    };
    let append = |mut left: Vec<T>, mut right: Vec<T>| {
        left.append(&mut right);
        left
    };
    fold_until(worker, source, first, Vec::new, push, append, |_| false)
}

pub(crate) fn map_into<'a, W: Forks + ?Sized, S: IntoSource, T: Send>(
    worker: &W,
    source: S,
    out: &'a mut [MaybeUninit<T>],
    map: impl Fn(Item<S>) -> T + Sync,
) -> &'a mut [T] {
    let source = source.into_source();
    let (items, places) = (source.items(), out.len());
    let write = |_: &W, written: usize, (item, place): (_, &mut MaybeUninit<T>)| {
        place.write(map(item));
        written + 1
    };
    let written = fold(worker, (source, &mut *out), || 0, write, |a, b| a + b);
    assert!(
        written == places && items == places,
        "{items} items do not fit {places} places: there must be as many"
    );
    // SAFETY: each place was given away once, as a mutable reference, and as many were written as there are. The slices have the
    // same layout.
    unsafe { &mut *(std::ptr::from_mut(out) as *mut [T]) }
}

pub(crate) fn sum<W: Forks + ?Sized, S: IntoSource, T: Send + Sum>(
    worker: &W,
    source: S,
    map: impl Fn(Item<S>) -> T + Sync,
) -> T {
    let add = |a: T, b: T| [a, b].into_iter().sum();
    let folded = |_: &W, sum: T, item| {
        // It is in this frame while `map` may unwind.
        let sum = DroppedQuietly::new(sum);
        let mapped = map(item);
        add(sum.into_inner(), mapped)
    };
    fold(worker, source, || empty::<T>().sum(), folded, add)
}

pub(crate) fn count<W: Forks + ?Sized, S: IntoSource>(
    worker: &W,
    source: S,
    predicate: impl Fn(Item<S>) -> bool + Sync,
) -> usize {
    let counted = |_: &W, count, item| count + usize::from(predicate(item));
    fold(worker, source, || 0, counted, |a, b| a + b)
}

pub(crate) fn min<W: Forks + ?Sized, S: IntoSource>(worker: &W, source: S) -> Option<Item<S>>
where
    Item<S>: Ord + Send,
{
    best(worker, source, |item| item, |item| item, |old, new| new < old)
}

pub(crate) fn max<W: Forks + ?Sized, S: IntoSource>(worker: &W, source: S) -> Option<Item<S>>
where
    Item<S>: Ord + Send,
{
    best(worker, source, |item| item, |item| item, |old, new| new >= old)
}

pub(crate) fn min_by_key<W: Forks + ?Sized, S: IntoSource, K: Ord + Send>(
    worker: &W,
    source: S,
    key: impl Fn(&Item<S>) -> K + Sync,
) -> Option<Item<S>>
where
    Item<S>: Send,
{
    let keyed = |item| (key(&item), item);
    best(worker, source, keyed, |(_, item)| item, |old, new| new.0 < old.0)
}

pub(crate) fn max_by_key<W: Forks + ?Sized, S: IntoSource, K: Ord + Send>(
    worker: &W,
    source: S,
    key: impl Fn(&Item<S>) -> K + Sync,
) -> Option<Item<S>>
where
    Item<S>: Send,
{
    let keyed = |item| (key(&item), item);
    best(worker, source, keyed, |(_, item)| item, |old, new| new.0 >= old.0)
}

/// The item that no later one takes the place of, each with what `keyed` adds to it.
fn best<W: Forks + ?Sized, S: IntoSource, T: Send>(
    worker: &W,
    source: S,
    keyed: impl Fn(Item<S>) -> T + Sync,
    item: impl FnOnce(T) -> Item<S>,
    is_better: impl Fn(&T, &T) -> bool + Sync,
) -> Option<Item<S>> {
    let better = |old: Option<T>, new: Option<T>| {
        // They are in this frame while they are compared, which may unwind.
        let (old, new) = (DroppedQuietly::new(old), DroppedQuietly::new(new));
        let takes_over = match (&*old, &*new) {
            (Some(old), Some(new)) => is_better(old, new),
            (_, new) => new.is_some(),
        };
        if takes_over { new.into_inner() } else { old.into_inner() }
    };
    let folded = |_: &W, old: Option<T>, item| {
        let old = DroppedQuietly::new(old);
        let new = keyed(item);
        better(old.into_inner(), Some(new))
    };
    fold(worker, source, || None, folded, better).map(item)
}

pub(crate) fn for_each_init<W: Forks + ?Sized, S: IntoSource, T: Send>(
    worker: &W,
    source: S,
    init: impl Fn() -> T + Sync,
    body: impl Fn(&mut T, Item<S>) + Sync,
) {
    let folded = |_: &W, state: T, item| {
        // It is in this frame while `body` may unwind.
        let mut state = DroppedQuietly::new(state);
        body(state.get_mut(), item);
        state.into_inner()
    };
    fold(worker, source, init, folded, |state, _| state);
}
