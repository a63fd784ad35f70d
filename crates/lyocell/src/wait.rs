//! Waiting for a stolen task, and for anything else: work meanwhile, sleep last.
//!
//! ```text
//!   leapfrog: steal from the thief  ->  a random victim  ->  yield  ->  park on the slot
//! ```
//! What the thief has left to steal are parts of the very task that is waited for, so leapfrogging
//! shortens the wait and needs no more stack than running the task here would have. When the thief has
//! nothing, a random victim is next (Lace's extension); tasks from there may pile up frames, so below a
//! reserve of stack only the thief is robbed.
//!
//! # Invariants
//! - A1. A goal, once reached, stays reached; [`Goal::mark`] asks for an unpark at that moment, and says
//!   so if it has passed already. With the parker's token no end of a wait is lost.
//! - A2. A worker that parks while it could run any task is announced (P3); one that could not (by policy,
//!   for want of stack, or because it unwinds) is not, so nobody wakes it in vain.
//!
//! Source: leapfrogging (Wagner and Calder 1993); leapfrogging, then random stealing: van Dijk and van de
//! Pol 2014, section 4.3.

use crate::deque::{Deque, Loot, Shared};
use crate::idle::Searching;
use crate::policy::{Victims, Wait};
use crate::probe::{Event, Phase, Probe};
use crate::stack::Room;
use crate::steal::Found;
use crate::sync::{spin_loop, yield_now};
use crate::task::{Finished, Slot};
use crate::worker::Worker;
use std::time::Instant;

/// What a worker waits for.
pub(crate) trait Goal {
    /// Whether it has come to pass. If so, all that led to it is visible.
    fn reached(&self) -> bool;

    /// Asks that the worker be unparked when it comes to pass.
    fn mark(&self) -> Marked;

    /// The worker whose tasks bring it nearer.
    fn thief(&self) -> Option<usize> {
        None
    }

    /// What looking for tasks meanwhile counts as.
    fn phase(&self) -> Phase {
        Phase::Stealing
    }

    /// Whom to look at for tasks meanwhile, by policy.
    fn victims(&self, _wait: Wait, room: Room) -> &'static [Victims] {
        match room {
            Room::Plenty => &[Victims::Anybody],
            // Jobs may be the very thing that is waited for.
            Room::Reserve => &[Victims::Jobs],
        }
    }

    /// Runs what was found meanwhile, and judges it.
    fn execute<D: Deque, P: Probe>(&self, worker: &Worker<D, P>, found: Found<'_>) -> Worth {
        worker.execute(found);
        Worth::Unknown
    }
}

/// Whether the tasks a worker finds are worth being awake for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Worth {
    Unknown,
    Good,
    Poor,
}

/// Whether the wish to be unparked came in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marked {
    WillUnpark,
    Reached,
}

/// A stolen task is finished.
struct TaskFinished<'a>(&'a Slot);

impl Goal for TaskFinished<'_> {
    fn reached(&self) -> bool {
        self.0.state.load().finished().is_some()
    }

    fn mark(&self) -> Marked {
        match self.0.state.mark_sleeping().finished() {
            Some(_) => Marked::Reached,
            None => Marked::WillUnpark,
        }
    }

    fn thief(&self) -> Option<usize> {
        self.0.state.load().thief()
    }

    fn phase(&self) -> Phase {
        Phase::Leaping
    }

    fn victims(&self, wait: Wait, room: Room) -> &'static [Victims] {
        match room {
            Room::Plenty => wait.victims(),
            Room::Reserve => wait.on_short_stack(),
        }
    }
}

/// Rounds of a search that cost only a few pauses each, before the worker counts as searching and
/// yields between rounds. Untuned.
const SPIN_ROUNDS: u32 = if cfg!(loom) { 2 } else { 64 };
/// Pauses in such a round. Untuned.
const PAUSES: u32 = if cfg!(loom) { 1 } else { 8 };

