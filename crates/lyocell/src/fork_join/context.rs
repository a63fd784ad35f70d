//! `join_context`: a join whose closures are told whether they were stolen, and of which both always run.
//!
//! It is the join of rayon, for which much code is written: its parallel iterators split a part further when it has been
//! stolen, and count on `b` being run though `a` panics. Three things differ from [`Worker::join`].
//! - Each closure is told whether it *migrated*: whether it was stolen, by another worker or by the one that forked it, in the middle
//!   of what that one runs.
//! - If `a` panics, `b` is run all the same, here or there.
//! - What `a` has spawned on this worker and nobody has taken runs before `b`, as in a deque that has both. So does what was
//!   spawned here by the tasks that the worker ran while `a` waited; if one of these spawns itself again and again, without end
//!   and faster than others take it, `b` waits as long, as in that deque (and in rayon).
//!
//! The data path is that of [`join`](super::join): store, push, call `a`, pop, call `b`. There is a `catch_unwind` around
//! `a` besides, and the height of the lane is compared.

use super::join::run_as;
use crate::deque::{Deque, Fast, Push};
use crate::jobs::LaneHeight;
use crate::probe::Probe;
use crate::scheduler::Worker;
use crate::task::panic::{DroppedQuietly, Panic, drop_quietly};
use crate::task::{Finished, Slot, SlotPtr};
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// What a closure of [`Worker::join_context`] is told about how it was called.
#[derive(Debug)]
pub struct FnContext {
    migrated: bool,
    /// Neither `Send` nor `Sync`: it is about the calling thread.
    here: PhantomData<*mut ()>,
}

impl FnContext {
    pub(crate) fn new(migrated: bool) -> FnContext {
        FnContext { migrated, here: PhantomData }
    }

    /// Returns whether the closure was stolen: by another worker than the one that called [`join_context`](Worker::join_context), or by
    /// that one, while something that the other closure calls waits or [yields](Worker::yield_now).
    #[inline]
    pub fn migrated(&self) -> bool {
        self.migrated
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Runs `a` and `b`, in parallel if another worker is free, and tells each whether it migrated.
    ///
    /// A task that migrated shows that workers have nothing else to do: the place to cut it into more parts. Both closures always run,
    /// even if `a` panics; and what `a` spawned on this worker runs before `b`. Where none of this is needed,
    /// [`Worker::join`] is the simpler.
    ///
    /// # Panics
    /// Panics with the panic of `a`, else with that of `b`, when both are over.
    ///
    /// # Cost
    /// About a nanosecond over [`Worker::join`] if nobody steals `b`.
    ///
    /// # Source
    /// `join_context` of rayon.
    ///
    /// # Examples
    /// A sum that is cut into few parts, and into more where they are stolen.
    ///
    /// ```
    /// use lyocell::{FnContext, Pool, Worker};
    ///
    /// fn sum(w: &Worker, context: FnContext, cuts: usize, values: &[u64]) -> u64 {
    ///     let cuts = if context.migrated() { w.workers() } else { cuts };
    ///     if cuts == 0 || values.len() < 2 {
    ///         return values.iter().sum();
    ///     }
    ///     let (left, right) = values.split_at(values.len() / 2);
    ///     let (a, b) = w.join_context(
    ///         |w, context| sum(w, context, cuts / 2, left),
    ///         |w, context| sum(w, context, cuts / 2, right),
    ///     );
    ///     a + b
    /// }
    ///
    /// let values: Vec<u64> = (0..1000).collect();
    /// let pool = Pool::new()?;
    /// let (total, ()) = pool.run(|w| {
    ///     w.join_context(|w, context| sum(w, context, w.workers(), &values), |_, _| ())
    /// });
    /// assert_eq!(total, 499_500);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    // Outlined for the reason that `join` is (see there), and by force: LLVM would inline it.
    #[inline(never)]
    pub fn join_context<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&Self, FnContext) -> RA,
        B: FnOnce(&Self, FnContext) -> RB + Send,
        RB: Send,
    {
        let a = |worker: &Self| a(worker, FnContext::new(false));
        let b = ManuallyDrop::new(b);
        let height = self.lane.height();
        let slot = self.owner.head();
        // SAFETY: the slot at the head is free and ours (slot-1). `b` is `Send` and stays in this frame until the task is
        // over, for nothing unwinds from here before that (join-2).
        unsafe { slot.store::<B>(run_stolen::<D, P, B, RB>, &b) };
        let pushed = self.owner.push(slot);
        self.owner.tell_of_spawn();
        if pushed == Fast::Slow && self.push_slow() == Push::Full {
            // SAFETY: nobody has taken `b`: the slot past the last one was written, but is no task.
            return self.call_both_in_place(a, unsafe { slot.take::<B>() }, height);
        }
        let fork = self.owner.tell_of_fork(1, run_stolen::<D, P, B, RB>);
        let first = catch_unwind(AssertUnwindSafe(|| a(self)));
        self.run_spawned_by_a(height);
        let fork = self.owner.probe.next_branch(fork);
        let first = match first {
            Ok(first) => DroppedQuietly::new(first),
            Err(panic) => self.end_after_panic::<B, RB>(slot, panic, fork),
        };
        match self.owner.pop(slot) {
            Fast::Done => {
                // SAFETY: join-1: the task is ours, and has not begun.
                let second = self.run_popped(slot, |w| call_here(unsafe { slot.take::<B>() }, w));
                self.owner.probe.join(fork);
                (first.into_inner(), second)
            }
            Fast::Slow => self.sync_slowly(slot, first, fork, call_here::<D, P, B, RB>),
        }
    }

