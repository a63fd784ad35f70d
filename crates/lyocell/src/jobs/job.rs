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
//!   is given only what all may use. Of those in frames that holds for what is left to one worker, which may have no thread.

use super::boxes::{self, Boxes};
use crate::task::Ancestor;
use crate::task::panic::drop_quietly;
use lyocell_queues::{Injector, Steal};
use lyocell_sync::{OnceLock, spin_loop};
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

/// Who has made a job in a box, and is told of its end. Nothing here may unwind.
pub(crate) trait Maker<W: Runner, F>: Send + Sized {
    /// What the job descends from, if it is one of a scope: its end is waited for where that stands.
    fn origin(&self) -> Option<Ancestor>;

    /// Calls the task.
    fn call(&self, task: Unbegun<F, Self>, worker: &W);

    /// The job is over (job-1).
    fn end(self, worker: &W);
}

/// A job in a box.
struct Boxed<F, M> {
    maker: M,
    task: F,
}

/// The task of a job in a box, until it is called. It stays in there so long, for it may be large, and each frame that it passes would
/// copy it. If it is not called it is dropped quietly. The maker has left the box.
pub(crate) struct Unbegun<F, M>(NonNull<Boxed<F, M>>);

/// Jobs that are to be run oldest first, all of one origin. For each a stand-in is in some lane (see [`Job::next_of`]).
pub(crate) struct Fifo {
    origin: Option<Ancestor>,
    /// Made for the first.
    jobs: OnceLock<Injector<Job>>,
}

/// How a job ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Run,
    /// By job-2.
    Discarded,
}

// SAFETY: both constructors demand that the data be `Send`.
unsafe impl Send for Job {}

/// What runs jobs: the workers of one type. Whoever makes a job says of which, and a pool has one.
pub(crate) trait Runner: Sized {
    /// What it keeps of the boxes whose tasks it has called.
    fn boxes(&self) -> &Boxes;
}

/// A job that lies in the frame of whoever waits for it, and is not boxed.
pub(crate) trait FrameJob<W: Runner>: Send {
    /// What it descends from.
    ///
    /// # Safety
    /// The job is alive, and has not been run.
    unsafe fn origin(job: *const Self) -> Option<Ancestor> {
        let _ = job;
        None
    }

    /// Runs the task and then its end (job-1), through a pointer because the frame may be popped once the end is
    /// called. Must not unwind.
    ///
    /// # Safety
    /// The job is alive, and is run once.
    unsafe fn run(job: *mut Self, worker: &W);

    /// Ends it unrun (job-2).
    ///
    /// # Safety
    /// As for `run`, in place of that.
    unsafe fn discard(job: *mut Self) {
        let _ = job;
        unreachable!("job-2: it is left to any worker");
    }
}

impl Fifo {
    pub(crate) fn new(origin: Option<Ancestor>) -> Fifo {
        Fifo { origin, jobs: OnceLock::new() }
    }

    /// Adds a job of this origin.
    #[inline]
    pub(crate) fn push(&self, job: Job) {
        // A stand-in's takes what the child of a fork leaves to a scope of before.
        debug_assert!(self.origin.is_none() || job.origin() == self.origin);
        self.jobs.get_or_init(Injector::new).push(job);
    }

    /// Takes the oldest job. There is one: it was pushed before what stands for it, which each that comes here has taken.
    #[inline]
    fn pop(&self) -> Job {
        let jobs = self.jobs.get();
        loop {
            match jobs.map_or(Steal::Empty, Injector::steal) {
                Steal::Taken(job) => return job,
                // Another thread has just taken one.
                Steal::Busy => spin_loop(),
                Steal::Empty => unreachable!("a job is queued for each that stands for one"),
            }
        }
    }
}

impl<F, M> Unbegun<F, M> {
    /// Calls the task. Only then its box is free: so a large one is called where it is.
    #[inline(always)]
    pub(crate) fn call<W>(self, worker: &W)
    where
        W: Runner,
        F: FnOnce(&W),
    {
        /// A box that holds nothing any more, also when the task unwinds.
        struct Empty<'a, T>(NonNull<T>, &'a Boxes);
        impl<T> Drop for Empty<'_, T> {
            #[inline(always)]
            fn drop(&mut self) {
                // SAFETY: made by `Job::boxed`, and both parts have left it.
                unsafe { self.1.free(self.0) };
            }
        }
        let boxed = ManuallyDrop::new(self).0;
        let _empty = Empty(boxed, worker.boxes());
        // SAFETY: the task is in its place until this is gone, which it is.
        let task = unsafe { (&raw const (*boxed.as_ptr()).task).read() };
        task(worker);
    }
}

