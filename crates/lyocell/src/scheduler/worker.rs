//! A worker: the identity a thread has in a pool, its deque, and its handle for the user.
//!
//! `&Worker` is the handle: it is `Copy`, and neither `Send` nor `Sync`, so it stays on its thread,
//! and closures get it for any lifetime, so it stays in its task. The same struct, seen by thieves,
//! is a deque, a lane and a place in the pool: only those parts are theirs.
//!
//! # Invariants
//! - worker-1. What is in an [`OwnerOnly`] here changes at the hands of one thread at a time: the one that occupies
//!   the worker, a pool thread for life or a caller while it holds the seat. Seats change hands with
//!   Release and Acquire. The same thread alone, its signal handler included, moves the head. Others read of
//!   these only what never changes: the unparker, and where the slots begin and end.
//! - worker-2. `head` is balanced: whatever runs on a worker leaves `head` where it found it, also when it
//!   unwinds. So the top slot at a join's end is the one the join pushed.
//! - worker-3. A worker is attached to its pool's registry before anybody can reach it, and lives in it; its occupant keeps that alive.
//! - worker-4. Who waits answers: a worker that keeps tasks which nobody gets without it does not sleep while it is asked
//!   for them. It says that it will sleep, fences, and looks whether it is asked; a thief asks, fences, and looks
//!   whether the owner sleeps. One of the two sees the other, and a sleeper that is seen is woken. (The deque's own requests,
//!   with which a thief of a [`Receiver`](crate::Receiver) puts its name into the cell, wake nobody: they go to a worker whose
//!   flag says that it does not wait, receiver-2. Where the flag was just about to go down, the thief has no answer; it
//!   looks again, and asks as above when its patience is over or before it parks.)
//! - worker-5. Where tasks that are kept can be had by their owner's doing only, and are shared when it is asked, its
//!   limits are tripped whenever nobody can steal from it: so of what it pushes the oldest is shared, whoever is idle and
//!   whenever they ask. Whoever takes the last shared task, thief or owner, trips them; and so does an owner that has
//!   reset them for nothing. Both fence before they look what is left, and so one of a thief that takes the last and an
//!   owner that resets the limits meanwhile sees it. What the owner pushes between the moment when a thief takes the last
//!   and that when it trips the limits, is as if it had been pushed before the first: the oldest was shared then, and
//!   this one waits for the owner's next push or pop, or for its sleep, from which the thief wakes it (worker-4). They are tripped
//!   while anybody has nothing to run, too (hunger-1). (Not in a pool whose owners share when they are asked only.)
//! - worker-6. Where thieves expose, that ends when the barrier is refused (barrier-2), and worker-4 and worker-5 hold from then on.
//!   A worker says that it sleeps in any case. Who is the first to learn of the refusal fences, then asks every worker as in worker-4.
//!   An owner that forgets a request fences, then looks whether there is a barrier: so it does not forget this one for good. An
//!   owner in a leaf shares at its next push or pop what it has kept until then. (A thief that takes the last shared task may be
//!   late to learn it, and then does not ask for the next; the next thief that finds nothing does.)

use super::Registry;
use super::classes::NOTHING;
use super::confined::{Awaited, Confined};
use super::lineage::Lineage;
use super::reach::Part;
use super::restraint::Restraint;
use crate::cancel::Tokens;
use crate::deque::{Deque, Split, Stealable};
use crate::jobs::{Boxes, Fifo, Job, Lane, LaneHeight, Runner, SpawnOrder, Turns, WorkerLane};
use crate::owner::stack::Stack;
use crate::owner::{Overflow, Owner, OwnerOnly, Pace};
use crate::probe::{NoProbe, Probe};
use crate::task::Slots;
use crossbeam_utils::CachePadded;
use lyocell_sync::{AtomicBool, AtomicU32, Instant, Ordering, Parker, Random, Seed};
use std::cell::Cell;
use std::fmt;
use std::ops::Range;
use std::panic::RefUnwindSafe;
use std::ptr::NonNull;

