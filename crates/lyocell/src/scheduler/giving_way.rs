//! How background work gives way: a worker in a background task that forks looks whether it has been called, and then runs what
//! comes before, on top of its task, until nothing of that is left.
//!
//! ```text
//!   who leaves work                              a worker in a background task
//!     leaves it: a call, a job, shared tasks       a push is slow: its limits are tripped
//!     fence                                        forgets the request, fence (F_owner)
//!     somebody in the background?                  called?
//!     says that it is called, fence                  takes that back, fence
//!     trips its limits                               sets its tasks aside, where its deque can
//!                                                    looks, and runs what it finds, at most so much
//!                                                    puts its tasks back, and goes on
//! ```
//! So it costs a fork nothing: the limits are those by which thieves ask (and tokens stop, token-2). A loop ends its part early where the
//! limits are tripped, and forks the rest; so it gives way at its pace. In between, in a leaf, nobody gives way.
//!
//! Work is left in three ways. A call or a job wakes a worker that sleeps, and calls one that is in the background. Tasks of joins wait with
//! an owner who does not know that anybody would take them: so it is asked for tasks while others are in the background, and calls when it
//! answers; and who is called and finds nothing leaves such a request behind. A signal handler answers too, but calls nobody: it leaves
//! the request to the next push.
//!
//! # Invariants
//! - giving_way-1. Work that is left is not passed by: who leaves it fences, then looks who is in the background; who takes room there says
//!   so, fences, then looks for calls. One of the two sees the other.
//! - giving_way-2. While a worker in the background is called, its limits are tripped, or it is about to look. Who calls says so, fences, and
//!   trips the limits; an owner that resets them fences, then looks, and trips them again if it is called. Who takes the
//!   call back fences, then looks for work: so it finds what was left by whoever saw it called already. Where another was quicker,
//!   it asks those who may have more, and is called still while some of it can be stolen.
//! - giving_way-3. Whatever it runs then is over when it goes on, and nothing of it unwinds into the task: jobs and stolen tasks keep
//!   their panics.
//! - giving_way-4. It goes on after so many ([`MOST`]), and runs to its next fork: a flood does not stop what has begun.
//! - giving_way-5. Above a background task something of the foreground may run, in a wait or where it yields: from the beginning of that it is
//!   called, and looks when it is over. What called it while it was in no background task stands: who begins one, goes on with one, or
//!   has its room back trips the limits if it is called.
//! - giving_way-6. While somebody is in the background an owner that is not is asked, or calls, or those whom it has called look. Who takes
//!   room fences, then asks all who have none; who begins something of the foreground is asked if somebody has some; and who answers a
//!   request and has nothing to give, or calls nobody, leaves it standing. Who gives its room up fences before it looks who has some.
//!
//! It does not give way in an isolated body, which is to meet no stranger, in a frame of all workers, while it unwinds, and where little
//! of its stack is left.

use super::lineage::{Class, Parent};
use super::steal::Found;
use super::{Registry, Worker};
use crate::deque::{Deque, PrivateTasks, SetAside, Split, Stealable};
use crate::jobs::{Job, LaneHeight};
use crate::owner::stack::StackRoom;
use crate::probe::{Phase, Probe};
use crossbeam_utils::CachePadded;
use lyocell_sync::{Instant, Ordering, fence, thread, yield_now};
use std::any::Any;
use std::time::Duration;

/// So many things it runs before it goes on: as many as come between two turns of a job ([`turns`](crate::jobs)). Untuned.
const MOST: usize = 61;

/// How many workers one piece of work calls: one may be in a long leaf. Untuned.
const CALLED: usize = 2;

/// How long tasks of joins call in vain after one look for them that found none: they were gone when it came, and so would the
/// next be. Untuned; loom has no time.
const PAUSE: Duration = if cfg!(loom) { Duration::ZERO } else { Duration::from_micros(20) };

impl<D: Deque, P: Probe> Registry<D, P> {
    /// Something of the foreground has been left, and the caller has fenced: calls those that are in the background.
    #[inline]
    pub(crate) fn call_in(&self) {
        if self.background.running() > 0 {
            self.call_some();
        }
    }

