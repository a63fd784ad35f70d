//! Thieves: whom to steal from, and running what was stolen.

use super::lineage::{Class, Parent};
use crate::deque::{Deque, Loot, Steal, Stealable};
use crate::jobs::Job;
use crate::probe::{Event, Origin, Probe};
use crate::scheduler::Worker;
use crate::task::{Slot, Unpark};
use crate::wait::Goal;
use lyocell_sync::{HeavyBarrier, spin_loop};

/// A task that a worker has won and must run.
pub(crate) enum Found<'a> {
    /// From a deque.
    Stolen(Loot<'a>),
    /// A detached task or a call from outside.
    Job(Job),
    /// A job for this worker and no other.
    Mail(Job),
}

impl Found<'_> {
    /// Whose deque it is from.
    pub(super) fn owner(&self) -> Option<usize> {
        match self {
            Found::Stolen(loot) => Some(loot.owner),
            Found::Job(_) | Found::Mail(_) => None,
        }
    }
}

/// How many pauses an owner that was asked has to answer before it is exposed: a microsecond or some. Whoever pushes and
/// pops answers within less, and is not disturbed by the barrier; who does not is in a leaf. Untuned.
const GRACE: u32 = if cfg!(loom) { 1 } else { 64 };

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Steals from this victim, or asks it to share.
    pub(crate) fn steal_from(&self, victim: usize) -> Option<Found<'_>> {
        self.steal_or_ask(victim, true)
    }

    fn steal_or_ask(&self, victim: usize, asks: bool) -> Option<Found<'_>> {
        let team = &self.registry().team;
        let steal = || D::steal(team, victim, self.index(), &self.owner.probe);
        let mut stolen = steal();
        if matches!(stolen, Steal::Busy) && self.own.on_the_way.get() == Some(victim) {
            // A task waits for it here, but its owner shares the next at the same moment. In a large pool it would look at others before it came
            // again, and those that it is to wake would wait for it: bursts took up to twice as many wake-ups in the simulator.
            stolen = steal();
        }
        match stolen {
            Steal::Task(loot) => {
                self.registry().worker(victim).request_of_robbed();
                self.own.at_deques.note_success();
                Some(Found::Stolen(loot))
            }
            Steal::Busy => {
                self.owner.probe.count(Event::Busy);
                self.note_busy_deque();
                None
            }
            Steal::Empty => {
                self.owner.probe.count(Event::Failed);
                if asks {
                    self.ask_in_round(self.registry().worker(victim));
                }
                None
            }
        }
    }

    /// As [`Worker::ask`], by one look where somebody has asked, who may be about to be answered: this worker comes round again. Of 256 workers
    /// each further look at the line of an owner with the only task took 20 us in the simulator.
    fn ask_in_round(&self, victim: &Self) {
        match victim.owner.deque.is_asked() {
            true => victim.wake_if_needed(),
            false => self.ask(victim),
        }
    }

    /// Asks a victim to share, unless somebody has.
    pub(crate) fn ask(&self, victim: &Self) {
        if !victim.owner.deque.is_asked() {
            self.owner.probe.count(Event::Request);
            // It may wrap around: nobody takes it of a worker that does nothing but poll.
            self.own.asked.set(self.own.asked.get().wrapping_add(1));
        }
        victim.owner.deque.request();
        victim.wake_if_needed();
    }

    /// Shares some of the tasks that a worker keeps although it was asked a while ago, in its stead; tells whether something
    /// can be stolen from it now. One that has answered and been asked again meanwhile looks the same: then a barrier is wasted,
    /// no more (split-6, direct-4).
    pub(crate) fn expose(&self, owner: &Self, barrier: &HeavyBarrier) -> Stealable {
        for _ in 0..GRACE {
            if !owner.withholds() {
                return Stealable::None;
            }
            spin_loop();
        }
        self.owner.probe.count(Event::Expose);
        let exposed = owner.owner.deque.expose(barrier, || owner.owner.look_at_head());
        self.tell_of_refusal(barrier);
        exposed
    }

    /// Goes once round those in reach, from a random one on (the papers draw for each try, see the departures of
    /// [`wait`](super)); asks who has nothing, but in a look at all that does not.
    pub(crate) fn steal_from_any(&self, goal: Option<&dyn Goal>) -> Option<Found<'_>> {
        // A round of nobody takes a worker alone a hundred instructions for each job from outside.
        if self.workers() == 1 {
            return None;
        }
        let is_reached = || goal.is_some_and(|goal| goal.reached());
        if self.registry().background.is_used() {
            // What is of the background comes last.
            let is_foreground =
                |victim: usize| self.registry().oldest_class(victim) == Class::Foreground;
            return self.steal_from_those(&|victim| !is_reached() && is_foreground(victim));
        }
        self.steal_from_those(&|_| !is_reached())
    }

    /// As [`Worker::steal_from_any`], from those of whom this is true.
    pub(super) fn steal_from_those(&self, may_be: &dyn Fn(usize) -> bool) -> Option<Found<'_>> {
        let (asks, mut those) = (self.asks(), self.in_reach().filter(|victim| may_be(*victim)));
        let found = those.find_map(|victim| self.steal_or_ask(victim, asks))?;
        self.own.seen.set(None);
        self.owner.probe.count(Event::Steal);
        Some(found)
    }

    /// Steals from whom this thief waits for, or from whom that one waits for, and so on: the
    /// transitive leapfrogging of Wool 0.1.5alpha.
    pub(crate) fn steal_along(&self, thief: usize) -> Option<Found<'_>> {
        let mut at = thief;
        // A chain longer than the pool has come round.
        for _ in 0..self.workers() {
            at = self.registry().workers[at].waits_for().filter(|next| *next != self.index())?;
            if let Some(found) = self.steal_from(at) {
                return Some(found);
            }
        }
        None
    }

    /// Runs a task to its end; what it panics with is kept for whoever waits for it.
    pub(crate) fn execute(&self, found: Found<'_>) {
        self.note_fed();
        match found {
            Found::Stolen(Loot { owner, first, count: 1 }) => self.execute_stolen(&first, owner),
            Found::Stolen(loot) => match self.keep_some(loot) {
                Loot { owner, first, count: 1 } => self.execute_stolen(&first, owner),
                loot => self.execute_batch(loot),
            },
            Found::Job(job) | Found::Mail(job) => job.run(self),
        }
    }

    /// Runs one stolen task; who waits for it hears of its end.
    pub(super) fn execute_stolen(&self, slot: &Slot, owner: usize) {
        slot.state.note_taken(self.index());
        self.share_above();
        self.owner.probe.begin_task(Origin::Stolen(owner));
        // SAFETY: the slot was won from its deque (slot-1), and all workers of a pool have one type.
        let run = || unsafe { slot.run(std::ptr::from_ref(self).cast()) };
        let address = std::ptr::from_ref(slot).addr();
        // entries-2: its owner waits for it.
        let token = self.registry().workers[owner].token_of(address);
        let parent = Parent::of_stolen(slot, owner);
        let finished = self.descending(parent, || self.under(token, run));
        self.owner.probe.end_stolen(|| &self.registry().workers[owner].owner.probe, address);
        // hunger-2.
        self.note_hungry();
        // The slot is the owner's after this (slot-3); the pool, and so the owner's sleeper, is ours too.
        if slot.state.finish(finished) == Unpark::Owner {
            self.registry().idle.unpark(owner);
        }
    }
}
