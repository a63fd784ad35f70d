//! How a worker that waits sleeps, when it has searched long enough.
//!
//! | sleep | who | announced as | looks once more at | ended by |
//! |---|---|---|---|---|
//! | [`Worker::park`] | one that could run any task | parked | all work | whoever shares, calls or asks |
//! | [`Worker::back_off_counted`] | one for which nothing it found was worth being awake | backing off | jobs | who calls, or its moment |
//! | [`Worker::park_for_jobs`] | one without stack to spare | parked for jobs | jobs | who calls |
//! | [`Worker::nap`] | one that may rob few | not | its mail | what it waits for, mail, and its moment |
//! | [`Worker::sleep_until`] | one that may run nothing else | not | its mail | what it waits for, and mail |
//!
//! Each ends when what it waits for has come to pass (wait-1), when its owner is asked for what it keeps (worker-4), and when a frame
//! begins (frame-2), too; and a parked worker's, after a deep recursion, once by itself ([`Worker::linger`]).

use super::Worker;
use super::patience::{After, Search};
use super::search::Waiting;
use super::steal::Found;
use crate::deque::{Deque, PrivateTasks};
use crate::idle::{Searching, moment};
use crate::probe::{Event, Phase, Probe};
use crate::wait::{Goal, Subscribed, look_until};
use lyocell_sync::{Instant, Issued, prefetch_to_write};
use std::time::Duration;

/// Where there is no barrier: how long after a worker has announced that it will park it looks once more, because an
/// owner's store may not have been visible to it before. Untuned; loom has no time.
const SETTLED: Duration = if cfg!(loom) { Duration::ZERO } else { Duration::from_micros(100) };