    #[cold]
    fn call_some(&self) {
        // Ordering: Relaxed, here and below; after the fence of who has left it (giving_way-1).
        let waits = |worker: &&CachePadded<Worker<D, P>>| {
            worker.in_background.load(Ordering::Relaxed) && !worker.called.load(Ordering::Relaxed)
        };
        self.workers.iter().filter(waits).take(CALLED).for_each(|worker| self.call_worker(worker));
    }

    /// Calls a worker that is in the background (giving_way-2).
    #[cold]
    pub(crate) fn call_worker(&self, worker: &Worker<D, P>) {
        // Ordering: Relaxed, around the fence.
        worker.called.store(true, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        worker.owner.deque.request();
    }

    /// A worker has mail.
    pub(super) fn call_in_reader(&self, worker: usize) {
        // Ordering: Relaxed; if it is missed, the mail is read when its task is over.
        if self.workers[worker].in_background.load(Ordering::Relaxed) {
            self.call_worker(&self.workers[worker]);
        }
    }

    /// Whether a call or a task from outside waits.
    pub(super) fn has_calls(&self) -> bool {
        !self.injector.is_empty()
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// This worker has left a job or shared tasks, and has fenced: calls for those that are in the background, unless it is itself.
    #[inline]
    pub(super) fn call_for_help(&self) {
        if self.is_beside_background() {
            self.registry().call_in();
        }
    }

    /// It begins something of this class, above what is of that one. Of the foreground: if others are in the background, it is asked
    /// for tasks, so that it calls them when it has some; and where it was in the background itself it is called, for nobody calls
    /// it meanwhile.
    #[inline]
    pub(super) fn note_class(&self, class: Class, below: impl FnOnce() -> Option<Class>) {
        match class {
            Class::Foreground if self.registry().background.running() > 0 => {
                self.owner.deque.request();
                if below() == Some(Class::Background) {
                    // Ordering: Relaxed; who sees that it is called relies on the look that follows (giving_way-2).
                    self.called.store(true, Ordering::Relaxed);
                }
            }
            Class::Foreground => {}
            Class::Background => self.remember_call(),
        }
    }

    /// As [`Worker::spawn`], where something runs in the background: what comes before what this worker runs is to be found by others.
    #[cold]
    pub(super) fn spawn_beside_background(&self, job: Job) {
        let is_for_others = self.class() == Some(Class::Background)
            && !self.is_in_region()
            && self.registry().class_of(Parent::of_job(job.origin())) == Class::Foreground;
        match is_for_others {
            true => self.registry().inject(job),
            false => self.queue(job),
        }
    }

    /// Whether others are in the background, and this worker is not.
    pub(super) fn is_beside_background(&self) -> bool {
        self.registry().background.running() > 0 && self.class() != Some(Class::Background)
    }

    /// Whether it is called, and in the background.
    pub(crate) fn is_called(&self) -> bool {
        // Ordering: Relaxed; after the fence of who has reset the limits (giving_way-2).
        self.in_background.load(Ordering::Relaxed) && self.called.load(Ordering::Relaxed)
    }

    /// A push was slow: gives way if this worker is called.
    #[inline]
    pub(super) fn give_way_if_called(&self) {
        if self.is_called() {
            self.give_way();
        }
    }

    #[cold]
    #[inline(never)]
    fn give_way(&self) {
        if !self.may_give_way() || thread::panicking() {
            return;
        }
        if self.pauses() {
            // giving_way-2: it is still called.
            return self.owner.deque.request();
        }
        let since = self.lane.height();
        let Some(first) = self.answer_call(since) else {
            self.own.pause.set(Instant::now().checked_add(PAUSE));
            return;
        };
        let before = self.owner.probe.enter(Phase::Application);
        // giving_way-3.
        self.above_its_tasks(|| {
            self.execute(first);
            for _ in 1..MOST {
                let Some(next) = self.answer_call(since) else { return };
                self.execute(next);
            }
            // giving_way-4.
            while let Some(job) = self.lane.pop_newest_since(since) {
                self.registry().inject(job);
            }
            self.registry().call_worker(self);
        });
        self.remember_call();
        self.note_fed();
        self.owner.probe.enter(before);
    }

    /// Whether what it runs lets others run on top of it.
    fn may_give_way(&self) -> bool {
        self.class() == Some(Class::Background)
            && self.own.confined.get().is_none()
            && !self.is_in_frame()
            && !self.is_left_behind()
            && self.own.stack.room() == StackRoom::Plenty
    }

    /// Whether it does not look now: only tasks of joins can have called it, and they did so in vain a moment ago.
    fn pauses(&self) -> bool {
        let pauses = self.own.pause.get().is_some_and(|end| Instant::now() < end);
        if !pauses {
            self.own.pause.set(None);
        }
        pauses && !self.registry().has_calls() && self.mail.is_empty()
    }

    /// In a wait: what comes before the background, if it is called.
    pub(super) fn find_if_called(&self) -> Option<Found<'_>> {
        if self.is_called() && self.may_give_way() {
            self.answer_call(self.lane.height())
        } else {
            None
        }
    }

    /// Takes the call back, and looks for what it was for (giving_way-2).
    fn answer_call(&self, since: LaneHeight) -> Option<Found<'_>> {
        // Ordering: Relaxed, before the fence in `find_foreground`.
        self.called.store(false, Ordering::Relaxed);
        self.find_foreground(since)
    }

