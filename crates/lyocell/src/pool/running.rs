//! A call that is awaited: a detached task under a token, which is set when nobody waits any more.

use crate::cancel::{Cancel, Cancelled};
use crate::current::TaskHandle;
use crate::deque::Deque;
use crate::probe::Probe;
use crate::scheduler::{Registry, Worker};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// A call that is under way; made by [`Pool::run_async`](crate::Pool::run_async).
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
