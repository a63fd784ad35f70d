use super::ground::FEW;
use super::*;

/// One that has so many tasks wakes somebody, if they are wanted.
fn notify_of(idle: &Idle, owner: usize, tasks: Option<usize>) {
    let wanted = idle.tasks_wanted();
    let offer = Offer { owner, tasks };
    wanted.into_iter().for_each(|wanted| _ = idle.notify(offer, wanted, &|_| true));
}

fn notify(idle: &Idle, owner: usize) {
    notify_of(idle, owner, None);
}

/// One that was woken and has found something else.
const LOOKS: Leaver = Leaver { counted: Searching::Counted, beside: None, owes_a_look: true };

/// Worker 1, which has found a task of worker 0 that has so many more.
fn beside(tasks: Option<usize>) -> Leaver {
    let counted = if tasks.is_some() { Searching::OnTheWay } else { Searching::Counted };
    Leaver { counted, beside: Some(Offer { owner: 0, tasks }), owes_a_look: true }
}

#[test]
fn one_sharer_wakes_one_sleeper_and_no_second_while_that_one_searches() {
    let parkers = [Parker::default(), Parker::default()];
    let idle = Idle::new(parkers.iter(), Crowd::None);
    for worker in 0..2 {
        idle.enter_search();
        idle.announce_parked(worker);
    }
    notify(&idle, 0);
    notify(&idle, 0);
    let counts = idle.counts();
    assert_eq!((counts.parked(), counts.searching()), (1, 1));
    assert_eq!(idle.park(0, &parkers[0]), Searching::Counted);
    assert_eq!(idle.retract(1), Searching::Uncounted);
    idle.leave_search(LOOKS, || false, || false);
    assert_eq!(idle.counts(), IdleCounts(0));
}

#[test]
fn the_last_searcher_wakes_the_next_only_if_there_is_more_or_a_request_was_forgotten() {
    let parkers = [Parker::default(), Parker::default()];
    let idle = Idle::new(parkers.iter(), Crowd::None);
    let leaves = |work: bool| {
        idle.enter_search();
        idle.leave_search(LOOKS, || work, || false);
        let counts = idle.counts();
        // Whoever was claimed searches, and sleeps again.
        let woken = counts.searching() == 1;
        if woken {
            assert_eq!(idle.park(0, &parkers[0]), Searching::Counted);
            idle.announce_parked(0);
        }
        woken
    };
    idle.enter_search();
    idle.announce_parked(0);
    assert!(!leaves(false) && leaves(true));
    // An owner answers while somebody backs off.
    idle.enter_search();
    idle.announce_backing_off(1);
    assert!(idle.tasks_wanted().is_none() && !leaves(true));
    assert_eq!(idle.retract(1), Searching::Uncounted);
    assert!(leaves(false) && leaves(false));
    // Somebody parks and asks everybody.
    idle.remember_requests();
    assert!(!leaves(false));
}

#[test]
fn an_offer_wakes_another_than_its_owner_whoever_searches_or_backs_off() {
    let parkers = [Parker::default(), Parker::default(), Parker::default()];
    let idle = Idle::new(parkers.iter(), Crowd::None);
    (0..3).for_each(|_| idle.enter_search());
    idle.announce_parked(0);
    assert!(!idle.others_want_tasks(0) && idle.others_want_tasks(1));
    idle.notify_of_offer(0);
    assert_eq!(idle.counts().parked(), 1);
    idle.announce_parked(1);
    idle.announce_backing_off(2);
    idle.enter_search();
    assert!(idle.others_want_tasks(0));
    idle.notify_of_offer(0);
    assert_eq!(idle.counts().parked(), 1);
    assert_eq!(idle.park(1, &parkers[1]), Searching::Counted);
    assert_eq!(idle.retract(0), Searching::Uncounted);
}

#[test]
fn a_caller_that_sleeps_ends_the_sleep_of_one_more() {
    let parkers = [Parker::default(), Parker::default()];
    let idle = Idle::new(parkers.iter(), Crowd::None);
    for worker in 0..2 {
        idle.enter_search();
        idle.announce_parked(worker);
    }
    idle.notify_of_call(Notifier::Sleeps);
    assert_eq!((idle.counts().parked(), idle.counts().searching()), (1, 1));
    // Both end; the second one has not been claimed.
    assert_eq!(idle.park(0, &parkers[0]), Searching::Counted);
    assert_eq!(idle.park(1, &parkers[1]), Searching::Uncounted);
    idle.leave_search(LOOKS, || false, || false);
    assert_eq!(idle.counts(), IdleCounts(0));
}

