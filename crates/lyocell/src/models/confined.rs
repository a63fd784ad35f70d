//! Who has won a task finds what it descends from, and gives it back if it may not run it.

use super::{Meeting, explore, race, role};
use crate::deque::{Deque, Direct, Split};
use crate::pool::Pool;
use crate::probe::NoProbe;
use crate::scheduler::confined::Awaited;
use crate::scheduler::lineage::Parent;
use crate::scheduler::steal::Found;
use crate::scheduler::{Parts, Registry, Worker};
use crate::wait::Wait;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

pub(super) fn team<D: Deque<Options: Default>>() -> Arc<Registry<D, NoProbe>> {
    team_that_waits::<D>(Wait::default())
}

fn team_that_waits<D: Deque<Options: Default>>(wait: Wait) -> Arc<Registry<D, NoProbe>> {
    let builder = Pool::builder().deque_capacity(3).search_time(Duration::ZERO).wait(wait);
    let parts = builder.config.parts::<D>(2).expect("a few slots");
    Registry::new(Parts { barrier: None, ..parts }, &D::Options::default()).0
}

/// What the task that is stolen from worker 0, if one is, descends from.
fn origin<D: Deque>(thief: &Worker<D, NoProbe>) -> Option<Parent> {
    let found = thief.steal_from(0)?;
    let Found::Stolen(loot) = &found else { unreachable!("a steal") };
    let parent = Parent::of_stolen(&loot.tasks().next().expect("at least one"), 0);
    let (_, came_from) = thief.registry().ancestors(parent).next().expect("it is in a call");
    thief.execute(found);
    Some(came_from)
}

/// Entries come and go above the task, in places where others were before it was pushed (lineage-2).
#[test]
fn a_thief_finds_what_its_task_descends_from() {
    fn check<D: Deque<Options: Default>>() {
        explore(3, || {
            let team = team::<D>();
            let owner = &team.workers[0];
            owner.owner.deque.request();
            let steals = Arc::clone(&team);
            let thief = role(move || {
                if let Some(came_from) = origin(&steals.workers[1]) {
                    assert_eq!(came_from, Parent::Root);
                }
            });
            race([thief], || {
                owner.enter(Parent::Root, |_| {
                    owner.enter(Parent::Below, |_| ());
                    owner.join(|w| w.enter(Parent::Below, |_| ()), |_| ());
                });
            });
        });
    }
    check::<Split>();
    check::<Direct>();
}

/// Steals from worker 0, in a region that what it wins does not descend from.
fn give_back<D: Deque>(thief: &Worker<D, NoProbe>) {
    thief.isolated(|thief| {
        let kept = thief.steal_from(0).and_then(|found| thief.keep(found, Awaited::Part));
        assert!(kept.is_none(), "it does not descend from there");
    });
}

/// Who may not run it gives it back, and its owner runs it, awake or asleep where no job wakes it (confined-3).
#[test]
fn what_is_given_back_is_run_by_its_owner() {
    fn check<D: Deque<Options: Default>>() {
        explore(3, || {
            let team = team_that_waits::<D>(Wait::None);
            team.workers[0].owner.deque.request();
            let steals = Arc::clone(&team);
            let thief = role(move || {
                give_back(&steals.workers[1]);
                steals.workers[1].stop_asking();
            });
            race([thief], || {
                let (_, ran_by) = team.workers[0].join(|_| (), |w| w.index());
                assert_eq!(ran_by, 0);
            });
        });
    }
    check::<Split>();
    check::<Direct>();
}

/// Or who finds the job runs it, which may be that of the task before in the same slot.
#[test]
fn what_is_given_back_is_run_once() {
    explore(2, || {
        let team = team::<Split>();
        team.workers[0].owner.deque.request();
        let steals = Arc::clone(&team);
        let thief = role(move || {
            let thief: &Worker<Split, NoProbe> = &steals.workers[1];
            give_back(thief);
            let job = thief.registry().find_job_elsewhere(thief);
            job.into_iter().for_each(|job| job.run(thief));
            thief.steal_from(0).into_iter().for_each(|found| thief.execute(found));
            thief.stop_asking();
        });
        race([thief], || {
            let owner = &team.workers[0];
            let runs = AtomicUsize::new(0);
            owner.join(|_| (), |_| runs.fetch_add(1, Ordering::Relaxed));
            owner.owner.deque.request();
            owner.join(|_| (), |_| runs.fetch_add(1, Ordering::Relaxed));
            assert_eq!(runs.into_inner(), 2);
        });
    });
}

/// Who works for a region is in it: what it wins of the region it may run, wherever it waits in there.
#[test]
fn a_thief_of_a_region_is_confined_to_it() {
    explore(2, || {
        let team = team::<Split>();
        team.workers[0].owner.deque.request();
        let begun = Arc::new(Meeting::default());
        let (steals, begins) = (Arc::clone(&team), Arc::clone(&begun));
        let thief = role(move || {
            let thief: &Worker<Split, NoProbe> = &steals.workers[1];
            let found = thief.steal_from(0);
            begins.arrive();
            found.into_iter().for_each(|found| thief.execute(found));
        });
        race([thief], || {
            let owner = &team.workers[0];
            owner.isolated(|w| {
                let confined = |w: &Worker<Split, NoProbe>| w.confined_in(Awaited::Part).is_some();
                let (a, b) = w.join(
                    |w| {
                        begun.wait_for(1);
                        confined(w)
                    },
                    confined,
                );
                assert!(a && b);
            });
            assert!(owner.confined_in(Awaited::Part).is_none());
        });
    });
}
