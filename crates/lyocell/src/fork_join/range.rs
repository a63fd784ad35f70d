//! Many tasks of one frame: a loop of spawns, then a loop of syncs.
//!
//! # Invariants
//! - range-1. The tasks are pushed highest index first, so the owner, which pops the newest, runs them in
//!   ascending order, as a loop would; thieves take from the far end.
//! - range-2. No way out of the frame leaves a task behind: the guard syncs what is left when one unwinds.

use crate::deque::{Deque, Fast, Push};
use crate::probe::Probe;
use crate::scheduler::{Synced, Worker};
use crate::task::panic::DroppedQuietly;
use crate::task::{Finished, Slot, SlotPtr};
use std::marker::PhantomData;
use std::mem::{ManuallyDrop, forget};
use std::ops::Range;

/// What the slot of one index holds: where the closure is, and the index.
struct Indexed<F> {
    task: *const F,
    index: usize,
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Runs `task` for each index of `range` as a task of its own, and folds the results.
    ///
    /// The results are folded in ascending order of the index, beginning with `identity`, on this worker:
    /// `reduce` need not be commutative. Nothing is allocated for a task unless it is stolen and its
    /// result has more than 48 bytes.
    ///
    /// Every index becomes a task: right for a handful of branches of a recursion. For a long loop over
    /// small items use [`Worker::for_each`] or [`Worker::map_reduce`], which split lazily.
    ///
    /// Look for the leaves before: an index with nothing to do costs as much as any other. So leave out what cannot lead on, as a search
    /// does that forks for the places that are free, or call where few are left.
    ///
    /// # Panics
    /// Panics with the panic of the task with the lowest index among those whose panic was seen; tasks that had
    /// not started by then do not run. All tasks are over when `join_range` returns or unwinds.
    ///
    /// # Cost
    /// One slot of the worker's array for each index but the first; the indices there is no room for
    /// run here first.
    ///
    /// # Source
    /// The loop of SPAWN and the loop of SYNC of Lace's benchmarks (van de Pol and van Dijk 2014, 4.1).
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// let squares = pool.run(|w| w.join_range(0..10, 0, |_, i| i * i, |a, b| a + b));
    /// assert_eq!(squares, 285);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    // Outlined for the reason that `join` is (see there), and by force: LLVM would inline it.
    #[inline(never)]
    pub fn join_range<T, F, R>(&self, range: Range<usize>, identity: T, task: F, mut reduce: R) -> T
    where
        T: Send,
        F: Fn(&Self, usize) -> T + Sync,
        R: FnMut(T, T) -> T,
    {
        let bottom = self.owner.head();
        let unpushed = self.push_from_the_end(&range, &task);
        let fork = self.owner.tell_of_fork(range.len(), run_index::<D, P, T, F>);
        let mut frame = Frame::<D, P, T> { worker: self, bottom, fork, result: PhantomData };
        let mut sum = DroppedQuietly::new(identity);
        for index in range.start..unpushed {
            self.owner.tell_of_spawn();
            frame.fork = self.owner.probe.next_branch(frame.fork);
            let result = task(self, index);
            frame.fork = self.owner.probe.sync_branch(frame.fork);
            sum = DroppedQuietly::new(reduce(sum.into_inner(), result));
        }
        for index in unpushed..range.end {
            frame.fork = self.owner.probe.next_branch(frame.fork);
            let result = self.sync_next(index, &task);
            frame.fork = self.owner.probe.sync_branch(frame.fork);
            sum = DroppedQuietly::new(reduce(sum.into_inner(), result));
        }
        self.owner.probe.leave(frame.fork);
        forget(frame);
        sum.into_inner()
    }

