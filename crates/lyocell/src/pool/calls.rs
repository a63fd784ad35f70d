//! How work comes into a pool from outside: calls, joins without a worker, detached tasks.

use crate::deque::Deque;
use crate::probe::Probe;
use crate::registry::Registry;
use crate::registry::drain::TaskEnd;
use crate::task::panic::{drop_quietly, hand_panic};
use crate::wait::Latch;
use crate::worker::{InFrame, Job, Worker, current};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

impl<D: Deque, P: Probe> Registry<D, P> {
    pub(crate) fn run<F, R>(&self, task: F) -> R
    where
        F: FnOnce(&Worker<D, P>) -> R + Send,
        R: Send,
    {
        if let Some(worker) = self.current() {
            return task(worker);
        }
        if self.generation.is_past() {
            return self.run_alone(task);
        }
        match self.take_seat() {
            Some(seated) => seated.occupy(task),
            None => self.call(task),
        }
    }

    /// Has a worker run the task, and waits.
    fn call<F, R>(&self, task: F) -> R
    where
        F: FnOnce(&Worker<D, P>) -> R + Send,
        R: Send,
    {
        self.call_beside(task, || ()).0
    }

    /// `join` for a thread that is no worker: it takes the seat, or has a worker run `b` meanwhile.
    pub(crate) fn join_outside<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA,
        B: FnOnce() -> RB + Send,
        RB: Send,
    {
        if self.generation.is_past() {
            return self.run_alone(|worker| worker.join(|_| a(), |_| b()));
        }
        match self.take_seat() {
            Some(seated) => seated.occupy(|worker| worker.join(|_| a(), |_| b())),
            None => {
                let (second, first) = self.call_beside(|_| b(), a);
                (first, second)
            }
        }
    }

    /// Has a worker run the task, does something here meanwhile, and waits. Resumes the panic from here,
    /// else that of the task.
    fn call_beside<F, R, H>(&self, task: F, here: impl FnOnce() -> H) -> (R, H)
    where
        F: FnOnce(&Worker<D, P>) -> R + Send,
        R: Send,
    {
        let (there, here) = current::waiting(|parker, wait| {
            let latch = Latch::new(parker);
            let mut outcome = None;
            let place = InFrame::new(&raw mut outcome);
            let done = InFrame::new((&raw const latch).cast_mut());
            let task = move |worker: &Worker<D, P>| {
                let result = catch_unwind(AssertUnwindSafe(|| task(worker)));
                // SAFETY: the caller's frame waits for the latch, and looks only after it is set.
                unsafe { *place.pointer() = Some(result) };
            };
            // SAFETY: the latch is in the caller's frame, which waits for it.
            let end = move |_: &Worker<D, P>| unsafe { Latch::set(done.pointer()) };
            // SAFETY: what the job borrows is in this frame, which waits for the latch whatever happens.
            self.inject(unsafe { Job::boxed(task, end) });
            let here = catch_unwind(AssertUnwindSafe(here));
            wait(&latch);
            (outcome.expect("the latch is set after the outcome"), here)
        });
        match (there, here) {
            (Ok(there), Ok(here)) => (there, here),
            (there, Err(panic)) => {
                drop_quietly(there);
                resume_unwind(panic)
            }
            (Err(panic), Ok(here)) => {
                drop_quietly(here);
                resume_unwind(panic)
            }
        }
    }

    pub(crate) fn spawn_detached<F>(&self, task: F)
    where
        F: FnOnce(&Worker<D, P>) + Send + 'static,
    {
        if self.generation.is_past() && self.current().is_none() {
            return self.run_alone(|worker| worker.pool().spawn_detached(task));
        }
        self.drain.begin_task();
        let task = |worker: &Worker<D, P>| {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| task(worker))) {
                hand_panic(&worker.pool().on_panic, panic);
            }
        };
        let end = |worker: &Worker<D, P>| match worker.pool().drain.end_task() {
            TaskEnd::Final => worker.pool().wake_everybody(),
            TaskEnd::Usual => {}
        };
        // SAFETY: the task borrows nothing.
        self.submit(unsafe { Job::boxed(task, end) });
    }
}
