//! A call that is awaited: a detached task under a token, which is set when nobody waits any more.

use super::Pool;
use crate::cancel::{Cancel, Cancelled};
use crate::current::TaskHandle;
use crate::deque::Deque;
use crate::fork_join::Scope;
use crate::probe::Probe;
use crate::scheduler::{Registry, Worker};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// A call that is under way; made by [`Pool::run_async`] and [`Pool::scope_async`].
///
/// It is a [`Future`] of what the call returns, which any executor can await. Dropping it cancels the call, as
/// [`Cancel::cancel`] does, and does not wait for its end.
#[must_use = "a call is cancelled when it is dropped"]
pub struct Running<T> {
    handle: TaskHandle<Result<T, Cancelled>>,
    cancel: Cancel,
}

/// # Panics
/// Polling panics with the panic of the call, and when it is polled again after it was ready.
impl<T: Send> Future for Running<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let outcome = ready!(Pin::new(&mut self.handle).poll(context));
        Poll::Ready(outcome.expect("the token is set by the drop alone, and then nobody polls"))
    }
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        if !self.handle.is_finished() {
            self.cancel.cancel();
        }
    }
}

impl<T> fmt::Debug for Running<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").field("is_finished", &self.handle.is_finished()).finish()
    }
}

impl<D: Deque, P: Probe> Pool<D, P> {
    /// Calls `task` on a worker, for who awaits it: from asynchronous code, which must not wait as [`Pool::run`] does.
    ///
    /// The call begins at once, awaited or not. If the future is dropped, as by a time limit or a `select`, the call is cancelled as by
    /// [`Worker::cancellable`]: it is not begun any more, or stops where it looks next, and what it owns is dropped. It borrows
    /// nothing, so nobody waits for that.
    ///
    /// No caller sits in the pool that way: one that is called by this alone should be built with
    /// [`Caller::Sleeps`](crate::Caller::Sleeps), so that each worker has a thread.
    ///
    /// # Panics
    /// As [`Pool::spawn_detached`]. A panic of the call comes out where it is awaited.
    ///
    /// # Cost
    /// As [`Pool::spawn_detached_with_handle`] and [`Worker::cancellable`].
    ///
    /// # Examples
    /// In a function of tokio (see [there](crate#with-tokio)), or of any other executor:
    /// ```
    /// use lyocell::Pool;
    ///
    /// async fn sum(pool: &Pool, numbers: Vec<u64>) -> u64 {
    ///     pool.run_async(move |w| w.map_reduce(&numbers, |x| *x, || 0, |a, b| a + b)).await
    /// }
    ///
    /// let pool = Pool::new()?;
    /// // Nobody awaits this one: it is over soon, though there are many items.
    /// drop(pool.run_async(|w| w.for_each(0..u64::MAX, |_| ())));
    /// # let mut sum = std::pin::pin!(sum(&pool, vec![1, 2, 3]));
    /// # let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    /// # let sum = loop {
    /// #     match std::future::Future::poll(sum.as_mut(), &mut context) {
    /// #         std::task::Poll::Ready(sum) => break sum,
    /// #         std::task::Poll::Pending => std::thread::yield_now(),
    /// #     }
    /// # };
    /// # assert_eq!(sum, 6);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn run_async<F, T>(&self, task: F) -> Running<T>
    where
        F: FnOnce(&Worker<D, P>) -> T + Send + 'static,
        T: Send + 'static,
    {
        self.registry.run_async(task)
    }

    /// Calls `body` on a worker with a scope to spawn in, for who awaits the end of all that is spawned: [`Worker::scope`], as
    /// [`Pool::run_async`] calls it.
    ///
    /// Nobody can be kept from forgetting a future, so the tasks borrow nothing from where it is awaited. What they are to share they borrow
    /// from the closure of a [`Pool::run_async`] that owns it, and that opens a scope of its own. If the future is dropped, tasks that
    /// have not begun are dropped unrun, and those that run stop where they look next.
    ///
    /// # Panics
    /// As [`Pool::run_async`]; the panic of `body`, else the first of a task, comes out when all tasks are over.
    ///
    /// # Cost
    /// As [`Pool::run_async`]. A worker runs the body, and the tasks while it waits for them.
    ///
    /// # Examples
    /// ```
    /// use lyocell::Pool;
    /// use std::sync::mpsc::{Sender, channel};
    ///
    /// /// Borrows nothing.
    /// async fn squares(pool: &Pool, send: Sender<u64>) {
    ///     pool.scope_async(move |s| {
    ///         for i in 0..4 {
    ///             let send = send.clone();
    ///             s.spawn(move |_| send.send(i * i).unwrap());
    ///         }
    ///     })
    ///     .await
    /// }
    ///
    /// /// Its tasks borrow what the call owns.
    /// async fn lengths(pool: &Pool, words: Vec<String>) -> Vec<usize> {
    ///     pool.run_async(move |w| {
    ///         let mut lengths = vec![0; words.len()];
    ///         w.scope(|s| {
    ///             for (word, length) in words.iter().zip(&mut lengths) {
    ///                 s.spawn(|_| *length = word.len());
    ///             }
    ///         });
    ///         lengths
    ///     })
    ///     .await
    /// }
    /// # fn block_on<T>(future: impl std::future::Future<Output = T>) -> T {
    /// #     let mut future = std::pin::pin!(future);
    /// #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    /// #     loop {
    /// #         match future.as_mut().poll(&mut context) {
    /// #             std::task::Poll::Ready(value) => break value,
    /// #             std::task::Poll::Pending => std::thread::yield_now(),
    /// #         }
    /// #     }
    /// # }
    /// # let pool = Pool::new()?;
    /// # let (send, receive) = channel();
    /// # block_on(squares(&pool, send));
    /// # assert_eq!(receive.iter().sum::<u64>(), 14);
    /// # assert_eq!(block_on(lengths(&pool, vec!["one".into(), "three".into()])), [3, 5]);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn scope_async<F, T>(&self, body: F) -> Running<T>
    where
        F: for<'scope> FnOnce(&'scope Scope<'scope, 'static, D, P>) -> T + Send + 'static,
        T: Send + 'static,
    {
        self.run_async(|worker| worker.scope(body))
    }
}

impl<D: Deque, P: Probe> Registry<D, P> {
    /// As [`Registry::spawn_detached_with_handle`], under a token that the result has.
    pub(crate) fn run_async<F, T>(&self, task: F) -> Running<T>
    where
        F: FnOnce(&Worker<D, P>) -> T + Send + 'static,
        T: Send + 'static,
    {
        let cancel = Cancel::new();
        let token = cancel.clone();
        let handle = self.spawn_detached_with_handle(move |worker: &Worker<D, P>| {
            worker.cancellable(&token, task)
        });
        Running { handle, cancel }
    }
}
