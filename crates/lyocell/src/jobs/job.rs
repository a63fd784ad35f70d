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
use std::alloc::{Layout, dealloc};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

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
///
/// Two words, which go from hand to hand in registers. With a third, its origin, it went through memory, and what was written there in
/// words was read in pairs of them, which processors cannot forward: half of the time from a spawn to the call of its task.
pub(crate) struct Job {
    data: NonNull<()>,
    kind: &'static Kind,
}

/// What a job of one type is.
struct Kind {
    end_as: unsafe fn(NonNull<()>, *const (), Fate),
    /// What it descends from, if it is one of a scope. It is not over.
    origin: unsafe fn(NonNull<()>) -> Option<Ancestor>,
}

/// A job in a box. The origin comes first, for whoever knows no more of it.
#[repr(C)]
struct Boxed<F, C, E> {
    origin: Option<Ancestor>,
    task: F,
    call: C,
    end: E,
}

/// The task of a job in a box, until it is called. It stays in there so long, for it may be large, and each frame that it passes would
/// copy it. If it is not called it is dropped quietly.
pub(crate) struct Unbegun<F> {
    task: NonNull<F>,
    boxed: NonNull<u8>,
    layout: Layout,
}

/// Jobs that are to be run oldest first, all of one origin. For each a stand-in is in some lane (see [`Job::next_of`]).
pub(crate) struct Fifo {
    origin: Option<Ancestor>,
    jobs: Lane,
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
    /// What it descends from.
    const ORIGIN: Option<Ancestor> = None;

    /// Runs the task and then its end (job-1), through a pointer because the frame may be popped once the end is
    /// called. Must not unwind.
    ///
    /// # Safety
    /// The job is alive, and is run once.
    unsafe fn run(job: *mut Self, worker: &W);
}

impl Fifo {
    pub(crate) fn new(origin: Option<Ancestor>) -> Fifo {
        Fifo { origin, jobs: Lane::new() }
    }

    /// Adds a job of this origin.
    pub(crate) fn push(&self, job: Job) {
        debug_assert_eq!(job.origin(), self.origin);
        self.jobs.push(job);
    }

    /// As a thread leaves it that is in the middle of something when the process forks.
    #[cfg(all(test, unix, not(any(loom, miri))))]
    pub(crate) fn locked(&self) -> impl Sized + '_ {
        self.jobs.locked()
    }
}

impl<F> Unbegun<F> {
    /// The task, which is called next.
    #[inline(always)]
    pub(crate) fn begin(self) -> F {
        let this = ManuallyDrop::new(self);
        // SAFETY: the task is in its place until this is gone, which it is.
        let task = unsafe { this.task.read() };
        this.free();
        task
    }

    #[inline(always)]
    fn free(&self) {
        // SAFETY: it was the memory of a box with this layout; by `Boxed::end_as` nothing else is left in there.
        unsafe { dealloc(self.boxed.as_ptr(), self.layout) };
    }
}

impl<F> Drop for Unbegun<F> {
    fn drop(&mut self) {
        // SAFETY: as in `begin`, which has not been called.
        drop_quietly(unsafe { self.task.read() });
        self.free();
    }
}

impl<F, C, E> Boxed<F, C, E> {
    const fn kind<W>() -> Kind
    where
        W: Runner,
        C: FnOnce(Unbegun<F>, &W),
        E: FnOnce(&W),
    {
        Kind { end_as: Self::end_as::<W>, origin: Self::origin }
    }

    // The parts are locals here, not arguments: those would count as borrowed until this returns.
    unsafe fn end_as<W>(data: NonNull<()>, worker: *const (), fate: Fate)
    where
        W: Runner,
        C: FnOnce(Unbegun<F>, &W),
        E: FnOnce(&W),
    {
        let (task, call, end) = {
            let boxed = data.cast::<Self>().as_ptr();
            // SAFETY: the data is the box of `Job::boxed`, and a job ends once.
            let (call, end) =
                unsafe { ((&raw const (*boxed).call).read(), (&raw const (*boxed).end).read()) };
            // SAFETY: as above; the task is left in there, and has it to itself.
            let task = unsafe { NonNull::new_unchecked(&raw mut (*boxed).task) };
            (Unbegun { task, boxed: data.cast(), layout: Layout::new::<Self>() }, call, end)
        };
        // SAFETY: `Job::run` and `Job::discard` pass a worker of this type.
        let worker = unsafe { &*worker.cast::<W>() };
        match fate {
            Fate::Run => call(task, worker),
            Fate::Discarded => {
                drop(task);
                drop_quietly(call);
            }
        }
        end(worker);
    }

    unsafe fn origin(data: NonNull<()>) -> Option<Ancestor> {
        // SAFETY: the data is such a box, with the origin first, and the job is not over.
        unsafe { data.cast::<Option<Ancestor>>().read() }
    }
}