impl<F, M> Drop for Unbegun<F, M> {
    fn drop(&mut self) {
        // SAFETY: as in `call`, which has not been.
        drop_quietly(unsafe { (&raw const (*self.0.as_ptr()).task).read() });
        // SAFETY: as there.
        unsafe { boxes::free(self.0) };
    }
}

impl<F, M> Boxed<F, M> {
    const fn kind<W>() -> Kind
    where
        W: Runner,
        M: Maker<W, F>,
    {
        Kind { end_as: Self::end_as::<W>, origin: Self::origin::<W> }
    }

    // The parts are locals here, not arguments: those would count as borrowed until this returns.
    unsafe fn end_as<W>(data: NonNull<()>, worker: *const (), fate: Fate)
    where
        W: Runner,
        M: Maker<W, F>,
    {
        let boxed = data.cast::<Self>();
        // SAFETY: the data is the box of `Job::boxed`, and a job ends once.
        let maker = unsafe { (&raw const (*boxed.as_ptr()).maker).read() };
        let task = Unbegun(boxed);
        // SAFETY: `Job::run` and `Job::discard` pass a worker of this type.
        let worker = unsafe { &*worker.cast::<W>() };
        match fate {
            Fate::Run => maker.call(task, worker),
            Fate::Discarded => drop(task),
        }
        maker.end(worker);
    }

    unsafe fn origin<W>(data: NonNull<()>) -> Option<Ancestor>
    where
        W: Runner,
        M: Maker<W, F>,
    {
        // SAFETY: the data is such a box, and the job is not over.
        unsafe { data.cast::<Self>().as_ref() }.maker.origin()
    }
}

/// The maker of a task that is called as it is.
struct Plain<E> {
    origin: Option<Ancestor>,
    end: E,
}

impl<W, F, E> Maker<W, F> for Plain<E>
where
    W: Runner,
    F: FnOnce(&W),
    E: FnOnce(&W) + Send,
{
    fn origin(&self) -> Option<Ancestor> {
        self.origin
    }

    fn call(&self, task: Unbegun<F, Self>, worker: &W) {
        task.call(worker);
    }

    fn end(self, worker: &W) {
        (self.end)(worker);
    }
}

impl Job {
    /// A task in a box, which may be one of those that the spawner keeps, for workers of this type only.
    ///
    /// # Safety
    /// What the task borrows lives until the end is called, what the maker points to until it has used it; they are run
    /// by workers of this `W`.
    #[inline]
    pub(crate) unsafe fn boxed<W, F, M>(spawner: Option<&W>, task: F, maker: M) -> Job
    where
        W: Runner,
        F: Send,
        M: Maker<W, F>,
    {
        let boxed = Boxed { maker, task };
        let boxed = match spawner {
            Some(worker) => worker.boxes().put(boxed),
            None => boxes::put(boxed),
        };
        Job { data: boxed.cast(), kind: const { &Boxed::<F, M>::kind::<W>() } }
    }

    /// As [`Job::boxed`], with a task that is called as it is, and this end. Neither may unwind.
    ///
    /// # Safety
    /// The same.
    pub(crate) unsafe fn simple<W, F, E>(origin: Option<Ancestor>, task: F, end: E) -> Job
    where
        W: Runner,
        F: FnOnce(&W) + Send,
        E: FnOnce(&W) + Send,
    {
        // SAFETY: by the caller's word.
        unsafe { Job::boxed(None, task, Plain { origin, end }) }
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
            let job = data.as_ptr().cast::<J>();
            // SAFETY: `Job::run` passes a worker of this type; the data is the job, which is alive until its end (job-1), and a job ends
            // once.
            unsafe {
                match fate {
                    Fate::Run => J::run(job, &*worker.cast::<W>()),
                    Fate::Discarded => J::discard(job),
                }
            }
        }
        unsafe fn origin<W: Runner, J: FrameJob<W>>(data: NonNull<()>) -> Option<Ancestor> {
            // SAFETY: as above, and who has the job has not run it.
            unsafe { J::origin(data.as_ptr().cast()) }
        }
        // SAFETY: by the caller's word there is a frame.
        let data = unsafe { NonNull::new_unchecked(job.pointer().cast()) };
        Job { data, kind: const { &Kind { end_as: end_as::<W, J>, origin: origin::<W, J> } } }
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
            let next = unsafe { (*queue.as_ptr().cast_const().cast::<Fifo>()).pop() };
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

    /// Ends it unrun (job-2): drops its task, and calls its end, with a worker of the pool that it was for.
    pub(crate) fn discard<W: Runner>(self, worker: &W) {
        // SAFETY: as in `run`.
        unsafe { (self.kind.end_as)(self.data, std::ptr::from_ref(worker).cast(), Fate::Discarded) }
    }
}