/// So long a worker sleeps before it gives back what a deep recursion took: longer than programs pause between two frames or bursts. At
/// once, a recursion of 10,000 levels that came again and again took six times as long, for page faults. Untuned.
const LINGER: Duration = Duration::from_millis(100);

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Sleeps until the goal is reached or a job waits: this worker is free for nothing else (wait-2).
    pub(super) fn park_for_jobs(&self, search: Search, waiting: Waiting<'_>) -> Search {
        self.end_search(&search);
        let idle = &self.registry().idle;
        self.note_what_wakes();
        idle.announce_parked_for_jobs(self.index());
        let searching = if self.stays_awake(waiting, &|| self.sees_jobs()) {
            idle.retract(self.index())
        } else {
            self.sleep(waiting.phase(), || idle.park(self.index(), &self.own.parker))
        };
        debug_assert_eq!(searching, Searching::Uncounted, "nobody claims it");
        Search::new()
    }

    /// Sleeps until the goal is reached: this worker may rob nobody (wait-2).
    pub(super) fn park_unannounced(&self, search: Search, waiting: Waiting<'_>) -> Search {
        self.end_search(&search);
        self.sleep_until(waiting.goal, waiting.phase());
        Search::new()
    }

    /// Sleeps for a moment, or until the goal is reached: nobody wakes this worker for a task, as there are few that it may run,
    /// but those whom it may rob may have some again (wait-2).
    pub(super) fn nap(&self, search: Search, waiting: Waiting<'_>) -> Search {
        self.end_search(&search);
        let has_mail = || !self.is_in_region() && !self.mail.is_empty() || self.sees_frame();
        if waiting.goal.subscribe() == Subscribed::WillUnpark
            && !waiting.goal.reached()
            && !has_mail()
        {
            let moment = moment(search.naps());
            self.sleep(waiting.phase(), || self.own.parker.park_timeout(moment));
        }
        Search::after_nap(&search)
    }

    /// Parks with a standing request at every worker; the worker counts as searching.
    pub(super) fn park(&self, after: After, waiting: Waiting<'_>) -> Search {
        let idle = &self.registry().idle;
        idle.remember_requests();
        self.note_what_wakes();
        idle.announce_parked(self.index());
        // In a pool of 256 that takes a tenth of a millisecond, and others may wait for this worker.
        let mut others = self.registry().others(self.index());
        if others.any(|other| (self.ask(other), waiting.goal.reached()).1) {
            return self.search_again(after);
        }
        self.registry().wake_ticker();
        // Whoever pushes from here on finds the requests; what was pushed before is seen below (idle-6).
        let is_settled = self.workers() == 1 || self.pass_barrier(waiting.goal) == Issued::Yes;
        if self.asks_itself() || self.stays_awake(waiting, &|| self.sees_work(waiting.goal)) {
            return self.search_again(after);
        }
        // Whatever happens between the looks, it happens after the requests: a task that comes and goes unseen was pushed by
        // somebody who is asked, and either shares the next or leaves the request standing (idle-7).
        if !is_settled && !SETTLED.is_zero() {
            self.sleep(waiting.phase(), || self.own.parker.park_timeout(SETTLED));
            if !idle.is_parked(self.index())
                || self.stays_awake(waiting, &|| self.sees_work(waiting.goal))
            {
                return self.search_again(after);
            }
        }
        let searching = match self.owner.depth() == 0 && self.owner.deque.has_grown() {
            true => self.linger(waiting),
            false => self.sleep(waiting.phase(), || idle.park(self.index(), &self.own.parker)),
        };
        self.look_where_told(searching);
        Search::after_sleep(searching)
    }

    /// The first sleep after a deep recursion: at its end, if nobody has ended it before, the memory of that is given back.
    #[cold]
    fn linger(&self, waiting: Waiting<'_>) -> Searching {
        let (idle, begin) = (&self.registry().idle, Instant::now());
        let searching =
            self.sleep(waiting.phase(), || idle.park_for(LINGER, self.index(), &self.own.parker));
        if begin.elapsed() >= LINGER {
            self.owner.deque.give_back();
        }
        searching
    }

    /// A worker that was woken for tasks begins its search where its waker saw them. In a burst others sleep, too.
    #[inline(never)]
    pub(crate) fn look_where_told(&self, searching: Searching) {
        if searching != Searching::Uncounted {
            let tasks_at = self.registry().idle.tasks_at(self.index());
            self.own.seen.set(tasks_at);
            self.own.on_the_way.set(tasks_at);
            self.own.expects_sleepers.set(searching == Searching::OnTheWay);
            tasks_at.into_iter().for_each(|owner| self.prefetch_for_task_of(owner));
        }
    }

    /// It is about to steal a task, and then to share some: begins to fetch the lines of both, which others have written, all at once. One after
    /// the other they took a microsecond of each wake-up in a burst on 128 processors.
    fn prefetch_for_task_of(&self, owner: usize) {
        let registry = self.registry();
        registry.worker(owner).owner.deque.prefetch_for_thief();
        prefetch_to_write(&self.owner.head);
        self.owner.deque.prefetch_for_owner();
        registry.idle.prefetch_on_the_way(owner);
        registry.idle.prefetch_on_the_way(self.index());
    }

    /// A worker that was woken for tasks has looked where its waker saw them, and has found this, or leaves the search without: tells whether
    /// it owes a look at all. It does if there are tasks, and it has taken none (idle-8). What is beside the one that it has taken it
    /// sees when it leaves the search.
    #[inline(never)]
    pub(super) fn note_arrival(&self, found: Option<&Found<'_>>) -> Option<bool> {
        let at = self.own.on_the_way.take()?;
        self.registry().idle.note_arrival(at);
        let took_one = found.and_then(Found::owner) == Some(at);
        Some(!took_one && self.registry().worker(at).has_or_keeps_tasks())
    }

    /// Whether this worker keeps tasks that nobody has asked it for, and somebody else is parked: it has forgotten that one's
    /// request (idle-7). Now it is asked, and answers before it looks round again.
    fn asks_itself(&self) -> bool {
        let owes = D::PRIVATE_TASKS != PrivateTasks::None
            && self.owner.depth() > 0
            && !self.owner.deque.is_asked()
            && self.may_be_robbed()
            && self.registry().idle.others_want_tasks(self.index());
        if owes {
            self.owner.deque.request();
        }
        owes
    }

    /// Makes all other threads pass a fence, if the system lets it, and the goal is not reached meanwhile.
    fn pass_barrier(&self, goal: &dyn Goal) -> Issued {
        let Some(barrier) = self.registry().any_barrier() else { return Issued::No };
        let issued = barrier.issue_unless(&|| goal.reached());
        self.tell_of_refusal(barrier);
        issued
    }

    /// Sleeps for a moment because the tasks that it is woken for are not worth it; then looks round, parks if there is
    /// nothing, and backs off again if there are only crumbs: parked it would be woken at once, at their owner's cost.
    pub(super) fn back_off(&self, waiting: Waiting<'_>) -> Search {
        self.registry().idle.enter_search();
        self.back_off_counted(waiting)
    }

    pub(super) fn back_off_counted(&self, waiting: Waiting<'_>) -> Search {
        let idle = &self.registry().idle;
        self.note_what_wakes();
        idle.announce_backing_off(self.index());
        if self.stays_awake(waiting, &|| self.sees_jobs()) {
            return self.search_again(After::Work);
        }
        match self.sleep(waiting.phase(), || idle.back_off(self.index(), &self.own.parker)) {
            woken @ (Searching::Counted | Searching::OnTheWay) => Search::after_sleep(woken),
            Searching::Uncounted => {
                idle.enter_search();
                Search::after_moment()
            }
        }
    }

    /// A worker that has announced a sleep asks to be woken, and looks once more (idle-3): whether it must not sleep.
    fn stays_awake(&self, waiting: Waiting<'_>, sees_something: &dyn Fn() -> bool) -> bool {
        waiting.goal.subscribe() == Subscribed::Reached
            || waiting.goal.reached()
            || sees_something()
            || !self.may_sleep()
    }

    /// Takes the announcement of a sleep back. The worker counts as searching: others may have counted on it
    /// until it announced, so it has to leave the search properly (idle-5).
    fn search_again(&self, after: After) -> Search {
        let idle = &self.registry().idle;
        let counted = idle.retract(self.index());
        self.look_where_told(counted);
        if counted != Searching::Counted {
            idle.enter_search();
        }
        Search::again(after, counted)
    }

    /// Sleeps until the goal is reached, unannounced (wait-2), but reads its mail: the task that it waits for may wait for that.
    /// It keeps no task meanwhile: what it waits for was stolen, and so was all that is older.
    pub(crate) fn sleep_until(&self, goal: &dyn Goal, phase: Phase) {
        if self.is_left_behind() {
            return look_until(goal);
        }
        while goal.subscribe() == Subscribed::WillUnpark && !goal.reached() {
            self.poll_frame();
            match self.mailed_job() {
                Some(job) => job.run(self),
                None if self.sees_frame() => {}
                None => self.sleep(phase, || self.own.parker.park()),
            }
        }
    }

    /// Sleeps until the goal is reached, and does nothing else whatever meanwhile (frame-3).
    pub(super) fn sleep_only_until(&self, goal: &dyn Goal) {
        while goal.subscribe() == Subscribed::WillUnpark {
            self.sleep(Phase::Idle, || self.own.parker.park());
        }
    }

    /// Sleeps, and tells the probe.
    fn sleep<R>(&self, phase: Phase, sleep: impl FnOnce() -> R) -> R {
        self.owner.probe.count(Event::Park);
        self.owner.probe.enter(Phase::Idle);
        let woken = sleep();
        self.note_awake();
        self.owner.probe.enter(phase);
        self.owner.probe.count(Event::Wake);
        woken
    }

    /// Whether any source of work has something: the second look of idle-3, after the fence of the announcement.
    fn sees_work(&self, goal: &dyn Goal) -> bool {
        self.sees_jobs() || self.sees_tasks(goal)
    }

    /// Whether a job waits that this worker may run.
    fn sees_jobs(&self) -> bool {
        let registry = self.registry();
        let sees_jobs = || match registry.background.is_used() {
            true => self.sees_jobs_by_class(),
            false => registry.has_jobs(),
        };
        !self.mail.is_empty() || self.sees_frame() || sees_jobs()
    }
}
