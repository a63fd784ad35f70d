//! Sleeping and waking: whoever waits for work hears of it, and all counts return to zero.

use super::{explore, race, role};
use crate::idle::{Crowd, Idle, Leaver, Notifier, Offer, Searching};
use lyocell_sync::{AtomicUsize, Ordering, Parker, yield_now};
use std::sync::Arc;

/// Sleepers around one source of tasks and one of jobs, which are never used up.
struct Dormitory {
    idle: Idle,
    parkers: Vec<Parker>,
    tasks: AtomicUsize,
    jobs: AtomicUsize,
    /// Whether an owner is asked for tasks.
    asked: AtomicUsize,
    /// What an interrupted owner leaves for the ticker, as in the runtime's `Target`.
    answer: AtomicUsize,
}

/// What worker 0 shares.
const OFFER: Offer = Offer { owner: 0, tasks: Some(1) };

const SENT: usize = 0;
const IDLE: usize = 1;
const OFFERED: usize = 2;

/// How a worker sleeps. The moment of one that backs off never ends by itself here.
#[derive(Clone, Copy)]
enum Sleep {
    Parked,
    BackingOff,
}

impl Dormitory {
    fn new(workers: usize) -> Arc<Dormitory> {
        Dormitory::of(workers, Crowd::None)
    }

    fn of(workers: usize, crowd: Crowd) -> Arc<Dormitory> {
        let parkers: Vec<_> = (0..workers).map(|_| Parker::default()).collect();
        let idle = Idle::new(parkers.iter(), crowd);
        let [tasks, jobs, asked] = [0, 0, 0].map(AtomicUsize::new);
        Arc::new(Dormitory { idle, parkers, tasks, jobs, asked, answer: AtomicUsize::new(SENT) })
    }

    fn sees_tasks(&self) -> bool {
        self.tasks.load(Ordering::Relaxed) > 0
    }

    fn sees_jobs(&self) -> bool {
        self.jobs.load(Ordering::Relaxed) > 0
    }

    fn sees_work(&self) -> bool {
        self.sees_tasks() || self.sees_jobs()
    }

    /// The idle life of a worker until there is work.
    fn wait_for_work(&self, worker: usize, sleep: Sleep) {
        self.idle.enter_search();
        let mut owes_a_look = false;
        while !self.sees_work() {
            self.announce(worker, sleep);
            if !self.sees_work() {
                self.parkers[worker].park();
            }
            owes_a_look = self.search_again(worker);
        }
        self.leave_search(owes_a_look);
    }

    /// The idle life of a worker that is of use for jobs only.
    fn wait_for_jobs(&self, worker: usize) {
        while !self.sees_work() {
            self.idle.announce_parked_for_jobs(worker);
            if !self.sees_work() {
                self.parkers[worker].park();
            }
            assert_eq!(self.idle.retract(worker), Searching::Uncounted);
        }
    }

    fn announce(&self, worker: usize, sleep: Sleep) {
        match sleep {
            Sleep::Parked => self.idle.announce_parked(worker),
            Sleep::BackingOff => self.idle.announce_backing_off(worker),
        }
    }

    /// Tells whether it was woken.
    fn search_again(&self, worker: usize) -> bool {
        let counted = self.idle.retract(worker);
        if counted != Searching::Counted {
            self.idle.enter_search();
        }
        counted != Searching::Uncounted
    }

    fn leave_search(&self, owes_a_look: bool) {
        // idle-2.
        assert_ne!(self.idle.counts().searching(), 0);
        let counted = Searching::Counted;
        self.leave_search_as(Leaver { counted, beside: None, owes_a_look });
    }

    fn leave_search_as(&self, leaver: Leaver) {
        self.idle.leave_search(leaver, || self.sees_tasks(), || self.sees_jobs());
    }

    fn share(&self) {
        self.tasks.store(1, Ordering::Relaxed);
        self.notify();
    }

    /// Worker 0 has shared a task.
    fn notify(&self) {
        let wanted = self.idle.tasks_wanted();
        wanted.into_iter().for_each(|wanted| _ = self.idle.notify(OFFER, wanted, &|_| true));
    }

    /// Worker 0 has shared one more task, and offers all that are left, if it tells how many these are.
    fn share_more(&self, tells: bool) {
        self.tasks.fetch_add(1, Ordering::Relaxed);
        let wanted = self.idle.tasks_wanted();
        wanted.into_iter().for_each(|wanted| {
            let tasks = tells.then(|| self.tasks.load(Ordering::Relaxed));
            let _ = self.idle.notify(Offer { owner: 0, tasks }, wanted, &|_| true);
        });
    }

