//! What a loop runs over: a collection with a length that can be cut in two.

/// A collection that a loop runs over: it has a length and can be cut in two.
///
/// Implemented for ranges of all integers and characters, for slices and for mutable slices. There are chunks and windows of these
/// ([`chunks`](super::chunks()), [`windows`](super::windows())), every so many items ([`step_by`](super::step_by())), the last one first
/// ([`rev`](super::rev())), and, by [`IntoSource`], vectors and arrays, pairs and triples.
#[diagnostic::on_unimplemented(
    message = "a loop cannot run over `{Self}`",
    label = "not a range, a slice, a vector or an array, nor a reference to one",
    note = "for the items of a vector `v`, write `v`, `&v` or `&mut v` in place of `v.into_iter()`, `v.iter()` or `v.iter_mut()`",
    note = "for numbers, write a range of integers of one type, such as `0..n` or `0..=n`",
    note = "for other iterators, collect them into a vector first, or use rayon's with `compat/rayon-core` under it"
)]
pub trait Source: Sized + Send {
    /// The type of the items, which the loop's body is called with.
    type Item;

    /// The number of items; `usize::MAX` if there are more.
    fn items(&self) -> usize;

    /// The first `count` items, and the others. `count` is at most [`Source::items`].
    fn cut(self, count: usize) -> (Self, Self);

    /// The items in order, one after the other.
    fn iterator(self) -> impl Iterator<Item = Self::Item>;
}

/// A value that can be turned into a [`Source`]: every source, vectors and arrays and references to them, pairs and triples of
/// these.
///
/// A vector by value gives its items away; what a loop does not come to is dropped. A pair runs over both at once and is as long as
/// the shorter. Its first may be a range without end, which numbers the items of the second.
///
/// # Panics
/// [`IntoSource::into_source`] panics if a range without end cannot number all items of the other: `0_u8..` has 256
/// numbers.
///
/// # Examples
/// ```
/// let mut squares = vec![0; 1000];
/// lyocell::par::for_each((0.., &mut squares), |(i, square)| *square = i * i);
/// assert_eq!(squares[31], 961);
///
/// let (xs, ys) = ([1, 2, 3], [4, 5, 6]);
/// let product = lyocell::par::map_reduce((&xs, &ys), |(x, y)| x * y, || 0, |a, b| a + b);
/// assert_eq!(product, 32);
/// ```
#[diagnostic::on_unimplemented(
    message = "a loop cannot run over `{Self}`",
    label = "not a range, a slice, a vector or an array, nor a reference to one",
    note = "for the items of a vector `v`, write `v`, `&v` or `&mut v` in place of `v.into_iter()`, `v.iter()` or `v.iter_mut()`",
    note = "for numbers, write a range of integers of one type, such as `0..n` or `0..=n`",
    note = "for other iterators, collect them into a vector first, or use rayon's with `compat/rayon-core` under it"
)]
pub trait IntoSource {
    /// The type of the source.
    type Source: Source;

    /// Turns it into the source.
    fn into_source(self) -> Self::Source;
}

impl<S: Source> IntoSource for S {
    type Source = S;

    fn into_source(self) -> S {
        self
    }
}

impl<'a, T: Sync> Source for &'a [T] {
    type Item = &'a T;

    fn items(&self) -> usize {
        self.len()
    }

    fn cut(self, count: usize) -> (Self, Self) {
        self.split_at(count)
    }

    fn iterator(self) -> impl Iterator<Item = &'a T> {
        self.iter()
    }
}

impl<'a, T: Send> Source for &'a mut [T] {
    type Item = &'a mut T;

    fn items(&self) -> usize {
        self.len()
    }

    fn cut(self, count: usize) -> (Self, Self) {
        self.split_at_mut(count)
    }

    fn iterator(self) -> impl Iterator<Item = &'a mut T> {
        self.iter_mut()
    }
}

macro_rules! into_slice {
    ($([$($generics:tt)*] $owner:ty),*) => {$(
        impl<'a, T: Sync, $($generics)*> IntoSource for &'a $owner {
            type Source = &'a [T];

            fn into_source(self) -> &'a [T] {
                self
            }
        }

        impl<'a, T: Send, $($generics)*> IntoSource for &'a mut $owner {
            type Source = &'a mut [T];

            fn into_source(self) -> &'a mut [T] {
                self
            }
        }
    )*};
}

into_slice!([] Vec<T>, [const N: usize] [T; N]);
