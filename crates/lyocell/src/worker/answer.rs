//! How a worker answers those who ask it for tasks: at a push or pop, while it waits, and from a signal handler.
//! That nobody asks in vain is worker-4, and that nobody has to ask in time worker-5.

use super::Worker;
use crate::deque::{Deque, Loot, PrivateTasks, Stealable};
use crate::idle::Idle;
use crate::probe::Probe;
use crate::sync::{Ordering, fence};
use crate::task::Slot;

/// Whether a worker's tasks can be had by its own doing only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needed {
    Yes,
    No,
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Serves other workers while this one waits, where they cannot help themselves. Whoever calls this withdraws
    /// when it has waited.
    pub(crate) fn communicate(&self) {
        if self.pool().generation.is_past() {
            // after_fork-2.
            return;
        }
        if self.withholds() {
            return self.answer_waiting();
        }
        let team = &self.pool().team;
        self.interrupt.gate.closed(|| {
            let was_asked = self.deque.is_asked();
            self.deque.communicate(self.head.get(), team, self.index, &self.probe);
            // It may have answered one, and forgotten the request of another that sleeps by now (idle-3).
            let forgot = was_asked && !self.deque.is_asked();
            if forgot && self.pool().idle.others_want_tasks(self.index) {
                self.deque.request();
            }
        });
    }

    /// [`Worker::answer`] by a worker that waits and withholds tasks (worker-4). Whoever searches may be this worker,
    /// which cannot help itself: so another one is woken in any case.
    pub(crate) fn answer_waiting(&self) {
        let wanted = |idle: &Idle| idle.others_want_tasks(self.index);
        self.interrupt.gate.closed(|| {
            if self.share(self.head.get(), &self.probe, wanted) == Stealable::Some {
                self.pool().idle.notify_of_offer(self.index);
            }
        });
    }

    /// Takes back what this worker has asked others for, and returns what they have sent meanwhile.
    pub(crate) fn withdraw(&self) -> Option<Loot<'_>> {
        let team = &self.pool().team;
        self.interrupt.gate.closed(|| D::withdraw(team, self.index, &self.probe))
    }

    /// Somebody asks for work: shares some, leaves the request standing while anybody sleeps, and
    /// wakes one.
    pub(crate) fn answer(&self) {
        let pool = self.pool();
        self.interrupt.gate.closed(|| {
            if self.share(self.head.get(), &self.probe, Idle::tasks_wanted) == Stealable::Some {
                pool.idle.notify();
            }
            if pool.ticker.is_some() && self.withholds() {
                pool.wake_ticker();
            }
        });
    }

    /// Somebody who asks for work will have some from elsewhere; whoever asks after this, asks again.
    pub(crate) fn forget_request(&self) {
        self.interrupt.gate.closed(|| self.deque.forget_request(&self.probe));
    }

    /// In the signal handler, on the thread that occupies this worker (interrupt-5).
    pub(crate) fn interrupted(&self) {
        self.interrupt.handle(|| match self.deque.is_asked() {
            true => self.answer_interrupt(),
            false => Stealable::None,
        });
    }

    /// [`Worker::answer`] in a signal handler (interrupt-5), without waking anybody: tells whether somebody should
    /// be woken.
    fn answer_interrupt(&self) -> Stealable {
        let head = self.head.get();
        // interrupt-4: what is past the end is no task.
        let head = if head.addr() > self.end.addr() { *self.end } else { head };
        self.share(head, &self.interrupt.done, |idle| idle.others_want_tasks(self.index))
    }

    /// Whoever has taken a task of this worker, or forgotten a request: asks it for the next if nothing that it shares is
    /// left, where its tasks can be had by its own doing only (worker-5).
    pub(crate) fn ask_if_bare(&self) {
        let shares = D::PRIVATE_TASKS != PrivateTasks::Sent && self.workers() > 1;
        if !shares || self.is_needed() == Needed::No {
            return;
        }
        // Between the taking or the forgetting, and the look.
        fence(Ordering::SeqCst);
        if self.deque.stealable() == Stealable::None {
            self.deque.request();
        }
    }

    /// Whether its tasks can be had by its own doing only.
    fn is_needed(&self) -> Needed {
        match D::PRIVATE_TASKS {
            PrivateTasks::None => Needed::No,
            PrivateTasks::Exposed if self.pool().barrier().is_some() => Needed::No,
            PrivateTasks::Exposed | PrivateTasks::Shared | PrivateTasks::Sent => Needed::Yes,
        }
    }

    /// Owner: it is about to sleep. Not if somebody has asked it for tasks that it keeps: then it has to answer, and
    /// whoever asks from now on wakes it (worker-4).
    pub(crate) fn may_sleep(&self) -> bool {
        if self.is_needed() == Needed::No {
            return true;
        }
        // Ordering: Relaxed, around the fence; pairs with `wake_if_needed`.
        self.asleep.store(true, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        let may = !self.withholds();
        if !may {
            self.note_awake();
        }
        may
    }

    /// Owner: it sleeps no more, or does not after all.
    pub(crate) fn note_awake(&self) {
        self.asleep.store(false, Ordering::Relaxed);
    }

    /// Thief, who has just asked: wakes the owner if it sleeps and keeps tasks that it alone can give (worker-4).
    pub(crate) fn wake_if_needed(&self) {
        if self.is_needed() == Needed::No || self.depth() == 0 {
            return;
        }
        // Ordering: Relaxed, around the fence; pairs with `may_sleep`.
        fence(Ordering::SeqCst);
        if self.asleep.load(Ordering::Relaxed) {
            self.pool().idle.unpark(self.index);
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
        let pool = self.pool();
        if pool.generation.is_past() {
            // after_fork-2.
            return Stealable::None;
        }
        let shared = self.deque.share(head, &pool.team, self.index, probe);
        self.ask_if_bare();
        if !is_wanted(&pool.idle) {
            return Stealable::None;
        }
        self.deque.request();
        shared
    }

    /// Anybody: whether this worker is asked, and keeps tasks that nobody else can get at. A hint.
    pub(crate) fn withholds(&self) -> bool {
        D::PRIVATE_TASKS != PrivateTasks::None
            && self.deque.is_asked()
            && self.depth() > 0
            && self.deque.withholds(self.head.get())
    }
}
