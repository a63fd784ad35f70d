//! Chunks of slices as sources.

use super::source::Source;

/// The chunks of a slice, each of `size` items; the last has what is left.
///
/// # Panics
/// Panics if `size` is zero.
///
/// # Examples
/// ```
/// use lyocell::par;
///
/// let text = b"the quick brown fox";
/// let spaces = |chunk: &[u8]| chunk.iter().filter(|byte| **byte == b' ').count();
/// assert_eq!(par::map_reduce(par::chunks(text, 4), spaces, || 0, |a, b| a + b), 3);
/// ```
pub fn chunks<T: Sync>(slice: &[T], size: usize) -> impl Source<Item = &[T]> {
    Chunks::new(slice, size)
}

/// The chunks of a mutable slice, each of `size` items; the last has what is left.
///
/// # Panics
/// Panics if `size` is zero.
///
/// # Examples
/// ```
/// use lyocell::par;
///
/// let mut image = vec![0; 640 * 480];
/// par::for_each((0.., par::chunks_mut(&mut image, 640)), |(y, row)| row.fill(y));
/// assert_eq!(image[640 * 31], 31);
/// ```
pub fn chunks_mut<T: Send>(slice: &mut [T], size: usize) -> impl Source<Item = &mut [T]> {
    Chunks::new(slice, size)
}

/// What is cut into chunks, a slice of either kind.
struct Chunks<S> {
    slice: S,
    size: usize,
}

impl<S: Source> Chunks<S> {
    fn new(slice: S, size: usize) -> Chunks<S> {
        assert!(size > 0, "chunks have at least one item, but a size of 0 was asked for");
        Chunks { slice, size }
    }

    fn number(&self) -> usize {
        self.slice.items().div_ceil(self.size)
    }

    /// The first `count` chunks, and the others.
    fn split(self, count: usize) -> (Self, Self) {
        let items = self.slice.items().min(count.saturating_mul(self.size));
        let (slice, rest) = self.slice.cut(items);
        (Chunks { slice, size: self.size }, Chunks { slice: rest, size: self.size })
    }
}

impl<'a, T: Sync> Source for Chunks<&'a [T]> {
    type Item = &'a [T];

    fn items(&self) -> usize {
        self.number()
    }

    fn cut(self, count: usize) -> (Self, Self) {
        self.split(count)
    }

    fn iterator(self) -> impl Iterator<Item = &'a [T]> {
        self.slice.chunks(self.size)
    }
}

impl<'a, T: Send> Source for Chunks<&'a mut [T]> {
    type Item = &'a mut [T];

    fn items(&self) -> usize {
        self.number()
    }

    fn cut(self, count: usize) -> (Self, Self) {
        self.split(count)
    }

    fn iterator(self) -> impl Iterator<Item = &'a mut [T]> {
        self.slice.chunks_mut(self.size)
    }
}
