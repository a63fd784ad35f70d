//! Branches that may fail, and the error that comes out.
//!
//! | what | which error | what a failure stops |
//! |---|---|---|
//! | [`Worker::try_join`], [`Worker::try_join_range`] | the leftmost, that of serial code | branches to its right that nobody has begun |
//! | [`Worker::try_scope`] | the first in time | everything in the scope, at its next look |
//! | [`Worker::try_for_each`], [`Worker::try_fold`], [`Worker::try_map_reduce`] | one of those | items that nobody has begun |
//!
//! Source: a join of results is `try_join` of futures; that it returns the leftmost error whoever fails first is our own.

use super::Scope;
use crate::cancel::Cancel;
use crate::deque::{Deque, Split};
use crate::probe::{NoProbe, Probe};
use crate::scheduler::Worker;
use crate::task::panic::drop_quietly;
use lyocell_sync::unmodelled::{AtomicBool, AtomicUsize, Mutex, Ordering};
use std::fmt;
use std::ops::Range;

/// What a branch that may fail returns: a `Result`, or an `Option`, whose error is `()`.
pub trait Fallible: Sized + sealed::Sealed {
    /// What it returns if it has not failed.
    type Value;
    /// What it has failed with.
    type Error;
    /// The same with another value.
    type Of<T>: Fallible<Value = T, Error = Self::Error>;

    /// As a result.
    ///
    /// # Errors
    /// That with which it has failed.
    fn into_result(self) -> Result<Self::Value, Self::Error>;

    /// From a result.
    fn of(result: Result<Self::Value, Self::Error>) -> Self;
}

mod sealed {
    pub trait Sealed {}
    impl<T, E> Sealed for Result<T, E> {}
    impl<T> Sealed for Option<T> {}
}

impl<V, E> Fallible for Result<V, E> {
    type Value = V;
    type Error = E;
    type Of<T> = Result<T, E>;

    fn into_result(self) -> Result<V, E> {
        self
    }

    fn of(result: Result<V, E>) -> Self {
        result
    }
}

impl<V> Fallible for Option<V> {
    type Value = V;
    type Error = ();
    type Of<T> = Option<T>;

    fn into_result(self) -> Result<V, ()> {
        self.ok_or(())
    }

    fn of(result: Result<V, ()>) -> Self {
        result.ok()
    }
}