/// One search: from the moment a worker has nothing to do to the moment it finds a task or sleeps.
struct Search {
    rounds: u32,
    counted: Searching,
    /// When it began to count.
    since: Option<Instant>,
    /// It began with a wake-up for shared tasks.
    woken: Woken,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Woken {
    No,
    ForTasks,
}

impl Search {
    fn new() -> Search {
        Search { rounds: 0, counted: Searching::Uncounted, since: None, woken: Woken::No }
    }

    /// The search of a worker that has slept.
    fn after_sleep(counted: Searching) -> Search {
        let woken = match counted {
            Searching::Counted => Woken::ForTasks,
            Searching::Uncounted => Woken::No,
        };
        Search { counted, woken, ..Search::new() }
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Works until the stolen task in `slot` is finished.
    pub(crate) fn wait_for(&self, slot: &Slot) -> Finished {
        let awaited = self.awaited();
        self.work_until(&TaskFinished(slot));
        self.set_awaited(awaited);
        slot.state.load().finished().expect("the goal was reached (A1)")
    }

    /// Sleeps until the stolen task in `slot` is finished, and runs nothing meanwhile.
    pub(crate) fn wait_only_for(&self, slot: &Slot) -> Finished {
        self.sleep_until(&TaskFinished(slot));
        slot.state.load().finished().expect("the goal was reached (A1)")
    }

    /// Runs whatever tasks there are until the goal is reached.
    pub(crate) fn work_until(&self, goal: &impl Goal) {
        let before = self.probe.enter(goal.phase());
        let mut search = Search::new();
        while !goal.reached() {
            self.communicate();
            if let Some((found, phase)) = self.find(goal) {
                self.end_search(&search);
                self.stop_asking();
                self.probe.enter(phase);
                let worth = goal.execute(self, found);
                self.probe.enter(goal.phase());
                search = match worth {
                    Worth::Poor => self.drowse(goal),
                    Worth::Good | Worth::Unknown => Search::new(),
                };
            } else {
                search = self.search_on(search, goal);
            }
        }
        self.end_search(&search);
        self.stop_asking();
        self.probe.enter(before);
    }

    /// Takes back what this worker has asked for; what comes all the same is run (a deque may send tasks
    /// on request). Before anything else is run, too: who sent tasks must not wait for that.
    fn stop_asking(&self) {
        while let Some(loot) = self.withdraw() {
            self.run_sent(loot);
        }
    }

    fn run_sent(&self, loot: Loot<'_>) {
        self.probe.count(Event::Steal);
        let before = self.probe.enter(Phase::Application);
        self.execute(Found::Stolen(loot));
        self.probe.enter(before);
    }

    fn end_search(&self, search: &Search) {
        if search.counted == Searching::Counted {
            self.pool().idle.leave_search();
        }
    }

    /// Whom this worker may rob while it waits for the goal.
    fn victims(&self, goal: &impl Goal) -> &'static [Victims] {
        goal.victims(self.pool().wait, self.stack.room())
    }

    /// One source of work after the other; and what running what was found counts as.
    fn find(&self, goal: &impl Goal) -> Option<(Found<'_>, Phase)> {
        let thief = goal.thief();
        if self.pool().wait == Wait::Transitive && thief.is_some() {
            self.set_awaited(thief);
        }
        self.victims(goal).iter().find_map(|victims| match victims {
            Victims::Thief => self.leap(self.steal_from(thief?)),
            Victims::ThiefOfThief => self.leap(self.steal_along(thief?)),
            Victims::Anybody => self
                .steal_from_any()
                .map(|found| (found, Phase::Application))
                .or_else(|| self.find_job()),
            Victims::Jobs => self.find_job(),
        })
    }

    fn leap<'a>(&self, found: Option<Found<'a>>) -> Option<(Found<'a>, Phase)> {
        found.map(|found| {
            self.probe.count(Event::Leap);
            (found, Phase::LeapApplication)
        })
    }

    fn find_job(&self) -> Option<(Found<'_>, Phase)> {
        self.pool().find_job(self).map(|job| (Found::Job(job), Phase::Application))
    }

