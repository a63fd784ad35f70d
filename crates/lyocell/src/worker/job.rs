//! Detached tasks: boxed, type-erased, run once.
//!
//! They live in a lane of their own beside the deque of joins: a task without a join that waits for
//! it must not sit between a join and its slot.

use crate::deque::Deque;
use crate::probe::Probe;
use crate::worker::Worker;

/// A task that somebody runs once, on some worker of its pool.
///
/// It catches its own panics, and what it borrows outlives it because whoever made it waits.
pub(crate) struct Job {
    data: *mut (),
    run: unsafe fn(*mut (), *const ()),
}

// SAFETY: both constructors demand that the data be `Send`.
unsafe impl Send for Job {}

impl Job {
    /// A closure in a box, for workers of this type only. It must not unwind.
    ///
    /// # Safety
    /// What the closure borrows lives until it has run; it is run by workers of `D` and `P`.
    pub(crate) unsafe fn boxed<'a, D, P, F>(task: F) -> Job
    where
        D: Deque,
        P: Probe,
        F: FnOnce(&Worker<D, P>) + Send + 'a,
    {
        unsafe fn run<D: Deque, P: Probe, F: FnOnce(&Worker<D, P>)>(
            data: *mut (),
            worker: *const (),
        ) {
            // SAFETY: the data is the box made below, and a job is run once.
            let task = unsafe { Box::from_raw(data.cast::<F>()) };
            // SAFETY: `Job::run` passes a worker of this type.
            task(unsafe { &*worker.cast::<Worker<D, P>>() });
        }
        Job { data: Box::into_raw(Box::new(task)).cast(), run: run::<D, P, F> }
    }

    /// Runs the task.
    pub(crate) fn run<D: Deque, P: Probe>(self, worker: &Worker<D, P>) {
        // SAFETY: a job is not `Clone`, so this is once; it was made for such workers.
        unsafe { (self.run)(self.data, std::ptr::from_ref(worker).cast()) }
    }
}
