//! Background tasks find whoever sleeps and may run them, and those who run them find what they have to give way to.

use super::{Meeting, explore, race, role};
use crate::deque::{Deque, Split, SplitOptions, Stealable};
use crate::jobs::{InFrame, Job};
use crate::pool::Pool;
use crate::probe::NoProbe;
use crate::scheduler::lineage::Parent;
use crate::scheduler::{Registry, Worker};
use crate::wait::payoff::{Appraiser, Payoff};
use crate::wait::{Goal, Latch, Subscribed};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

type Team = Arc<Registry<Split, NoProbe>>;
type Member = Worker<Split, NoProbe>;

/// Workers without threads, which park as soon as they find nothing; so many may be in the background.
fn team(workers: usize, most: usize) -> Team {
    let builder = Pool::builder().deque_capacity(3).search_time(Duration::ZERO);
    let parts = builder.background_workers(most).config.parts::<Split>(workers);
    Registry::new(parts.expect("a few slots"), &SplitOptions::default()).0
}

/// The life of a thread of the pool, until a latch is set.
struct Until<'a>(&'a Latch);

impl Goal for Until<'_> {
    fn reached(&self) -> bool {
        self.0.reached()
    }

    fn subscribe(&self) -> Subscribed {
        self.0.subscribe()
    }
}

impl Appraiser for Until<'_> {
    fn judge(&self, _took: Duration, _tasks: usize, _: &dyn Fn() -> bool) -> Payoff {
        Payoff::Unknown
    }
}

/// Lives until a background task has run, whoever runs it.
fn live(worker: &Member, until: &Latch) {
    worker.work_until_appraised(&Until(until), &Until(until));
}

/// A worker parks while a task is left (background-3).
#[test]
fn a_task_finds_who_sleeps() {
    explore(3, || {
        let team = team(2, 2);
        let sleeper = &team.workers[1];
        let over = Latch::new(&sleeper.own.parker);
        let place = InFrame::new((&raw const over).cast_mut());
        let leaves = Arc::clone(&team);
        let spawner = role(move || {
            // SAFETY: the latch is in the frame of the other role, which waits for it.
            leaves.spawn_background(move |_| unsafe { Latch::set(place.pointer()) });
        });
        race([spawner], || live(sleeper, &over));
        assert!(!team.background.waits());
        assert_eq!(team.background.running(), 0);
    });
}

/// Room is given up while a task is left and a worker parks, which may not begin it before (background-3).
#[test]
fn room_that_is_given_up_is_taken() {
    explore(2, || {
        let team = team(2, 1);
        let sleeper = &team.workers[1];
        assert!(team.workers[0].enter_background());
        let over = Latch::new(&sleeper.own.parker);
        let place = InFrame::new((&raw const over).cast_mut());
        // SAFETY: as above.
        team.spawn_background(move |_| unsafe { Latch::set(place.pointer()) });
        let leaves = Arc::clone(&team);
        let leaver = role(move || leaves.workers[0].leave_background());
        race([leaver], || live(sleeper, &over));
        assert_eq!(team.background.running(), 0);
    });
}

/// The same, and the task is left at that moment: its spawner sees the room, or who gives it up sees the task.
#[test]
fn room_is_given_up_while_a_task_is_left() {
    explore(2, || {
        let team = team(2, 1);
        let sleeper = &team.workers[1];
        assert!(team.workers[0].enter_background());
        let over = Latch::new(&sleeper.own.parker);
        let place = InFrame::new((&raw const over).cast_mut());
        let (leaves, spawns) = (Arc::clone(&team), Arc::clone(&team));
        let leaver = role(move || leaves.workers[0].leave_background());
        let spawner = role(move || {
            // SAFETY: as above.
            spawns.spawn_background(move |_| unsafe { Latch::set(place.pointer()) });
        });
        race([leaver, spawner], || live(sleeper, &over));
        assert_eq!(team.background.running(), 0);
    });
}

