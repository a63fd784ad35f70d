//! How calls come into a pool from outside, and joins without a worker.
//!
//! A call lies in its caller's frame, and its job in the injector. So does the `b` of a join whose `a` the caller runs
//! meanwhile. Who takes the job out makes the call. That is a worker; or the caller itself, which takes its `b` back; or
//! whoever leaves the seat to the caller: then the latch is set though the call is not made, and the caller makes it. In a pool with spare
//! workers the caller is one of these instead, and makes its call at once.
//!
//! Below `run` nothing knows the type of what it calls: it is compiled once for each type of pool, and not for each closure.

use crate::current;
use crate::current::Through;
use crate::deque::Deque;
use crate::idle::Notifier;
use crate::jobs::{FrameJob, InFrame, Job};
use crate::probe::{Guarded, Origin, Probe, Root};
use crate::scheduler::Worker;
use crate::scheduler::lineage::Parent;
use crate::scheduler::seat::Take;
use crate::scheduler::{Registry, Seated, SleepingCaller};
use crate::task::panic::drop_quietly;
use crate::wait::Latch;
use lyocell_sync::{Parker, thread};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;

impl<D: Deque, P: Probe> Registry<D, P> {
    pub(crate) fn run<F, R>(&self, task: F) -> R
    where
        F: FnOnce(&Worker<D, P>) -> R + Send,
        R: Send,
    {
        if let Some(worker) = self.current() {
            return task(worker);
        }
        let mut task = Through::new(task);
        self.enter(&mut |worker| task.call(|task| task(worker)));
        task.result()
    }

    /// Runs a task of a thread that is no worker of this pool.
    fn enter(&self, task: &mut Task<'_, D, P>) {
        if self.generation.is_past() {
            return self.enter_alone(task);
        }
        match self.take_seat() {
            Some(seated) => seated.call(task),
            None if self.call_as_spare(task) => {}
            None => self.call(task),
        }
    }

    /// Has a worker run the task, and waits; or runs it here, once this thread has the seat, or where it has it already.
    #[cold]
    fn call(&self, task: &mut Task<'_, D, P>) {
        if let Some(worker) = self.worker_below() {
            return current::again(worker, || task(worker));
        }
        current::waiting(|parker, wait| {
            let mut call = Call::new(task, parker);
            let place = &raw mut call;
            let seat = self.seat_for_callers();
            let stranger = self.stranger();
            // SAFETY: this frame waits for the latch (wait-1).
            let leave_call = || unsafe { self.leave_call(place) };
            let take = match seat {
                Some(seat) => seat.take_or_wait(leave_call),
                None => {
                    leave_call();
                    Take::Occupied
                }
            };
            // SAFETY: it is in this frame, and others follow pointers only (latch-1).
            let latch = unsafe { &(*place).latch };
            if take == Take::Occupied {
                // A worker of another pool looks round there before it sleeps, on a processor that the woken thread would wait for: calls
                // from one pool to another took 1.2 to 1.9 times as long.
                self.announce_call(match current::is_worker() {
                    true => Notifier::GoesOn,
                    false => Notifier::Sleeps,
                });
                wait(latch);
            }
            drop(stranger);
            match (call.outcome, seat) {
                (Some(outcome), seat) => {
                    let is_here = |caller: &SleepingCaller| ptr::eq(caller.latch.pointer(), latch);
                    seat.inspect(|seat| seat.withdraw(is_here));
                    outcome.unwrap_or_else(|panic| resume_unwind(panic))
                }
                (None, Some(seat)) => {
                    let task = call.task.expect("a call that was taken back is unbegun");
                    Seated { registry: self, seat }.call(task)
                }
                (None, None) => unreachable!("without a seat somebody else makes the call"),
            }
        })
    }

    /// `join` for a thread that is no worker of this pool: it takes the seat, or leaves `b` to the workers while it runs
    /// `a`.
    pub(crate) fn join_outside(&self, a: &mut dyn FnMut(), b: &mut (dyn FnMut() + Send)) {
        let mut join = |worker: &Worker<D, P>| worker.join_any(a, b);
        if self.generation.is_past() {
            return self.enter_alone(&mut join);
        }
        match self.take_seat() {
            Some(seated) => seated.call(&mut join),
            None if self.call_as_spare(&mut join) => {}
            None => self.join_beside(a, b),
        }
    }

    /// Leaves `b` to the workers, runs `a` here, and then `b` as well if nobody has begun it.
    #[cold]
    fn join_beside(&self, a: &mut dyn FnMut(), b: &mut (dyn FnMut() + Send)) {
        if let Some(worker) = self.worker_below() {
            return current::again(worker, || worker.join_any(a, b));
        }
        let mut there = |_: &Worker<D, P>| b();
        let (a, outcome) = current::waiting(|parker, wait| {
            let mut call = Call::new(&mut there, parker);
            let place = &raw mut call;
            let _stranger = self.stranger();
            // SAFETY: this frame takes it back or waits for the latch (wait-1), whatever happens.
            let left = unsafe { self.leave_call(place) };
            self.announce_call(Notifier::GoesOn);
            let a = catch_unwind(AssertUnwindSafe(a));
            if self.take_back(left.call).is_none() {
                // SAFETY: as in `call`.
                wait(unsafe { &(*place).latch });
            }
            (a, call.outcome)
        });
        match (a, outcome) {
            (Ok(()), Some(outcome)) => outcome.unwrap_or_else(|panic| resume_unwind(panic)),
            // Nobody has begun it, and nobody will (lane-4).
            (Ok(()), None) => b(),
            (Err(panic), outcome) => {
                drop_quietly(outcome);
                resume_unwind(panic)
            }
        }
    }

