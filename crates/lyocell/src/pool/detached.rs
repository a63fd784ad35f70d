//! Detached tasks, which nobody waits for, and broadcasts, which each thread of a pool runs.

use crate::current::{self, TaskHandle, Through, WaitFor};
use crate::deque::Deque;
use crate::fork_join::{OnWorker, Scope};
use crate::jobs::drain::TaskEnd;
use crate::jobs::{Background, Job, Maker, Unbegun};
use crate::probe::{Origin, Probe, Root};
use crate::scheduler::Registry;
use crate::scheduler::Worker;
use crate::scheduler::lineage::Parent;
use crate::task::Ancestor;
use crate::task::panic::hand_panic;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Spawns `task` on this worker's pool: [`Pool::spawn_detached`](crate::Pool::spawn_detached) from within.
    ///
    /// # Panics
    /// As [`Pool::spawn_detached`](crate::Pool::spawn_detached).
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// let (send, receive) = std::sync::mpsc::channel();
    /// pool.run(|w| w.spawn_detached(move |_| send.send("later").unwrap()));
    /// assert_eq!(receive.recv(), Ok("later"));
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn spawn_detached<F>(&self, task: F)
    where
        F: FnOnce(&Worker<D, P>) + Send + 'static,
    {
        self.registry().spawn_detached(task);
    }

    /// [`Pool::spawn_detached_with_handle`](crate::Pool::spawn_detached_with_handle) from within, with an example there.
    pub fn spawn_detached_with_handle<F, T>(&self, task: F) -> TaskHandle<T>
    where
        F: FnOnce(&Worker<D, P>) -> T + Send + 'static,
        T: Send + 'static,
    {
        self.registry().spawn_detached_with_handle(task)
    }

    /// [`Pool::spawn_background`](crate::Pool::spawn_background) from within, with an example there.
    ///
    /// # Panics
    /// As [`Pool::spawn_detached`](crate::Pool::spawn_detached).
    pub fn spawn_background<F>(&self, task: F)
    where
        F: FnOnce(&Worker<D, P>) + Send + 'static,
    {
        self.registry().spawn_background(task);
    }

    /// [`Pool::spawn_background_with_handle`](crate::Pool::spawn_background_with_handle) from within, with an example there.
    pub fn spawn_background_with_handle<F, T>(&self, task: F) -> TaskHandle<T>
    where
        F: FnOnce(&Worker<D, P>) -> T + Send + 'static,
        T: Send + 'static,
    {
        self.registry().spawn_background_with_handle(task)
    }

    /// [`Pool::spawn_detached_fifo`](crate::Pool::spawn_detached_fifo) from within, with an example there.
    ///
    /// # Panics
    /// As [`Pool::spawn_detached`](crate::Pool::spawn_detached).
    pub fn spawn_detached_fifo<F>(&self, task: F)
    where
        F: FnOnce(&Worker<D, P>) + Send + 'static,
    {
        self.registry().spawn_detached_fifo(task);
    }

    /// [`Pool::broadcast`](crate::Pool::broadcast) from within, with an example there.
    ///
    /// # Panics
    /// As [`Pool::broadcast`](crate::Pool::broadcast).
    pub fn broadcast<F, R>(&self, task: F) -> Vec<R>
    where
        F: Fn(&Worker<D, P>) -> R + Sync,
        R: Send,
    {
        self.registry().broadcast(task)
    }

    /// [`Pool::spawn_detached_broadcast`](crate::Pool::spawn_detached_broadcast) from within, with an example there.
    ///
    /// # Panics
    /// As [`Pool::spawn_detached`](crate::Pool::spawn_detached).
    pub fn spawn_detached_broadcast<F>(&self, task: F)
    where
        F: Fn(&Worker<D, P>) + Send + Sync + 'static,
    {
        self.registry().spawn_detached_broadcast(task);
    }

    /// Calls a task that nobody waits for, and came from there.
    fn run_detached(&self, parent: Parent, task: Unbegun<impl FnOnce(&Self), impl Sized>) {
        self.owner.probe.begin_task(Origin::Root(Root::Detached));
        let task = || catch_unwind(AssertUnwindSafe(|| task.call(self)));
        let outcome = self.descending(parent, || self.under(None, task));
        self.owner.probe.end_root(Root::Detached);
        if let Err(panic) = outcome {
            hand_panic(&self.registry().on_panic, panic);
        }
    }
}

/// The maker of a task that nobody waits for. It is of no size, and so adds nothing to the box.
struct Detached<const IN_BACKGROUND: bool>;

const FOREGROUND: bool = false;
const BACKGROUND: bool = true;

impl<D: Deque, P: Probe, F, const IN_BACKGROUND: bool> Maker<Worker<D, P>, F>
    for Detached<IN_BACKGROUND>
where
    F: FnOnce(&Worker<D, P>),
{
    fn origin(&self) -> Option<Ancestor> {
        IN_BACKGROUND.then_some(Ancestor::BACKGROUND)
    }

    #[inline]
    fn call(&self, task: Unbegun<F, Self>, worker: &Worker<D, P>) {
        let parent = if IN_BACKGROUND { Parent::Background } else { Parent::Root };
        worker.run_detached(parent, task);
    }

    #[inline]
    fn end(self, worker: &Worker<D, P>) {
        match worker.registry().drain.end_task() {
            TaskEnd::Final => worker.registry().wake_everybody(),
            TaskEnd::Usual => {}
        }
    }
}

impl<D: Deque, P: Probe> Registry<D, P> {
    pub(crate) fn spawn_detached<F>(&self, task: F)
    where
        F: FnOnce(&Worker<D, P>) + Send + 'static,
    {
        self.leave_detached(|registry| registry.submit(|spawner| Self::detached(spawner, task)));
    }