/// What two branches return together.
type Both<RA, RB> = <RA as Fallible>::Of<(<RA as Fallible>::Value, <RB as Fallible>::Value)>;

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Runs `a` and `b` as [`Worker::join`] does, and returns what both return, or the error of one: for `Result`s, and for `Option`s.
    ///
    /// If `a` fails, a `b` that nobody has begun is dropped unrun. The error is that of `a` if it has one, else that of `b`: so in a
    /// recursion it is always the leftmost, the one that serial code would return, on any number of workers.
    ///
    /// A `b` that fails on another worker does not stop `a`. Where that is wanted, and any error will do, recurse in a
    /// [`Worker::try_scope`].
    ///
    /// # Errors
    /// As above; an error of `b` beside one of `a` is dropped.
    ///
    /// # Panics
    /// As [`Worker::join`].
    ///
    /// # Examples
    /// ```
    /// use lyocell::{Pool, Worker};
    ///
    /// fn sum(w: &Worker, words: &[&str]) -> Result<i32, std::num::ParseIntError> {
    ///     if let [word] = words {
    ///         return word.parse();
    ///     }
    ///     let (left, right) = words.split_at(words.len() / 2);
    ///     let (a, b) = w.try_join(|w| sum(w, left), |w| sum(w, right))?;
    ///     Ok(a + b)
    /// }
    ///
    /// let pool = Pool::new()?;
    /// assert_eq!(pool.run(|w| sum(w, &["1", "2", "3"])), Ok(6));
    /// assert!(pool.run(|w| sum(w, &["1", "two", "3"])).is_err());
    /// assert_eq!(pool.run(|w| w.try_join(|_| Some(1), |_| None::<u8>)), None);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn try_join<A, B, RA, RB>(&self, a: A, b: B) -> Both<RA, RB>
    where
        A: FnOnce(&Self) -> RA,
        B: FnOnce(&Self) -> RB + Send,
        RA: Fallible,
        RB: Fallible<Error = RA::Error>,
        RB::Value: Send,
        RB::Error: Send,
    {
        let failed = AtomicBool::new(false);
        let failed = &failed;
        let a = move |w: &Self| {
            let result = a(w).into_result();
            if result.is_err() {
                // Ordering: Relaxed; it only saves work.
                failed.store(true, Ordering::Relaxed);
            }
            result
        };
        let b = move |w: &Self| match failed.load(Ordering::Relaxed) {
            true => None,
            false => Some(b(w).into_result()),
        };
        let both = match self.join(a, b) {
            (Err(error), b) => {
                drop(b);
                Err(error)
            }
            (Ok(a), Some(Ok(b))) => Ok((a, b)),
            (Ok(a), Some(Err(error))) => {
                drop(a);
                Err(error)
            }
            (Ok(_), None) => unreachable!("it is passed over only where `a` has failed"),
        };
        Fallible::of(both)
    }

    /// Runs `task` for each index of `range` as [`Worker::join_range`] does, and folds the results, unless one fails.
    ///
    /// If one fails, those after it that nobody has begun do not run. The error is that of the lowest index that fails, on any number
    /// of workers.
    ///
    /// # Errors
    /// As above; other errors are dropped.
    ///
    /// # Panics
    /// As [`Worker::join_range`].
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// let below = |limit| move |_: &lyocell::Worker, i| if i < limit { Ok(i) } else { Err(i) };
    /// pool.run(|w| {
    ///     assert_eq!(w.try_join_range(0..10, 0, below(10), |a, b| a + b), Ok(45));
    ///     assert_eq!(w.try_join_range(0..10, 0, below(7), |a, b| a + b), Err(7));
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn try_join_range<T, E, F, R>(
        &self,
        range: Range<usize>,
        identity: T,
        task: F,
        mut reduce: R,
    ) -> Result<T, E>
    where
        T: Send,
        E: Send,
        F: Fn(&Self, usize) -> Result<T, E> + Sync,
        R: FnMut(T, T) -> T,
    {
        // The lowest index that has failed so far. Ordering, here and below: Relaxed; it only saves work.
        let failed = AtomicUsize::new(usize::MAX);
        let branch = |w: &Self, index| {
            if index > failed.load(Ordering::Relaxed) {
                // One before it fails, whose error is met before this.
                return Err(None);
            }
            task(w, index).map_err(|error| {
                failed.fetch_min(index, Ordering::Relaxed);
                Some(error)
            })
        };
        let both = |sum: Result<T, Option<E>>, next| match (sum, next) {
            (Ok(sum), Ok(next)) => Ok(reduce(sum, next)),
            (Err(error), _) | (Ok(_), Err(error)) => Err(error),
        };
        self.join_range(range, Ok(identity), branch, both)
            .map_err(|error| error.expect("what is passed over comes after what has failed"))
    }

    /// Calls `body` with a scope whose tasks may fail: the first that does stops the others.
    ///
    /// Whoever fails sets a token that the body and all tasks are under, with what they fork: tasks that nobody has begun are dropped
    /// unrun, others stop at their next look, as in [`Worker::cancellable`], and are waited for.
    ///
    /// # Errors
    /// Returns the error that came first in time: of the body, of a task, or given to [`TryScope::fail`].
    ///
    /// # Panics
    /// As [`Worker::scope`]. A panic that comes after a failure may be dropped in favour of its error.
    ///
    /// # Cost
    /// As [`Worker::cancellable`] and [`Worker::scope`].
    ///
    /// # Examples
    /// ```
    /// use lyocell::{Pool, TryScope, Worker};
    ///
    /// /// Whether `n` is the sum of some of the numbers: whoever finds it ends the search.
    /// fn search(w: &Worker, s: TryScope<'_, '_, ()>, numbers: &[u64], n: u64) {
    ///     match (numbers, n) {
    ///         (_, 0) => s.fail(()),
    ///         ([], _) => (),
    ///         ([first, rest @ ..], n) => {
    ///             let with = |w: &Worker| if *first <= n { search(w, s, rest, n - first) };
    ///             w.join(with, |w| search(w, s, rest, n));
    ///         }
    ///     }
    /// }
    ///
    /// let pool = Pool::new()?;
    /// let numbers = [3, 34, 4, 12, 5, 2];
    /// let finds = |n| pool.run(|w| w.try_scope(|s| Ok(search(w, s, &numbers, n)))).is_err();
    /// assert!(finds(9) && !finds(1));
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn try_scope<'env, E, F, R>(&self, body: F) -> Result<R, E>
    where
        E: Send + 'env,
        F: for<'scope> FnOnce(TryScope<'scope, 'env, E, D, P>) -> Result<R, E>,
    {
        let failure = Failure { first: Mutex::new(None), cancel: Cancel::new() };
        let outcome = self.cancellable(&failure.cancel, |w| {
            let failure = &raw const failure;
            w.scope(|scope| {
                // SAFETY: by scope-1 all that has this reference is over when the scope is, and `failure` is in the frame around.
                let failure = unsafe { &*failure };
                body(TryScope { scope, failure }).map_err(|error| failure.set(error)).ok()
            })
        });
        match (failure.first.into_inner(), outcome) {
            (Some(error), Ok(Some(result))) => {
                drop_quietly(result);
                Err(error)
            }
            (Some(error), _) => Err(error),
            (None, Ok(Some(result))) => Ok(result),
            (None, _) => unreachable!("who sets the token has set the error before"),
        }
    }
}