/// A worker goes on that has lent its room while its task blocked, so two have some where one may: it does not keep it to the next task, but
/// for the one that gives it up at that moment (classes-1, background-3).
#[test]
fn room_that_is_taken_back_is_not_kept() {
    explore(2, || {
        let team = team(2, 1);
        let sleeper = &team.workers[1];
        assert!(sleeper.enter_background());
        let room = sleeper.lend_room();
        assert!(team.workers[0].enter_background());
        sleeper.take_room_back(room);
        assert!(team.background.has_too_many());
        let over = Latch::new(&sleeper.own.parker);
        let place = InFrame::new((&raw const over).cast_mut());
        // SAFETY: as above.
        team.spawn_background(move |_| unsafe { Latch::set(place.pointer()) });
        let leaves = Arc::clone(&team);
        let leaver = role(move || leaves.workers[0].leave_background());
        race([leaver], || live(sleeper, &over));
        assert_eq!(team.background.running(), 0);
    });
}

/// A job is left by who sees that the worker is called already, and looks: it finds the job, or is called anew (giving_way-2).
#[test]
fn who_sees_that_it_is_called_is_heard() {
    explore(3, || {
        let team = team(1, 1);
        let owner = &team.workers[0];
        let ran = Arc::new(AtomicUsize::new(0));
        let (leaves, runs) = (Arc::clone(&team), Arc::clone(&ran));
        let caller = role(move || {
            let task = move |_: &Member| _ = runs.fetch_add(1, Ordering::Relaxed);
            // SAFETY: it borrows nothing, and workers of this type run it.
            leaves.inject(unsafe { Job::simple(None, task, |_: &Member| ()) });
        });
        team.background.begin_task();
        assert!(owner.enter_background());
        team.call_worker(owner);
        // One task: the next would look by itself (giving_way-5).
        owner.enter(Parent::Background, |_| {
            race([caller], || _ = owner.join(|_| (), |_| ()));
            owner.join(|_| (), |_| ())
        });
        assert_eq!(ran.load(Ordering::Relaxed), 1);
        owner.leave_background();
        team.background.end_task();
    });
}

/// A job from outside is left while a worker in the background pushes: it is run, at this push or the next (giving_way-2).
#[test]
fn who_is_called_gives_way() {
    explore(3, || {
        let team = team(1, 1);
        let owner = &team.workers[0];
        let ran = Arc::new(AtomicUsize::new(0));
        let (leaves, runs) = (Arc::clone(&team), Arc::clone(&ran));
        let caller = role(move || {
            let task = move |_: &Member| _ = runs.fetch_add(1, Ordering::Relaxed);
            // SAFETY: it borrows nothing, and workers of this type run it.
            leaves.inject(unsafe { Job::simple(None, task, |_: &Member| ()) });
        });
        team.background.begin_task();
        assert!(owner.enter_background());
        // One task: the next would look by itself (giving_way-5).
        owner.enter(Parent::Background, |_| {
            race([caller], || {
                // A thief asks, too: its request is forgotten when it is answered.
                owner.owner.deque.request();
                owner.join(|w| w.join(|_| (), |_| ()), |_| ());
            });
            owner.join(|_| (), |_| ())
        });
        assert_eq!(ran.load(Ordering::Relaxed), 1);
        owner.leave_background();
        team.background.end_task();
    });
}

/// The same of a worker that takes room at that moment: it finds the job, or is called (giving_way-1).
#[test]
fn a_call_does_not_miss_who_enters_the_background() {
    explore(3, || {
        let team = team(1, 1);
        let owner = &team.workers[0];
        let ran = Arc::new(AtomicBool::new(false));
        let (leaves, runs) = (Arc::clone(&team), Arc::clone(&ran));
        let caller = role(move || {
            let task = move |_: &Member| runs.store(true, Ordering::Relaxed);
            // SAFETY: as above.
            leaves.inject(unsafe { Job::simple(None, task, |_: &Member| ()) });
        });
        team.background.begin_task();
        race([caller], || assert!(owner.enter_background()));
        owner.enter(Parent::Background, |_| owner.join(|_| (), |_| ()));
        assert!(ran.load(Ordering::Relaxed));
        owner.leave_background();
        team.background.end_task();
    });
}

