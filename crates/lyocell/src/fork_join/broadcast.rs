//! A call on each worker of a pool, and what each returns.
//!
//! The calls lie side by side in the frame that waits for them, with room for what they return: a broadcast allocates once, and
//! nothing of it is passed from worker to worker but the calls' places.
//!
//! # Invariants
//! - broadcast-1. A call is a part of a scope, which is over before the frame that has the calls goes on. Until its part is over a call
//!   belongs to whoever has its job; afterwards, and where it was never posted, to that frame.

use super::Scope;
use super::scope::Part;
use crate::deque::Deque;
use crate::jobs::{FrameJob, InFrame, Job};
use crate::probe::Probe;
use crate::scheduler::Worker;
use crate::task::Ancestor;
use crate::task::panic::DroppedQuietly;

/// The call on one worker.
pub(crate) struct OnWorker<'a, D: Deque, P: Probe, F, R> {
    task: &'a F,
    /// From when it is posted until it is over.
    part: Option<Part<D, P>>,
    result: Option<DroppedQuietly<R>>,
}

// SAFETY: what it points to is `Sync`, and goes to other threads with what it owns.
unsafe impl<D: Deque, P: Probe, F: Sync, R: Send> Send for OnWorker<'_, D, P, F, R> {}

impl<'a, D: Deque, P: Probe, F, R> OnWorker<'a, D, P, F, R> {
    pub(crate) fn new(task: &'a F) -> Self {
        OnWorker { task, part: None, result: None }
    }

    /// What the call has returned, if it was made. Where the frame unwinds instead, it is dropped quietly.
    pub(crate) fn into_result(self) -> Option<R> {
        self.result.map(DroppedQuietly::into_inner)
    }
}

impl<D: Deque, P: Probe> Scope<'_, '_, D, P> {
    /// Has each worker of the pool make the call that is at its number: here at once, if this thread is one.
    ///
    /// # Safety
    /// There are as many calls as workers, there until the scope ends, and nobody else's until then.
    pub(crate) unsafe fn call_on_each<F, R>(&self, calls: *mut OnWorker<'_, D, P, F, R>)
    where
        F: Fn(&Worker<D, P>) -> R + Sync,
        R: Send,
    {
        let here = self.worker_here();
        self.registry.post_to_each(here.map(Worker::index), |_, worker| {
            // SAFETY: by the caller's word; nobody has it before it is posted (broadcast-1).
            let call = unsafe { calls.add(worker) };
            // SAFETY: as above.
            unsafe { (*call).part = Some(self.part(None)) };
            // SAFETY: as above; the scope, and so the frame, is there until the part is over.
            unsafe { Job::in_frame(InFrame::new(call)) }
        });
        if let Some(worker) = here {
            // SAFETY: this one was not posted (broadcast-1).
            let call = unsafe { &mut *calls.add(worker.index()) };
            call.result = Some(DroppedQuietly::new((call.task)(worker)));
        }
    }
}

impl<D: Deque, P: Probe, F, R> FrameJob<Worker<D, P>> for OnWorker<'_, D, P, F, R>
where
    F: Fn(&Worker<D, P>) -> R + Sync,
    R: Send,
{
    unsafe fn origin(call: *const Self) -> Option<Ancestor> {
        // SAFETY: whoever has the job has the call (broadcast-1).
        unsafe { (*call).part.as_ref() }.and_then(Part::origin)
    }

    unsafe fn run(call: *mut Self, worker: &Worker<D, P>) {
        // SAFETY: as above.
        let Some(part) = (unsafe { (*call).part.take() }) else { return };
        part.run(worker, || {
            // SAFETY: as above, until the part is over.
            let call = unsafe { &mut *call };
            call.result = Some(DroppedQuietly::new((call.task)(worker)));
        });
        part.end();
    }

    unsafe fn discard(call: *mut Self) {
        // SAFETY: as in `run`.
        unsafe { (*call).part.take() }.into_iter().for_each(Part::end);
    }
}