/// The first error of a scope, and the token that is set with it.
struct Failure<E> {
    first: Mutex<Option<E>>,
    cancel: Cancel,
}

impl<E> Failure<E> {
    fn set(&self, error: E) {
        let mut first = self.first.lock();
        if first.is_some() {
            drop(first);
            return drop_quietly(error);
        }
        *first = Some(error);
        drop(first);
        self.cancel.cancel();
    }
}

/// A [`Scope`] whose tasks may fail, which stops the others: made by [`Worker::try_scope`].
///
/// It is `Copy`: a task that spawns more takes it along by `move`.
pub struct TryScope<'scope, 'env, E, D: Deque = Split, P: Probe = NoProbe> {
    scope: &'scope Scope<'scope, 'env, D, P>,
    failure: &'scope Failure<E>,
}

impl<E, D: Deque, P: Probe> Clone for TryScope<'_, '_, E, D, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E, D: Deque, P: Probe> Copy for TryScope<'_, '_, E, D, P> {}

impl<'scope, E: Send, D: Deque, P: Probe> TryScope<'scope, '_, E, D, P> {
    /// Spawns `task` as [`Scope::spawn`] does. If it fails, all that is in the scope is stopped.
    ///
    /// # Panics
    /// As [`Scope::spawn`].
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// let words = ["1", "two", "3"];
    /// let parsed = pool.run(|w| w.try_scope(|s| {
    ///     for word in words {
    ///         s.spawn(move |_| word.parse::<u32>().map(drop));
    ///     }
    ///     Ok(())
    /// }));
    /// assert!(parsed.is_err());
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn spawn<F>(self, task: F)
    where
        F: FnOnce(&Worker<D, P>) -> Result<(), E> + Send + 'scope,
    {
        let failure = self.failure;
        self.scope.spawn(move |worker| {
            if let Err(error) = task(worker) {
                failure.set(error);
            }
        });
    }

    /// Fails with this error, from anywhere in the scope: all that is in it is stopped, the current task where it looks next.
    ///
    /// # Panics
    /// `fail` itself does not panic.
    pub fn fail(self, error: E) {
        self.failure.set(error);
    }
}

impl<E, D: Deque, P: Probe> fmt::Debug for TryScope<'_, '_, E, D, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TryScope").finish_non_exhaustive()
    }
}
