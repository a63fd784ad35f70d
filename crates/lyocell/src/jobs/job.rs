//! Jobs: detached tasks, in a box, and calls from outside, in their caller's frame. Type-erased, run once.
//!
//! They live in a lane of their own beside the deque of joins: a task without a join that waits for
//! it must not sit between a join and its slot.
//!
//! # Invariants
//! - job-1. A job has two parts. The task may borrow from a frame that waits for it; the end tells that frame so. The
//!   task's call has returned, and its captures are gone, before the end is called, and the end holds pointers only:
//!   no reference into the frame is live when the frame may be popped.
//! - job-2. A job in a box may be discarded in place of being run: then its task is dropped, and its end called all the same,
//!   so that whoever waits for it does not wait for ever. That may happen on any thread: an end uses of the worker that it
//!   is given only what all may use.

use super::Lane;
use crate::task::Ancestor;
use crate::task::panic::drop_quietly;

/// A pointer into the frame that waits for a job, on its way to the thread that runs it.
pub(crate) struct InFrame<T>(*mut T);

// By hand: derived ones would ask the same of what is there.
impl<T> Clone for InFrame<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for InFrame<T> {}

// SAFETY: it is a pointer only; whoever follows it says why that is right.
unsafe impl<T> Send for InFrame<T> {}

impl<T> InFrame<T> {
    pub(crate) fn new(place: *mut T) -> Self {
        InFrame(place)
    }

    // By value, so that a closure captures the whole and not the bare pointer.
    pub(crate) fn pointer(self) -> *mut T {
        self.0
    }
}

/// A task that somebody runs once, on some worker of its pool.
///
/// It catches its own panics, and what it borrows outlives it because whoever made it waits.
pub(crate) struct Job {
    data: *mut (),
    end_as: unsafe fn(*mut (), *const (), Fate),
    /// What it descends from, if it is one of a scope.
    origin: Option<Ancestor>,
}

/// How a job ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Run,
    /// Of jobs in a box only (job-2).
    Discarded,
}

// SAFETY: both constructors demand that the data be `Send`.
unsafe impl Send for Job {}

/// What runs jobs: the workers of one type. Whoever makes a job says of which, and a pool has one.
pub(crate) trait Runner: Sized {}

/// A job that lies in the frame of whoever waits for it, and is not boxed.
pub(crate) trait FrameJob<W: Runner>: Send {
    /// Runs the task and then its end (job-1), through a pointer because the frame may be popped once the end is
    /// called. Must not unwind.
    ///
    /// # Safety
    /// The job is alive, and is run once.
    unsafe fn run(job: *mut Self, worker: &W);
}

impl Job {
    /// A task and its end (job-1) in a box, for workers of this type only. Neither may unwind.
    ///
    /// # Safety
    /// What the task borrows lives until the end is called, what the end points to until it has used it; they are run
    /// by workers of this `W`.
    pub(crate) unsafe fn boxed<'a, W, F, E>(task: F, end: E) -> Job
    where
        W: Runner,
        F: FnOnce(&W) + Send + 'a,
        E: FnOnce(&W) + Send + 'a,
    {
        // The two parts are locals here, not arguments: those would count as borrowed until this returns.
        unsafe fn end_as<W, F, E>(data: *mut (), worker: *const (), fate: Fate)
        where
            W: Runner,
            F: FnOnce(&W),
            E: FnOnce(&W),
        {
            let (task, end) = {
                // SAFETY: the data is the box made below, and a job ends once.
                let parts = unsafe { Box::from_raw(data.cast::<(F, E)>()) };
                *parts
            };
            // SAFETY: `Job::run` and `Job::discard` pass a worker of this type.
            let worker = unsafe { &*worker.cast::<W>() };
            match fate {
                Fate::Run => task(worker),
                Fate::Discarded => drop_quietly(task),
            }
            end(worker);
        }
        let data = Box::into_raw(Box::new((task, end))).cast();
        Job { data, end_as: end_as::<W, F, E>, origin: None }
    }

    /// The same job, which descends from there: its end is waited for where that stands.
    pub(crate) fn descending_from(self, origin: Option<Ancestor>) -> Job {
        Job { origin, ..self }
    }

    /// What it descends from, if it is one of a scope.
    pub(crate) fn origin(&self) -> Option<Ancestor> {
        self.origin
    }

    /// A job in a frame, for workers of this type only.
    ///
    /// # Safety
    /// The frame outlives the job's end, or this is dropped before.
    pub(crate) unsafe fn in_frame<W: Runner, J: FrameJob<W>>(job: InFrame<J>) -> Job {
        unsafe fn end_as<W, J>(data: *mut (), worker: *const (), fate: Fate)
        where
            W: Runner,
            J: FrameJob<W>,
        {
            debug_assert_eq!(fate, Fate::Run, "job-2");
            // SAFETY: `Job::run` passes a worker of this type.
            let worker = unsafe { &*worker.cast::<W>() };
            // SAFETY: the data is the job, which is alive until its end (job-1), and a job is run once.
            unsafe { J::run(data.cast(), worker) }
        }
        Job { data: job.pointer().cast(), end_as: end_as::<W, J>, origin: None }
    }

    /// A job that runs the oldest job of a queue: it stands in a lane for whichever that will be. One is made for each
    /// job that is queued, and all of a queue have one origin.
    ///
    /// # Safety
    /// The queue is there until the job that is queued for this one is over.
    pub(crate) unsafe fn next_of(queue: *const Lane, origin: Option<Ancestor>) -> Job {
        unsafe fn run_next(queue: *mut (), worker: *const (), fate: Fate) {
            debug_assert_eq!(fate, Fate::Run, "job-2");
            // SAFETY: as many jobs were queued as there are such stand-ins, and until its own job is over, each finds
            // the queue in place; nothing of it is touched once that job has begun.
            let next = unsafe { (*queue.cast_const().cast::<Lane>()).pop_oldest() };
            let next = next.expect("a job is queued for each that stands for one");
            // SAFETY: the same worker, for which the queued job was made as well; it is run once.
            unsafe { (next.end_as)(next.data, worker, fate) }
        }
        Job { data: queue.cast_mut().cast(), end_as: run_next, origin }
    }

    /// Runs the task.
    pub(crate) fn run<W: Runner>(self, worker: &W) {
        // SAFETY: a job is not `Clone`, so this is once; it was made for such workers.
        unsafe { (self.end_as)(self.data, std::ptr::from_ref(worker).cast(), Fate::Run) }
    }

    /// Drops the task of a job in a box, and calls its end (job-2), with a worker of the pool that it was for.
    pub(crate) fn discard<W: Runner>(self, worker: &W) {
        // SAFETY: as in `run`.
        unsafe { (self.end_as)(self.data, std::ptr::from_ref(worker).cast(), Fate::Discarded) }
    }
}
