//! Loops over a [`Source`]: for each, fold, map-reduce.
//!
//! A loop is cut in two: the right half becomes a task, the left half is cut again, until a part is short enough to run.
//! So what is left of a loop lies in the deque as tasks, the largest oldest, and can be taken at any time. What a part is
//! worth is found out on the way ([`pace`](crate::owner::Pace)), so there is no grain size to tune. Within a long part
//! the loop looks every few items whether its worker is asked for work; if it is, the rest of the part is cut up as well.
//!
//! Whoever takes a half back unstolen goes on with the sum of what is left of it, so there are as many sums as steals,
//! not as many as parts.
//!
//! Source: lazy binary splitting (Tzannes, Caragea, Barua, Vishkin 2010). Departure: there, what is left of a loop is in
//! the deque only if the deque was empty; here pushing it costs nothing, and so it always is.

use super::source::{IntoSource, Source};
use crate::current::{AnyWorker, DynWorker, Occupied, Through};
use crate::deque::Deque;
use crate::jobs::InFrame;
use crate::owner::{LoopId, Pace};
use crate::probe::Probe;
use crate::scheduler::Worker;
use crate::task::panic::DroppedQuietly;
use std::cell::Cell;
use std::ops::ControlFlow;

/// What a loop needs of a worker: of a known type, or of whatever type.
pub(crate) trait Forks {
    fn index(&self) -> usize;
    fn pace(&self) -> &Pace;
    fn is_asked(&self) -> bool;
    /// Unwinds if the current task is under a token that is set.
    fn stop_if_cancelled(&self);
    fn workers(&self) -> usize;
    /// [`Worker::join`].
    fn fork<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&Self) -> RA,
        B: FnOnce(&Self) -> RB + Send,
        RB: Send;
}

impl<D: Deque, P: Probe> Forks for Worker<D, P> {
    fn index(&self) -> usize {
        self.index()
    }

    fn pace(&self) -> &Pace {
        &self.own.pace
    }

    fn is_asked(&self) -> bool {
        self.owner.deque.is_asked()
    }

    fn stop_if_cancelled(&self) {
        self.stop_if_cancelled();
    }

    fn workers(&self) -> usize {
        self.workers()
    }

    #[inline(always)]
    fn fork<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&Self) -> RA,
        B: FnOnce(&Self) -> RB + Send,
        RB: Send,
    {
        self.join(a, b)
    }
}

impl Forks for DynWorker {
    fn index(&self) -> usize {
        Occupied::index(self)
    }

    fn pace(&self) -> &Pace {
        AnyWorker::pace(self)
    }

    fn is_asked(&self) -> bool {
        AnyWorker::is_asked(self)
    }

    fn stop_if_cancelled(&self) {
        AnyWorker::stop_if_cancelled(self);
    }

    fn workers(&self) -> usize {
        AnyWorker::workers(self)
    }

