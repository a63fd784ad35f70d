//! Who runs only what descends from one frame while it waits: a caller in its call, and whoever works for an isolated body.
//!
//! | confined to | who | while it waits for a part of that it runs | while it waits for anything else |
//! |---|---|---|---|
//! | a call | the caller that sits on the seat | what descends from the call; anything while nothing else is in the pool | anything |
//! | a region | who is in [`Worker::isolated`], and whoever runs something that descends from there | what descends from there | what has been spawned here since |
//!
//! What descends is found in four places: with the thief of what is waited for; in the own lane, above where it stood; in the mail; and,
//! before the worker sleeps, in the lanes of others. What is in a lane cannot be chosen, so what does not descend is left to the
//! pool's other workers on the way.
//!
//! A thief takes a victim's oldest task whatever that is. So it asks after it has won one: up the [lineage](super::lineage), or, for
//! a call, whether anything else is in the pool at all. A task that does not descend is *given back*: it stays in its slot,
//! stolen for the deque, until its owner finds it unbegun at its sync, or a worker that may run anything finds the job that is left
//! for it.
//!
//! # Invariants
//! - confined-1. Whatever a pool runs that does not descend from the call on its seat is counted before the first of its tasks is pushed,
//!   until the last is over: detached tasks by the [drain](crate::jobs::drain), calls left to workers and scopes of other
//!   threads as strangers. So who has won a task, and then finds that nothing is counted, has one of that call.
//! - confined-2. A region is counted while its body runs, before anything in it is pushed. So a thief that finds none counted has nothing
//!   of any.
//! - confined-3. What is given back is run once, by who takes the mark off: its owner, at its sync, in the frame that waits for it, where
//!   it would have run had nobody stolen it, so that whatever regions its owner is in by then, none is one that it does not descend
//!   from; or who comes to the job. That one may find another task in the slot by then: one that was given back as well, or none.
//! - confined-4. Nobody waits for what nobody may run. Of what a confined worker waits for, what is in a deque is its owner's to run, who
//!   comes to it first of all that is in there; what is in a lane each who waits for it comes to; and what is begun waits for such
//!   things only, and is nearer the end. (A wait for what does not descend may be in vain, as [`Worker::isolated`] says.)
//! - confined-5. Who steals while a region is counted takes on no more than it begins at once. Others of a batch would lie in its deque
//!   with nobody below who waits for them, and what it runs before may wait for what the region holds.
//!
//! Source: `this_task_arena::isolate` of oneTBB, by tags on tasks; leapfrogging (Wagner and Calder 1993) confines each wait to one thief.

use super::lineage::{Class, Entered, Parent};
use super::steal::Found;
use super::{Registry, Worker};
use crate::deque::{Deque, Loot};
use crate::jobs::{FrameJob, InFrame, Job, LaneHeight};
use crate::probe::Probe;
use crate::task::{Ancestor, Slot, SlotPtr, Unpark};
use lyocell_sync::unmodelled::{AtomicUsize, Ordering};
use std::cell::Cell;

/// How many jobs of others are looked at in a lane before a sleep. Untuned.
const LOOKS: usize = 16;

/// What a worker may run while it waits.
#[derive(Clone, Copy)]
pub(crate) struct Confined {
    /// What descends from here.
    to: Ancestor,
    by: By,
    /// What has been spawned on this worker above it, it may run.
    lane: LaneHeight,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Call,
    Region,
}

/// What a worker runs, and may run, until this is dropped; then what it did before.
struct Descent<'a> {
    confined: &'a Cell<Option<Confined>>,
    before: Option<Confined>,
    #[expect(dead_code, reason = "it is dropped: the entry ends")]
    entered: Entered<'a>,
}

impl Drop for Descent<'_> {
    fn drop(&mut self) {
        self.confined.set(self.before);
    }
}

/// What is in a pool that somebody may not run.
pub(crate) struct Crowds {
    /// Calls left to workers, and scopes of other threads.
    strangers: AtomicUsize,
    regions: AtomicUsize,
}

/// One more, until it is dropped.
pub(crate) struct Counted<'a>(&'a AtomicUsize);

