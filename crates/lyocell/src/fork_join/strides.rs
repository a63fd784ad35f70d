//! Windows of slices, every so many items of a source, and a source from its end, as sources.

use super::source::{IntoSource, Source};

/// The windows of a slice: all runs of `size` neighbours. None if the slice is shorter.
///
/// # Panics
/// Panics if `size` is zero.
///
/// # Examples
/// ```
/// use lyocell::par;
///
/// let is_sorted = par::all(par::windows(&[1, 2, 2, 5], 2), |pair| pair[0] <= pair[1]);
/// assert!(is_sorted);
/// ```
pub fn windows<T: Sync>(slice: &[T], size: usize) -> impl Source<Item = &[T]> {
    assert!(size > 0, "windows have at least one item, but a size of 0 was asked for");
    Windows { slice, size }
}

struct Windows<'a, T> {
    slice: &'a [T],
    size: usize,
}

impl<'a, T: Sync> Source for Windows<'a, T> {
    type Item = &'a [T];

    fn items(&self) -> usize {
        (self.slice.len() + 1).saturating_sub(self.size)
    }

    fn cut(self, count: usize) -> (Self, Self) {
        let overlap = if count == 0 { 0 } else { self.size - 1 };
        let left = Windows { slice: &self.slice[..count + overlap], size: self.size };
        (left, Windows { slice: &self.slice[count..], size: self.size })
    }

    fn iterator(self) -> impl Iterator<Item = &'a [T]> {
        self.slice.windows(self.size)
    }
}

/// The first item of a source, and every `step`th after it.
///
/// # Panics
/// Panics if `step` is zero.
///
/// # Examples
/// ```
/// use lyocell::par;
///
/// assert_eq!(par::map(par::step_by(0..20, 7), |i| i), [0, 7, 14]);
/// ```
pub fn step_by<S: IntoSource>(
    source: S,
    step: usize,
) -> impl Source<Item = <S::Source as Source>::Item> {
    assert!(step > 0, "a step leads on, but one of 0 was asked for");
    Steps { source: source.into_source(), step }
}

struct Steps<S> {
    source: S,
    step: usize,
}

impl<S: Source> Source for Steps<S> {
    type Item = S::Item;

    fn items(&self) -> usize {
        self.source.items().div_ceil(self.step)
    }

    fn cut(self, count: usize) -> (Self, Self) {
        let items = self.source.items().min(count.saturating_mul(self.step));
        let (source, rest) = self.source.cut(items);
        (Steps { source, step: self.step }, Steps { source: rest, step: self.step })
    }

    fn iterator(self) -> impl Iterator<Item = S::Item> {
        self.source.iterator().step_by(self.step)
    }
}

/// The items of a source, the last one first.
///
/// A loop takes up its items in any order. What comes of them is in this one: where [`map`](crate::par::map) puts results, which
/// is the first one found, what a pair goes with.
///
/// # Panics
/// Panics if the source has more items than can be counted.
///
/// # Cost
/// A source is cut once for each item: nothing to speak of for ranges and slices, a count of who shares it for a vector by value.
///
/// # Examples
/// ```
/// use lyocell::par;
///
/// assert_eq!(par::map(par::rev(&[1, 2, 3]), |i| i * i), [9, 4, 1]);
/// assert_eq!(par::position(par::rev(b"a.b.c"), |byte| *byte == b'.'), Some(1));
/// ```
pub fn rev<S: IntoSource>(source: S) -> impl Source<Item = <S::Source as Source>::Item> {
    let source = source.into_source();
    let items = source.items();
    assert!(items < usize::MAX, "a source of {items} items or more has no end to begin at");
    Reversed(source)
}

struct Reversed<S>(S);

impl<S: Source> Reversed<S> {
    fn pop_last(self) -> Option<(Self, S::Item)> {
        let last = self.0.items().checked_sub(1)?;
        let (rest, last) = self.0.cut(last);
        last.iterator().next().map(|item| (Reversed(rest), item))
    }
}

impl<S: Source> Source for Reversed<S> {
    type Item = S::Item;

    fn items(&self) -> usize {
        self.0.items()
    }

    fn cut(self, count: usize) -> (Self, Self) {
        let rest = self.0.items() - count;
        let (rest, first) = self.0.cut(rest);
        (Reversed(first), Reversed(rest))
    }

    fn iterator(self) -> impl Iterator<Item = S::Item> {
        let mut left = Some(self);
        std::iter::from_fn(move || {
            let (rest, item) = left.take()?.pop_last()?;
            left = Some(rest);
            Some(item)
        })
    }
}