    /// The same by an owner that expects sleepers: it promises to wake somebody before the task can be seen.
    fn share_as_promised(&self) {
        self.idle.promise(0);
        self.tasks.fetch_add(1, Ordering::Relaxed);
        let wanted = self.idle.tasks_expected();
        let offer = Offer { owner: 0, tasks: Some(self.tasks.load(Ordering::Relaxed)) };
        let _ = self.idle.notify(offer, wanted, &|_| true);
    }

    /// A worker that was woken for a task of worker 0 takes one if there is one, and leaves the search.
    fn come(&self) {
        let take = |tasks: usize| tasks.checked_sub(1);
        let took_one = self.tasks.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok();
        self.idle.note_arrival(0);
        let left = self.tasks.load(Ordering::Relaxed);
        let offer = Offer { owner: 0, tasks: Some(left) };
        let beside = (took_one && left > 0).then_some(offer);
        let (counted, owes_a_look) = (Searching::OnTheWay, !took_one && left > 0);
        self.leave_search_as(Leaver { counted, beside, owes_a_look });
    }

    fn share_with(&self, worker: usize) {
        self.tasks.store(1, Ordering::Relaxed);
        let wanted = self.idle.tasks_wanted();
        wanted.into_iter().for_each(|wanted| {
            let _ = self.idle.notify(OFFER, wanted, &|sleeper| sleeper == worker);
        });
    }

    fn call(&self) {
        self.jobs.store(1, Ordering::Relaxed);
        self.idle.notify_of_call(Notifier::GoesOn);
    }

    /// An owner's signal handler: shares, and leaves it to the ticker to wake somebody.
    fn be_interrupted(&self, owner: usize) {
        self.tasks.store(1, Ordering::Relaxed);
        let answer = if self.idle.others_want_tasks(owner) { OFFERED } else { IDLE };
        self.answer.store(answer, Ordering::Release);
    }

    /// The ticker looks until the handler has answered.
    fn tick(&self, owner: usize) {
        loop {
            match self.answer.load(Ordering::Acquire) {
                OFFERED => return self.idle.notify_of_offer(owner),
                IDLE => return,
                _ => yield_now(),
            }
        }
    }

    /// A worker that searches, and has no tasks, asks all others: here the one owner.
    fn park_and_ask(&self, worker: usize) {
        self.idle.remember_requests();
        self.idle.announce_parked(worker);
        self.ask();
    }

    fn ask(&self) {
        self.asked.store(1, Ordering::Relaxed);
    }

    /// The owner answers whoever asked it, with nothing to share.
    fn answer(&self) {
        self.asked.store(0, Ordering::Relaxed);
        if self.idle.tasks_wanted().is_some() {
            self.ask();
        }
    }

    /// The moment of a worker that backs off is over; it finds something that has nothing to do with the others.
    fn end_moment(&self, worker: usize) {
        let owes_a_look = self.search_again(worker);
        self.leave_search(owes_a_look);
    }

    /// That somebody is parked the owner knows, or somebody who was woken will ask it (idle-7).
    fn assert_sleepers_are_remembered(&self, parked: usize) {
        let still = self.idle.counts().parked();
        assert!(self.asked.load(Ordering::Relaxed) == 1 || still < parked, "nobody wakes {still}");
    }

    fn assert_all_awake(&self) {
        let counts = self.idle.counts();
        assert_eq!((counts.parked(), counts.searching(), counts.backing_off()), (0, 0, 0));
    }
}

#[test]
fn sleeper_hears_of_shared_tasks() {
    explore(3, || {
        let room = Dormitory::new(1);
        let sleeper = Arc::clone(&room);
        race([role(move || sleeper.wait_for_work(0, Sleep::Parked))], || room.share());
        room.assert_all_awake();
    });
}

/// The same where their owner expects somebody to sleep, and does not look first.
#[test]
fn sleeper_hears_of_tasks_of_an_owner_that_expects_it() {
    explore(3, || {
        let room = Dormitory::new(2);
        let sleeper = Arc::clone(&room);
        let sleep = role(move || sleeper.wait_for_work(1, Sleep::Parked));
        race([sleep], || room.share_as_promised());
        room.assert_all_awake();
    });
}

/// The same of tasks that not every worker may run.
#[test]
fn sleeper_hears_of_tasks_shared_with_it() {
    explore(3, || {
        let room = Dormitory::new(1);
        let sleeper = Arc::clone(&room);
        race([role(move || sleeper.wait_for_work(0, Sleep::Parked))], || room.share_with(0));
        room.assert_all_awake();
    });
}

