//! A task whose result somebody wants: a handle to wait by, as a worker, as any thread, or as a future.
//!
//! Task and handle share a state behind a lock, which either holds for a few instructions, and a flag beside it that a worker
//! can look at while it works.
//!
//! # Invariants
//! - handle-1. Nothing of a user's is called, cloned or dropped under the lock: it may run the very task that takes it next.
//! - handle-2. The flag goes up when the task's end has left the lock. So who sees it waits for nobody there, not even in
//!   the child of a fork.

use super::{WaitFor, below, waiting_for, waiting_until, worker_here};
use crate::cancel::Stopped;
use crate::task::panic::drop_quietly;
use crate::wait::{Goal, Subscribed};
use lyocell_sync::{
    AtomicBool, Instant, Mutex, MutexGuard, Ordering, Parker, Unparker, thread, unmodelled,
};
use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, RefUnwindSafe, UnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

/// A task whose result can be waited for; made by [`Pool::spawn_detached_with_handle`](crate::Pool::spawn_detached_with_handle),
/// [`Scope::spawn_with_handle`](crate::Scope::spawn_with_handle) and their like.
///
/// It is also a [`Future`], which any executor can await; it needs none of its own.
///
/// Dropping it changes nothing for the task. What the task returns, or panics with, is dropped then.
#[must_use = "a task that nobody waits for is better spawned with `spawn_detached`"]
pub struct TaskHandle<T> {
    shared: Arc<Shared<T>>,
}

/// What a task and its handle have in common.
struct Shared<T> {
    /// How a worker waits for it.
    wait: WaitFor,
    /// If it is in the background: which worker has begun it, or 0.
    begun_by: unmodelled::AtomicUsize,
    is_over: AtomicBool,
    state: Mutex<State<T>>,
}

/// The task's part: runs it, and keeps what it returns or panics with for the handle.
pub(crate) struct Finish<T>(Option<Arc<Shared<T>>>);

impl<T> Finish<T> {
    pub(crate) fn run(mut self, task: impl FnOnce() -> T) {
        if let Some(shared) = self.0.as_deref().filter(|shared| shared.wait == WaitFor::Background)
        {
            // Ordering: Relaxed; as in `what_to_wait_for`.
            shared.begun_by.store(worker_here(), unmodelled::Ordering::Relaxed);
        }
        self.end(catch_unwind(AssertUnwindSafe(task)));
    }

    fn end(&mut self, outcome: thread::Result<T>) {
        if let Some(shared) = self.0.take() {
            shared.finish(outcome);
        }
    }
}

/// A task of a scope that was cancelled before it began: whoever waits for it is to stop, too.
impl<T> Drop for Finish<T> {
    fn drop(&mut self) {
        if self.0.is_some() {
            self.end(Err(Box::new(Stopped)));
        }
    }
}

struct State<T> {
    /// As the flag, but true as soon as there is an outcome.
    is_over: bool,
    outcome: Option<thread::Result<T>>,
    /// Whom to tell when there is one.
    waiter: Option<Waiter>,
}

enum Waiter {
    Thread(Unparker),
    Future(Waker),
}

/// What is wrong where the result is wanted again.
const TAKEN: &str = "the result of this task has been taken by a poll that was ready: \
                     await the handle once, or join it, but not both";

// What a panic leaves behind is in order: the outcome is there or it is not.
impl<T> UnwindSafe for TaskHandle<T> {}
impl<T> RefUnwindSafe for TaskHandle<T> {}

impl<T: Send> TaskHandle<T> {
    /// A handle, and what runs its task.
    pub(crate) fn new() -> (TaskHandle<T>, Finish<T>) {
        Self::new_for(WaitFor::Anything)
    }

    /// The same, of a task that is waited for so.
    pub(crate) fn new_for(wait: WaitFor) -> (TaskHandle<T>, Finish<T>) {
        let state = Mutex::new(State { is_over: false, outcome: None, waiter: None });
        let begun_by = unmodelled::AtomicUsize::new(0);
        let shared = Arc::new(Shared { wait, begun_by, is_over: AtomicBool::new(false), state });
        let handle = TaskHandle { shared: Arc::clone(&shared) };
        (handle, Finish(Some(shared)))
    }

    /// Waits for the end of the task, and returns what it returns.
    ///
    /// A worker, of whatever pool, goes on working in its own pool meanwhile; any other thread sleeps.
    ///
    /// # Panics
    /// Panics with the panic of the task. Panics also if the result has been taken by a poll that was ready.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::builder().workers(1).build()?;
    /// let answer = pool.spawn_detached_with_handle(|_| 42);
    /// assert_eq!(answer.join(), 42);
    /// // The one worker runs the task while it waits for it.
    /// assert_eq!(pool.run(|w| w.spawn_detached_with_handle(|_| 43).join()), 43);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn join(self) -> T {
        self.join_result().unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// As [`TaskHandle::join`], but returns the panic of the task as an error, as a thread's handle does.
    ///
    /// # Errors
    /// Fails with what the task panicked with.
    ///
    /// # Panics
    /// Panics if the result has been taken by a poll that was ready.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// let panic = pool.spawn_detached_with_handle(|_| panic!("no")).join_result();
    /// let panic: std::thread::Result<()> = panic;
    /// assert_eq!(*panic.unwrap_err().downcast::<&str>().unwrap(), "no");
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn join_result(self) -> thread::Result<T> {
        if !self.shared.reached() {
            let what = self.shared.what_to_wait_for();
            waiting_for(what, |parker, wait| wait(&self.ended(parker)));
        }
        let outcome = self.shared.lock().outcome.take();
        outcome.expect(TAKEN)
    }