/// The handle to the worker that runs the current task: fork and join through it.
///
/// A task receives it as `&Worker`; it can neither leave the thread nor the task. Passing it along
/// is what makes a join cheap: nothing has to be looked up.
///
/// ```
/// use lyocell::{Pool, Worker};
///
/// fn fib(w: &Worker, n: u64) -> u64 {
///     if n < 2 {
///         return n;
///     }
///     let (a, b) = w.join(|w| fib(w, n - 1), |w| fib(w, n - 2));
///     a + b
/// }
///
/// let pool = Pool::new()?;
/// assert_eq!(pool.run(|w| fib(w, 20)), 6765);
/// # Ok::<(), lyocell::BuildError>(())
/// ```
///
/// It cannot be kept beyond its task:
///
/// ```compile_fail
/// let pool = lyocell::Pool::new().unwrap();
/// let kept = pool.run(|w| w);
/// ```
// `repr(C)`, hot fields first: the head and the deque's limits are the data path. Then what never changes, and what
// one thread writes on lines that no other does.
#[repr(C)]
pub struct Worker<D: Deque = Split, P: Probe = NoProbe> {
    pub(crate) owner: Owner<D, P>,
    registry: OwnerOnly<PoolPtr<D, P>>,
    pub(super) index: usize,
    /// The workers of its node of the memory, where these are robbed first; else empty.
    pub(super) near: Range<usize>,
    /// Detached tasks, out of the way of joins.
    pub(crate) lane: WorkerLane,
    /// Jobs for this worker and no other, oldest first (registry-5).
    pub(crate) mail: Lane,
    /// Detached tasks that are to be run oldest first; a stand-in for each is in the lane.
    pub(crate) fifo: CachePadded<Fifo>,
    pub(crate) own: OwnerOnly<Own>,
    /// Which token its tasks are under.
    pub(crate) tokens: CachePadded<Tokens>,
    /// What its tasks descend from.
    pub(crate) lineage: CachePadded<Lineage>,
    /// Whom the occupant waits for, plus one; 0 for nobody. For transitive leapfrogging.
    waits_for: AtomicU32,
    /// Whether its occupant sleeps, or is about to.
    pub(super) asleep: AtomicBool,
    /// Whether it has room in the background (background-2).
    pub(super) in_background: AtomicBool,
    /// If it sleeps: what of the background it may be woken for.
    pub(super) wakes_for: AtomicU32,
    /// Whether somebody has left work that comes before what it runs in the background.
    pub(super) called: CachePadded<AtomicBool>,
    /// Neither `Send` nor `Sync`.
    not_send: [*const UseTheHandleTheTaskIsGiven; 0],
}

/// What the occupant of a worker needs for itself (worker-1).
pub(crate) struct Own {
    pub(crate) random: Random,
    pub(crate) turns: Turns,
    /// By boxes-2.
    pub(super) boxes: Boxes,
    pub(crate) pace: Pace,
    pub(crate) stack: Stack,
    pub(crate) parker: Parker,
    pub(crate) overflow: Overflow,
    /// How many frames it is in.
    pub(super) frames: Cell<usize>,
    /// Who had tasks at this worker's last look at all, or when it was woken for them.
    pub(super) seen: Cell<Option<usize>>,
    /// Whose tasks it was woken for, until it has looked there.
    pub(super) on_the_way: Cell<Option<usize>>,
    /// Whether some slept when it was woken, or at its last answer since.
    pub(super) expects_sleepers: Cell<bool>,
    /// Whom it looks at in this round, while it looks at all others.
    pub(super) part: Cell<Option<Part>>,
    /// How many it has asked in this round who were not asked.
    pub(super) asked: Cell<u32>,
    /// How it holds back where others were faster.
    pub(super) at_calls: Restraint,
    pub(super) at_deques: Restraint,
    /// Whether it was woken for tasks, and has found none since.
    pub(super) woken_in_vain: Cell<bool>,
    /// Whether its bit among the used lanes is set.
    uses_lane: Cell<bool>,
    /// What it may run while it waits, if not anything.
    pub(super) confined: Cell<Option<Confined>>,
    /// Whether it is counted as hungry.
    pub(super) hungry: Cell<bool>,
    /// Whether its task blocks.
    pub(super) blocks: Cell<bool>,
    /// What it waits for, if it waits and runs nothing at the moment.
    pub(super) awaited: Cell<Awaited>,
    /// Below which entry of its lineage it took room in the background, if it has.
    pub(super) room: Cell<Option<usize>>,
    /// Until when it does not look for tasks that would come before what it runs in the background.
    pub(super) pause: Cell<Option<Instant>>,
}

/// The registry that a worker is part of, once it is attached to it.
type PoolPtr<D, P> = Cell<Option<NonNull<Registry<D, P>>>>;

/// What the compiler names when a handle is used where it cannot go: the one thing in a [`Worker`] that is
/// not `Sync`, so that there is one message, and it says what to do.
struct UseTheHandleTheTaskIsGiven;

// As for `Pool`: a join that unwinds leaves its worker as it found it (worker-2).
impl<D: Deque, P: Probe> RefUnwindSafe for Worker<D, P> {}