/// Only the last searcher, on its way to work, can wake the second sleeper.
#[test]
fn one_wakes_the_next() {
    explore(2, || {
        let room = Dormitory::new(2);
        let sleepers = [0, 1].map(|worker| {
            let room = Arc::clone(&room);
            role(move || room.wait_for_work(worker, Sleep::Parked))
        });
        race(sleepers, || room.share());
        room.assert_all_awake();
    });
}

#[test]
fn two_wakers_and_one_sleeper() {
    explore(2, || {
        let room = Dormitory::new(1);
        let (sleeper, waker) = (Arc::clone(&room), Arc::clone(&room));
        race(
            [role(move || sleeper.wait_for_work(0, Sleep::Parked)), role(move || waker.share())],
            || room.call(),
        );
        room.assert_all_awake();
    });
}

#[test]
fn worker_backing_off_hears_a_call() {
    explore(3, || {
        let room = Dormitory::new(1);
        let sleeper = Arc::clone(&room);
        race([role(move || sleeper.wait_for_work(0, Sleep::BackingOff))], || room.call());
        room.assert_all_awake();
    });
}

/// What is left to a searcher that has found something else it sees when it leaves.
#[test]
fn searcher_that_leaves_sees_what_was_left_to_it() {
    explore(3, || {
        let room = Dormitory::new(2);
        (0..2).for_each(|_| room.idle.enter_search());
        room.idle.announce_parked(1);
        let busy = Arc::clone(&room);
        race([role(move || busy.leave_search(false))], || room.share_more(false));
        assert_eq!(room.idle.counts().parked(), 0, "worker 1 sleeps beside shared work");
    });
}

/// Worker 2 was woken for the one task of an owner that shares another, in this way.
fn share_another_with_one_on_the_way(share: fn(&Dormitory)) {
    explore(3, move || {
        let room = Dormitory::new(3);
        room.idle.enter_search();
        room.idle.announce_parked(2);
        room.share_more(true);
        assert_eq!(room.idle.retract(2), Searching::OnTheWay);
        room.idle.enter_search();
        room.idle.announce_parked(1);
        let woken = Arc::clone(&room);
        race([role(move || woken.come())], || share(&room));
        let (left, counts) = (room.tasks.load(Ordering::Relaxed), room.idle.counts());
        assert!(left == 0 || counts.parked() == 0, "worker 1 sleeps beside {left} tasks");
    });
}

/// The owner leaves the other one to it as long as it has not arrived.
#[test]
fn who_is_on_the_way_sees_what_is_left_to_it() {
    share_another_with_one_on_the_way(|room| room.share_more(true));
}

/// It leaves the other one to the owner, who has promised to wake somebody.
#[test]
fn who_promises_to_wake_somebody_does() {
    share_another_with_one_on_the_way(|room| room.share_as_promised());
}

/// Worker 1 leaves the search as the last one, and takes back that it was relied on, while worker 2 parks, two others begin to search, and an owner
/// leaves tasks to these, for it is said already that they are.
#[test]
fn who_was_relied_on_sees_who_has_parked_meanwhile() {
    explore(3, || {
        let room = Dormitory::new(5);
        room.idle.enter_search();
        room.idle.notify_of_call(Notifier::GoesOn);
        let leaves = Arc::clone(&room);
        race([role(move || leaves.leave_search(false))], || {
            room.idle.enter_search();
            room.idle.announce_parked(2);
            (0..2).for_each(|_| room.idle.enter_search());
            room.share_more(false);
            (0..2).for_each(|_| room.leave_search(false));
        });
        assert_eq!(room.idle.counts().parked(), 0, "worker 2 sleeps beside shared work");
    });
}

/// Worker 0 has no time for what is shared: what it waits for comes to pass as it announces that it will
/// sleep. Whoever shares may wake it all the same, or count on its search; then it wakes worker 1.
#[test]
fn searcher_without_time_wakes_the_next() {
    explore(3, || {
        let room = Dormitory::new(2);
        room.idle.enter_search();
        room.idle.announce_parked(1);
        let busy = Arc::clone(&room);
        let no_time = role(move || {
            busy.idle.enter_search();
            busy.idle.announce_parked(0);
            let owes_a_look = busy.search_again(0);
            busy.leave_search(owes_a_look);
        });
        race([no_time], || room.share());
        assert_eq!(room.idle.counts().parked(), 0, "worker 1 sleeps beside shared work");
    });
}

#[test]
fn sleeper_hears_what_an_interrupted_owner_offers() {
    explore(3, || {
        let room = Dormitory::new(2);
        let (sleeper, ticker) = (Arc::clone(&room), Arc::clone(&room));
        let sleep = role(move || sleeper.wait_for_work(1, Sleep::Parked));
        race([sleep, role(move || ticker.tick(0))], || room.be_interrupted(0));
        room.assert_all_awake();
    });
}

