//! Calls that may be cut short by a token from elsewhere.

use crate::cancel::{Cancel, Cancelled, Stopped, Token};
use crate::deque::Deque;
use crate::probe::Probe;
use crate::scheduler::Worker;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Calls `body`, and stops it and all the tasks below it when the token is set, on whatever worker they are.
    ///
    /// A task looks at the token where its worker does something that takes long anyway: where it begins at a thief, where it
    /// forks or joins when somebody asks for work (who sets the token asks all), and between the parts of a loop, every few
    /// microseconds. There it unwinds, as from a panic, up to this call: what it owns is dropped, tasks that have not begun are
    /// dropped unrun, and those that others run are waited for. A long task that does none of this asks by
    /// [`Worker::is_cancelled`].
    ///
    /// What happens if the token is set when `body` is over is nothing: its result is returned. A task of a scope that has
    /// not begun is dropped. Detached tasks, and what is run on other pools, are not stopped.
    ///
    /// # Errors
    /// [`Cancelled`] if the token has stopped it, or was set before.
    ///
    /// # Panics
    /// Panics with the panic of `body`. A panic that comes when the token is set may be dropped in favour of [`Cancelled`].
    /// In a program whose panics abort nothing unwinds, and so nothing is stopped; but [`Worker::is_cancelled`] tells.
    ///
    /// # Cost
    /// A lock and an allocation here, and a lock for each task that is stolen from below it; nothing for a push or pop. Elsewhere a
    /// load for each steal.
    ///
    /// # Examples
    /// ```
    /// use lyocell::{Cancel, Cancelled, Pool, Worker};
    ///
    /// fn endless(w: &Worker, depth: u32, cancel: &Cancel) {
    ///     if depth == 10 {
    ///         cancel.cancel();
    ///     }
    ///     w.join(|w| endless(w, depth + 1, cancel), |_| ());
    /// }
    ///
    /// let (pool, cancel) = (Pool::new()?, Cancel::new());
    /// let result = pool.run(|w| w.cancellable(&cancel, |w| endless(w, 0, &cancel)));
    /// assert_eq!(result, Err(Cancelled));
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn cancellable<R>(
        &self,
        cancel: &Cancel,
        body: impl FnOnce(&Self) -> R,
    ) -> Result<R, Cancelled> {
        // SAFETY: it is dropped before this returns.
        let listening = unsafe { self.listen_to(cancel) };
        let token = Token::within(cancel, self.token());
        let outcome = self.under(Some(token), || {
            // After it listens: so no look is missed.
            match cancel.is_cancelled() {
                true => None,
                false => Some(catch_unwind(AssertUnwindSafe(|| body(self)))),
            }
        });
        drop(listening);
        match outcome {
            None => Err(Cancelled),
            Some(Ok(result)) => Ok(result),
            Some(Err(panic)) if panic.is::<Stopped>() && cancel.is_cancelled() => Err(Cancelled),
            // Its own, or a token's around this one.
            Some(Err(panic)) => {
                self.note_unwinding();
                resume_unwind(panic)
            }
        }
    }

    /// Returns whether the current task is under a token that is set, see [`Worker::cancellable`]: for long tasks, which return
    /// early then.
    ///
    /// # Cost
    /// Outside of cancellable calls a load; else some ten nanoseconds, for it takes a lock that nobody holds long.
    ///
    /// # Examples
    /// ```
    /// use lyocell::{Cancel, Cancelled};
    ///
    /// let (pool, cancel) = (lyocell::Pool::new()?, Cancel::new());
    /// let count = pool.run(|w| {
    ///     w.cancellable(&cancel, |w| {
    ///         let mut count = 0;
    ///         while !w.is_cancelled() {
    ///             count += 1;
    ///             if count == 1_000 {
    ///                 cancel.cancel();
    ///             }
    ///         }
    ///         count
    ///     })
    /// });
    /// assert_eq!(count, Ok(1_000));
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn is_cancelled(&self) -> bool {
        self.token().is_some_and(|token| token.is_cancelled())
    }
}