    #[inline(always)]
    fn run_spawned_by_a(&self, height: LaneHeight) {
        if self.lane.height() != height {
            self.run_spawned_since(height);
        }
    }

    /// A join without room.
    #[cold]
    #[inline(never)]
    fn call_both_in_place<A, B, RA, RB>(&self, a: A, b: B, height: LaneHeight) -> (RA, RB)
    where
        A: FnOnce(&Self) -> RA,
        B: FnOnce(&Self, FnContext) -> RB + Send,
        RB: Send,
    {
        let fork = self.owner.tell_of_fork(1, run_stolen::<D, P, B, RB>);
        let first = catch_unwind(AssertUnwindSafe(|| a(self)));
        self.run_spawned_by_a(height);
        let fork = self.owner.probe.next_branch(fork);
        match first {
            Ok(first) => {
                let first = DroppedQuietly::new(first);
                let second = call_here(b, self);
                self.owner.probe.join(fork);
                (first.into_inner(), second)
            }
            Err(panic) => {
                drop_quietly(catch_unwind(AssertUnwindSafe(|| call_here(b, self))));
                self.owner.probe.join(fork);
                resume_unwind(panic)
            }
        }
    }

    /// `a` has panicked: runs `b`, or waits for its thief, and goes on with the panic.
    #[cold]
    #[inline(never)]
    fn end_after_panic<B, RB>(&self, slot: SlotPtr<'_>, panic: Panic, fork: P::Fork) -> !
    where
        B: FnOnce(&Self, FnContext) -> RB,
    {
        let second = catch_unwind(AssertUnwindSafe(|| {
            let synced = self.sync_slot(slot);
            self.end_of_join(slot, synced, call_here::<D, P, B, RB>)
        }));
        self.owner.probe.join(fork);
        drop_quietly(second);
        resume_unwind(panic)
    }
}

/// Calls a `b` that was not stolen.
#[inline(always)]
fn call_here<D: Deque, P: Probe, B, R>(b: B, worker: &Worker<D, P>) -> R
where
    B: FnOnce(&Worker<D, P>, FnContext) -> R,
{
    b(worker, FnContext::new(false))
}

/// What a thief runs, and the owner where its deque has it run what is in the slot.
///
/// # Safety
/// As for what [`join`](super::join) has run.
unsafe extern "C" fn run_stolen<D, P, B, R>(slot: &Slot, worker: *const ()) -> Finished
where
    D: Deque,
    P: Probe,
    B: FnOnce(&Worker<D, P>, FnContext) -> R,
{
    // Who has stolen it has said so.
    let migrated = slot.state.load().thief().is_some();
    // SAFETY: by the caller's word.
    unsafe {
        run_as(slot, worker, |b: B, worker: &Worker<D, P>| b(worker, FnContext::new(migrated)))
    }
}
