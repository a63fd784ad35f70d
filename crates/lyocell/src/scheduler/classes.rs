//! Who runs background work: a worker that finds nothing else, and no more of them at a time than the pool allows.
//!
//! | who looks | of the foreground | of the background |
//! |---|---|---|
//! | a thread of the pool that has nothing to do | all | last, and now and then first (turns-3), if there is [room](crate::jobs) |
//! | a worker that waits in a background task | all | all: it has room |
//! | a worker that waits in a foreground task | all | nothing: it would be kept from that task until the other is over |
//! | a worker of a pool without threads that waits, or ends its call | all | last: nobody else would |
//! | a worker that waits for a background task, or yields | all | last, room or not: what it waits for may be among it |
//!
//! What is of the background is told by its entry in the [lineage](super::lineage): what a background task forks and spawns in scopes is,
//! wherever it is run. A worker that has won something asks, and what it may not run it leaves to the background: a job goes into that
//! queue, a stolen task is given back (confined-3), and the job for it goes there. So that this is seldom, nobody robs a worker whose
//! oldest tasks it may not run.
//!
//! # Invariants
//! - classes-1. A worker has room from before it begins the first background task until it begins something else below which there is
//!   none, or sleeps there. It keeps it from one task to the next, so that a stream of them takes it once, unless more workers
//!   have some than the pool allows. While its task blocks ([`Worker::blocking`]) others may have it.
//! - classes-2. In a wait for a part of a foreground task no background task begins. So what is called is not kept waiting by what gives
//!   way to it. (In a pool without threads such a wait is for nothing that another worker does, and there is no other to begin it.)
//! - classes-3. A worker that may begin background work sleeps only beside none that it may begin: it says so before it announces
//!   its sleep, and whoever leaves some, or gives its room up, wakes one that has (background-3). Those who search and may not take it are
//!   not relied on.
//! - classes-4. An owner in the background forgets the requests of sleepers for good while there is no room for them. Who gives room
//!   up asks it anew; and so does the owner itself when it begins something of the foreground (idle-7).
//!
//! Elsewhere: low-priority task arenas of oneTBB, which may not begin while others run; two pools, of which one idles.

use super::confined::Awaited;
use super::lineage::{Class, Parent};
use super::steal::Found;
use super::{Registry, Worker};
use crate::deque::Deque;
use crate::jobs::{Job, Room};
use crate::probe::Probe;
use crate::task::Ancestor;
use crate::wait::Goal;
use lyocell_sync::{Ordering, fence};

/// What a worker that sleeps may be woken for, of the background.
pub(super) const NOTHING: u32 = 0;
const WITHIN: u32 = 1;
const BEYOND: u32 = 2;

impl<D: Deque, P: Probe> Registry<D, P> {
    /// Of which class the tasks are that a thief would find first with this worker. A hint.
    pub(crate) fn oldest_class(&self, worker: usize) -> Class {
        if self.background.is_used() { self.oldest_of_two(worker) } else { Class::Foreground }
    }

    #[inline(never)]
    fn oldest_of_two(&self, worker: usize) -> Class {
        self.worker(worker).lineage.oldest_class().unwrap_or(Class::Foreground)
    }

    /// Whether one more worker may run what is of this class.
    pub(crate) fn has_room_for(&self, class: Class) -> bool {
        class == Class::Foreground || self.background.has_room()
    }

    /// Leaves a job to whoever runs background work.
    pub(crate) fn leave_to_background(&self, job: Job) {
        self.background.push(job);
        self.tell_of_background();
    }

    /// Background work waits, or there is room for it: wakes a worker that may begin it (classes-3).
    fn tell_of_background(&self) {
        // F_sharer (background-3).
        fence(Ordering::SeqCst);
        self.idle.wake_for(&|worker| self.wakes(worker));
        self.wake_backup();
    }

    /// Whether this worker, if it sleeps, may be woken for background work. The caller has fenced.
    pub(super) fn wakes(&self, worker: usize) -> bool {
        // Ordering: Relaxed; written before F_sleeper.
        match self.worker(worker).wakes_for.load(Ordering::Relaxed) {
            NOTHING => false,
            WITHIN => self.background.has_room(),
            _ => true,
        }
    }

