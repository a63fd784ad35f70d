//! Three and four closures at once: joins within joins.

use crate::deque::Deque;
use crate::probe::Probe;
use crate::scheduler::Worker;

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Runs three closures, in parallel as far as workers are free, and returns their results: [`Worker::join`] of `a` and of a
    /// join of the other two.
    ///
    /// # Panics
    /// Panics with the panic of the first of them that panics, in the order of the arguments, after all that was begun has ended.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// let (a, b, c) = pool.run(|w| w.join3(|_| 1, |_| "two", |_| 3.0));
    /// assert_eq!((a, b, c), (1, "two", 3.0));
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn join3<A, B, C, RA, RB, RC>(&self, a: A, b: B, c: C) -> (RA, RB, RC)
    where
        A: FnOnce(&Self) -> RA,
        B: FnOnce(&Self) -> RB + Send,
        C: FnOnce(&Self) -> RC + Send,
        RB: Send,
        RC: Send,
    {
        let (a, (b, c)) = self.join(a, |w| w.join(b, c));
        (a, b, c)
    }

    /// Runs four closures, as [`Worker::join3`] runs three: a join of two joins.
    ///
    /// # Panics
    /// As [`Worker::join3`].
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// let results = pool.run(|w| w.join4(|_| 1, |_| 2, |_| 3, |_| 4));
    /// assert_eq!(results, (1, 2, 3, 4));
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn join4<A, B, C, E, RA, RB, RC, RE>(&self, a: A, b: B, c: C, e: E) -> (RA, RB, RC, RE)
    where
        A: FnOnce(&Self) -> RA,
        B: FnOnce(&Self) -> RB + Send,
        C: FnOnce(&Self) -> RC + Send,
        E: FnOnce(&Self) -> RE + Send,
        RB: Send,
        RC: Send,
        RE: Send,
    {
        let ((a, b), (c, e)) = self.join(|w| w.join(a, b), |w| w.join(c, e));
        (a, b, c, e)
    }
}
