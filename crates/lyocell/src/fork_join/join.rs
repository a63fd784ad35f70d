//! `join`: spawn one closure, call the other, sync.
//!
//! The whole data path of a join that nobody steals is on this page: store the closure in the slot at
//! the head, push, call `a`, pop, call `b`. Push and pop are one compare each.
//!
//! # Invariants
//! - join-1. From push to sync the closure is what the slot has of it: its bytes, or the address of this frame's if they do
//!   not fit. Whoever the deque gives the task to takes it out of the slot, the owner too; this frame neither uses nor
//!   moves what it has left, and never drops it.
//! - join-2. No way out of the frame leaves the task behind: the guard syncs when `a` unwinds.
//!
//! `join` is not to be inlined, and mostly is not: its landing pad would stop LLVM from shrink-wrapping the caller, so that
//! even the base case of a recursion would save registers; outlined, the caller is inlined into `join` instead, base case
//! first (2.1 ns a fork instead of 4.0, in the prototype). LLVM sees to that by itself: with `#[inline(never)]` every instance
//! in a library would be exported, and called through the global offset table (half a nanosecond a fork).

use crate::deque::{Deque, Fast, Join, Push};
use crate::probe::Probe;
use crate::scheduler::{Synced, Worker, stop};
use crate::task::panic::{DroppedQuietly, drop_quietly};
use crate::task::{Finished, Slot, SlotPtr};
use std::marker::PhantomData;
use std::mem::{ManuallyDrop, forget};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Runs `a` and `b`, in parallel if another worker is free, and returns what both return.
    ///
    /// `b` is offered to thieves while this worker runs `a`; if nobody took it, this worker runs it
    /// next, as serial code would. So `a` stays on this thread and need not be [`Send`].
    ///
    /// Nothing is allocated: `b` is kept in the worker's array if it has at most 48 bytes, else in this
    /// frame. When the array is full, both run here, one after the other.
    ///
    /// A recursive function is best left without `#[inline(never)]`: it is compiled into its `join`, one call a level, and
    /// with that attribute there are two. Closures that `move` what they capture cost least.
    ///
    /// No worker stays idle while `b` waits, even if `a` is long and forks nothing: it is taken after some tens of
    /// microseconds, or about a millisecond at the most, where the system has a barrier for that (see
    /// [`Builder::exposing`](crate::Builder::exposing)).
    ///
    /// Each closure is given the handle of the worker that runs it. In `b` the outer handle cannot be used, for `b` may run on
    /// another thread: give the argument the same name, as the examples do.
    ///
    /// Look for the leaf of a recursion before the join: one with nothing to do in a branch costs as much as any other, and there are
    /// as many of these as there are leaves.
    ///
    /// A lock or a borrow held across a `join` is held while *other* tasks run on this thread: a
    /// waiting worker steals. Do not hold a lock that those tasks take. A [`LazyLock`](std::sync::LazyLock) or
    /// [`OnceLock`](std::sync::OnceLock) is such a lock while it is being made. Or join in [`Worker::isolated`], where
    /// nothing else is run meanwhile.
    ///
    /// If `a` finds that `b` is not needed, see [`Worker::try_join`]; to stop both from elsewhere, [`Worker::cancellable`].
    ///
    /// # Panics
    /// Panics with the panic of `a`, else with that of `b`; the other one's is dropped. If `a` panics and `b` has
    /// not been stolen, `b` does not run. If `b` panics, what `a` returned is dropped. In every case both are over
    /// when `join` returns or unwinds. A destructor that panics meanwhile is caught and ignored.
    ///
    /// # Cost
    /// At most about two cycles over calling `b` if nobody steals it, where the closures capture by move.
    ///
    /// # Source
    /// SPAWN and SYNC of Lace (van Dijk and van de Pol 2014, Figure 1) and Wool (Faxén 2010, Figure 2).
    ///
    /// # Examples
    /// ```
    /// use lyocell::{Pool, Worker};
    ///
    /// enum Tree { Leaf(u64), Fork(Box<Tree>, Box<Tree>) }
    ///
    /// fn sum(w: &Worker, tree: &Tree) -> u64 {
    ///     match tree {
    ///         Tree::Leaf(value) => *value,
    ///         Tree::Fork(left, right) => {
    ///             let (a, b) = w.join(|w| sum(w, left), |w| sum(w, right));
    ///             a + b
    ///         }
    ///     }
    /// }
    ///
    /// let tree = Tree::Fork(Box::new(Tree::Leaf(40)), Box::new(Tree::Leaf(2)));
    /// assert_eq!(Pool::new()?.run(|w| sum(w, &tree)), 42);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&Self) -> RA,
        B: FnOnce(&Self) -> RB + Send,
        RB: Send,
    {
        let b = ManuallyDrop::new(b);
        let slot = self.owner.head();
        // SAFETY: the slot at the head is free and ours (slot-1). `b` is `Send` and, by join-2, stays in this
        // frame until the task is over.
        unsafe { slot.store::<B>(run_closure::<D, P, B, RB>, &b) };
        let pushed = self.owner.push(slot);
        self.owner.tell_of_spawn();
        match pushed {
            Fast::Done => self.join_pushed::<A, B, RA, RB>(slot, a),
            Fast::Slow => self.join_slowly::<A, B, RA, RB>(slot, a),
        }
    }

    // `b` is not kept beside the slot: a register less has to survive `a`.

    /// The rest of a join, from the moment `b` is in the deque.
    #[inline(always)]
    fn join_pushed<A, B, RA, RB>(&self, slot: SlotPtr<'_>, a: A) -> (RA, RB)
    where
        A: FnOnce(&Self) -> RA,
        B: FnOnce(&Self) -> RB + Send,
        RB: Send,
    {
        let fork = self.owner.tell_of_fork(1, run_closure::<D, P, B, RB>);
        let guard = Guard::<D, P, B, RB> { worker: self, slot, fork, task: PhantomData };
        let first = DroppedQuietly::new(a(self));
        forget(guard);
        let fork = self.owner.probe.next_branch(fork);
        match self.owner.pop(slot) {
            Fast::Done => {
                // SAFETY: join-1: the task is ours, and has not begun.
                let second = self.run_popped(slot, |w| unsafe { slot.take::<B>() }(w));
                self.owner.probe.join(fork);
                (first.into_inner(), second)
            }
            Fast::Slow => self.sync_slowly(slot, first, fork, |b: B, w| b(w)),
        }
    }

    // The two cold ways out of the path above are calls in tail position, with all that is left to do: so
    // nothing has to survive them, and the hot path saves no register for their sake.

    /// As `join_pushed`, when somebody asks for work or there is no room.
    #[cold]
    #[inline(never)]
    fn join_slowly<A, B, RA, RB>(&self, slot: SlotPtr<'_>, a: A) -> (RA, RB)
    where
        A: FnOnce(&Self) -> RA,
        B: FnOnce(&Self) -> RB + Send,
        RB: Send,
    {
        match self.push_slow() {
            // SAFETY: nobody has taken `b`: the slot past the last one was written, but is no task.
            Push::Full => self.call_both(a, unsafe { slot.take::<B>() }),
            Push::Pushed | Push::Asked if self.has_to_stop() => {
                drop_quietly(a);
                self.stop_join::<B, RB>(slot)
            }
            Push::Pushed | Push::Asked => self.join_pushed::<A, B, RA, RB>(slot, a),
        }
    }

    /// The current task stops, and `b` with it, or when its thief has run it.
    #[cold]
    #[inline(never)]
    fn stop_join<B, RB>(&self, slot: SlotPtr<'_>) -> !
    where
        B: FnOnce(&Self) -> RB,
    {
        let fork = self.owner.tell_of_fork(1, run_closure::<D, P, B, RB>);
        self.take_back::<B, RB>(slot, fork);
        stop()
    }

    /// A join without room. If `a` panics, `b` is dropped unrun, as in `take_back`.
    fn call_both<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&Self) -> RA,
        B: FnOnce(&Self) -> RB + Send,
        RB: Send,
    {
        if self.has_to_stop() {
            drop_quietly(a);
            drop_quietly(b);
            stop();
        }
        let fork = self.owner.tell_of_fork(1, run_closure::<D, P, B, RB>);
        match catch_unwind(AssertUnwindSafe(|| a(self))) {
            Ok(first) => {
                let first = DroppedQuietly::new(first);
                let fork = self.owner.probe.next_branch(fork);
                let second = b(self);
                self.owner.probe.join(fork);
                (first.into_inner(), second)
            }
            Err(panic) => {
                self.owner.probe.leave(fork);
                drop_quietly(b);
                resume_unwind(panic)
            }
        }
    }

    /// The end of a join whose top task is not simply the owner's.
    #[cold]
    #[inline(never)]
    pub(super) fn sync_slowly<B, RA, RB>(
        &self,
        slot: SlotPtr<'_>,
        first: DroppedQuietly<RA>,
        fork: P::Fork,
        call: impl FnOnce(B, &Self) -> RB,
    ) -> (RA, RB) {
        let synced = self.sync_slot_slowly(slot, Self::wait_for);
        if matches!(synced, Synced::Mine) && self.has_to_stop() {
            // SAFETY: join-1: the task is ours, and has not begun.
            drop_quietly(unsafe { slot.take::<B>() });
            drop(first);
            self.owner.probe.leave(fork);
            stop();
        }
        let second = self.end_of_join(slot, synced, call);
        self.owner.probe.join(fork);
        (first.into_inner(), second)
    }

    /// Runs the task that was popped from `slot`, as the deque wants it: by its type, which drops nothing if it
    /// is not called, or from the slot.
    #[inline(always)]
    pub(crate) fn run_popped<R>(&self, slot: SlotPtr<'_>, task: impl FnOnce(&Self) -> R) -> R {
        match D::JOIN {
            Join::Specific => task(self),
            Join::Generic => self.run_in_slot(slot),
        }
    }

    /// Runs the popped task in `slot` as a thief would.
    fn run_in_slot<R>(&self, slot: SlotPtr<'_>) -> R {
        // SAFETY: the task is ours (slot-1) and, by join-1, we use the slot's copy; the worker is of the type it was
        // stored for. The slot is free again while the task runs, and so for its result after.
        let finished = unsafe { slot.run(std::ptr::from_ref(self).cast()) };
        // SAFETY: the task has just ended here, and whoever stored it names its `R`.
        unsafe { slot.collect::<R>(finished) }.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// The result, or the panic, of the task in the top slot, which has been synced and is called now if nobody has.
    #[inline(always)]
    pub(super) fn end_of_join<B, RB>(
        &self,
        slot: SlotPtr<'_>,
        synced: Synced,
        call: impl FnOnce(B, &Self) -> RB,
    ) -> RB {
        match synced {
            Synced::Done(finished) => self.collect(slot, finished),
            Synced::Mine => {
                // SAFETY: join-1: the task is ours, and has not begun.
                self.run_popped(slot, |w| call(unsafe { slot.take::<B>() }, w))
            }
        }
    }

    /// Retires the stolen task in the top slot, which has finished so, and passes on its result or its panic.
    #[cold]
    pub(super) fn collect<R>(&self, slot: SlotPtr<'_>, finished: Finished) -> R {
        // SAFETY: the wait saw the end with Acquire, and whoever stored the task names its `R`.
        let outcome = unsafe { slot.collect::<R>(finished) };
        self.retire(slot);
        outcome.unwrap_or_else(|panic| {
            self.note_unwinding();
            resume_unwind(panic)
        })
    }

    /// As [`Worker::collect`] for a frame that unwinds: the outcome is dropped.
    #[cold]
    pub(super) fn collect_unwinding<R>(&self, slot: SlotPtr<'_>, finished: Finished) {
        // SAFETY: as in `collect`.
        let outcome = unsafe { slot.collect::<R>(finished) };
        self.retire(slot);
        drop_quietly(outcome);
    }
}

/// What a thief runs.
///
/// # Safety
/// The caller is the thief of `slot` (slot-1), which was stored with this `B`, and `worker` is its worker.
pub(super) unsafe extern "C" fn run_closure<D, P, B, R>(slot: &Slot, worker: *const ()) -> Finished
where
    D: Deque,
    P: Probe,
    B: FnOnce(&Worker<D, P>) -> R,
{
    // SAFETY: by the caller's word.
    unsafe { run_as(slot, worker, |b: B, worker: &Worker<D, P>| b(worker)) }
}

/// What a thief runs, called so.
///
/// # Safety
/// As for [`run_closure`].
#[inline(always)]
pub(super) unsafe fn run_as<D: Deque, P: Probe, B, R>(
    slot: &Slot,
    worker: *const (),
    call: impl FnOnce(B, &Worker<D, P>) -> R,
) -> Finished {
    // SAFETY: by the caller's word; join-1.
    let task = DroppedQuietly::new(unsafe { slot.take::<B>() });
    // SAFETY: by the caller's word.
    let worker = unsafe { &*worker.cast::<Worker<D, P>>() };
    // SAFETY: the starting value has just been taken.
    unsafe {
        slot.fill(|| {
            worker.stop_if_cancelled();
            call(task.into_inner(), worker)
        })
    }
}

/// Syncs the task when `a` unwinds (join-2). It holds no reference to `b`, which may so stay in registers.
struct Guard<'a, D: Deque, P: Probe, B, R> {
    worker: &'a Worker<D, P>,
    slot: SlotPtr<'a>,
    fork: P::Fork,
    task: PhantomData<fn(B) -> R>,
}

impl<D: Deque, P: Probe, B, R> Drop for Guard<'_, D, P, B, R> {
    fn drop(&mut self) {
        self.worker.take_back::<B, R>(self.slot, self.fork);
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Takes the task in the top slot back unrun and drops it, or waits for its thief.
    // By value, not as a method of the guard: the guard may so stay in registers.
    #[cold]
    #[inline(never)]
    fn take_back<B, R>(&self, slot: SlotPtr<'_>, fork: P::Fork) {
        let synced = self.sync_slot_unwinding(slot);
        self.note_unwinding();
        match synced {
            Synced::Done(finished) => {
                self.collect_unwinding::<R>(slot, finished);
                self.note_unwinding();
            }
            // SAFETY: the task is ours again and has not run; join-1: we use the slot's copy, the frame's is
            // never dropped.
            Synced::Mine => drop_quietly(unsafe { slot.take::<B>() }),
        }
        self.owner.probe.leave(fork);
    }
}