impl<D: Deque, P: Probe> Runner for Worker<D, P> {
    #[inline(always)]
    fn boxes(&self) -> &Boxes {
        &self.own.boxes
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// A worker of a run of this seed, which says what it draws at random, whom to rob for one.
    pub(crate) fn new(
        index: usize,
        slots: Slots,
        options: &D::Options,
        seed: Seed,
        near: Range<usize>,
    ) -> Self {
        let mut owner = Owner::<D, P>::new(index, slots, options);
        owner.deque.draw_from(Random::of_worker(seed.apart(), index));
        Worker {
            owner,
            registry: OwnerOnly(Cell::new(None)),
            index,
            near,
            lane: WorkerLane::new(),
            mail: Lane::new(),
            fifo: CachePadded::new(Fifo::new(None)),
            own: OwnerOnly(Own {
                random: Random::of_worker(seed, index),
                turns: Turns::default(),
                boxes: Boxes::new(),
                pace: Pace::new(),
                stack: Stack::unknown(),
                parker: Parker::default(),
                overflow: Overflow::default(),
                frames: Cell::new(0),
                seen: Cell::new(None),
                on_the_way: Cell::new(None),
                expects_sleepers: Cell::new(false),
                part: Cell::new(None),
                asked: Cell::new(0),
                at_calls: Restraint::default(),
                at_deques: Restraint::default(),
                woken_in_vain: Cell::new(false),
                uses_lane: Cell::new(false),
                confined: Cell::new(None),
                hungry: Cell::new(false),
                blocks: Cell::new(false),
                awaited: Cell::new(Awaited::Part),
                room: Cell::new(None),
                pause: Cell::new(None),
            }),
            tokens: CachePadded::new(Tokens::new()),
            lineage: CachePadded::new(Lineage::new()),
            waits_for: AtomicU32::new(0),
            asleep: AtomicBool::new(false),
            in_background: AtomicBool::new(false),
            wakes_for: AtomicU32::new(NOTHING),
            called: CachePadded::new(AtomicBool::new(false)),
            not_send: [],
        }
    }

    /// Makes the worker part of this registry, before anybody can reach it.
    pub(crate) fn attach(&self, registry: NonNull<Registry<D, P>>) {
        self.registry.set(Some(registry));
    }

    /// Returns the probe of this worker.
    ///
    /// # Examples
    /// ```
    /// use lyocell::Pool;
    /// use lyocell::probe::{Counters, Event};
    ///
    /// let pool = Pool::builder().probe::<Counters>().build()?;
    /// let spawned = pool.run(|w| {
    ///     w.join(|_| (), |_| ());
    ///     w.probe().counts().of(Event::Spawn)
    /// });
    /// assert_eq!(spawned, 1);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn probe(&self) -> &P {
        self.owner.probe.get()
    }

    /// Returns the number of this worker in its pool, from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns the number of workers of the pool, [spare](crate::Builder::spare_workers) ones included.
    pub fn workers(&self) -> usize {
        self.registry().workers.len()
    }

