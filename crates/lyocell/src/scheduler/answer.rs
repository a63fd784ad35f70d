//! How a worker answers those who ask it for tasks: at a push or pop, while it waits, and from a signal handler.
//! That nobody asks in vain is worker-4, and that nobody has to ask in time worker-5.

use super::Worker;
use super::lineage::Class;
use crate::deque::{Deque, Loot, PrivateTasks, Stealable};
use crate::idle::{Crowd, Idle, Offer};
use crate::probe::Probe;
use crate::task::Slot;
use lyocell_sync::{HeavyBarrier, Ordering, fence};

/// Whether a worker had nothing that can be stolen, and so was asked for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Requested {
    Yes,
    No,
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Serves other workers while this one waits, where they cannot help themselves. Whoever calls this withdraws
    /// when it has waited.
    pub(crate) fn communicate(&self) {
        if self.withholds() {
            return self.answer_waiting();
        }
        let team = &self.registry().team;
        self.owner.interrupt.gate.closed(|| {
            let was_asked = self.owner.deque.is_asked();
            self.owner.deque.communicate(
                self.owner.head.get(),
                team,
                self.index,
                &self.owner.probe,
            );
            // It may have answered one, and forgotten the request of another that sleeps by now (idle-3). If it is asked again by
            // the second look, nothing is forgotten, whoever asks.
            let forgot = was_asked && !self.owner.deque.is_asked();
            let is_wanted = || self.registry().idle.others_want_tasks(self.index);
            if forgot && (is_wanted() || self.is_beside_background()) {
                self.owner.deque.request();
            }
        });
    }

    /// [`Worker::answer`] by a worker that waits and withholds tasks (worker-4). Whoever searches may be this worker,
    /// which cannot help itself: so another one is woken in any case.
    pub(crate) fn answer_waiting(&self) {
        let wanted = |idle: &Idle| idle.others_want_tasks(self.index);
        self.owner.interrupt.gate.closed(|| {
            if self.share(self.owner.head.get(), &self.owner.probe, wanted) == Stealable::Some {
                self.registry().idle.notify_of_offer(self.index);
            }
            self.call_or_stay_asked();
        });
    }

    /// Takes back what this worker has asked others for, and returns what they have sent meanwhile.
    pub(crate) fn withdraw(&self) -> Option<Loot<'_>> {
        let team = &self.registry().team;
        self.owner.interrupt.gate.closed(|| D::withdraw(team, self.index, &self.owner.probe))
    }

    /// Takes the oldest task of this worker's own, as a thief would. Behind the gate: a signal handler that comes in between
    /// would find this worker in the middle of a steal from itself (interrupt-3).
    pub(crate) fn take_oldest(&self) -> Option<Loot<'_>> {
        let team = &self.registry().team;
        let take = || D::take_oldest(team, self.owner.head.get(), self.index, &self.owner.probe);
        self.owner.interrupt.gate.closed(take)
    }

    /// Somebody asks for work: shares some, leaves the request standing while anybody sleeps, and
    /// wakes one.
    pub(crate) fn answer(&self) {
        let registry = self.registry();
        self.owner.interrupt.gate.closed(|| {
            let mut wanted = None;
            let expects = self.own.expects_sleepers.take();
            if expects {
                registry.idle.promise(self.index);
            }
            let is_wanted = |idle: &Idle| {
                wanted = if expects { Some(idle.tasks_expected()) } else { idle.tasks_wanted() };
                wanted.is_some()
            };
            let shared = self.share(self.owner.head.get(), &self.owner.probe, is_wanted);
            if let (Stealable::Some, Some(wanted)) = (shared, wanted) {
                let may_be: &dyn Fn(usize) -> bool = match registry.oldest_class(self.index) {
                    Class::Foreground => &|_| true,
                    Class::Background => &|worker| registry.wakes(worker),
                };
                let expects = registry.idle.notify(self.offer(), wanted, may_be);
                self.own.expects_sleepers.set(expects);
            } else if expects {
                registry.idle.take_back(self.index);
            }
            self.share_above();
            self.call_or_stay_asked();
            if registry.ticker.is_some() && self.withholds() {
                registry.wake_ticker();
            }
        });
    }

    /// Owner, which begins a task or has answered, in a crowd: shares what it pushes above its head too, until as many tasks can be
    /// stolen as a tree with a leaf for each worker has levels. There an owner is often off its processor, where it does not
    /// answer, and who searches until it may expose keeps others off theirs: eight items that sleep, on 8 threads and two
    /// processors, had all begun after 140 us, and for 3 times rayon's processor time; now after 29, and for 1.1 to 1.4 of it. Without a crowd it
    /// helps nobody (on 48 simulated processors fib takes 1.2 of the time); and not where tasks are crumbs.
    pub(super) fn share_above(&self) {
        let registry = self.registry();
        if registry.settings.crowd == Crowd::Some && registry.idle.counts().backing_off() == 0 {
            let levels = self.workers().next_power_of_two().ilog2();
            self.owner.deque.share_above(self.owner.head.get(), levels as usize);
        }
    }

    /// After [`Worker::share`], which has fenced: calls those in the background for what this worker offers, or is asked for the next
    /// (giving_way-6).
    #[inline]
    fn call_or_stay_asked(&self) {
        if self.registry().background.running() > 0 {
            self.call_or_stay_asked_beside();
        }
    }

    #[cold]
    fn call_or_stay_asked_beside(&self) {
        match (self.is_beside_background(), self.offers()) {
            (false, _) => {}
            (true, true) => self.registry().call_in(),
            (true, false) => self.owner.deque.request(),
        }
    }

    /// Somebody who asks for work will have some from elsewhere; whoever asks after this, asks again.
    pub(crate) fn forget_request(&self) {
        self.owner.interrupt.gate.closed(|| self.owner.deque.forget_request(&self.owner.probe));
        // Ordering: SeqCst; between the request that is forgotten, and the call (giving_way-2).
        fence(Ordering::SeqCst);
        self.remember_call();
    }

    /// In the signal handler, on the thread that occupies this worker (interrupt-5).
    pub(crate) fn interrupted(&self) {
        self.owner.interrupt.handle(|| match self.owner.deque.is_asked() {
            true => self.answer_interrupt(),
            false => Stealable::None,
        });
    }

    /// [`Worker::answer`] in a signal handler (interrupt-5), without waking anybody: tells whether somebody should
    /// be woken.
    fn answer_interrupt(&self) -> Stealable {
        let head = self.owner.head.get();
        // interrupt-4: what is past the end is no task.
        let head = if head.addr() > self.owner.end.addr() { *self.owner.end } else { head };
        let wanted = |idle: &Idle| idle.others_want_tasks(self.index);
        let shared = self.share(head, &self.owner.interrupt.done, wanted);
        if self.is_beside_background() {
            // giving_way-6: they are called at the next push, not here.
            self.owner.deque.request();
        }
        shared
    }

    /// Owner, which has taken tasks back, or forgotten a request: is asked for the next if nothing that it shares is left, or
    /// somebody is hungry, where its tasks can be had by its own doing only (worker-5).
    #[inline(never)]
    pub(crate) fn request_unless_stealable(&self) -> Requested {
        if !self.shares_alone() {
            return Requested::No;
        }
        // Between the taking or the forgetting, and the looks; pairs with that of `note_hungry`, too (hunger-1).
        fence(Ordering::SeqCst);
        if self.owner.deque.stealable() == Stealable::Some && !self.registry().hungry.anybody() {
            return Requested::No;
        }
        self.owner.deque.request();
        Requested::Yes
    }

    /// Thief, who has taken a task of this worker: as [`Worker::request_unless_stealable`], and wakes it if it sleeps (worker-4).
    pub(crate) fn request_of_robbed(&self) {
        if self.request_unless_stealable() == Requested::Yes {
            self.wake_if_needed();
        }
    }

    /// Thief, who has had the barrier issued: if it was refused for the first time, asks all, and wakes those that sleep above
    /// tasks which they alone can give from now on (worker-6).
    pub(crate) fn tell_of_refusal(&self, barrier: &HeavyBarrier) {
        if !barrier.is_mine_to_tell() {
            return;
        }
        // Between the refusal and the requests; pairs with that of `share`.
        fence(Ordering::SeqCst);
        self.registry().workers.iter().for_each(|worker| self.ask(worker));
    }

    /// Whether its private tasks can be had by its own doing only.
    pub(super) fn gives_alone(&self) -> bool {
        match D::PRIVATE_TASKS {
            PrivateTasks::None => false,
            PrivateTasks::Exposed => self.registry().barrier().is_none(),
            PrivateTasks::Shared | PrivateTasks::Sent => true,
        }
    }

    /// Owner: it is about to sleep. Not if somebody has asked it for tasks that it keeps: then it has to answer, and
    /// whoever asks from now on wakes it (worker-4).
    pub(crate) fn may_sleep(&self) -> bool {
        if D::PRIVATE_TASKS == PrivateTasks::None {
            return true;
        }
        // Ordering: Relaxed, around the fence; pairs with `wake_if_needed`. Also where thieves expose: that may end (worker-6).
        self.asleep.store(true, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        let may = !self.gives_alone() || !self.withholds();
        if !may {
            self.note_awake();
        }
        may
    }

    /// Owner: it sleeps no more, or does not after all.
    #[inline(never)]
    pub(crate) fn note_awake(&self) {
        self.asleep.store(false, Ordering::Relaxed);
        self.forget_restraint();
    }

    /// Thief, who has just asked: wakes the owner if it sleeps and keeps tasks that it alone can give (worker-4).
    pub(crate) fn wake_if_needed(&self) {
        if !self.gives_alone() {
            return;
        }
        // Ordering: Relaxed, around the fence; pairs with `may_sleep`. So does the look at what it keeps. (One that sleeps above
        // tasks that are all stolen is left alone: two such workers would wake each other for ever.)
        fence(Ordering::SeqCst);
        if self.asleep.load(Ordering::Relaxed) && self.withholds() {
            self.registry().idle.unpark(self.index);
        }
    }

    /// Shares what is below this head, and leaves the request standing while it is wanted, or while there is nothing to
    /// share (worker-5); tells whether sleepers can have something.
    fn share(
        &self,
        head: *const Slot,
        probe: &impl Probe,
        is_wanted: impl FnOnce(&Idle) -> bool,
    ) -> Stealable {
        let registry = self.registry();
        if registry.generation.is_past() {
            // after_fork-2.
            return Stealable::None;
        }
        let shared = self.owner.deque.share(head, &registry.team, self.index, probe);
        // With a fence after the request was forgotten: so if that was one of `tell_of_refusal`, the next step sees why.
        let is_wanted = is_wanted(&registry.idle);
        let _ = self.request_unless_stealable();
        // giving_way-2.
        self.remember_call();
        // classes-4.
        if !is_wanted || !self.may_be_robbed() {
            return Stealable::None;
        }
        self.owner.deque.request();
        shared
    }

    /// Anybody: whether this worker is asked, and keeps tasks that nobody else can get at. A hint.
    pub(crate) fn withholds(&self) -> bool {
        D::PRIVATE_TASKS != PrivateTasks::None && self.owner.deque.is_asked() && self.keeps_tasks()
    }

    /// Whether it has tasks that nobody can steal as they are.
    pub(super) fn keeps_tasks(&self) -> bool {
        self.owner.depth() > 0 && self.owner.deque.withholds(self.owner.head.get())
    }

    /// Whether others may have some of its tasks: they steal them, or ask, where owners send them.
    fn offers(&self) -> bool {
        match D::PRIVATE_TASKS {
            PrivateTasks::Sent => self.keeps_tasks(),
            _ => self.owner.deque.stealable() == Stealable::Some,
        }
    }

    /// Anybody: what can be stolen from this worker. A hint.
    pub(super) fn offer(&self) -> Offer {
        Offer { owner: self.index, tasks: self.owner.deque.stealable_count() }
    }

    /// Anybody: whether this worker has a task that can be stolen, or withholds some. A hint.
    pub(crate) fn has_tasks(&self) -> bool {
        self.owner.deque.stealable() == Stealable::Some || self.withholds()
    }

    /// Anybody: as [`Worker::has_tasks`], also where nobody asks for what it keeps: it may have forgotten that for a moment, and have seen
    /// that somebody searches (idle-5).
    pub(crate) fn has_or_keeps_tasks(&self) -> bool {
        let can_keep = D::PRIVATE_TASKS != PrivateTasks::None;
        self.owner.deque.stealable() == Stealable::Some || can_keep && self.keeps_tasks()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::deque::{Receiver, Sender, Split};
    use crate::jobs::Room;
    use crate::pool::Pool;
    use crate::probe::{Counters, Event};
    use lyocell_sync::affinity;
    use std::sync::Barrier;

    /// Whether an owner of tasks is still asked when a handler has answered, while somebody is in the background or not.
    fn is_asked_after_a_handler<D: Deque>(background: bool) -> bool {
        let pool = Pool::builder().workers(1).deque::<D>().build().unwrap();
        let running = &pool.registry().background;
        assert!(!background || running.take_room(Room::Beyond));
        let (asked, ()) = pool.run(|w| {
            let answers = |w: &Worker<D, _>| {
                w.owner.deque.request();
                let _ = w.answer_interrupt();
                w.owner.deque.is_asked()
            };
            w.join(answers, |_| ())
        });
        if background {
            running.give_room();
        }
        asked
    }

    #[test]
    fn a_handler_leaves_the_request_of_those_in_the_background() {
        for background in [true, false] {
            assert_eq!(is_asked_after_a_handler::<Split>(background), background);
            assert_eq!(is_asked_after_a_handler::<Receiver>(background), background);
            assert_eq!(is_asked_after_a_handler::<Sender>(background), background);
        }
    }

    /// How many of a worker's first three pushes share, if all that the others do is to wait for it.
    fn shares(workers: usize) -> usize {
        let pool = Pool::builder().workers(workers).probe::<Counters>().build().unwrap();
        let all = Barrier::new(workers);
        let meet_twice = || (0..2).for_each(|_| _ = all.wait());
        let grown = |w: &Worker<_, Counters>| w.probe().counts().of(Event::Grow);
        let run = |w: &Worker<_, Counters>| {
            w.scope(|s| {
                (1..workers).for_each(|_| s.spawn(|_| meet_twice()));
                all.wait();
                w.forget_request();
                let before = grown(w);
                w.share_above();
                let third = |w: &Worker<_, Counters>| w.join(grown, |_| ()).0;
                let ((after, ()), ()) = w.join(|w| w.join(third, |_| ()), |_| ());
                all.wait();
                after - before
            })
        };
        pool.run(run)
    }

    #[test]
    fn in_a_crowd_the_first_levels_are_shared() {
        let processors = affinity::processors();
        assert_eq!(shares(processors), 0);
        let levels = (processors + 1).next_power_of_two().ilog2();
        assert_eq!(shares(processors + 1), levels.min(3) as usize);
    }
}