    /// Returns what the task returns if it is over, else the handle again. It does not wait.
    ///
    /// # Errors
    /// Returns the handle if the task is not over.
    ///
    /// # Panics
    /// As [`TaskHandle::join`].
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::builder().workers(1).build()?;
    /// pool.run(|w| {
    ///     let answer = w.spawn_detached_with_handle(|_| 42);
    ///     let answer = answer.try_join().expect_err("the one worker is busy here");
    ///     w.yield_now();
    ///     assert_eq!(answer.try_join().unwrap(), 42);
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn try_join(self) -> Result<T, Self> {
        if self.is_finished() { Ok(self.join()) } else { Err(self) }
    }

    /// As [`TaskHandle::join`], but waits no longer than this, and then returns the handle again.
    ///
    /// A worker runs other tasks meanwhile, and looks at the time between them: so it may be late by one of them.
    ///
    /// # Errors
    /// Returns the handle if the task is not over by then.
    ///
    /// # Panics
    /// As [`TaskHandle::join`].
    ///
    /// # Examples
    /// ```
    /// use std::time::Duration;
    ///
    /// let pool = lyocell::Pool::with_workers(2)?;
    /// let (send, receive) = std::sync::mpsc::channel();
    /// let answer = pool.spawn_detached_with_handle(move |_| receive.recv().unwrap());
    /// let answer = answer.join_timeout(Duration::from_millis(1)).expect_err("nothing is sent yet");
    /// send.send(42).unwrap();
    /// assert_eq!(answer.join_timeout(Duration::MAX).unwrap(), 42);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn join_timeout(self, timeout: Duration) -> Result<T, Self> {
        let Some(end) = Instant::now().checked_add(timeout) else { return Ok(self.join()) };
        if !self.shared.reached() {
            waiting_until(end, |parker| self.ended(parker));
        }
        self.try_join()
    }

    /// The end of the task, for a thread that waits with this parker.
    fn ended(&self, parker: &Parker) -> Ended<'_, T> {
        Ended { shared: &self.shared, unparker: parker.unparker().clone() }
    }
}

impl<T> TaskHandle<T> {
    /// Returns whether the task is over, so that nobody need wait for it. What the task has done is visible to whoever takes its
    /// result, not by this.
    pub fn is_finished(&self) -> bool {
        self.shared.reached()
    }
}

/// # Panics
/// Polling panics with the panic of the task, and when it is polled again after it was ready.
impl<T: Send> Future for TaskHandle<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        if !self.shared.reached() {
            let waiter = Waiter::Future(context.waker().clone());
            if self.shared.wait_as(waiter) == Subscribed::WillUnpark {
                return Poll::Pending;
            }
        }
        let outcome = self.shared.lock().outcome.take();
        let outcome = outcome.expect(TAKEN);
        Poll::Ready(outcome.unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

impl<T> fmt::Debug for TaskHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskHandle").field("is_finished", &self.is_finished()).finish()
    }
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock()
    }

    fn reached(&self) -> bool {
        // Ordering: Relaxed; whoever sees it takes the lock for the outcome, which comes with it.
        self.is_over.load(Ordering::Relaxed)
    }

    /// How a worker waits: a background task that has begun needs it for nothing.
    ///
    /// # Panics
    /// Panics if this thread has begun the task, which is not over: so the task is below on this stack.
    fn what_to_wait_for(&self) -> WaitFor {
        // Ordering: Relaxed; to this thread it tells what it has done itself, and else it is a hint.
        let begun_by = self.begun_by.load(unmodelled::Ordering::Relaxed);
        assert!(
            begun_by == 0 || !below::is_here(begun_by),
            "a task waits for the background task that has given way to it, so that neither would end: \
             wait on a thread that is no worker, or let what is called do without"
        );
        if begun_by == 0 { self.wait } else { WaitFor::Anything }
    }

    /// Has this waiter told of the end, in place of the one before, unless it has come.
    fn wait_as(&self, waiter: Waiter) -> Subscribed {
        let mut state = self.lock();
        // What is not wanted any more is dropped when the lock is free (handle-1).
        let (_unwanted, marked) = match state.is_over {
            true => (Some(waiter), Subscribed::Reached),
            false => (state.waiter.replace(waiter), Subscribed::WillUnpark),
        };
        drop(state);
        if marked == Subscribed::Reached {
            // Ordering: Relaxed; as in `finish`, whose end may be yet to say so.
            self.is_over.store(true, Ordering::Relaxed);
        }
        marked
    }

    /// Keeps the outcome, and tells whoever waits.
    fn finish(&self, outcome: thread::Result<T>) {
        let mut state = self.lock();
        state.outcome = Some(outcome);
        // Who looks there before it waits does not miss it.
        state.is_over = true;
        let waiter = state.waiter.take();
        drop(state);
        // Ordering: Release; after the lock is free, in the memory of a child too (handle-2). Else Relaxed would do, as in
        // `reached`; a waiter that is told after this sees it by the parker's token.
        self.is_over.store(true, Ordering::Release);
        match waiter {
            Some(Waiter::Thread(unparker)) => unparker.unpark(),
            Some(Waiter::Future(waker)) => waker.wake(),
            None => {}
        }
    }
}

impl<T> Drop for Shared<T> {
    /// The outcome that nobody has taken: its destructor may panic on a worker.
    fn drop(&mut self) {
        let outcome = self.lock().outcome.take();
        drop_quietly(outcome);
    }
}

/// The end of a task, for a thread that waits for it.
struct Ended<'a, T> {
    shared: &'a Shared<T>,
    unparker: Unparker,
}

impl<T> Goal for Ended<'_, T> {
    fn reached(&self) -> bool {
        self.shared.reached()
    }

    fn subscribe(&self) -> Subscribed {
        self.shared.wait_as(Waiter::Thread(self.unparker.clone()))
    }
}