#[test]
fn in_a_crowd_a_caller_that_sleeps_wakes_one_beside_those_who_search() {
    for (crowd, notifier, woken) in [
        (Crowd::Some, Notifier::Sleeps, 1),
        (Crowd::Some, Notifier::GoesOn, 0),
        (Crowd::None, Notifier::Sleeps, 0),
    ] {
        let parkers: [Parker; 3] = Default::default();
        let idle = Idle::new(parkers.iter(), crowd);
        for worker in 0..2 {
            idle.enter_search();
            idle.announce_parked(worker);
        }
        // The third.
        idle.enter_search();
        idle.notify_of_call(notifier);
        assert_eq!((idle.counts().parked(), idle.counts().searching()), (2 - woken, 1 + woken));
    }
}

#[test]
fn a_worker_that_backs_off_hears_calls_but_not_tasks() {
    let parkers = [Parker::default()];
    let idle = Idle::new(parkers.iter(), Crowd::None);
    idle.enter_search();
    idle.announce_backing_off(0);
    notify(&idle, 0);
    assert_eq!(idle.counts().backing_off(), 1);
    idle.notify_of_call(Notifier::GoesOn);
    // The token is there, so this ends.
    parkers[0].park();
    assert_eq!(idle.retract(0), Searching::Uncounted);
    assert_eq!(idle.counts(), IdleCounts(0));
}

#[test]
fn a_worker_parked_for_jobs_hears_of_these_only() {
    let parkers = [Parker::default()];
    let idle = Idle::new(parkers.iter(), Crowd::None);
    // This ends once the token is there.
    let is_woken = || idle.park(0, &parkers[0]) == Searching::Uncounted;
    idle.announce_parked_for_jobs(0);
    notify(&idle, 0);
    idle.notify_of_call(Notifier::GoesOn);
    assert!(is_woken());
    // The caller leaves the job to a searcher, which leaves it to the sleeper.
    idle.enter_search();
    idle.announce_parked_for_jobs(0);
    idle.notify_of_call(Notifier::GoesOn);
    idle.leave_search(LOOKS, || true, || true);
    assert!(is_woken());
    assert_eq!(idle.counts(), IdleCounts(0));
}

#[test]
fn as_many_search_as_work_and_one_in_a_crowd() {
    for (crowd, most) in [(Crowd::None, 3), (Crowd::Some, 1)] {
        let parkers: [Parker; 8] = Default::default();
        let idle = Idle::new(parkers.iter(), crowd);
        // Three work.
        for worker in 3..8 {
            idle.enter_search();
            idle.announce_parked(worker);
        }
        (0..8).for_each(|_| notify(&idle, 0));
        assert_eq!(idle.counts().searching(), most);
        assert_eq!(idle.counts().parked(), 5 - most);
    }
}

#[test]
fn who_was_woken_and_sees_more_wakes_two() {
    let parkers: [Parker; 8] = Default::default();
    let idle = Idle::new(parkers.iter(), Crowd::None);
    for worker in 1..8 {
        idle.enter_search();
        idle.announce_parked(worker);
    }
    notify(&idle, 0);
    // Those that were woken have found a task each, and all there is: they are two by now, then four.
    for (working, woken) in [(2, 2), (4, 4), (8, 0)] {
        let searching = idle.counts().searching();
        for _ in 0..searching {
            idle.leave_search(beside(None), || true, || false);
        }
        let counts = idle.counts();
        assert_eq!((8 - counts.idle(), counts.searching()), (working, woken));
    }
}

#[test]
fn who_is_woken_for_tasks_is_told_whose() {
    let parkers: [Parker; 2] = Default::default();
    let idle = Idle::new(parkers.iter(), Crowd::None);
    let wakes = |wake: &dyn Fn()| {
        idle.enter_search();
        idle.announce_parked(0);
        wake();
        assert_eq!(idle.park(0, &parkers[0]), Searching::Counted);
        idle.leave_search(LOOKS, || false, || false);
        idle.tasks_at(0)
    };
    assert_eq!(wakes(&|| notify(&idle, 1)), Some(1));
    assert_eq!(wakes(&|| idle.notify_of_call(Notifier::GoesOn)), None);
}

#[test]
fn any_of_many_is_woken_wherever_the_look_for_it_begins() {
    const MANY: usize = 2 * FEW + 1;
    let parkers: [Parker; MANY] = Default::default();
    let idle = Idle::new(parkers.iter(), Crowd::None);
    for (asleep, parker) in parkers.iter().enumerate() {
        for owner in 0..MANY {
            idle.enter_search();
            idle.announce_parked(asleep);
            notify(&idle, owner);
            assert_eq!(idle.park(asleep, parker), Searching::Counted);
            assert_eq!(idle.tasks_at(asleep), Some(owner));
            idle.leave_search(LOOKS, || false, || false);
        }
    }
}