/// Tasks are set aside while a thief comes for them, and what lies above them meanwhile is had by thieves; all are run once.
#[test]
fn thieves_of_a_worker_that_gives_way() {
    explore(2, || {
        let team = team(2, 2);
        let owner = &team.workers[0];
        let runs = Arc::new(AtomicUsize::new(0));
        team.background.begin_task();
        assert!(owner.enter_background());
        let forks = Arc::clone(&runs);
        let called = move |w: &Member| {
            let tick = || _ = forks.fetch_add(1, Ordering::Relaxed);
            w.join(|_| tick(), |_| tick());
        };
        // SAFETY: it borrows nothing, and workers of this type run it.
        team.inject(unsafe { Job::simple(None, called, |_: &Member| ()) });
        let begun = Arc::new(Meeting::default());
        let (steals, begins) = (Arc::clone(&team), Arc::clone(&begun));
        let thief = role(move || {
            let thief = &steals.workers[1];
            begins.arrive();
            for _ in 0..2 {
                thief.steal_from(0).into_iter().for_each(|found| thief.execute(found));
            }
            thief.stop_asking();
        });
        race([thief], || {
            begun.wait_for(1);
            owner.enter(Parent::Background, |_| {
                owner.owner.deque.request();
                let tick = |_: &Member| _ = runs.fetch_add(1, Ordering::Relaxed);
                owner.join(|w| w.join(tick, tick), tick);
            });
        });
        assert_eq!(runs.load(Ordering::Relaxed), 5);
        owner.leave_background();
        team.background.end_task();
    });
}

/// Worker 1 forks once in the background, and gives way there if it is called.
fn forks_in_background(team: &Team) -> impl FnOnce() + Send + use<> {
    let team = Arc::clone(team);
    move || {
        let called = &team.workers[1];
        called.enter(Parent::Background, |_| called.join(|_| (), |_| ()));
    }
}

/// Another thief is quicker, of two tasks that a worker is called for: the worker has the other one, or is called still (giving_way-2).
#[test]
fn who_is_called_and_comes_second_comes_again() {
    explore(2, || {
        let team = team(3, 1);
        let (owner, called) = (&team.workers[0], &team.workers[1]);
        team.background.begin_task();
        assert!(called.enter_background());
        let steals = Arc::clone(&team);
        let thief = role(move || {
            let thief = &steals.workers[2];
            thief.steal_from(0).into_iter().for_each(|found| thief.execute(found));
            thief.stop_asking();
        });
        let forker = role(forks_in_background(&team));
        owner.enter(Parent::Root, |_| {
            let contended = |_: &Member| {
                race([thief, forker], || ());
                let has_tasks = owner.owner.deque.stealable() == Stealable::Some;
                assert!(!has_tasks || called.is_called(), "nobody comes for it");
            };
            let asked = |w: &Member| {
                w.owner.deque.request();
                w.join(contended, |_| ());
            };
            owner.join(asked, |_| ());
        });
        called.leave_background();
        team.background.end_task();
    });
}

/// The owner shares and takes back while a worker looks that it has called: that one has the oldest task, or one of the two knows of
/// the other (giving_way-2). With two preemptions: some minutes, a million runs of whole workers.
#[test]
fn who_is_called_and_finds_nothing_leaves_a_request() {
    explore(1, || {
        let team = team(2, 1);
        let (owner, called) = (&team.workers[0], &team.workers[1]);
        team.background.begin_task();
        assert!(called.enter_background());
        let forker = role(forks_in_background(&team));
        let had = AtomicBool::new(false);
        owner.enter(Parent::Root, |_| {
            let forks = |w: &Member| {
                w.owner.deque.request();
                race([forker], || _ = w.join(|_| (), |_| ()));
                let known = w.owner.deque.is_asked() || called.is_called();
                assert!(had.load(Ordering::Relaxed) || known, "nobody comes for it");
            };
            owner.join(forks, |_| had.store(true, Ordering::Relaxed));
        });
        called.leave_background();
        team.background.end_task();
    });
}
