//! Frames: all workers of a pool set their tasks aside, run something else among themselves, and put the tasks back.
//!
//! ```text
//!   who begins it                   every other worker
//!   1. takes the right to           1. polls, in its search, before it sleeps, or where
//!   2. unparks everybody               its task says so
//!   both, in this order:
//!   3. set all tasks aside                          deque/split/aside
//!   4. meet: all have entered       nobody steals; the last to come gives the right back
//!   5. run the body; meet: all are done             whoever has run it steals what others spawn in theirs
//!   6. meet: all have left          nobody steals
//!   7. put the tasks back
//! ```
//!
//! # Invariants
//! - frame-1. One frame at a time is being entered, from step 1 until all have entered it. A worker that polls then has not entered it:
//!   those that have wait for the others in step 4. So everybody enters each frame once, and all frames in one order.
//! - frame-2. Everybody comes: the flag is up before anybody is unparked, and who sleeps looks at it after it has announced its sleep,
//!   or is unparked later. A worker that runs a task comes when that is over, waits or polls.
//! - frame-3. From the moment when the first has passed step 4 until the last has reached step 6, no task of before begins, and nobody has
//!   one on its way: a worker polls where it has won nothing that it has not run, all deques are set aside before the first
//!   passes step 4, and nobody steals in steps 4 and 6.
//! - frame-4. Nor is a call or a detached task from outside begun there. (Tasks that workers have spawned in scopes may be.)
//!
//! A frame may begin within another: all who are in the outer one are in its step 5, or come to it, and poll there.
//!
//! It takes all workers: in a pool with a [seat](super::seat), which may be empty, no frame can begin.
//!
//! # Orderings
//! Each meeting is a counter with AcqRel and a flag with Release, read with Acquire: so what all did before, all see after.
//!
//! Source: NEWFRAME and TOGETHER of Lace, of which there is no paper. Departures: idle workers sleep, so they are unparked; nobody steals
//! before all have left.

use super::{Registry, Worker};
use crate::deque::{Deque, SetAside};
use crate::probe::Probe;
use crate::task::panic::FirstPanic;
use crate::wait::{Goal, Subscribed};
use lyocell_sync::{AtomicBool, AtomicUsize, Mutex, Ordering, yield_now};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// How often a worker yields in a meeting before it sleeps. Untuned.
const YIELDS: usize = if cfg!(loom) { 0 } else { 64 };

/// The frames of a pool.
pub(crate) struct Frames<D: Deque, P: Probe> {
    /// Whether one is being entered.
    waits: AtomicBool,
    entering: Mutex<Option<Arc<dyn Enter<D, P>>>>,
}

/// How a frame is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameStep {
    /// One worker has the right to it, and all have to come.
    Begun,
    /// All have come.
    Entered,
}

/// Why a frame cannot begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameError {
    /// The pool has a seat, which may be empty, or spare workers, which may rest.
    Seat,
}

/// A frame, for a worker that does not know what its body is.
trait Enter<D: Deque, P: Probe>: Send + Sync {
    /// Steps 3 to 7.
    fn enter(&self, worker: &Worker<D, P>);
}

/// The body of a frame, told of its steps.
pub(crate) struct FrameBody<'a, D: Deque, P: Probe> {
    pub(crate) run: &'a (dyn Fn(&Worker<D, P>) + Sync),
    pub(crate) tell: &'a (dyn Fn(FrameStep) + Sync),
}

struct Frame<D: Deque, P: Probe> {
    /// In the frame of who has begun it, which outlasts all meetings.
    body: *const FrameBody<'static, D, P>,
    entered: Meeting,
    done: Meeting,
    left: Meeting,
    panic: FirstPanic,
}

// SAFETY: what its body points to is `Sync`, and there until all have left (frame-1).
unsafe impl<D: Deque, P: Probe> Send for Frame<D, P> {}
// SAFETY: as above.
unsafe impl<D: Deque, P: Probe> Sync for Frame<D, P> {}

/// A place where all workers meet, once.
#[derive(Default)]
pub(crate) struct Meeting {
    arrived: AtomicUsize,
    is_over: AtomicBool,
}

impl Meeting {
    /// Comes to it; who is the last does `at_the_end` before all go on.
    pub(crate) fn arrive<D: Deque, P: Probe>(
        &self,
        pool: &Registry<D, P>,
        at_the_end: impl FnOnce(),
    ) {
        // Ordering: AcqRel; meets itself: who comes last has seen what all have done.
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == pool.workers.len() {
            at_the_end();
            // Ordering: Release; meets the Acquire in `reached`.
            self.is_over.store(true, Ordering::Release);
            pool.idle.unpark_all();
        }
    }
}

impl Goal for Meeting {
    fn reached(&self) -> bool {
        // Ordering: Acquire; meets the Release in `arrive`.
        self.is_over.load(Ordering::Acquire)
    }