#[test]
fn requests_stand_while_somebody_searches_but_not_in_a_crowd() {
    for (crowd, stands) in [(Crowd::None, true), (Crowd::Some, false)] {
        let parkers: [Parker; 3] = Default::default();
        let idle = Idle::new(parkers.iter(), crowd);
        (0..2).for_each(|_| idle.enter_search());
        idle.announce_parked(0);
        assert_eq!(idle.tasks_wanted().is_some(), stands);
        // Who searched leaves, and has the sleeper woken in any case where its request was forgotten.
        idle.leave_search(LOOKS, || false, || false);
        assert_eq!(idle.counts().parked(), usize::from(stands));
        assert_eq!(idle.tasks_wanted().is_some(), stands);
    }
}

/// So many are parked, and worker 0 works.
fn with_sleepers(parkers: &[Parker]) -> Idle {
    let idle = Idle::new(parkers.iter(), Crowd::None);
    for worker in 1..parkers.len() {
        idle.enter_search();
        idle.announce_parked(worker);
    }
    idle
}

#[test]
fn one_is_woken_for_each_task_that_nobody_is_on_the_way_to() {
    let parkers: [Parker; 8] = Default::default();
    let idle = with_sleepers(&parkers);
    let woken_after = |tasks| {
        notify_of(&idle, 0, Some(tasks));
        assert_eq!(idle.counts().searching(), 0, "their owner counts them");
        7 - idle.counts().parked()
    };
    // Whatever there is, somebody has to come.
    assert_eq!([0, 1, 2, 3, 3].map(woken_after), [1, 1, 2, 3, 3]);
    // Two have looked.
    (0..2).for_each(|_| idle.note_arrival(0));
    assert_eq!([1, 3, 3, 3].map(woken_after), [3, 4, 5, 5]);
}

#[test]
fn who_was_woken_wakes_no_more_than_there_are_tasks() {
    for (tasks, woken) in [(1, 1), (2, 2), (5, 2)] {
        let parkers: [Parker; 8] = Default::default();
        let idle = with_sleepers(&parkers);
        notify_of(&idle, 0, Some(tasks + 1));
        idle.note_arrival(0);
        let leaves = || {
            let before = idle.counts().parked();
            idle.leave_search(beside(Some(tasks)), || false, || false);
            before - idle.counts().parked()
        };
        assert_eq!(leaves(), woken, "{tasks} tasks");
        assert_eq!(leaves(), (tasks - woken).min(2), "{tasks} tasks");
    }
}

#[test]
fn who_wakes_others_leaves_what_it_owes_to_them_if_they_count() {
    for (tasks, looks) in [(None, false), (Some(1), true)] {
        let parkers: [Parker; 4] = Default::default();
        let idle = with_sleepers(&parkers);
        // Worker 1 was woken for tasks of worker 0, and has found one of another that has one more: others are woken for that.
        notify_of(&idle, 0, tasks);
        let has_looked = std::cell::Cell::new(false);
        let look = || {
            has_looked.set(true);
            false
        };
        idle.leave_search(beside(tasks), look, || false);
        assert_eq!(has_looked.get(), looks);
        if looks {
            continue;
        }
        // Those have it, and look for what worker 0 has.
        let satisfied = Leaver { beside: None, owes_a_look: false, ..beside(None) };
        idle.leave_search(satisfied, || unreachable!("the other one searches"), || false);
        assert_eq!((idle.counts().searching(), idle.counts().parked()), (1, 0));
        idle.enter_search();
        idle.announce_parked(3);
        idle.leave_search(satisfied, || true, || false);
        assert_eq!((idle.counts().searching(), idle.counts().parked()), (1, 0));
        // Nobody has left anything to the next.
        idle.leave_search(satisfied, || unreachable!("it owes nothing"), || false);
        assert_eq!(idle.counts(), IdleCounts(0));
    }
}

/// An owner that expects sleepers has so many tasks; whether it goes on to.
fn expects_after(idle: &Idle, tasks: Option<usize>) -> bool {
    idle.promise(0);
    let wanted = idle.tasks_expected();
    idle.notify(Offer { owner: 0, tasks }, wanted, &|_| true)
}

#[test]
fn who_expects_sleepers_wakes_one_for_each_task_or_takes_its_promise_back() {
    let parkers: [Parker; 4] = Default::default();
    let idle = with_sleepers(&parkers);
    let on_the_way = || idle.sleeper(0).on_the_way();
    assert!(expects_after(&idle, Some(1)));
    assert_eq!((on_the_way(), idle.counts().parked()), (1, 2));
    // Others are on the way to all there is.
    assert!(expects_after(&idle, Some(1)) && expects_after(&idle, Some(0)));
    assert_eq!((on_the_way(), idle.counts().parked()), (1, 2));
    assert!(expects_after(&idle, Some(2)) && !expects_after(&idle, Some(3)));
    assert_eq!((on_the_way(), idle.counts().parked()), (3, 0));
    // Nobody sleeps any more.
    assert!(!expects_after(&idle, Some(4)));
    assert_eq!(on_the_way(), 3);
    idle.promise(0);
    idle.take_back(0);
    assert_eq!(on_the_way(), 3);
}