    /// A worker has given its room up.
    #[cold]
    fn tell_of_room(&self) {
        // background-3.
        fence(Ordering::SeqCst);
        if self.idle.counts().idle() > 0 {
            for worker in self.workers.iter() {
                // Ordering: Relaxed; who takes room from now on finds the sleepers announced.
                if worker.in_background.load(Ordering::Relaxed) {
                    // classes-4.
                    worker.owner.deque.request();
                }
            }
        }
        if self.background.waits() {
            self.tell_of_background();
        }
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Of which class it is what this worker runs, or waits in; a thread of the pool that has nothing to do is in none.
    pub(super) fn class(&self) -> Option<Class> {
        self.lineage.last_class()
    }

    /// Whether this worker, which looks for something to run, may begin background work where there is room.
    pub(super) fn takes_background(&self) -> bool {
        match self.own.awaited.get() {
            Awaited::Background | Awaited::Work => true,
            // classes-2.
            Awaited::Part | Awaited::Anything => {
                self.class() == Some(Class::Background) || self.registry().is_alone()
            }
        }
    }

    /// Whether it may begin some now.
    #[inline(never)]
    pub(super) fn may_begin_background(&self) -> bool {
        let background = &self.registry().background;
        let has_room = || match self.own.room.get() {
            _ if self.own.awaited.get() == Awaited::Background => true,
            // classes-1.
            Some(below) => below < self.lineage.count() || !background.has_too_many(),
            None => background.has_room(),
        };
        self.takes_background() && !self.is_in_frame() && has_room()
    }

    /// Whether it may run what it would find first with this victim. A hint.
    pub(super) fn may_rob(&self, victim: usize) -> bool {
        self.registry().oldest_class(victim) == Class::Foreground || self.may_begin_background()
    }

    /// Whether other workers may have the oldest tasks of this one: if not, nobody is to be woken for them (classes-4).
    pub(super) fn may_be_robbed(&self) -> bool {
        let registry = self.registry();
        registry.has_room_for(registry.oldest_class(self.index))
    }

    /// Before it announces a sleep: says what it may be woken for (classes-3).
    pub(super) fn note_what_wakes(&self) {
        let takes = match (self.takes_background(), self.own.awaited.get()) {
            (false, _) => NOTHING,
            (true, Awaited::Background) => BEYOND,
            (true, _) => WITHIN,
        };
        // Ordering: Relaxed; before F_sleeper.
        self.wakes_for.store(takes, Ordering::Relaxed);
    }

    /// What it has won and may run, by its class; else leaves it to others.
    pub(super) fn keep_of_class<'a>(&'a self, found: Found<'a>) -> Option<Found<'a>> {
        if !self.registry().background.is_used() {
            self.leave_background();
            return Some(found);
        }
        match found {
            Found::Job(job) => self.keep_job(job).map(Found::Job),
            Found::Mail(job) => self.keep_job(job).map(Found::Mail),
            Found::Stolen(loot) => {
                let loot = self.keep_some(loot);
                let class = self.registry().class_of(Parent::of_stolen(&loot.first, loot.owner));
                if self.may_run(class) {
                    return Some(Found::Stolen(loot));
                }
                self.give_back(loot.first, loot.owner);
                None
            }
        }
    }

    /// As [`Worker::keep_of_class`], of a job.
    #[inline]
    pub(crate) fn keep_job(&self, job: Job) -> Option<Job> {
        // Asked with the job in hand (background-1).
        if !self.registry().background.is_used() && self.own.room.get().is_none() {
            return Some(job);
        }
        self.keep_job_of_class(job)
    }

    #[inline(never)]
    fn keep_job_of_class(&self, job: Job) -> Option<Job> {
        if self.may_run(self.registry().class_of(Parent::of_job(job.origin()))) {
            return Some(job);
        }
        self.registry().leave_to_background(job);
        None
    }

    /// Whether it may run something of this class; it has room then, or has given it up (classes-1).
    fn may_run(&self, class: Class) -> bool {
        match class {
            Class::Foreground => {
                // Not on the way to something else that it has won (classes-1).
                if matches!(self.own.awaited.get(), Awaited::Work | Awaited::Background) {
                    self.leave_background();
                }
                true
            }
            Class::Background => self.may_begin_background() && self.enter_background(),
        }
    }

    /// Takes room in the background, if it has none.
    pub(crate) fn enter_background(&self) -> bool {
        if self.own.room.get().is_some() {
            return true;
        }
        let registry = self.registry();
        let room = match self.own.awaited.get() {
            Awaited::Background => Room::Beyond,
            _ => Room::Within,
        };
        let has_room = registry.background.take_room(room);
        if has_room {
            self.note_room(self.lineage.count());
        }
        has_room
    }

    /// It has taken room, below which entry it says.
    fn note_room(&self, below: usize) {
        self.own.room.set(Some(below));
        // Ordering: Relaxed, before the fence (giving_way-1).
        self.in_background.store(true, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        let registry = self.registry();
        if registry.has_calls() {
            registry.call_worker(self);
        }
        // giving_way-5.
        self.remember_call();
        // giving_way-6.
        for other in registry.others(self.index) {
            if !other.in_background.load(Ordering::Relaxed) {
                other.owner.deque.request();
            }
        }
    }

    /// Gives its room up, unless it is in a background task.
    pub(crate) fn leave_background(&self) {
        if self.own.room.get() == Some(self.lineage.count()) {
            self.give_room_up();
        }
    }

    #[cold]
    fn give_room_up(&self) {
        let _ = self.lend_room();
        // classes-4.
        self.owner.deque.request();
    }

    /// Its task blocks: others may have its room meanwhile, if it has some (background-2). Returns what [`Worker::take_room_back`]
    /// takes.
    pub(crate) fn lend_room(&self) -> Option<usize> {
        let room = self.own.room.take()?;
        // Ordering: Relaxed; a hint to those who call.
        self.in_background.store(false, Ordering::Relaxed);
        let registry = self.registry();
        registry.background.give_room();
        registry.tell_of_room();
        Some(room)
    }

    /// Undoes [`Worker::lend_room`], whoever has taken that room meanwhile.
    pub(crate) fn take_room_back(&self, room: Option<usize>) {
        if let Some(below) = room {
            let _ = self.registry().background.take_room(Room::Beyond);
            self.note_room(below);
        }
    }

    /// Something for it to run, by class: what waits in the background last, but for its turns (turns-3).
    pub(super) fn find_by_class(&self, goal: Option<&dyn Goal>) -> Option<Found<'_>> {
        let turns = &self.own.turns;
        if self.may_begin_background() {
            if turns.is_background_next() {
                turns.note_background();
                if let Some(job) = self.registry().background.pop_oldest() {
                    return Some(Found::Job(job));
                }
            }
            turns.count_for_background();
        }
        self.find_usual(goal).or_else(|| self.find_background())
    }

    /// Background work: parts of what has begun, then the oldest that has not.
    fn find_background(&self) -> Option<Found<'_>> {
        if !self.may_begin_background() {
            return None;
        }
        let begun = self
            .steal_from_those(&|victim| self.registry().oldest_class(victim) == Class::Background);
        begun.or_else(|| {
            let job = self.registry().background.pop_oldest()?;
            self.own.turns.note_background();
            Some(Found::Job(job))
        })
    }

