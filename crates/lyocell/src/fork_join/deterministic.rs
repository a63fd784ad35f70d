//! Reductions whose tree depends on the input alone: the same result, bit by bit, on any number of workers.
//!
//! A sum of floating-point numbers depends on how it is bracketed, and [`Worker::fold`] brackets by who has stolen what. Here
//! the brackets are those of one binary tree: a piece of more than `leaf` items is cut in the middle, and a shorter one is
//! folded item by item. How long a leaf may be is told by the number of items at the root, and by nothing else.
//!
//! ```text
//!                        11 items, leaves of 4 at the most
//!                  5                        6                       tree: always the same
//!              2       3                3       3
//!   one worker:  |------- one part: no fork ------|
//!   two, asked:  |--- a part ---| fork |-- stolen --|               which nodes fork: as it comes
//! ```
//! Which nodes of the tree fork is another question, which the pace answers as in any loop: below a node whose items make a
//! short part, the same recursion goes on without forks, until somebody asks for work.
//!
//! # Invariants
//! - deterministic-1. Whether a node is cut, and where, depends on its number of items and on `leaf`; a sum begins with the
//!   identity at each leaf and nowhere else. So neither forks nor thieves change what is reduced with what.
//!
//! Source: `parallel_deterministic_reduce` of oneTBB, whose tree is fixed by its `simple_partitioner` and a grain size that the
//! user gives. Departure: no grain size, and the tree is not what is forked.

use super::loops::Forks;
use super::source::{IntoSource, Source};
use crate::deque::Deque;
use crate::owner::LoopId;
use crate::probe::Probe;
use crate::scheduler::Worker;
use crate::task::panic::DroppedQuietly;

/// A tree has about so many leaves, unless the leaves would be longer than they may be: for any number of workers to balance.
/// Untuned.
const LEAVES: usize = if cfg!(any(loom, miri)) { 8 } else { 1 << 14 };
/// Items in a leaf at the most: with so many of the cheapest ones, the nodes cost next to nothing. Untuned.
const LONGEST_LEAF: usize = 256;

/// How many items a leaf may have, in a tree of so many (deterministic-1).
fn leaf(items: usize) -> usize {
    (items / LEAVES).clamp(1, LONGEST_LEAF).next_power_of_two()
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// As [`Worker::map_reduce`], with a result that depends on the items alone: the same on any number of workers, whoever
    /// steals what.
    ///
    /// It is for what is not quite associative, as sums of floating-point numbers are. The results are reduced in order, by a
    /// tree of halves over runs of 1 to 256 neighbours; how long these are is told by the number of items. For sums of
    /// floating-point numbers this is also more precise than one item after the other.
    ///
    /// # Panics
    /// As [`Worker::map_reduce`].
    ///
    /// # Cost
    /// As [`Worker::map_reduce`] from some hundred thousand items on. In a shorter loop a call more for each item or few items,
    /// a nanosecond or some.
    ///
    /// # Source
    /// `parallel_deterministic_reduce` of oneTBB.
    ///
    /// # Examples
    /// ```
    /// let values: Vec<f64> = (1..=10_000).map(|i| 1.0 / f64::from(i)).collect();
    /// let sum = |workers| {
    ///     let pool = lyocell::Pool::builder().workers(workers).build()?;
    ///     Ok::<f64, lyocell::BuildError>(
    ///         pool.run(|w| w.map_reduce_deterministic(&values, |x| *x, || 0.0, |a, b| a + b)),
    ///     )
    /// };
    /// assert_eq!(sum(1)?.to_bits(), sum(3)?.to_bits());
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn map_reduce_deterministic<S: IntoSource, T: Send>(
        &self,
        source: S,
        map: impl Fn(<S::Source as Source>::Item) -> T + Sync,
        identity: impl Fn() -> T + Sync,
        reduce: impl Fn(T, T) -> T + Sync,
    ) -> T {
        map_reduce(self, source, map, identity, reduce)
    }

    /// As [`Worker::fold`], with a result that depends on the items alone; see [`Worker::map_reduce_deterministic`].
    ///
    /// There is a sum for each run of 1 to 256 neighbours, so a sum should be small: a number, not a map.
    ///
    /// # Panics
    /// As [`Worker::fold`].
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// let square = |sum: f32, x: &f32| sum + x * x;
    /// let squares = pool.run(|w| w.fold_deterministic(&[3.0, 4.0], || 0.0, square, |a, b| a + b));
    /// assert_eq!(squares, 25.0);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn fold_deterministic<S: IntoSource, T: Send>(
        &self,
        source: S,
        identity: impl Fn() -> T + Sync,
        fold: impl Fn(T, <S::Source as Source>::Item) -> T + Sync,
        reduce: impl Fn(T, T) -> T + Sync,
    ) -> T {
        self::fold(self, source, identity, fold, reduce)
    }
}