impl<'a> Counted<'a> {
    fn in_(count: &'a AtomicUsize) -> Self {
        // Ordering: Relaxed; it comes to whoever wins a task of this with the task (confined-1, -2).
        count.fetch_add(1, Ordering::Relaxed);
        Counted(count)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        // Ordering: Relaxed; who still finds it counted is confined for nothing.
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Crowds {
    pub(crate) fn new() -> Crowds {
        Crowds { strangers: AtomicUsize::new(0), regions: AtomicUsize::new(0) }
    }
}

impl<D: Deque, P: Probe> Registry<D, P> {
    /// Something that does not descend from the call on the seat, where there is one (confined-1).
    pub(crate) fn stranger(&self) -> Option<Counted<'_>> {
        self.seat.as_ref().map(|_| Counted::in_(&self.crowds.strangers))
    }

    /// Whether there is nothing but the call on the seat, for who is in it (confined-1).
    fn has_one_call(&self) -> bool {
        // Ordering: Relaxed; as in `Counted`.
        self.crowds.strangers.load(Ordering::Relaxed) == 0 && self.drain.is_idle()
    }

    /// Whether any worker may be in a region, for who has won something (confined-2).
    pub(super) fn has_regions(&self) -> bool {
        // Ordering: Relaxed; as in `Counted`.
        self.crowds.regions.load(Ordering::Relaxed) > 0
    }

    #[inline(never)]
    fn descends(&self, parent: Parent, to: Ancestor) -> bool {
        self.ancestors(parent).any(|(ancestor, _)| ancestor == to)
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Calls `body`, and has this thread run nothing else meanwhile but what descends from it.
    ///
    /// A worker that waits runs other tasks, whichever it finds, on the stack of the one that waits. What that one holds, they meet: a
    /// lock, a borrowed [`RefCell`](std::cell::RefCell), a [`OnceLock`](std::sync::OnceLock) that is being made. Then the thread
    /// waits for itself, or panics. In here it runs what `body` and its tasks fork and spawn, and else sleeps. Other workers may take
    /// tasks from here; while they run one, the same holds for them.
    ///
    /// Wrap what is called while something is held, no more:
    ///
    /// ```
    /// use std::sync::Mutex;
    ///
    /// let pool = lyocell::Pool::new()?;
    /// let total = Mutex::new(0);
    /// pool.run(|w| {
    ///     w.for_each_with(0..100, |w, _| {
    ///         let mut total = total.lock().unwrap();
    ///         // While it waits in here, this worker would else begin another item, which takes the same lock.
    ///         *total += w.isolated(|w| w.sum(0..1000u64, |i| i));
    ///     });
    /// });
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    ///
    /// [`held()`](crate::held()) finds where it is needed.
    ///
    /// Do not wait in here for what does not descend from here and nobody else may run: for a detached task of before in a pool
    /// of one worker, say.
    ///
    /// # Panics
    /// Panics with the panic of `body`.
    ///
    /// # Cost
    /// Two atomic counts. Within: idle time, where this worker waits and there is nothing left that it may run; and a way up the
    /// steals of a task for each that is stolen while any worker of the pool is isolated.
    ///
    /// # Source
    /// `isolate` of oneTBB.
    pub fn isolated<R>(&self, body: impl FnOnce(&Self) -> R) -> R {
        if self.is_left_behind() {
            // after_fork-4: it runs nothing else in any case.
            return body(self);
        }
        let _region = Counted::in_(&self.registry().crowds.regions);
        let _descent = self.enclose(Parent::Below, By::Region);
        body(self)
    }

    /// Calls `body`, which came from there, confined as that says.
    #[inline]
    pub(crate) fn descending<R>(&self, parent: Parent, body: impl FnOnce() -> R) -> R {
        // lineage-5; and the frame below is confined by what it descends from, so as this would be.
        let is_below = self.is_next_below(parent) && self.registry().locks.is_none();
        let _descent = if is_below { None } else { Some(self.descend(parent)) };
        body()
    }

    /// From here on this worker runs what came from there.
    #[inline(never)]
    fn descend(&self, parent: Parent) -> Descent<'_> {
        let confined = self.own.confined.get();
        let parent = match (confined, parent) {
            // A detached task that was spawned in the region, and is run there: what it forks is the region's.
            (Some(Confined { by: By::Region, to, .. }), Parent::Root) => Parent::Scope(to),
            _ => parent,
        };
        self.look_at_what_is_held(parent);
        let entered = self.begin(parent);
        let confined = match confined {
            // What does not descend from this caller's call, in a wait for anything.
            Some(Confined { by: By::Call, .. })
                if matches!(parent, Parent::Root | Parent::Background) =>
            {
                Some(self.confined_to(entered.of, By::Call))
            }
            // Ordering: Relaxed; confined-2.
            _ if self.registry().crowds.regions.load(Ordering::Relaxed) == 0 => confined,
            _ => match self.region_of(parent) {
                Some(region) => Some(self.confined_to(region, By::Region)),
                None => confined,
            },
        };
        Descent {
            before: self.own.confined.replace(confined),
            confined: &self.own.confined,
            entered,
        }
    }

    /// Calls `body`, a call from outside, on the thread of its caller.
    pub(crate) fn descending_from_caller<R>(&self, body: impl FnOnce() -> R) -> R {
        let _descent = match self.registry().settings.callers {
            Callers::Confined => self.enclose(Parent::Root, By::Call),
            Callers::Free => self.descend(Parent::Root),
        };
        body()
    }

    /// From here on this worker is confined to what descends from here.
    #[inline(never)]
    fn enclose(&self, parent: Parent, by: By) -> Descent<'_> {
        let entered = self.begin(parent);
        let confined = Some(self.confined_to(entered.of, by));
        Descent {
            before: self.own.confined.replace(confined),
            confined: &self.own.confined,
            entered,
        }
    }