#[test]
fn worker_parked_for_jobs_hears_a_call() {
    explore(3, || {
        let room = Dormitory::new(1);
        let sleeper = Arc::clone(&room);
        race([role(move || sleeper.wait_for_jobs(0))], || room.call());
        room.assert_all_awake();
    });
}

/// The owner sleeps itself, announced: it is not the one to be woken.
#[test]
fn sleeper_hears_what_an_owner_asleep_offers() {
    explore(2, || {
        let room = Dormitory::new(2);
        room.idle.enter_search();
        room.idle.announce_parked(0);
        let (sleeper, ticker) = (Arc::clone(&room), Arc::clone(&room));
        let sleep = role(move || sleeper.wait_for_work(1, Sleep::Parked));
        race([sleep, role(move || ticker.tick(0))], || room.be_interrupted(0));
        // The last searcher may have woken the owner.
        let owes_a_look = room.search_again(0);
        room.leave_search(owes_a_look);
        room.assert_all_awake();
    });
}

/// Worker 1 searches, so the call is left to it; but it has found something else.
#[test]
fn searcher_without_time_leaves_a_call_to_one_parked_for_jobs() {
    explore(2, || {
        let room = Dormitory::new(2);
        room.idle.enter_search();
        let (sleeper, busy) = (Arc::clone(&room), Arc::clone(&room));
        let no_time = role(move || busy.leave_search(false));
        race([role(move || sleeper.wait_for_jobs(0)), no_time], || room.call());
        room.assert_all_awake();
    });
}

/// Worker 0 is parked and has asked the owner, which forgets it as worker 1 backs off; and that one's moment ends.
#[test]
fn request_that_an_owner_forgets_is_remembered_by_who_backs_off() {
    explore(3, || {
        let room = Dormitory::new(2);
        (0..2).for_each(|_| room.idle.enter_search());
        room.park_and_ask(0);
        room.idle.announce_backing_off(1);
        let moment = Arc::clone(&room);
        race([role(move || moment.end_moment(1))], || room.answer());
        room.assert_sleepers_are_remembered(1);
    });
}

/// The same while worker 2 parks, and takes `forgotten` down: it asks the owner anew, or that is up again.
#[test]
fn request_that_an_owner_forgets_is_remembered_while_another_parks() {
    explore(3, || {
        let room = Dormitory::new(3);
        (0..3).for_each(|_| room.idle.enter_search());
        room.park_and_ask(0);
        room.idle.announce_backing_off(1);
        room.answer();
        let parks = Arc::clone(&room);
        race([role(move || parks.park_and_ask(2))], || room.answer());
        room.end_moment(1);
        room.assert_sleepers_are_remembered(2);
    });
}

/// Among more workers than processors it is forgotten while worker 1 searches, which finds something that has nothing to do with the
/// others.
#[test]
fn request_that_an_owner_forgets_is_remembered_by_who_searches_in_a_crowd() {
    explore(3, || {
        let room = Dormitory::of(2, Crowd::Some);
        (0..2).for_each(|_| room.idle.enter_search());
        room.park_and_ask(0);
        let search = Arc::clone(&room);
        race([role(move || search.leave_search(false))], || room.answer());
        room.assert_sleepers_are_remembered(1);
    });
}

/// The same where that one parks.
#[test]
fn request_that_an_owner_forgets_is_remembered_by_who_parks_in_a_crowd() {
    explore(3, || {
        let room = Dormitory::of(2, Crowd::Some);
        (0..2).for_each(|_| room.idle.enter_search());
        room.park_and_ask(0);
        let parks = Arc::clone(&room);
        race([role(move || parks.park_and_ask(1))], || room.answer());
        room.assert_sleepers_are_remembered(2);
    });
}

/// The same where it is claimed: worker 0 sleeps, is woken by somebody who shares, and finds nothing, with worker 2 asleep beside it.
#[test]
fn request_that_an_owner_forgets_is_remembered_by_who_was_woken_in_a_crowd() {
    explore(2, || {
        let room = Dormitory::of(3, Crowd::Some);
        (0..2).for_each(|_| room.idle.enter_search());
        room.park_and_ask(2);
        room.park_and_ask(0);
        let woken = Arc::clone(&room);
        let search = role(move || {
            woken.parkers[0].park();
            let owes_a_look = woken.search_again(0);
            woken.leave_search(owes_a_look);
        });
        race([search], || {
            room.notify();
            room.answer();
        });
        room.assert_sleepers_are_remembered(1);
    });
}
