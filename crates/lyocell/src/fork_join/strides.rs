//! Windows of slices, and every so many items of a source, as sources.

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