    /// As [`Registry::spawn_detached`], with a handle to what the task returns.
    pub(crate) fn spawn_detached_with_handle<F, T>(&self, task: F) -> TaskHandle<T>
    where
        F: FnOnce(&Worker<D, P>) -> T + Send + 'static,
        T: Send + 'static,
    {
        let (handle, finish) = TaskHandle::new();
        self.spawn_detached(move |worker: &Worker<D, P>| finish.run(|| task(worker)));
        handle
    }

    /// Leaves a task to whoever has nothing else to do.
    pub(crate) fn spawn_background<F>(&self, task: F)
    where
        F: FnOnce(&Worker<D, P>) + Send + 'static,
    {
        let task = |worker: &Worker<D, P>| {
            /// When all that the task forked is over.
            struct Over<'a>(&'a Background);
            impl Drop for Over<'_> {
                fn drop(&mut self) {
                    self.0.end_task();
                }
            }
            let _over = Over(&worker.registry().background);
            task(worker);
        };
        // SAFETY: the task borrows nothing.
        let job = unsafe { Job::boxed(None, task, Detached::<BACKGROUND>) };
        self.leave_detached(|registry| {
            // background-1.
            registry.background.begin_task();
            registry.leave_to_background(job);
        });
    }

    /// As [`Registry::spawn_background`], with a handle to what the task returns.
    pub(crate) fn spawn_background_with_handle<F, T>(&self, task: F) -> TaskHandle<T>
    where
        F: FnOnce(&Worker<D, P>) -> T + Send + 'static,
        T: Send + 'static,
    {
        let (handle, finish) = TaskHandle::new_for(WaitFor::Background);
        self.spawn_background(move |worker: &Worker<D, P>| finish.run(|| task(worker)));
        handle
    }

    /// As [`Registry::spawn_detached`], but after what was spawned so before on the same worker.
    pub(crate) fn spawn_detached_fifo<F>(&self, task: F)
    where
        F: FnOnce(&Worker<D, P>) + Send + 'static,
    {
        self.leave_detached(|registry| {
            let job = |spawner: Option<&Worker<D, P>>| Self::detached(spawner, task);
            // SAFETY: the queue is a worker's, and workers outlast the jobs of their pool (registry-2).
            unsafe { registry.submit_fifo(job, |worker| &*registry.workers[worker].fifo) };
        });
    }

    /// Leaves a task to each thread of the pool.
    pub(crate) fn spawn_detached_broadcast<F>(&self, task: F)
    where
        F: Fn(&Worker<D, P>) + Send + Sync + 'static,
    {
        let task = Arc::new(task);
        self.here(|registry| {
            // All are outstanding before one is over, so that the pool does not end in between.
            registry.workers.iter().for_each(|_| registry.drain.begin_task());
            registry.post_to_each(None, |_, _| {
                let task = Arc::clone(&task);
                Self::detached(None, move |worker: &Worker<D, P>| task(worker))
            });
        });
    }

    /// Leaves a job that nobody waits for to the pool, by `submit`. In the child of a fork it is run before this returns.
    fn leave_detached(&self, submit: impl FnOnce(&Self)) {
        self.here(|registry| {
            registry.drain.begin_task();
            submit(registry);
        });
    }

    /// A job that nobody waits for, and its spawner, if that is a worker of the pool, which has to count it as outstanding before it is
    /// queued.
    fn detached<F>(spawner: Option<&Worker<D, P>>, task: F) -> Job
    where
        F: FnOnce(&Worker<D, P>) + Send + 'static,
    {
        // SAFETY: the task borrows nothing.
        unsafe { Job::boxed(spawner, task, Detached::<FOREGROUND>) }
    }

    /// A scope of this pool whose body runs on the calling thread, whatever that is.
    pub(crate) fn scope_here<'env, F, R>(&self, body: F) -> R
    where
        F: for<'scope> FnOnce(&'scope Scope<'scope, 'env, D, P>) -> R,
    {
        match self.current() {
            Some(worker) => worker.scope(body),
            None if self.generation.is_past() => self.by_stand_in(|worker| worker.scope(body)),
            None => self.scope_outside(body),
        }
    }

    /// The same, for a thread that is no worker of this pool, unless it is one further down its stack, or becomes one because the pool
    /// has no threads.
    fn scope_outside<'env, F, R>(&self, body: F) -> R
    where
        F: for<'scope> FnOnce(&'scope Scope<'scope, 'env, D, P>) -> R,
    {
        if let Some(worker) = self.worker_below() {
            return current::again(worker, || worker.scope(body));
        }
        match self.is_alone().then(|| self.take_seat()).flatten() {
            Some(seated) => {
                let mut body = Through::new(body);
                seated.call(&mut |worker| body.call(|body| worker.scope(body)));
                body.result()
            }
            None => self.in_place_scope(body),
        }
    }

    /// Has each worker call a task, and collects the results.
    pub(crate) fn broadcast<F, R>(&self, task: F) -> Vec<R>
    where
        F: Fn(&Worker<D, P>) -> R + Sync,
        R: Send,
    {
        let mut calls: Vec<_> = self.workers.iter().map(|_| OnWorker::new(&task)).collect();
        let first = calls.as_mut_ptr();
        // SAFETY: there is one for each worker, and this frame looks at them when the scope is over.
        let call = |scope: &Scope<'_, '_, D, P>| unsafe { scope.call_on_each(first) };
        let seated = if self.generation.is_past() { None } else { self.take_seat() };
        match seated {
            // Then worker 0 is at hand: this thread.
            Some(seated) => seated.call(&mut |w| w.scope(|s| call(s))),
            None => self.scope_here(|scope| call(scope)),
        }
        calls.into_iter().filter_map(OnWorker::into_result).collect()
    }
}