    fn fork<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&Self) -> RA,
        B: FnOnce(&Self) -> RB + Send,
        RB: Send,
    {
        let (mut a, mut b) = (Through::new(a), Through::new(b));
        self.join(&mut |worker| a.call(|a| a(worker)), &mut |worker| b.call(|b| b(worker)));
        (a.result(), b.result())
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Calls `body` with each item of a [`Source`], in parallel as far as workers are free.
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
        for_each(self, source, |_, item| body(item));
    }

    /// Maps each item of a [`Source`] and reduces the results, in parallel as far as workers are free.
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
        map_reduce(self, source, |_, item| map(item), identity, reduce)
    }

    /// Folds the items of a [`Source`] into sums and reduces these, in parallel as far as workers are free.
    ///
    /// A worker folds one item after the other into its sum, as [`Iterator::fold`] does; `reduce` joins the sums of
    /// neighbours, in order. It must be associative, with the value of `identity` as its neutral element, and to fold
    /// an item into a sum must be the same as to reduce the sum with what the item alone folds into.
    ///
    /// # Panics
    /// Panics with the panic of one of the calls; other parts run on to their end first.
    ///
    /// # Cost
    /// There is one sum, and one more for each steal, not one for each item or part. So a sum may be large, a map or
    /// a vector.
    ///
    /// # Source
    /// As [`Worker::for_each`].
    ///
    /// # Examples
    /// ```
    /// use std::collections::HashMap;
    ///
    /// let pool = lyocell::Pool::new()?;
    /// let words: Vec<&str> = "a rose is a rose is a rose".split(' ').collect();
    /// let counts = pool.run(|w| {
    ///     let count = |mut counts: HashMap<_, _>, word| {
    ///         *counts.entry(word).or_insert(0) += 1;
    ///         counts
    ///     };
    ///     let merge = |mut counts: HashMap<_, _>, others| {
    ///         for (word, count) in others {
    ///             *counts.entry(word).or_insert(0) += count;
    ///         }
    ///         counts
    ///     };
    ///     w.fold(&words, HashMap::new, count, merge)
    /// });
    /// assert_eq!(counts[&"rose"], 3);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn fold<S: IntoSource, T: Send>(
        &self,
        source: S,
        identity: impl Fn() -> T + Sync,
        fold: impl Fn(T, <S::Source as Source>::Item) -> T + Sync,
        reduce: impl Fn(T, T) -> T + Sync,
    ) -> T {
        self::fold(self, source, identity, |_, sum, item| fold(sum, item), reduce)
    }

    /// As [`Worker::for_each`]; `body` is given the handle of the worker that runs it, to fork in it.
    ///
    /// # Panics
    /// As [`Worker::for_each`].
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// let mut rows = vec![vec![1; 100]; 100];
    /// pool.run(|w| w.for_each_with(&mut rows, |w, row| w.for_each(row, |x| *x += 1)));
    /// assert!(rows.iter().flatten().all(|x| *x == 2));
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn for_each_with<S: IntoSource>(
        &self,
        source: S,
        body: impl Fn(&Self, <S::Source as Source>::Item) + Sync,
    ) {
        for_each(self, source, body);
    }

    /// As [`Worker::map_reduce`]; `map` is given the handle of the worker that runs it, to fork in it.
    ///
    /// # Panics
    /// As [`Worker::map_reduce`].
    pub fn map_reduce_with<S: IntoSource, T: Send>(
        &self,
        source: S,
        map: impl Fn(&Self, <S::Source as Source>::Item) -> T + Sync,
        identity: impl Fn() -> T + Sync,
        reduce: impl Fn(T, T) -> T + Sync,
    ) -> T {
        map_reduce(self, source, map, identity, reduce)
    }

    /// As [`Worker::fold`]; `fold` is given the handle of the worker that runs it, to fork in it.
    ///
    /// # Panics
    /// As [`Worker::fold`].
    pub fn fold_with<S: IntoSource, T: Send>(
        &self,
        source: S,
        identity: impl Fn() -> T + Sync,
        fold: impl Fn(&Self, T, <S::Source as Source>::Item) -> T + Sync,
        reduce: impl Fn(T, T) -> T + Sync,
    ) -> T {
        self::fold(self, source, identity, fold, reduce)
    }
}

pub(crate) fn for_each<W: Forks + ?Sized, S: IntoSource>(
    worker: &W,
    source: S,
    body: impl Fn(&W, <S::Source as Source>::Item) + Sync,
) {
    fold(worker, source, || (), |worker, (), item| body(worker, item), |(), ()| ());
}

pub(crate) fn map_reduce<W: Forks + ?Sized, S: IntoSource, T: Send>(
    worker: &W,
    source: S,
    map: impl Fn(&W, <S::Source as Source>::Item) -> T + Sync,
    identity: impl Fn() -> T + Sync,
    reduce: impl Fn(T, T) -> T + Sync,
) -> T {
    let folded = |worker: &W, sum: T, item| {
        // It is in this frame while `map` may unwind.
        let sum = DroppedQuietly::new(sum);
        let mapped = map(worker, item);
        reduce(sum.into_inner(), mapped)
    };
    fold(worker, source, identity, folded, &reduce)
}

pub(crate) fn fold<W: Forks + ?Sized, S: IntoSource, T: Send>(
    worker: &W,
    source: S,
    identity: impl Fn() -> T + Sync,
    fold: impl Fn(&W, T, <S::Source as Source>::Item) -> T + Sync,
    reduce: impl Fn(T, T) -> T + Sync,
) -> T {
    let fold = |worker: &W, sum, item| ControlFlow::Continue(fold(worker, sum, item));
    fold_until(worker, source.into_source(), identity(), identity, fold, reduce, |_| false)
}