    /// Where the limits may have been reset, or what runs is of the background again: they are tripped if it is called (giving_way-2,
    /// -5).
    pub(super) fn remember_call(&self) {
        if self.is_called() && self.class() == Some(Class::Background) {
            self.owner.deque.request();
        }
    }

    /// Something of the foreground: what has been spawned here since; and from elsewhere mail, a call, a job or a task.
    fn find_foreground(&self, since: LaneHeight) -> Option<Found<'_>> {
        let registry = self.registry();
        // Between what others see of this worker, that it is not called or has ended what it gave way to, and the look
        // (giving_way-1, -2).
        fence(Ordering::SeqCst);
        let is_foreground = |victim: usize| registry.oldest_class(victim) == Class::Foreground;
        let job = self.lane.pop_newest_since(since).or_else(|| self.mailed_job());
        let job = job.or_else(|| registry.injector.pop_oldest());
        let job = job.or_else(|| {
            let others = registry.others_with_jobs(self.index);
            let mut others = others.filter(|other| is_foreground(other.index));
            others.find_map(|other| other.lane.steal_one())
        });
        if let Some(job) = job {
            return self.keep_of_class(Found::Job(job));
        }
        let found = self.steal_from_those(&is_foreground);
        let found = found.or_else(|| self.expose_those(is_foreground));
        let found = found.or_else(|| self.await_those(is_foreground));
        let found = found.or_else(|| self.withdraw().map(Found::Stolen));
        self.stop_asking();
        if found.is_none() {
            self.leave_requests(is_foreground);
        }
        found.and_then(|found| self.keep_of_class(found))
    }

    /// It has found no tasks. Another thief may have been quicker, or the owner, who has some all the same: that one is asked, and what it
    /// has shared already is come back for (giving_way-2).
    fn leave_requests(&self, is_wanted: impl Fn(usize) -> bool) {
        let registry = self.registry();
        for other in registry.others(self.index).filter(|other| is_wanted(other.index)) {
            other.owner.deque.request();
            if other.has_tasks() {
                registry.call_worker(self);
            }
        }
    }

    /// Steals from one of these who keeps tasks and does not answer, by exposing them.
    fn expose_those(&self, is_wanted: impl Fn(usize) -> bool) -> Option<Found<'_>> {
        let registry = self.registry();
        let barrier = registry.barrier()?;
        let mut those = registry.others(self.index).filter(|other| is_wanted(other.index));
        let exposed = those
            .find(|other| other.withholds() && self.expose(other, barrier) == Stealable::Some)?;
        self.steal_from(exposed.index)
    }

    /// Steals from one of these where owners send tasks, who need a moment for that.
    fn await_those(&self, is_wanted: impl Fn(usize) -> bool) -> Option<Found<'_>> {
        match D::PRIVATE_TASKS {
            PrivateTasks::Sent => self.await_tasks_of(&is_wanted).or_else(|| {
                // The owner may have no processor.
                yield_now();
                self.steal_from_those(&is_wanted)
            }),
            _ => None,
        }
    }

    /// Calls `body` with this worker's own tasks set aside, where its deque can: then thieves find the tasks of the foreground first.
    fn above_its_tasks(&self, body: impl FnOnce()) {
        let head = self.owner.head.get();
        let (gate, probe) = (&self.owner.interrupt.gate, &self.owner.probe);
        let Some(deque) = (&self.owner.deque as &dyn Any).downcast_ref::<Split>() else {
            // classes-4.
            self.owner.deque.request();
            return body();
        };
        let aside = gate.closed(|| deque.set_aside(head, probe));
        let entries = self.lineage.set_aside();
        body();
        self.lineage.put_back(entries);
        gate.closed(|| deque.put_back(aside, head, probe));
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::deque::ChaseLev;
    use crate::jobs::Room;
    use crate::pool::Pool;
    use crate::probe::NoProbe;

    type Member = Worker<Split, NoProbe>;

    /// Calls `body` with a worker that has room in the background, and is asked nothing.
    fn with_room(body: impl FnOnce(&Member) + Send) {
        let pool = Pool::builder().workers(1).build().unwrap();
        let background = &pool.registry().background;
        assert!(background.take_room(Room::Beyond));
        background.begin_task();
        pool.run(|w| {
            w.in_background.store(true, Ordering::Relaxed);
            answer_all(w);
            body(w);
            w.in_background.store(false, Ordering::Relaxed);
        });
        background.end_task();
        background.give_room();
    }

    fn answer_all(w: &Member) {
        w.called.store(false, Ordering::Relaxed);
        w.forget_request();
    }

    /// Whether it would look at its next push.
    fn is_about_to_look(w: &Member) -> bool {
        w.is_called() && w.owner.deque.is_asked()
    }

    #[test]
    fn a_call_of_before_stands_when_a_background_task_begins() {
        with_room(|w| {
            w.called.store(true, Ordering::Relaxed);
            w.enter(Parent::Background, |_| assert!(is_about_to_look(w)));
        });
    }

    #[test]
    fn a_call_of_before_stands_when_room_is_taken_back() {
        with_room(|w| {
            w.enter(Parent::Background, |_| {
                w.called.store(true, Ordering::Relaxed);
                w.take_room_back(Some(0));
                assert!(is_about_to_look(w));
                w.registry().background.give_room();
                w.own.room.set(None);
            });
        });
    }

    #[test]
    fn who_ran_something_of_the_foreground_above_the_background_looks_when_that_is_over() {
        with_room(|w| {
            w.enter(Parent::Background, |_| {
                w.spawn_detached(|w: &Member| {
                    assert_eq!(w.class(), Some(Class::Foreground));
                    w.forget_request();
                });
                answer_all(w);
                assert_eq!(w.yield_now(), crate::Yield::Executed);
                assert!(is_about_to_look(w));
            });
        });
    }

    #[test]
    fn who_enters_the_background_asks_those_who_are_not_in_it() {
        // Nobody occupies worker 1 before the end.
        let mut threads = Vec::new();
        let pool = Pool::builder().workers(2).deque::<ChaseLev>().build_with(|thread| {
            threads.push(thread);
            Ok(())
        });
        let pool = pool.unwrap();
        pool.run(|w| {
            w.forget_request();
            assert!(!w.owner.deque.is_asked());
            let other = &w.registry().workers[1];
            assert!(other.enter_background());
            assert!(w.owner.deque.is_asked());
            w.answer();
            assert!(w.owner.deque.is_asked(), "there was nothing to have");
            other.leave_background();
            w.answer();
            assert!(!w.owner.deque.is_asked());
        });
        threads.into_iter().for_each(|thread| drop(std::thread::spawn(|| thread.run())));
    }
}