pub(crate) fn map_reduce<W: Forks + ?Sized, S: IntoSource, T: Send>(
    worker: &W,
    source: S,
    map: impl Fn(<S::Source as Source>::Item) -> T + Sync,
    identity: impl Fn() -> T + Sync,
    reduce: impl Fn(T, T) -> T + Sync,
) -> T {
    let folded = |sum: T, item| {
        // It is in this frame while `map` may unwind.
        let sum = DroppedQuietly::new(sum);
        let mapped = map(item);
        reduce(sum.into_inner(), mapped)
    };
    fold(worker, source, identity, folded, &reduce)
}

fn fold<W: Forks + ?Sized, S: IntoSource, T: Send>(
    worker: &W,
    source: S,
    identity: impl Fn() -> T + Sync,
    fold: impl Fn(T, <S::Source as Source>::Item) -> T + Sync,
    reduce: impl Fn(T, T) -> T + Sync,
) -> T {
    let id = worker.pace().begin(worker.index());
    let source = source.into_source();
    Tree { id, leaf: leaf(source.items()), fold, identity, reduce }.run(worker, source)
}

/// One reduction.
struct Tree<F, I, R> {
    id: LoopId,
    leaf: usize,
    fold: F,
    identity: I,
    reduce: R,
}

impl<F, I, R> Tree<F, I, R> {
    /// The sum of a piece, which forks as long as it is too long for a part.
    fn run<W, S, T>(&self, worker: &W, piece: S) -> T
    where
        W: Forks + ?Sized,
        S: Source,
        T: Send,
        F: Fn(T, S::Item) -> T + Sync,
        I: Fn() -> T + Sync,
        R: Fn(T, T) -> T + Sync,
    {
        worker.stop_if_cancelled();
        let items = piece.items();
        if items <= worker.pace().items(self.id).max(self.leaf) {
            return worker.pace().measured(self.id, || self.run_part(worker, piece));
        }
        let (left, right) = piece.cut(items / 2);
        let (left, right) = worker.fork(|w| self.run(w, left), |w| self.run(w, right));
        (self.reduce)(left, right)
    }

    /// The same sum without forks, unless somebody asks for work.
    fn run_part<W, S, T>(&self, worker: &W, part: S) -> T
    where
        W: Forks + ?Sized,
        S: Source,
        T: Send,
        F: Fn(T, S::Item) -> T + Sync,
        I: Fn() -> T + Sync,
        R: Fn(T, T) -> T + Sync,
    {
        let items = part.items();
        if items <= self.leaf {
            return part.iterator().fold((self.identity)(), &self.fold);
        }
        if worker.is_asked() {
            worker.pace().restart(self.id);
            return self.run(worker, part);
        }
        let (left, right) = part.cut(items / 2);
        // It is in this frame while the right half may unwind.
        let left = DroppedQuietly::new(self.run_part(worker, left));
        let right = self.run_part(worker, right);
        (self.reduce)(left.into_inner(), right)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn leaves_grow_with_the_input_up_to_their_bound() {
        assert_eq!(leaf(0), 1);
        assert_eq!(leaf(LEAVES), 1);
        assert_eq!(leaf(2 * LEAVES), 2);
        assert_eq!(leaf(5 * LEAVES), 8);
        assert_eq!(leaf(usize::MAX), LONGEST_LEAF);
    }
}