    /// A job where little of the stack is left: none that would begin something of its own in the background.
    pub(super) fn job_on_short_stack(&self) -> Option<Job> {
        let registry = self.registry();
        let is_part = |job: &Job| job.origin() != Some(Ancestor::BACKGROUND);
        let job = registry.find_job_on_short_stack(self);
        job.or_else(|| match registry.background.waits() && self.may_begin_background() {
            true => registry.background.take_first(&is_part),
            false => None,
        })
    }

    /// Between two of its own jobs: whether something may come before the next, where there are two classes.
    #[inline]
    pub(super) fn has_to_look_by_class(&self) -> bool {
        if !self.registry().background.is_used() {
            return false;
        }
        self.own.turns.count_for_background();
        let has_turn = || {
            self.own.turns.is_background_next()
                && self.registry().background.waits()
                && self.may_begin_background()
        };
        self.is_called() || has_turn()
    }

    /// Runs jobs, one after the other, at most so many: what the thread of a pool of one worker does, and a stand-in.
    pub(crate) fn run_jobs(&self, most: usize) {
        let awaited = self.own.awaited.replace(Awaited::Work);
        for _ in 0..most {
            let Some(job) = self.next_job() else { break };
            job.run(self);
        }
        self.own.awaited.set(awaited);
        self.leave_background();
    }

    fn next_job(&self) -> Option<Job> {
        let registry = self.registry();
        if !registry.background.is_used() {
            self.leave_background();
            return registry.find_job_for_backup(self);
        }
        let turns = &self.own.turns;
        let oldest = || {
            // A spare worker may have the room.
            let job = self.may_begin_background().then(|| registry.background.pop_oldest())?;
            job.inspect(|_| turns.note_background())
        };
        loop {
            let in_turn = if turns.is_background_next() { oldest() } else { None };
            turns.count_for_background();
            let job = in_turn.or_else(|| registry.find_job_for_backup(self)).or_else(oldest)?;
            if let Some(job) = self.keep_job(job) {
                return Some(job);
            }
        }
    }

    /// Whether a job waits that this worker may run, where there are two classes.
    pub(super) fn sees_jobs_by_class(&self) -> bool {
        let registry = self.registry();
        let begins = self.may_begin_background();
        let has_jobs = |other: &Self| {
            !other.lane.is_empty()
                && (begins || registry.oldest_class(other.index) == Class::Foreground)
        };
        registry.has_calls()
            || !self.lane.is_empty()
            || begins && registry.background.waits()
            || registry.others_with_jobs(self.index).any(has_jobs)
    }
}