    fn confined_to(&self, to: Ancestor, by: By) -> Confined {
        Confined { to, by, lane: self.lane.height() }
    }

    /// The innermost region that something descends from.
    #[cold]
    fn region_of(&self, parent: Parent) -> Option<Ancestor> {
        let mut ancestors = self.registry().ancestors(parent);
        ancestors.find(|(_, parent)| *parent == Parent::Below).map(|(region, _)| region)
    }

    /// What this worker may run in a wait, if not anything, by what it waits for.
    pub(crate) fn confined_in(&self, awaited: Awaited) -> Option<Confined> {
        let confined = self.own.confined.get()?;
        let is_free =
            confined.by == By::Call && (awaited != Awaited::Part || self.registry().has_one_call());
        if is_free { None } else { Some(confined) }
    }

    /// Whether it is in a region, and so may not run what is in its mail.
    pub(crate) fn is_in_region(&self) -> bool {
        matches!(self.own.confined.get(), Some(Confined { by: By::Region, .. }))
    }

    /// What has been spawned here since it is confined, the newest first.
    pub(crate) fn spawned_job(&self) -> Option<Job> {
        let confined = self.own.confined.get()?;
        self.lane.pop_newest_since(confined.lane)
    }

    /// The oldest job in the mail that this worker may run.
    pub(crate) fn mailed_job(&self) -> Option<Job> {
        match self.own.confined.get() {
            Some(Confined { by: By::Region, to, .. }) => {
                self.mail.take_first(&|job| self.job_descends(job, to))
            }
            _ => self.mail.pop_oldest(),
        }
    }

    /// A job that descends from where this worker is confined to, wherever it waits (confined-4). What is found on the way is left to the
    /// workers that are not.
    #[cold]
    pub(crate) fn descending_job_elsewhere(&self, confined: Confined) -> Option<Job> {
        let registry = self.registry();
        let descends = |job: &Job| self.job_descends(job, confined.to);
        let queued = registry.injector.take_first(&descends);
        queued.or_else(|| registry.background.take_first(&descends)).or_else(|| {
            for other in registry.others_with_jobs(self.index()) {
                for _ in 0..LOOKS {
                    let Some(job) = other.lane.steal_one() else { break };
                    if descends(&job) {
                        return Some(job);
                    }
                    registry.inject(job);
                }
            }
            None
        })
    }

    fn job_descends(&self, job: &Job, to: Ancestor) -> bool {
        self.registry().descends(Parent::of_job(job.origin()), to)
    }

    /// What this worker may run of what it has won in such a wait; the rest is given back.
    pub(crate) fn keep<'a>(&'a self, found: Found<'a>, awaited: Awaited) -> Option<Found<'a>> {
        // Asked after it was won (confined-1).
        let found = match self.confined_in(awaited) {
            None => found,
            Some(confined) => self.keep_confined(found, confined)?,
        };
        self.keep_of_class(found)
    }