/// As [`fold`], beginning with `sum`; leaves off where `fold` breaks, and passes over a piece for which it is over.
pub(crate) fn fold_until<W: Forks + ?Sized, S: Source, T: Send>(
    worker: &W,
    source: S,
    sum: T,
    identity: impl Fn() -> T + Sync,
    fold: impl Fn(&W, T, S::Item) -> ControlFlow<T, T> + Sync,
    reduce: impl Fn(T, T) -> T + Sync,
    is_over: impl Fn(&S) -> bool + Sync,
) -> T {
    let id = worker.pace().begin(worker.index());
    Body { id, fold, identity, reduce, is_over }.run(worker, source, sum)
}

/// How many items are run, at the most, between two looks whether somebody asks.
const LOOK_EVERY: usize = 64;

/// One loop.
struct Body<F, I, R, O> {
    id: LoopId,
    fold: F,
    identity: I,
    reduce: R,
    /// Whether a piece is not wanted any more.
    is_over: O,
}

/// What a right half came to.
enum Half<T> {
    /// The sum of all from the beginning of the left half on.
    WithLeft(T),
    /// Its own sum.
    Alone(T),
}

impl<F, I, R, O> Body<F, I, R, O> {
    /// Folds the items of a piece into the sum of what is left of it.
    fn run<W, S, T>(&self, worker: &W, piece: S, sum: T) -> T
    where
        W: Forks + ?Sized,
        S: Source,
        T: Send,
        F: Fn(&W, T, S::Item) -> ControlFlow<T, T> + Sync,
        I: Fn() -> T + Sync,
        R: Fn(T, T) -> T + Sync,
        O: Fn(&S) -> bool + Sync,
    {
        if (self.is_over)(&piece) {
            return sum;
        }
        // It is in this frame while the task may stop.
        let sum = DroppedQuietly::new(sum);
        worker.stop_if_cancelled();
        let sum = sum.into_inner();
        let items = piece.items();
        if items <= worker.pace().items(self.id) {
            return self.run_part(worker, piece, sum);
        }
        let (left, right) = piece.cut(items / 2);
        // It is in this frame while the right half may unwind.
        let left_sum = DroppedQuietly::new(Cell::new(None));
        let left_sum = &left_sum;
        let (here, owner) = (InFrame::new((&raw const **left_sum).cast_mut()), worker.index());
        let run_right = move |w: &W| {
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
            worker.fork(|w| left_sum.set(Some(self.run(w, left, sum))), run_right);
        match right_sum {
            Half::WithLeft(sum) => sum,
            Half::Alone(sum) => {
                let left = left_sum.take().expect("nobody else has taken the left half's");
                (self.reduce)(left, sum)
            }
        }
    }

    /// Runs a part item by item, unless somebody asks for the rest.
    fn run_part<W, S, T>(&self, worker: &W, part: S, sum: T) -> T
    where
        W: Forks + ?Sized,
        S: Source,
        T: Send,
        F: Fn(&W, T, S::Item) -> ControlFlow<T, T> + Sync,
        I: Fn() -> T + Sync,
        R: Fn(T, T) -> T + Sync,
        O: Fn(&S) -> bool + Sync,
    {
        let (sum, rest) = worker.pace().measured(self.id, || {
            let (mut sum, mut rest) = (sum, part);
            loop {
                let few = LOOK_EVERY.min(rest.items());
                let (few, later) = rest.cut(few);
                sum = self.run_few(worker, few, sum);
                rest = later;
                if rest.items() == 0 || worker.is_asked() || (self.is_over)(&rest) {
                    return (sum, rest);
                }
            }
        });
        if rest.items() == 0 {
            return sum;
        }
        worker.pace().restart(self.id);
        self.run(worker, rest, sum)
    }

    /// Folds a few items, unless the fold leaves off.
    #[inline]
    fn run_few<W, S, T>(&self, worker: &W, few: S, sum: T) -> T
    where
        W: ?Sized,
        S: Source,
        F: Fn(&W, T, S::Item) -> ControlFlow<T, T>,
    {
        match few.iterator().try_fold(sum, |sum, item| (self.fold)(worker, sum, item)) {
            ControlFlow::Break(sum) | ControlFlow::Continue(sum) => sum,
        }
    }
}