    /// Nothing was found: pause, yield, or sleep, as long as it has been.
    fn search_on(&self, mut search: Search, goal: &impl Goal) -> Search {
        search.rounds += 1;
        if search.rounds < SPIN_ROUNDS {
            (0..PAUSES).for_each(|_| spin_loop());
            return search;
        }
        if search.counted == Searching::Uncounted {
            self.pool().idle.enter_search();
            search.counted = Searching::Counted;
        }
        let since = *search.since.get_or_insert_with(Instant::now);
        if since.elapsed() < self.pool().search_time {
            self.pool().wake_ticker();
            yield_now();
            return search;
        }
        if let Some(loot) = self.withdraw() {
            self.end_search(&search);
            self.run_sent(loot);
            return Search::new();
        }
        if !self.victims(goal).contains(&Victims::Anybody) {
            return self.park_unannounced(search, goal);
        }
        match search.woken {
            Woken::ForTasks => self.drowse_counted(goal),
            Woken::No => self.park(goal),
        }
    }

    /// Sleeps until the goal is reached: this worker is not free for any task that may turn up (A2).
    fn park_unannounced(&self, search: Search, goal: &impl Goal) -> Search {
        self.end_search(&search);
        self.sleep_until(goal);
        Search::new()
    }

    /// Parks with a standing request at every worker; the worker counts as searching.
    fn park(&self, goal: &impl Goal) -> Search {
        let idle = &self.pool().idle;
        idle.announce_parked(self.index());
        self.pool().others(self.index()).for_each(|other| self.ask(&other.deque));
        self.pool().wake_ticker();
        if goal.mark() == Marked::Reached || goal.reached() || self.sees_work() {
            return self.search_again();
        }
        Search::after_sleep(self.sleep(goal, || idle.park(self.index(), &self.parker)))
    }

    /// Sleeps for a moment because the tasks that it is woken for are not worth it; then parks.
    fn drowse(&self, goal: &impl Goal) -> Search {
        self.pool().idle.enter_search();
        self.drowse_counted(goal)
    }

    fn drowse_counted(&self, goal: &impl Goal) -> Search {
        let idle = &self.pool().idle;
        idle.announce_drowsy(self.index());
        if goal.mark() == Marked::Reached || goal.reached() || self.pool().has_jobs() {
            return self.search_again();
        }
        match self.sleep(goal, || idle.drowse(self.index(), &self.parker)) {
            Searching::Counted => Search::after_sleep(Searching::Counted),
            Searching::Uncounted => {
                idle.enter_search();
                self.park(goal)
            }
        }
    }

    /// Takes the announcement of a sleep back. The worker counts as searching: others may have counted on it
    /// until it announced, so it has to leave the search properly (P5).
    fn search_again(&self) -> Search {
        let idle = &self.pool().idle;
        let counted = idle.retract(self.index());
        if counted == Searching::Uncounted {
            idle.enter_search();
        }
        Search { counted: Searching::Counted, ..Search::after_sleep(counted) }
    }

    /// Sleeps until the goal is reached, unannounced (A2).
    fn sleep_until(&self, goal: &impl Goal) {
        while goal.mark() == Marked::WillUnpark && !goal.reached() {
            self.sleep(goal, || self.parker.park());
        }
    }

    /// Sleeps, and tells the probe.
    fn sleep<R>(&self, goal: &impl Goal, sleep: impl FnOnce() -> R) -> R {
        self.probe.count(Event::Park);
        self.probe.enter(Phase::Idle);
        let woken = sleep();
        self.probe.enter(goal.phase());
        self.probe.count(Event::Wake);
        woken
    }

    /// Whether any source of work has something: the second look of P3, after the fence of the announcement.
    fn sees_work(&self) -> bool {
        let pool = self.pool();
        pool.has_jobs()
            || pool.others(self.index()).any(|other| other.deque.shared() == Shared::Some)
    }
}