impl Job {
    /// A task and its end (job-1) in a box, for workers of this type only, and what it descends from: its end is waited for where
    /// that stands. `call` is to call the task. None of the three may unwind.
    ///
    /// # Safety
    /// What the task borrows lives until the end is called, what the end points to until it has used it; they are run
    /// by workers of this `W`.
    pub(crate) unsafe fn boxed<'a, W, F, C, E>(
        origin: Option<Ancestor>,
        task: F,
        call: C,
        end: E,
    ) -> Job
    where
        W: Runner,
        F: Send + 'a,
        C: FnOnce(Unbegun<F>, &W) + Send + 'a,
        E: FnOnce(&W) + Send + 'a,
    {
        let boxed = Box::leak(Box::new(Boxed { origin, task, call, end }));
        let kind = const { &Boxed::<F, C, E>::kind::<W>() };
        Job { data: NonNull::from(boxed).cast(), kind }
    }

    /// As [`Job::boxed`], with a task that is called as it is.
    ///
    /// # Safety
    /// The same.
    pub(crate) unsafe fn simple<'a, W, F, E>(origin: Option<Ancestor>, task: F, end: E) -> Job
    where
        W: Runner,
        F: FnOnce(&W) + Send + 'a,
        E: FnOnce(&W) + Send + 'a,
    {
        let call = |task: Unbegun<F>, worker: &W| task.begin()(worker);
        // SAFETY: by the caller's word.
        unsafe { Job::boxed(origin, task, call, end) }
    }

    /// What it descends from, if it is one of a scope.
    pub(crate) fn origin(&self) -> Option<Ancestor> {
        // SAFETY: its own data, and who has the job has not run it.
        unsafe { (self.kind.origin)(self.data) }
    }

    /// A job in a frame, for workers of this type only.
    ///
    /// # Safety
    /// The frame outlives the job's end, or this is dropped before.
    pub(crate) unsafe fn in_frame<W: Runner, J: FrameJob<W>>(job: InFrame<J>) -> Job {
        unsafe fn end_as<W, J>(data: NonNull<()>, worker: *const (), fate: Fate)
        where
            W: Runner,
            J: FrameJob<W>,
        {
            debug_assert_eq!(fate, Fate::Run, "job-2");
            // SAFETY: `Job::run` passes a worker of this type.
            let worker = unsafe { &*worker.cast::<W>() };
            // SAFETY: the data is the job, which is alive until its end (job-1), and a job is run once.
            unsafe { J::run(data.as_ptr().cast(), worker) }
        }
        // SAFETY: by the caller's word there is a frame.
        let data = unsafe { NonNull::new_unchecked(job.pointer().cast()) };
        Job { data, kind: const { &Kind { end_as: end_as::<W, J>, origin: |_| J::ORIGIN } } }
    }

    /// A job that runs the oldest job of a queue: it stands in a lane for whichever that will be. One is made for each
    /// job that is queued.
    ///
    /// # Safety
    /// The queue is there until the job that is queued for this one is over.
    pub(crate) unsafe fn next_of(queue: &Fifo) -> Job {
        unsafe fn run_next(queue: NonNull<()>, worker: *const (), fate: Fate) {
            debug_assert_eq!(fate, Fate::Run, "job-2");
            // SAFETY: as many jobs were queued as there are such stand-ins, and until its own job is over, each finds
            // the queue in place; nothing of it is touched once that job has begun.
            let next = unsafe { (*queue.as_ptr().cast_const().cast::<Fifo>()).jobs.pop_oldest() };
            let next = next.expect("a job is queued for each that stands for one");
            // SAFETY: the same worker, for which the queued job was made as well; it is run once.
            unsafe { (next.kind.end_as)(next.data, worker, fate) }
        }
        unsafe fn origin(queue: NonNull<()>) -> Option<Ancestor> {
            // SAFETY: the queue is there until the job is over.
            unsafe { (*queue.as_ptr().cast_const().cast::<Fifo>()).origin }
        }
        const KIND: Kind = Kind { end_as: run_next, origin };
        Job { data: NonNull::from(queue).cast(), kind: &KIND }
    }

    /// Runs the task.
    pub(crate) fn run<W: Runner>(self, worker: &W) {
        // SAFETY: a job is not `Clone`, so this is once; it was made for such workers.
        unsafe { (self.kind.end_as)(self.data, std::ptr::from_ref(worker).cast(), Fate::Run) }
    }

    /// Drops the task of a job in a box, and calls its end (job-2), with a worker of the pool that it was for.
    pub(crate) fn discard<W: Runner>(self, worker: &W) {
        // SAFETY: as in `run`.
        unsafe { (self.kind.end_as)(self.data, std::ptr::from_ref(worker).cast(), Fate::Discarded) }
    }
}