    /// All are unparked at the end.
    fn subscribe(&self) -> Subscribed {
        if self.reached() { Subscribed::Reached } else { Subscribed::WillUnpark }
    }
}

impl<D: Deque, P: Probe> Frames<D, P> {
    pub(super) fn new() -> Self {
        Frames { waits: AtomicBool::new(false), entering: Mutex::new(None) }
    }

    /// Takes the right to begin a frame, unless one is being entered.
    fn begin(&self, frame: &Arc<impl Enter<D, P> + 'static>, tell: impl FnOnce()) -> bool {
        let mut entering = self.entering.lock();
        if entering.is_some() {
            return false;
        }
        *entering = Some(Arc::clone(frame) as Arc<dyn Enter<D, P>>);
        tell();
        // Ordering: Relaxed; who sees it takes the lock. The parker's token orders it for sleepers (frame-2).
        self.waits.store(true, Ordering::Relaxed);
        true
    }

    /// All have entered.
    fn end_entering(&self) {
        let mut entering = self.entering.lock();
        // Ordering: Relaxed; as in `begin`.
        self.waits.store(false, Ordering::Relaxed);
        *entering = None;
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Enters the frame that is being entered, if there is one. The worker has won nothing that it has not run (frame-3).
    #[inline]
    pub(crate) fn poll_frame(&self) {
        if self.sees_frame() {
            self.enter_frame();
        }
    }

    /// Whether a frame is being entered.
    #[inline]
    pub(super) fn sees_frame(&self) -> bool {
        // Ordering: Relaxed; see `begin`.
        self.registry().frames.waits.load(Ordering::Relaxed)
    }

    /// Whether this worker is in a frame.
    pub(crate) fn is_in_frame(&self) -> bool {
        self.own.frames.get() > 0
    }

    #[cold]
    fn enter_frame(&self) {
        if self.is_left_behind() {
            // after_fork-4.
            return;
        }
        let frame = self.registry().frames.entering.lock().clone();
        if let Some(frame) = frame {
            frame.enter(self);
        }
    }

    /// Waits for the others, and does nothing else.
    fn meet(&self, meeting: &Meeting, at_the_end: impl FnOnce()) {
        meeting.arrive(self.registry(), at_the_end);
        let reached = |_| {
            yield_now();
            meeting.reached()
        };
        if !meeting.reached() && !(0..YIELDS).any(reached) {
            self.sleep_only_until(meeting);
        }
    }
}

/// Has every worker call `body.run` in a frame of its own, and returns when all have.
///
/// # Panics
/// Panics with the first panic of a body, when all are over.
pub(crate) fn run_frame<D: SetAside, P: Probe>(
    worker: &Worker<D, P>,
    body: &FrameBody<'_, D, P>,
) -> Result<(), FrameError> {
    let pool = worker.registry();
    if worker.workers() == 1 || worker.is_left_behind() {
        (body.run)(worker);
        return Ok(());
    }
    if pool.seat.is_some() || pool.spares.most() > 0 {
        return Err(FrameError::Seat);
    }
    let frame = Arc::new(Frame::<D, P> {
        body: std::ptr::from_ref(body).cast(),
        entered: Meeting::default(),
        done: Meeting::default(),
        left: Meeting::default(),
        panic: FirstPanic::default(),
    });
    while !pool.frames.begin(&frame, || (body.tell)(FrameStep::Begun)) {
        // frame-1: everybody is needed in that one.
        worker.poll_frame();
        yield_now();
    }
    pool.idle.unpark_all();
    frame.enter(worker);
    match frame.panic.take() {
        Some(panic) => resume_unwind(panic),
        None => Ok(()),
    }
}

impl<D: SetAside, P: Probe> Enter<D, P> for Frame<D, P> {
    fn enter(&self, worker: &Worker<D, P>) {
        let pool = worker.registry();
        let (owner, probe) = (&worker.owner, &worker.owner.probe);
        let head = owner.head.get();
        let aside = owner.interrupt.gate.closed(|| owner.deque.set_aside(head, probe));
        // SAFETY: who has begun the frame is in it until all have left.
        let body = unsafe { &*self.body };
        worker.meet(&self.entered, || {
            (body.tell)(FrameStep::Entered);
            pool.frames.end_entering();
        });
        let outer = worker.own.frames.get();
        worker.own.frames.set(outer + 1);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (body.run)(worker))) {
            self.panic.keep(panic);
        }
        self.done.arrive(pool, || ());
        worker.work_until(&self.done);
        worker.own.frames.set(outer);
        worker.meet(&self.left, || ());
        debug_assert_eq!(owner.head.get(), head, "worker-2");
        owner.interrupt.gate.closed(|| owner.deque.put_back(aside, head, probe));
    }
}