    /// Leaves a call to the workers.
    ///
    /// # Safety
    /// The call is alive until its latch is set, or until it has been taken back.
    unsafe fn leave_call(&self, call: *mut Call<'_, D, P>) -> SleepingCaller {
        // SAFETY: by the caller's word; the job's end is the latch's (job-1).
        let (job, latch) = unsafe { (Job::in_frame(InFrame::new(call)), &raw mut (*call).latch) };
        SleepingCaller { call: self.queue_call(job), latch: InFrame::new(latch) }
    }
}

impl<D: Deque, P: Probe> Seated<'_, D, P> {
    /// Makes a call, on the thread of the caller.
    pub(super) fn call(self, task: &mut dyn FnMut(&Worker<D, P>)) {
        self.occupy(&mut |worker| worker.as_root_of_caller(&mut *task));
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// [`Worker::join`] of any two closures, compiled once.
    #[inline(never)]
    fn join_any(&self, a: &mut dyn FnMut(), b: &mut (dyn FnMut() + Send)) {
        self.join(|_| a(), |_| b());
    }

    /// Runs a call from outside, and tells the probe when it is over, also when it unwinds.
    fn as_root<R>(&self, call: impl FnOnce(&Self) -> R) -> R {
        let _called = self.begin_call();
        self.descending(Parent::Root, || self.under(None, || call(self)))
    }

    /// As [`Worker::as_root`], on the thread of the caller, which is on the seat.
    pub(super) fn as_root_of_caller(&self, call: &mut dyn FnMut(&Self)) {
        let _called = self.begin_call();
        self.descending_from_caller(|| self.under(None, || call(self)))
    }

    fn begin_call(&self) -> Called<'_, Guarded<P>> {
        self.owner.probe.begin_task(Origin::Root(Root::Call));
        Called(&self.owner.probe)
    }
}

/// A call that has begun, for the probe.
struct Called<'a, P: Probe>(&'a P);

impl<P: Probe> Drop for Called<'_, P> {
    fn drop(&mut self) {
        self.0.end_root(Root::Call);
    }
}

/// What is called, once; its result is its own business.
type Task<'a, D, P> = dyn FnMut(&Worker<D, P>) + Send + 'a;

/// A call from outside, in the frame of its caller. It belongs to whoever has its job, until the latch is set.
struct Call<'a, D: Deque, P: Probe> {
    /// Until it is begun.
    task: Option<&'a mut Task<'a, D, P>>,
    outcome: Option<thread::Result<()>>,
    latch: Latch,
}

impl<'a, D: Deque, P: Probe> Call<'a, D, P> {
    fn new(task: &'a mut Task<'a, D, P>, caller: &Parker) -> Self {
        Call { task: Some(task), outcome: None, latch: Latch::new(caller) }
    }
}

impl<D: Deque, P: Probe> FrameJob<Worker<D, P>> for Call<'_, D, P> {
    unsafe fn run(call: *mut Self, worker: &Worker<D, P>) {
        // SAFETY: the call is ours, and alive until the latch is set (job-1).
        let task = unsafe { (*call).task.take() };
        let outcome = task.map(|task| catch_unwind(AssertUnwindSafe(|| worker.as_root(task))));
        // SAFETY: as above; no reference is left at the end, into the call or into the frame that its task is in.
        unsafe {
            (*call).outcome = outcome;
            Latch::set(&raw const (*call).latch);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::current::join_through;
    use crate::deque::Split;
    use crate::pool::Pool;
    use crate::probe::NoProbe;
    use std::sync::Arc;
    use std::thread;

    /// Calls `body` on a thread that finds the only worker taken.
    fn beside_a_call<R: Send>(body: impl FnOnce(&Registry<Split, NoProbe>) -> R + Send) -> R {
        let pool = &Pool::builder().workers(1).build().unwrap();
        thread::scope(|threads| {
            pool.run(|_| threads.spawn(|| body(pool.registry())).join().unwrap())
        })
    }

    fn join_outside<RA, RB: Send>(
        pool: &Registry<Split, NoProbe>,
        a: impl FnOnce() -> RA,
        b: impl FnOnce() -> RB + Send,
    ) -> (RA, RB) {
        join_through(a, b, |a, b| pool.join_outside(a, b))
    }

    #[test]
    fn what_nobody_has_begun_is_run_here() {
        let here = || thread::current().id();
        let (caller, (a, b)) = beside_a_call(|pool| (here(), join_outside(pool, here, here)));
        assert_eq!((a, b), (caller, caller));
    }

    #[test]
    fn a_panic_leaves_nothing_behind() {
        let owned = Arc::new(());
        for panics_in_a in [true, false] {
            let (kept, lost) = (Arc::clone(&owned), Arc::clone(&owned));
            let panic = beside_a_call(|pool| {
                let a = move || {
                    assert!(!panics_in_a, "a");
                    kept
                };
                let b = move || {
                    assert!(panics_in_a, "b");
                    drop(lost);
                };
                catch_unwind(AssertUnwindSafe(|| join_outside(pool, a, b))).err()
            });
            let text = *panic.unwrap().downcast::<&str>().unwrap();
            assert_eq!(text, if panics_in_a { "a" } else { "b" });
            assert_eq!(Arc::strong_count(&owned), 1);
        }
    }

    #[test]
    fn callers_and_joins_of_many_threads_beside_each_other() {
        let pool = &Pool::builder().workers(2).build().unwrap();
        thread::scope(|threads| {
            for i in 0..if cfg!(miri) { 3 } else { 4 } {
                threads.spawn(move || {
                    for _ in 0..if cfg!(miri) { 2 } else { 1_000 } {
                        assert_eq!(pool.run(|_| i), i);
                        let joined = join_outside(pool.registry(), || i, || i + 1);
                        assert_eq!(joined, (i, i + 1));
                    }
                });
            }
        });
    }
}