    /// Pushes all indices but the first, as far as there is room; returns the lowest pushed index.
    #[inline(always)]
    fn push_from_the_end<T, F>(&self, range: &Range<usize>, task: &F) -> usize
    where
        F: Fn(&Self, usize) -> T,
    {
        let mut lowest = range.end;
        while lowest > range.start.saturating_add(1) {
            let slot = self.owner.head();
            let start = ManuallyDrop::new(Indexed { task, index: lowest - 1 });
            // SAFETY: the slot at the head is free and ours (slot-1). The value fits the slot, `F` is
            // `Sync`, and by range-2 the closure stays until the tasks are over.
            unsafe { slot.store(run_index::<D, P, T, F>, &start) };
            if self.spawn_slot(slot) == Push::Full {
                break;
            }
            self.owner.tell_of_spawn();
            lowest -= 1;
        }
        // Never more than the range: an empty one pushes nothing and leaves nothing to run.
        lowest
    }

    /// Syncs the newest task, which is that of `index` (range-1).
    // Always inlined: in a call of its own every leaf of a recursion would pay for its prologue (4 ns a task
    // with the direct task stack, whose longer pop made LLVM outline this).
    #[inline(always)]
    fn sync_next<T, F>(&self, index: usize, task: &F) -> T
    where
        F: Fn(&Self, usize) -> T,
    {
        // SAFETY: the task of this index is on top of the deque (worker-2).
        let slot = unsafe { self.owner.newest() };
        match self.owner.pop(slot) {
            Fast::Done => self.run_popped(slot, |worker| task(worker, index)),
            Fast::Slow => self.sync_next_slowly(slot, index, task),
        }
    }

    /// The sync of a task that is not simply the owner's.
    #[cold]
    #[inline(never)]
    fn sync_next_slowly<T, F>(&self, slot: SlotPtr<'_>, index: usize, task: &F) -> T
    where
        F: Fn(&Self, usize) -> T,
    {
        match self.sync_slot_slowly(slot, Self::wait_for) {
            Synced::Done(finished) => self.collect(slot, finished),
            Synced::Mine => self.run_popped(slot, |worker| task(worker, index)),
        }
    }

    /// Syncs what a frame that unwinds has left from `bottom` to the head.
    #[cold]
    #[inline(never)]
    fn take_back_down_to<T>(&self, bottom: SlotPtr<'_>, fork: P::Fork) {
        while self.owner.head().pointer() != bottom.pointer() {
            // SAFETY: what lies above `bottom` are tasks of this frame (worker-2).
            let slot = unsafe { self.owner.newest() };
            if let Synced::Done(finished) = self.sync_slot_unwinding(slot) {
                self.collect_unwinding::<T>(slot, finished);
            }
            self.note_unwinding();
        }
        self.owner.probe.leave(fork);
    }
}

/// The tasks of this call that are not synced yet: those from `bottom` to the head of the deque. What is left of them when
/// one unwinds, or the reduction does, is synced (range-2).
// It counts nothing and nobody takes a reference to it, so that all of it may stay in registers: the counter in memory that
// was here before cost a task 0.7 ns.
struct Frame<'a, D: Deque, P: Probe, T> {
    worker: &'a Worker<D, P>,
    bottom: SlotPtr<'a>,
    fork: P::Fork,
    result: PhantomData<fn() -> T>,
}

impl<D: Deque, P: Probe, T> Drop for Frame<'_, D, P, T> {
    fn drop(&mut self) {
        self.worker.take_back_down_to::<T>(self.bottom, self.fork);
    }
}

/// What a thief runs.
///
/// # Safety
/// The caller is the thief of `slot` (slot-1), which was stored by a `Frame` of these types, and `worker`
/// is its worker.
unsafe extern "C" fn run_index<D, P, T, F>(slot: &Slot, worker: *const ()) -> Finished
where
    D: Deque,
    P: Probe,
    F: Fn(&Worker<D, P>, usize) -> T,
{
    // SAFETY: by the caller's word.
    let Indexed::<F> { task, index } = unsafe { slot.take() };
    // SAFETY: range-2: the closure is in the frame that waits for this task.
    let task = unsafe { &*task };
    // SAFETY: by the caller's word.
    let worker = unsafe { &*worker.cast::<Worker<D, P>>() };
    // SAFETY: the starting value has just been taken.
    unsafe { slot.fill(|| task(worker, index)) }
}
