//! Pairs and triples as sources: two or three sources beside each other, or a source with numbers.

use super::integers::Integer;
use super::source::{IntoSource, Source};
use std::ops::RangeFrom;

/// Two sources beside each other, made from a pair of them by [`IntoSource`].
#[derive(Clone, Debug)]
// Both have the same number of items.
pub struct Zip<A, B>(A, B);

impl<A: IntoSource, B: IntoSource> IntoSource for (A, B) {
    type Source = Zip<A::Source, B::Source>;

    fn into_source(self) -> Self::Source {
        let (a, b) = (self.0.into_source(), self.1.into_source());
        let items = a.items().min(b.items());
        Zip(a.cut(items).0, b.cut(items).0)
    }
}

impl<A: Source, B: Source> Source for Zip<A, B> {
    type Item = (A::Item, B::Item);

    fn items(&self) -> usize {
        self.0.items()
    }

    fn cut(self, count: usize) -> (Self, Self) {
        let ((a, more_a), (b, more_b)) = (self.0.cut(count), self.1.cut(count));
        (Zip(a, b), Zip(more_a, more_b))
    }

    fn iterator(self) -> impl Iterator<Item = Self::Item> {
        self.0.iterator().zip(self.1.iterator())
    }
}

/// Three sources beside each other, made from a triple of them by [`IntoSource`].
#[derive(Clone, Debug)]
pub struct Zip3<A, B, C>(Zip<A, Zip<B, C>>);

impl<A: IntoSource, B: IntoSource, C: IntoSource> IntoSource for (A, B, C) {
    type Source = Zip3<A::Source, B::Source, C::Source>;

    fn into_source(self) -> Self::Source {
        Zip3((self.0, (self.1, self.2)).into_source())
    }
}

impl<A: Source, B: Source, C: Source> Source for Zip3<A, B, C> {
    type Item = (A::Item, B::Item, C::Item);

    fn items(&self) -> usize {
        self.0.items()
    }

    fn cut(self, count: usize) -> (Self, Self) {
        let (left, right) = self.0.cut(count);
        (Zip3(left), Zip3(right))
    }

    fn iterator(self) -> impl Iterator<Item = Self::Item> {
        self.0.iterator().map(|(a, (b, c))| (a, b, c))
    }
}

/// A source whose items are numbered, made by [`IntoSource`] from a pair of a range without end and another source.
#[derive(Clone, Debug)]
#[doc(alias = "enumerate")]
pub struct Numbered<T, S> {
    first: T,
    source: S,
}

impl<T: Integer, S: IntoSource> IntoSource for (RangeFrom<T>, S) {
    type Source = Numbered<T, S::Source>;

    fn into_source(self) -> Self::Source {
        let (first, source) = (self.0.start, self.1.into_source());
        let items = source.items();
        assert!(
            items == 0 || items - 1 <= first.distance(T::MAX),
            "the range without end has too few numbers for {items} items: give it a wider integer type",
        );
        Numbered { first, source }
    }
}

impl<T: Copy, S> Numbered<T, S> {
    /// The number of its first item.
    pub(super) fn first(&self) -> T {
        self.first
    }
}

impl<T: Integer, S: Source> Source for Numbered<T, S> {
    type Item = (T, S::Item);

    fn items(&self) -> usize {
        self.source.items()
    }

    fn cut(self, count: usize) -> (Self, Self) {
        let (source, rest) = self.source.cut(count);
        // Past the greatest number only if the rest is empty.
        let first_of_rest = self.first.wrapping_add(count);
        (Numbered { first: self.first, source }, Numbered { first: first_of_rest, source: rest })
    }

    fn iterator(self) -> impl Iterator<Item = Self::Item> {
        let numbered = self.source.iterator().enumerate();
        numbered.map(move |(index, item)| (self.first.wrapping_add(index), item))
    }
}