    /// Returns how many workers of the pool have nothing to do at this moment: those that search for work longer than some
    /// microseconds, and those that sleep. A hint, for who could make more work or less of it.
    ///
    /// # Cost
    /// One load of a word that changes whenever somebody falls asleep or is woken.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::builder().workers(3).build()?;
    /// assert!(pool.run(|w| w.idle_workers()) < 3);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn idle_workers(&self) -> usize {
        self.registry().idle.counts().idle().min(self.workers())
    }

    /// Returns whether tasks wait on this worker that it could run: those of open joins that nobody has stolen, and those
    /// that were spawned here. Others may take them at any time, so this is a hint only: whether to fork once more, say.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::builder().workers(1).build()?;
    /// pool.run(|w| {
    ///     assert!(!w.has_pending_tasks());
    ///     w.join(|w| assert!(w.has_pending_tasks()), |w| assert!(!w.has_pending_tasks()));
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn has_pending_tasks(&self) -> bool {
        // after_fork-4: the lane's are the parent's.
        !self.is_left_behind() && !self.lane.is_empty()
            || self.owner.depth() > 0
                && (self.owner.deque.stealable() == Stealable::Some
                    || self.owner.deque.withholds(self.owner.head.get()))
    }

    /// Owner: leaves a job that it has made in its lane, or where others look first.
    pub(crate) fn spawn(&self, job: Job) {
        match self.registry().background.is_used() {
            true => self.spawn_beside_background(job),
            false => self.queue(job),
        }
    }

    /// Owner: leaves a job in its lane, where others find it.
    #[inline]
    pub(crate) fn queue(&self, job: Job) {
        self.note_use_of_lane();
        self.lane.push(job);
        // The backup thread hears of it when this thread leaves the seat (seat-4).
        self.registry().idle.notify_of_spawn();
        self.call_for_help();
    }

    /// Owner: it is about to push to its lane (used_lanes-1).
    #[inline]
    pub(super) fn note_use_of_lane(&self) {
        if !self.own.uses_lane.replace(true) {
            self.registry().used_lanes.set(self.index);
        }
    }

    /// Owner: nobody need look at its lane, if that is empty (used_lanes-1). Among few it is looked at all the same.
    pub(super) fn note_disuse_of_lane(&self) {
        if self.own.uses_lane.get() && !self.reaches_all() && self.lane.is_empty() {
            self.own.uses_lane.set(false);
            self.registry().used_lanes.clear(self.index);
        }
    }

    /// As [`Worker::queue`], for a job that is to run after those in this queue.
    ///
    /// # Safety
    /// The queue is there until the job is over.
    pub(crate) unsafe fn queue_fifo(&self, job: Job, fifo: &Fifo) {
        fifo.push(job);
        // SAFETY: by the caller's word; the job was queued for this.
        self.queue(unsafe { Job::next_of(fifo) });
    }

    /// The job that is next in this worker's own lane; if there is none, what is in its mail.
    #[inline(always)]
    pub(crate) fn own_job(&self) -> Option<Job> {
        self.lane_job().or_else(|| self.mail.pop_oldest())
    }

    /// The job that is next in this worker's own lane.
    #[inline(always)]
    pub(super) fn lane_job(&self) -> Option<Job> {
        match self.registry().settings.order {
            SpawnOrder::Fair | SpawnOrder::NewestFirst => self.lane.pop_newest(),
            SpawnOrder::OldestFirst => self.lane.pop_oldest(),
        }
    }

    /// The newest job of this worker's own lane; if there is none, what is in its mail.
    pub(crate) fn newest_job(&self) -> Option<Job> {
        self.lane.pop_newest().or_else(|| self.mail.pop_oldest())
    }

    /// Whether this process is a child of the one that the worker is of (after_fork-1).
    pub(crate) fn is_left_behind(&self) -> bool {
        self.registry().generation.is_past()
    }

    /// Runs what was spawned on this worker after the height, newest first.
    #[cold]
    #[inline(never)]
    pub(crate) fn run_spawned_since(&self, height: LaneHeight) {
        if self.is_left_behind() {
            // after_fork-4: what `a` had spawned before the fork is the parent's.
            return;
        }
        while let Some(job) = self.lane.pop_newest_since(height) {
            job.run(self);
        }
    }

    /// Whom the worker waits for, if it waits.
    pub(crate) fn waits_for(&self) -> Option<usize> {
        // Ordering: Relaxed; a hint.
        self.waits_for.load(Ordering::Relaxed).checked_sub(1).map(|thief| thief as usize)
    }

    /// Says whom the worker waits for, and tells whom it waited for before.
    pub(crate) fn set_waits_for(&self, thief: Option<usize>) -> Option<usize> {
        let before = self.waits_for();
        // Ordering: Relaxed; a hint. Only the occupant writes.
        self.waits_for.store(thief.map_or(0, |thief| thief as u32 + 1), Ordering::Relaxed);
        before
    }

    #[inline]
    pub(crate) fn registry(&self) -> &Registry<D, P> {
        let registry = self.registry.get();
        debug_assert!(registry.is_some(), "worker-3");
        // SAFETY: worker-3. Checked at each of two hundred calls, it would be a way to unwind from each.
        unsafe { registry.unwrap_unchecked().as_ref() }
    }
}

impl<D: Deque, P: Probe> fmt::Debug for Worker<D, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker")
            .field("deque", &D::NAME)
            .field("index", &self.index())
            .field("workers", &self.workers())
            .finish_non_exhaustive()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::lines::hold_lines;

    #[test]
    fn no_line_has_two_writers() {
        hold_lines!(Worker<Split, NoProbe>:
            owner: Anybody,
            registry: Nobody,
            index: Nobody,
            near: Nobody,
            tokens: Owner,
            lineage: Owner,
            waits_for: Owner,
            asleep: Owner,
            in_background: Owner,
            wakes_for: Owner,
            called: Anybody,
            own: Owner,
            lane: Anybody,
            mail: Anybody,
            fifo: Anybody,
            not_send: Nobody,
        );
    }
}
