//! Loops: for each, and map-reduce, over ranges and slices.
//!
//! A loop is cut in two: the right half becomes a task, the left half is cut again, until a part is short enough to run.
//! So what is left of a loop lies in the deque as tasks, the largest oldest, and can be taken at any time. What a part is
//! worth is found out on the way ([`pace`](crate::worker::Pace)), so there is no grain size to tune. Within a long part
//! the loop looks every few items whether its worker is asked for work; if it is, the rest of the part is cut up as well.
//!
//! Whoever takes a half back unstolen goes on with the sum of what is left of it, so there are as many sums as steals,
//! not as many as parts.
//!
//! Source: lazy binary splitting (Tzannes, Caragea, Barua, Vishkin 2010). Departure: there, what is left of a loop is in
//! the deque only if the deque was empty; here pushing it costs nothing, and so it always is.

use crate::deque::Deque;
use crate::probe::Probe;
use crate::worker::{InFrame, LoopId, Worker};
use std::cell::Cell;
use std::ops::Range;

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
    /// There is no grain size: as long as other workers are free, they take halves of what is left. The order in which
    /// items of different parts are met is open.
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
        let body = Body { id: self.pace.begin(self.index()), fold, identity, reduce: &reduce };
        let sum = (body.identity)();
        body.run(self, source.into_source(), sum)
    }
}

/// How many items are run, at the most, between two looks whether somebody asks.
const LOOK_EVERY: usize = 64;

/// One loop.
struct Body<F, I, R> {
    id: LoopId,
    fold: F,
    identity: I,
    reduce: R,
}

/// What a right half came to.
enum Half<T> {
    /// The sum of all from the beginning of the left half on.
    WithLeft(T),
    /// Its own sum.
    Alone(T),
}

impl<F, I, R> Body<F, I, R> {
    /// Folds the items of a piece into the sum of what is left of it.
    fn run<D, P, S, T>(&self, worker: &Worker<D, P>, piece: S, sum: T) -> T
    where
        D: Deque,
        P: Probe,
        S: Source,
        T: Send,
        F: Fn(T, S::Item) -> T + Sync,
        I: Fn() -> T + Sync,
        R: Fn(T, T) -> T + Sync,
    {
        let items = piece.items();
        if items <= worker.pace.items(self.id) {
            return self.run_part(worker, piece, sum);
        }
        let (left, right) = piece.cut(items / 2);
        let left_sum = Cell::new(None);
        let (here, owner) = (InFrame::new((&raw const left_sum).cast_mut()), worker.index());
        let run_right = move |w: &Worker<D, P>| {
            let before: Option<T> = match w.index() == owner {
                // SAFETY: the frame waits for this half, and the worker that it is on has one thread (worker-1).
                true => unsafe { (*here.pointer()).take() },
                false => None,
            };
            match before {
                Some(sum) => Half::WithLeft(self.run(w, right, sum)),
                None => Half::Alone(self.run(w, right, (self.identity)())),
            }
        };
        let ((), right_sum) =
            worker.join(|w| left_sum.set(Some(self.run(w, left, sum))), run_right);
        match right_sum {
            Half::WithLeft(sum) => sum,
            Half::Alone(sum) => {
                let left = left_sum.take().expect("nobody else has taken the left half's");
                (self.reduce)(left, sum)
            }
        }
    }

    /// Runs a part item by item, unless somebody asks for the rest.
    fn run_part<D, P, S, T>(&self, worker: &Worker<D, P>, part: S, sum: T) -> T
    where
        D: Deque,
        P: Probe,
        S: Source,
        T: Send,
        F: Fn(T, S::Item) -> T + Sync,
        I: Fn() -> T + Sync,
        R: Fn(T, T) -> T + Sync,
    {
        let (sum, rest) = worker.pace.measured(self.id, || {
            let (mut sum, mut rest) = (sum, part);
            loop {
                let few = LOOK_EVERY.min(rest.items());
                let (few, later) = rest.cut(few);
                sum = few.fold(sum, &self.fold);
                rest = later;
                if rest.items() == 0 || worker.deque.is_asked() {
                    return (sum, rest);
                }
            }
        });
        if rest.items() == 0 {
            return sum;
        }
        worker.pace.restart(self.id);
        self.run(worker, rest, sum)
    }
}
