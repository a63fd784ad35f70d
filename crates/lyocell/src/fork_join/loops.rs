//! Loops: for each, and map-reduce, over ranges and slices; split only when somebody asks.
//!
//! A loop runs in chunks. After each it looks whether its worker is asked for work; only then does it
//! split what is left in two and fork. So there is no grain size to tune: nobody idle, no tasks.
//! The length of a chunk follows the clock: it doubles until a chunk takes some microseconds, so that a
//! loop over cheap items pays nothing for looking, and one over dear items answers soon.
//!
//! Source: lazy splitting, after lazy binary splitting (Tzannes, Caragea, Barua, Vishkin 2010), with the
//! split request in the place of "my deque is empty".

use crate::deque::Deque;
use crate::outside::Instant;
use crate::probe::Probe;
use crate::worker::Worker;
use std::ops::Range;
use std::time::Duration;

/// A collection that a loop runs over: it has a length and can be cut in two.
///
/// Implemented for ranges of the common integers, for slices and for mutable slices.
pub trait Source: Sized + Send {
    /// The type of the items, which the loop's body is called with.
    type Item;

    /// The number of items, at most `usize::MAX`.
    fn items(&self) -> usize;

    /// The first `count` items, and the others. `count` is at most [`Source::items`].
    fn cut(self, count: usize) -> (Self, Self);

    /// Folds the items in order.
    fn fold<T>(self, first: T, fold: impl FnMut(T, Self::Item) -> T) -> T;
}

/// A value that can be turned into a [`Source`]: every source, and references to vectors and arrays.
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

macro_rules! source_from_range {
    ($($index:ty),*) => {$(
        impl Source for Range<$index> {
            type Item = $index;

            fn items(&self) -> usize {
                if self.is_empty() {
                    return 0;
                }
                usize::try_from(self.end.abs_diff(self.start)).unwrap_or(usize::MAX)
            }

            fn cut(self, count: usize) -> (Self, Self) {
                // `count` items are in the range, so the sum is too; only the count may look negative.
                let middle = self.start.wrapping_add(count as $index);
                (self.start..middle, middle..self.end)
            }

            fn fold<T>(self, first: T, fold: impl FnMut(T, $index) -> T) -> T {
                Iterator::fold(self, first, fold)
            }
        }
    )*};
}

source_from_range!(usize, u32, u64, isize, i32, i64);

impl<'a, T: Sync> Source for &'a [T] {
    type Item = &'a T;

    fn items(&self) -> usize {
        self.len()
    }

    fn cut(self, count: usize) -> (Self, Self) {
        self.split_at(count)
    }

    fn fold<A>(self, first: A, fold: impl FnMut(A, &'a T) -> A) -> A {
        self.iter().fold(first, fold)
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

    fn fold<A>(self, first: A, fold: impl FnMut(A, &'a mut T) -> A) -> A {
        self.iter_mut().fold(first, fold)
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

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Calls `body` with each item of a range or slice, in parallel as far as workers are free.
    ///
    /// There is no grain size: the loop splits only when a worker asks for work. The order in which items
    /// of different parts are met is open.
    ///
    /// # Panics
    /// Panics with the panic of one of the calls; other parts run on to their end first.
    ///
    /// # Source
    /// Lazy binary splitting (Tzannes and others 2010).
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// let mut squares: Vec<u64> = (0..1000).collect();
    /// pool.run(|w| w.for_each(&mut squares, |x| *x *= *x));
    /// assert_eq!(squares[31], 961);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn for_each<S: IntoSource>(
        &self,
        source: S,
        body: impl Fn(<S::Source as Source>::Item) + Sync,
    ) {
        self.map_reduce(source, body, || (), |(), ()| ());
    }

    /// Maps each item of a range or slice and reduces the results, in parallel as far as workers are free.
    ///
    /// `reduce` must be associative, with the value of `identity` as its neutral element; it need not be
    /// commutative, for neighbours are reduced in order.
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
    /// let words = ["to ", "be ", "or ", "not"];
    /// let text = pool.run(|w| w.map_reduce(&words, |word| word.to_string(), String::new, |a, b| a + &b));
    /// assert_eq!(text, "to be or not");
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn map_reduce<S: IntoSource, T: Send>(
        &self,
        source: S,
        map: impl Fn(<S::Source as Source>::Item) -> T + Sync,
        identity: impl Fn() -> T + Sync,
        reduce: impl Fn(T, T) -> T + Sync,
    ) -> T {
        let fold = |sum, item| reduce(sum, map(item));
        let body = Body { fold, identity, reduce: &reduce };
        body.run(self, source.into_source(), Pace::new())
    }
}

/// The closures of one loop.
struct Body<F, I, R> {
    fold: F,
    identity: I,
    reduce: R,
}

impl<F, I, R> Body<F, I, R> {
    /// Runs chunks, and forks when asked.
    fn run<D, P, S, T>(&self, worker: &Worker<D, P>, mut rest: S, mut pace: Pace) -> T
    where
        D: Deque,
        P: Probe,
        S: Source,
        T: Send,
        F: Fn(T, S::Item) -> T + Sync,
        I: Fn() -> T + Sync,
        R: Fn(T, T) -> T + Sync,
    {
        let mut sum = (self.identity)();
        let mut items = rest.items();
        while items > 0 {
            let (chunk, later) = rest.cut(pace.chunk.min(items));
            sum = chunk.fold(sum, &self.fold);
            rest = later;
            items = rest.items();
            pace.adjust();
            if items > 1 && worker.deque.is_asked() {
                let (left, right) = rest.cut(items / 2);
                let (a, b) = worker.join(
                    |w| self.run(w, left, pace.restarted()),
                    |w| self.run(w, right, pace.restarted()),
                );
                return (self.reduce)(sum, (self.reduce)(a, b));
            }
        }
        sum
    }
}

/// How many items a chunk has, after the time they take.
#[derive(Clone, Copy)]
struct Pace {
    chunk: usize,
    since: Instant,
}

/// What a chunk should take at the least: a hundred times what looking at the clock costs, a tenth of what
/// a sleeping worker takes to wake up. Untuned.
const SHORT: Duration = Duration::from_micros(4);
/// What a chunk should take at the most.
const LONG: Duration = Duration::from_micros(16);

impl Pace {
    fn new() -> Pace {
        Pace { chunk: 1, since: Instant::now() }
    }

    /// The same pace, for a part that begins now.
    fn restarted(self) -> Pace {
        Pace { since: Instant::now(), ..self }
    }

    /// A chunk is over.
    fn adjust(&mut self) {
        let now = Instant::now();
        let took = now - self.since;
        self.since = now;
        if took < SHORT {
            self.chunk = self.chunk.saturating_mul(2);
        } else if took > LONG {
            self.chunk = (self.chunk / 2).max(1);
        }
    }
}
