//! The loop of a worker that waits: find a task, run it, search on.

use super::choice::Choice;
use super::confined::Awaited;
use super::patience::{After, Search};
use super::steal::Found;
use crate::deque::{Deque, Loot, PrivateTasks, Stealable};
use crate::idle::{Leaver, Offer, Searching};
use crate::jobs::Job;
use crate::owner::stack::StackRoom;
use crate::probe::{Event, Phase, Probe};
use crate::scheduler::Worker;
use crate::task::{Finished, Slot};
use crate::wait::payoff::{Appraiser, Payoff};
use crate::wait::{Goal, TaskBack, Victims, Wait, look_until};
use lyocell_sync::{Instant, spin_loop, yield_now};
use std::time::Duration;

/// How often a worker yields at least before it sleeps, however short its search may be: whoever it has asked for tasks
/// may need its processor to answer. Untuned.
const YIELDS: u32 = if cfg!(loom) { 0 } else { 4 };
/// Pauses in a round that keeps the processor: where owners send tasks. Elsewhere each round yields it, for whoever could have tasks may
/// wait for this very processor. With two rounds of pauses first (two threads, a virtual Xeon), calls between two pools took
/// 1.09 to 1.27 of rayon's time, where it is 1.02 to 1.08; seventeen other programs took as long. With 64 of them broadcasts took 13 times
/// rayon's time. Untuned.
const PAUSES: u32 = if cfg!(loom) { 1 } else { 8 };

/// The search time of a pool whose workers never sleep for want of tasks worth stealing.
const SEARCH_FOR_EVER: Duration = Duration::MAX;

/// A wait: what for, and whom to rob meanwhile. Not generic over the goal: one copy of all that follows is enough for a
/// pool, and a call through a pointer is nothing to a thief.
#[derive(Clone, Copy)]
pub(super) struct Waiting<'a> {
    pub(super) goal: &'a dyn Goal,
    choice: Choice<'a>,
    /// How much of the stack is left does not change while one frame waits.
    room: StackRoom,
}