    fn keep_confined<'a>(&'a self, found: Found<'a>, confined: Confined) -> Option<Found<'a>> {
        match found {
            Found::Stolen(loot) => self.keep_descending(loot, confined.to).map(Found::Stolen),
            Found::Job(job) if self.job_descends(&job, confined.to) => Some(Found::Job(job)),
            // Nobody else runs it (registry-5).
            Found::Mail(job) => Some(Found::Mail(job)),
            Found::Job(job) => {
                self.registry().inject(job);
                None
            }
        }
    }

    /// Of stolen tasks that do not all descend from there it keeps the oldest that does, if any.
    fn keep_descending<'a>(&self, loot: Loot<'a>, to: Ancestor) -> Option<Loot<'a>> {
        let owner = loot.owner;
        let descends = |task: &Slot| self.registry().descends(Parent::of_stolen(task, owner), to);
        if loot.tasks().all(|task| descends(&task)) {
            Some(loot)
        } else {
            self.keep_one(loot, descends)
        }
    }

    /// Of several stolen tasks all that this worker may take on (confined-5); one, where they may be of two classes.
    pub(crate) fn keep_some<'a>(&self, loot: Loot<'a>) -> Loot<'a> {
        let registry = self.registry();
        if loot.count == 1 || !registry.has_regions() && !registry.background.is_used() {
            return loot;
        }
        self.keep_one(loot, |_| true).unwrap_or_else(|| unreachable!("there is one"))
    }

    /// Gives stolen tasks back, all of them.
    pub(super) fn give_all_back(&self, loot: Loot<'_>) {
        let _ = self.keep_one(loot, |_| false);
    }

    /// Keeps the oldest of which this is true, and gives the others back.
    fn keep_one<'a>(&self, loot: Loot<'a>, is_kept: impl Fn(&Slot) -> bool) -> Option<Loot<'a>> {
        let mut kept = None;
        for task in loot.tasks() {
            if kept.is_none() && is_kept(&task) {
                kept = Some(Loot { owner: loot.owner, first: task, count: 1 });
            } else {
                self.give_back(task, loot.owner);
            }
        }
        kept
    }

    /// Leaves a stolen task, which it may not run, to its owner, and to whoever may (confined-3).
    pub(super) fn give_back(&self, task: SlotPtr<'_>, owner: usize) {
        // Before it is given back, and may be over.
        let class = self.registry().class_of(Parent::of_stolen(&task, owner));
        if task.state.give_back() == Unpark::Owner {
            self.registry().idle.unpark(owner);
        }
        let slot = task.pointer().cast_mut();
        // SAFETY: the slots are there as long as the pool, and so as its jobs; nothing is left undone if it is not run.
        let job = unsafe {
            match class {
                Class::Foreground => {
                    Job::in_frame::<Worker<D, P>, _>(InFrame::new(slot.cast::<GivenBack>()))
                }
                Class::Background => {
                    Job::in_frame::<Worker<D, P>, _>(InFrame::new(slot.cast::<OfBackground>()))
                }
            }
        };
        self.registry().inject(job);
    }
}

/// The slot of a task that was given back.
#[repr(transparent)]
struct GivenBack(Slot);

/// One that is of the background.
#[repr(transparent)]
struct OfBackground(GivenBack);

impl<D: Deque, P: Probe> FrameJob<Worker<D, P>> for OfBackground {
    unsafe fn origin(_: *const Self) -> Option<Ancestor> {
        Some(Ancestor::BACKGROUND)
    }

    unsafe fn run(job: *mut Self, worker: &Worker<D, P>) {
        // SAFETY: by the caller's word.
        unsafe { GivenBack::run(job.cast(), worker) }
    }
}

impl<D: Deque, P: Probe> FrameJob<Worker<D, P>> for GivenBack {
    unsafe fn run(job: *mut Self, worker: &Worker<D, P>) {
        // SAFETY: by the caller's word; all that is in a slot is atomic, or the taker's.
        let slot = unsafe { &(*job).0 };
        if slot.state.take_over() {
            let owners = &worker.registry().workers;
            let owner = owners.iter().position(|owner| owner.owner.has(slot));
            worker.execute_stolen(slot, owner.expect("it is a slot of a worker of this pool"));
        }
    }
}

/// What a wait is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Awaited {
    /// A part of the current task: a task that it has forked, or those of its scope.
    Part,
    Anything,
    /// Anything, a background task among it.
    Background,
    /// Work: a thread of the pool that has nothing to do.
    Work,
}

/// What a caller on the seat runs while it waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callers {
    Confined,
    Free,
}