impl Waiting<'_> {
    pub(super) fn phase(self) -> Phase {
        self.choice.phase()
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Works until the stolen task in `slot` is finished, or given back.
    pub(crate) fn wait_for(&self, slot: &Slot) -> Option<Finished> {
        let waited_for = self.waits_for();
        self.work(self.waiting(&TaskBack(slot), Choice::ThiefOf(slot)), None);
        self.set_waits_for(waited_for);
        slot.state.load().finished()
    }

    /// Sleeps until the stolen task in `slot` is finished, or given back, and runs nothing meanwhile but what is in its mail.
    pub(crate) fn wait_only_for(&self, slot: &Slot) -> Option<Finished> {
        let before = self.owner.probe.enter(Phase::Leaping);
        self.sleep_until(&TaskBack(slot), Phase::Leaping);
        self.owner.probe.enter(before);
        slot.state.load().finished()
    }

    /// Runs tasks until the parts of the current one that the goal tells of are over.
    pub(crate) fn work_until_parts(&self, goal: &dyn Goal) {
        self.work(self.waiting(goal, Choice::AnyPart), None);
    }

    /// Runs whatever tasks there are until the goal is reached.
    pub(crate) fn work_until(&self, goal: &dyn Goal) {
        self.work(self.waiting(goal, Choice::Anybody), None);
    }

    /// Parks until the goal is reached, above whatever tasks of its own, as where these are of a class that it may not run: for a model.
    #[cfg(all(test, loom))]
    pub(crate) fn park_until(&self, goal: &dyn Goal) {
        let waiting = self.waiting(goal, Choice::Anybody);
        let mut search = Search::new();
        while !goal.reached() {
            self.communicate();
            self.begin_to_count(&mut search);
            search = self.park(search.after, waiting);
        }
        self.end_search(&search);
    }

    /// Has been woken for tasks: steals one if it can, and leaves the search: for a model.
    #[cfg(all(test, loom))]
    pub(crate) fn come(&self, woken: Searching) -> Option<Found<'_>> {
        self.look_where_told(woken);
        let found = self.steal_from(self.own.seen.get()?);
        self.end_search_with(&Search::after_sleep(woken), found.as_ref());
        found
    }

    /// As [`Worker::work_until`], where the goal may need a background task.
    pub(crate) fn work_until_background(&self, goal: &dyn Goal) {
        self.work(self.waiting(goal, Choice::Background), None);
    }

    /// The life of a thread of the pool: as [`Worker::work_until`], but it sleeps for a while when the tasks are not worth being awake
    /// for.
    pub(crate) fn work_until_appraised(&self, goal: &dyn Goal, appraiser: &dyn Appraiser) {
        self.work(self.waiting(goal, Choice::Work), Some(appraiser));
    }

    fn waiting<'a>(&self, goal: &'a dyn Goal, choice: Choice<'a>) -> Waiting<'a> {
        Waiting { goal, choice, room: self.own.stack.room() }
    }

    /// Where to look, in this order, in the next round.
    fn victims(&self, waiting: Waiting<'_>) -> &'static [Victims] {
        let policy = self.registry().settings.wait;
        match self.confined_in(waiting.choice.awaited()) {
            None => waiting.choice.victims(policy, waiting.room),
            Some(_) => waiting.choice.victims_confined(policy),
        }
    }

    /// Whether this worker may take on any task.
    fn takes_any(&self, waiting: Waiting<'_>) -> bool {
        self.victims(waiting).contains(&Victims::Anybody)
    }

    // Inlined, it would be in a program three times, seven kilobytes each.
    #[inline(never)]
    fn work(&self, waiting: Waiting<'_>, appraiser: Option<&dyn Appraiser>) {
        let awaited = self.own.awaited.replace(waiting.choice.awaited());
        self.work_for(waiting, appraiser);
        self.own.awaited.set(awaited);
    }

    fn work_for(&self, waiting: Waiting<'_>, appraiser: Option<&dyn Appraiser>) {
        let before = self.owner.probe.enter(waiting.phase());
        // Who has an appraiser is a thread at the beginning of its life.
        let mut search = appraiser.map_or_else(Search::new, |_| Search::at_start());
        while !waiting.goal.reached() {
            if self.is_left_behind() {
                // after_fork-4.
                look_until(waiting.goal);
                self.owner.probe.enter(before);
                return;
            }
            self.communicate();
            if self.sees_frame() {
                self.end_search(&search);
                self.stop_asking();
                self.poll_frame();
                search = Search::new();
                continue;
            }
            match self.takes_any(waiting) {
                true => self.note_hungry(),
                false => self.note_fed(),
            }
            if let Some((found, phase)) = self.find(waiting) {
                self.end_search_with(&search, Some(&found));
                self.stop_asking();
                self.own.asked.set(0);
                self.end_look_at_all();
                self.own.woken_in_vain.set(false);
                self.owner.probe.enter(phase);
                let worth = self.execute_appraised(found, waiting, appraiser);
                self.own.expects_sleepers.set(false);
                self.owner.probe.enter(waiting.phase());
                search = match worth {
                    Payoff::TooSmall => self.back_off(waiting),
                    Payoff::Good => {
                        self.registry().idle.note_useful_wake();
                        Search::new()
                    }
                    Payoff::Crumb => Search::after_crumb(&search),
                    Payoff::Unknown => Search::new(),
                };
                continue;
            }
            search.owes_a_look = self.note_arrival(None).unwrap_or(search.owes_a_look);
            if self.appraise_answers(&mut search, appraiser) == Payoff::TooSmall {
                self.begin_to_count(&mut search);
                search = self.back_off_counted(waiting);
            } else {
                search = self.search_on(search, waiting);
            }
        }
        self.end_search(&search);
        self.end_look_at_all();
        self.stop_asking();
        self.note_fed();
        self.leave_background();
        self.remember_call();
        self.owner.probe.enter(before);
    }

    /// Runs a task and the jobs that come of it, and has somebody judge whether they were worth being awake for: what was found,
    /// and came with it into this worker's lane, but not what it has spawned.
    fn execute_appraised(
        &self,
        found: Found<'_>,
        waiting: Waiting<'_>,
        appraiser: Option<&dyn Appraiser>,
    ) -> Payoff {
        // A worker alone has nobody to back off from, and what nobody else can run is not had by being awake for others.
        let is_judged = self.workers() > 1 && !matches!(found, Found::Mail(_));
        let Some(appraiser) = appraiser.filter(|_| is_judged) else {
            self.execute(found);
            self.run_own_jobs(waiting);
            return Payoff::Unknown;
        };
        let tasks = match &found {
            // Nothing has come with it, and the lines of the lane may be far away.
            Found::Stolen(_) => 1,
            Found::Job(_) | Found::Mail(_) => 1 + self.lane.len(),
        };
        let start = Instant::now();
        self.execute(found);
        self.run_own_jobs(waiting);
        self.judge(appraiser, start.elapsed(), tasks)
    }

    /// Runs one after the other what waits in this worker's own lane, which comes first in any case (turns-1), without a look round
    /// between two: for that of each empty task of a scope took as long as the task. Ends where somebody has to be answered.
    fn run_own_jobs(&self, waiting: Waiting<'_>) {
        let is_first = self.victims(waiting).first() == Some(&Victims::Anybody);
        if !is_first || D::PRIVATE_TASKS == PrivateTasks::Sent {
            return;
        }
        let has_to_look =
            || self.withholds() || self.own.turns.are_tasks_next() || self.has_to_look_by_class();
        while !waiting.goal.reached() && !self.is_left_behind() && !has_to_look() {
            let Some(job) = self.next_lane_job() else { return };
            let Some(job) = self.keep_job(job) else { continue };
            self.note_fed();
            job.run(self);
        }
    }

    /// Takes back what this worker has asked for; what comes all the same is run (a deque may send tasks
    /// on request). Before anything else is run, too: who sent tasks must not wait for that.
    pub(crate) fn stop_asking(&self) {
        while let Some(loot) = self.withdraw() {
            match self.registry().has_regions() {
                // confined-5: this worker may be on the way to something that a region waits for, and what was sent may wait for
                // what that region holds.
                true => self.give_all_back(loot),
                false => self.run_sent(loot),
            }
        }
    }

    fn run_sent(&self, loot: Loot<'_>) {
        // It may be on the way to something that it has room for: for that only (classes-1).
        let awaited = self.own.awaited.replace(Awaited::Part);
        let kept = self.keep(Found::Stolen(loot), Awaited::Part);
        self.own.awaited.set(awaited);
        let Some(sent) = kept else { return };
        self.owner.probe.count(Event::Steal);
        let before = self.owner.probe.enter(Phase::Application);
        self.execute(sent);
        // giving_way-5.
        self.remember_call();
        self.owner.probe.enter(before);
    }

    pub(super) fn end_search(&self, search: &Search) {
        self.end_search_with(search, None);
    }

    /// Where what was found has others of its kind beside it, they are left to those that this worker wakes.
    #[inline(never)]
    fn end_search_with(&self, search: &Search, found: Option<&Found<'_>>) {
        if search.counted == Searching::Counted || search.owes_a_look {
            let registry = self.registry();
            let owes_a_look = self.note_arrival(found).unwrap_or(search.owes_a_look);
            let beside = found.and_then(|found| self.offered_beside(found));
            let leaver = Leaver { counted: search.counted, beside, owes_a_look };
            registry.idle.leave_search(leaver, || registry.has_tasks(), || registry.has_jobs());
        }
    }

    /// What the owner of a stolen task has for other thieves.
    fn offered_beside(&self, found: &Found<'_>) -> Option<Offer> {
        let index = found.owner()?;
        let registry = self.registry();
        let owner = registry.worker(index);
        let is_offered =
            owner.has_or_keeps_tasks() && registry.has_room_for(registry.oldest_class(index));
        is_offered.then(|| owner.offer())
    }

    /// One source of work after the other; and what running what was found counts as.
    fn find(&self, waiting: Waiting<'_>) -> Option<(Found<'_>, Phase)> {
        let thief = waiting.choice.thief();
        if self.registry().settings.wait == Wait::Transitive && thief.is_some() {
            self.set_waits_for(thief);
        }
        if let Some(found) = self.find_if_called() {
            return Some((found, Phase::Application));
        }
        let job = |job| (Found::Job(job), Phase::Application);
        let found = self.victims(waiting).iter().find_map(|victims| match victims {
            Victims::Thief if self.may_rob(thief?) => self.leap(self.steal_from(thief?)),
            Victims::Thief => None,
            Victims::ThiefOfThief => self.leap(self.steal_along(thief?)),
            Victims::Anybody => {
                let awaited = waiting.choice.awaited();
                let found = self.own_task(waiting).or_else(|| {
                    let found = self.find_anything(Some(waiting.goal))?;
                    self.keep(found, awaited)
                })?;
                Some((found, Phase::Application))
            }
            Victims::Jobs => self.keep_job(self.job_on_short_stack()?).map(job),
            Victims::Spawned => self.spawned_job().map(job),
        });
        // Nobody else runs what is in the mail (registry-5), and somebody may wait for it.
        let mail = |job| (Found::Mail(job), Phase::Application);
        found.or_else(|| self.mailed_job().map(mail))
    }

    /// The oldest task of its own open joins, if nothing spawned waits here, which comes first: what it waits for may be a part of
    /// another task, or wait for this one. (Who waits for a stolen task has none: what is older was stolen before.)
    fn own_task(&self, waiting: Waiting<'_>) -> Option<Found<'_>> {
        match waiting.choice {
            Choice::ThiefOf(_) => None,
            _ if self.owner.depth() == 0 || !self.lane.is_empty() => None,
            choice => self.steal_own(choice.awaited()),
        }
    }

    fn leap<'a>(&'a self, found: Option<Found<'a>>) -> Option<(Found<'a>, Phase)> {
        found.and_then(|found| self.keep(found, Awaited::Part)).map(|found| {
            self.owner.probe.count(Event::Leap);
            (found, Phase::LeapApplication)
        })
    }

    /// A task or a job, wherever it is, as long as what it waits for has not come, which it looks at between two victims: each may take a
    /// quarter of a microsecond, and whoever waits for this one waits for that. What is of the background where there is nothing else,
    /// if this worker may begin it.
    pub(super) fn find_anything(&self, goal: Option<&dyn Goal>) -> Option<Found<'_>> {
        match self.registry().background.is_used() {
            true => self.find_by_class(goal),
            false => self.find_where_told().or_else(|| self.find_usual(goal)),
        }
    }

    /// A task of whom it was woken for, and has yet to look at: before anything else, for each line that it looks at comes from afar in a
    /// large pool, and those that it is to wake wait meanwhile.
    fn find_where_told(&self) -> Option<Found<'_>> {
        let found = self.steal_from(self.own.on_the_way.get()?)?;
        self.own.seen.set(None);
        self.owner.probe.count(Event::Steal);
        Some(found)
    }

    /// Its own newest job, which nobody else need be asked for; then a task of somebody else's; then a job from
    /// elsewhere. Now and then a job whose turn it is (turns-1), or a task (turns-2).
    pub(super) fn find_usual(&self, goal: Option<&dyn Goal>) -> Option<Found<'_>> {
        if self.own.turns.are_tasks_next() {
            let found = self.steal_from_any(goal).or_else(|| self.await_tasks());
            if found.is_some() {
                // It has had its turn.
                let _ = self.own.turns.next();
                return found;
            }
        }
        self.next_lane_job()
            .map(Found::Job)
            .or_else(|| self.mail.pop_oldest().map(Found::Mail))
            .or_else(|| self.steal_from_any(goal))
            .or_else(|| self.registry().find_job_elsewhere(self).map(Found::Job))
    }

    /// A job whose turn it is, or the next of this worker's own lane.
    fn next_lane_job(&self) -> Option<Job> {
        self.registry().find_job_in_turn(self).or_else(|| self.lane_job())
    }

    /// Nothing was found: pause, yield, or sleep, as long as it has been.
    fn search_on(&self, mut search: Search, waiting: Waiting<'_>) -> Search {
        search.rounds = search.rounds.saturating_add(1);
        if search.after.is_work() {
            self.hold_back(waiting.goal);
        }
        if search.rounds < search.after.short_rounds(D::PRIVATE_TASKS) {
            match D::PRIVATE_TASKS == PrivateTasks::Sent {
                true => (0..PAUSES).for_each(|_| spin_loop()),
                false => self.yield_in_round(waiting),
            }
            return search;
        }
        if !search.has_gone_round && !self.reaches_all() && self.takes_any(waiting) {
            // Of a large pool it has looked at few. Whoever does not answer from here on has been asked.
            search.has_gone_round = true;
            self.begin_look_at_all(search.after != After::Claim);
            return search;
        }
        if self.goes_on_with_all() {
            return search;
        }
        self.begin_to_count(&mut search);
        // Whoever has been asked for so long, and is not in a long task, has answered.
        if self.expose_any(waiting) == Stealable::Some {
            return search;
        }
        let since = *search.since.get_or_insert_with(Instant::now);
        // Else no longer than it takes to ask owners, and to expose those that do not answer; or, where they send tasks to
        // those that are awake, as long as an owner's current task may take: who asks and goes would never get any.
        let is_patient = || search.after.is_work() || self.waits_to_be_sent();
        if search.yields < YIELDS
            || since.elapsed() < self.registry().settings.search_time && is_patient()
        {
            search.yields = search.yields.saturating_add(1);
            self.registry().wake_ticker();
            self.yield_in_round(waiting);
            return search;
        }
        if let Some(loot) = self.withdraw() {
            self.end_search(&search);
            self.run_sent(loot);
            return Search::new();
        }
        self.leave_background();
        if let Some(confined) = self.confined_in(waiting.choice.awaited()) {
            if let Some(job) = self.descending_job_elsewhere(confined) {
                self.end_search(&search);
                self.stop_asking();
                job.run(self);
                return Search::new();
            }
            return self.nap(search, waiting);
        }
        match waiting.choice.victims(self.registry().settings.wait, waiting.room) {
            victims if victims.contains(&Victims::Anybody) => {}
            [Victims::Jobs] => return self.park_for_jobs(search, waiting),
            [] => return self.park_unannounced(search, waiting),
            _ => return self.nap(search, waiting),
        }
        // Before it sleeps, once, a look at all, which its rounds were not: who backs off has no other, and may have been woken for
        // what is out of reach; who parks has one more, but would announce it and take that back.
        if !search.has_looked && !self.reaches_all() {
            search.has_looked = true;
            if self.sees_tasks(waiting.goal) {
                return search;
            }
        }
        match search.after {
            After::Claim if self.was_woken_for_crumbs() => self.back_off_counted(waiting),
            After::Moment if self.is_answered() => self.back_off_counted(waiting),
            After::Start | After::Work | After::Claim | After::Moment | After::Nap => {
                self.park(search.after, waiting)
            }
        }
    }

    /// A search that this worker was woken for has come to nothing. Where nearly all have work, others of those that were woken with it
    /// were faster, and there will be more. But not twice in a row: beside one who makes crumbs it would be woken on and on.
    fn was_woken_for_crumbs(&self) -> bool {
        self.own.woken_in_vain.replace(true) || self.registry().idle.few_work()
    }

    /// Yields its processor, unless what it waits for has come while it looked elsewhere: a yield takes longer than a look.
    fn yield_in_round(&self, waiting: Waiting<'_>) {
        if !self.is_wanted_at_once(waiting.goal) {
            yield_now();
        }
    }

    /// Whether what this worker waits for has come, or mail that it may read.
    pub(super) fn is_wanted_at_once(&self, goal: &dyn Goal) -> bool {
        goal.reached() || !self.mail.is_empty() && !self.is_in_region()
    }

    /// This worker counts as searching from here on.
    fn begin_to_count(&self, search: &mut Search) {
        if search.counted != Searching::Counted {
            self.note_disuse_of_lane();
            self.registry().idle.enter_search();
            search.counted = Searching::Counted;
        }
    }

    /// Whoever answers, and has run its task by the time this worker comes, has crumbs: as if they had been stolen. (Where owners send
    /// tasks an answer may be that there are none.)
    fn appraise_answers(&self, search: &mut Search, appraiser: Option<&dyn Appraiser>) -> Payoff {
        let in_vain = search.note_asked(self.own.asked.take(), self.workers() - 1);
        let shares = D::PRIVATE_TASKS == PrivateTasks::Exposed;
        match appraiser.filter(|_| in_vain > 0 && shares) {
            Some(appraiser) => self.judge(appraiser, Duration::ZERO, in_vain),
            None => Payoff::Unknown,
        }
    }

    fn judge(&self, appraiser: &dyn Appraiser, took: Duration, tasks: usize) -> Payoff {
        let others_back_off = || self.registry().idle.counts().backing_off() > 0;
        match appraiser.judge(took, tasks, &others_back_off) {
            Payoff::TooSmall | Payoff::Crumb
                if self.registry().settings.search_time == SEARCH_FOR_EVER =>
            {
                Payoff::Unknown
            }
            worth => worth,
        }
    }

    /// Whether somebody whom this worker has asked a moment ago has answered: so there are tasks, but they are over sooner
    /// than one can be stolen. A hint: who has answered and been asked again by another looks as if it had not, and then this worker
    /// parks and asks all, where it would have backed off.
    fn is_answered(&self) -> bool {
        self.registry().others(self.index()).any(|other| !other.owner.deque.is_asked())
    }

    /// Whether owners send tasks, and somebody has yet to answer: of many workers most have nothing and were not even asked.
    fn waits_to_be_sent(&self) -> bool {
        let is_asked = |other: &Self| other.owner.deque.is_asked();
        D::PRIVATE_TASKS == PrivateTasks::Sent && self.registry().others(self.index()).any(is_asked)
    }

    /// Exposes the tasks of somebody who may be robbed, was asked and has not answered; tells whether there is
    /// something to steal now.
    #[inline(never)]
    fn expose_any(&self, waiting: Waiting<'_>) -> Stealable {
        let Some(barrier) = self.registry().barrier() else { return Stealable::None };
        let expose = |other: &Self| {
            self.may_rob(other.index) && self.expose(other, barrier) == Stealable::Some
        };
        let exposed = self.victims(waiting).iter().any(|victims| match victims {
            Victims::Thief => {
                let thief = waiting.choice.thief();
                thief.is_some_and(|thief| expose(&self.registry().workers[thief]))
            }
            Victims::Anybody => {
                let workers = &self.registry().workers;
                let is_exposed = self.in_reach().any(|other| expose(&workers[other]));
                // If not, it has answered, or another was faster.
                self.own.seen.set(self.own.seen.get().filter(|_| is_exposed));
                is_exposed
            }
            Victims::ThiefOfThief | Victims::Jobs | Victims::Spawned => false,
        });
        if exposed { Stealable::Some } else { Stealable::None }
    }
}
