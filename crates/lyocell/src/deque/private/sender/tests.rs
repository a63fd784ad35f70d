use super::*;
use crate::deque::Amount;
use crate::deque::kit::test_kit::TestKit;
use crate::lines::hold_lines;
use crate::probe::NoProbe;
use crate::task::Slots;
use std::time::Duration;

#[test]
fn no_line_has_two_writers() {
    hold_lines!(Sender:
        tasks: Anybody,
        hand_over: Owner,
        attempts: Owner,
        schedule: Owner,
        glance: Owner,
        received: Owner,
        mailbox: Anybody,
    );
}

/// Deals whenever somebody waits.
fn eager(amount: Amount, hand_over: HandOver) -> SenderOptions {
    SenderOptions { amount, hand_over, delta: Duration::ZERO, ..Default::default() }
}

/// Deals once, and then not before the test is over.
fn lazy() -> SenderOptions {
    SenderOptions { amount: Amount::One, delta: Duration::MAX, ..Default::default() }
}

#[test]
fn whoever_waits_is_dealt_the_oldest_task() {
    for hand_over in [HandOver::Direct, HandOver::TwoStep] {
        let kit = TestKit::<Sender>::with_options(8, &eager(Amount::One, hand_over));
        assert_eq!(kit.push(), Push::Pushed);
        assert_eq!(kit.steal(), Steal::Empty);
        kit.deque().request();
        assert_eq!(kit.push(), Push::Asked);
        assert_eq!(kit.steal(), Steal::Task(0));
        assert_eq!(kit.pop(), Pop::Popped);
        assert_eq!(kit.pop(), Pop::Stolen);
        kit.retire();
        assert_eq!(kit.push(), Push::Pushed);
    }
}

#[test]
fn half_is_the_older_half() {
    for hand_over in [HandOver::Direct, HandOver::TwoStep] {
        let kit = TestKit::<Sender>::with_options(8, &eager(Amount::Half, hand_over));
        (0..5).for_each(|_| assert_eq!(kit.push(), Push::Pushed));
        assert_eq!(kit.steal_many(), Steal::Empty);
        kit.share();
        assert_eq!(kit.steal_many(), Steal::Task((0, 3)));
        assert_eq!(kit.steal_many(), Steal::Empty);
        kit.share();
        assert_eq!(kit.withdraw(), Some((3, 1)));
    }
}

#[test]
fn an_owner_deals_no_more_than_its_dates_allow() {
    let kit = TestKit::<Sender>::with_options(8, &lazy());
    (0..3).for_each(|_| assert_eq!(kit.push(), Push::Pushed));
    // Nobody waits: the date is not used up, but put off for a moment.
    kit.share();
    // The thief opens its mailbox. Whether the moment is over by now does not matter.
    assert!(matches!(kit.steal(), Steal::Busy | Steal::Empty));
    kit.until_due();
    kit.share();
    assert_eq!(kit.steal(), Steal::Task(0));
    assert_eq!(kit.steal(), Steal::Busy);
    kit.share();
    assert_eq!(kit.withdraw(), None);
}

impl TestKit<Sender> {
    fn until_due(&self) {
        while !self.deque().schedule.is_due(Moment::now()) {}
    }
}

#[test]
fn a_blind_owner_uses_a_date_up_whether_anybody_waits_or_not() {
    let options = SenderOptions { attempts: Attempts::Blind, ..lazy() };
    let kit = TestKit::<Sender>::with_options(8, &options);
    (0..3).for_each(|_| assert_eq!(kit.push(), Push::Pushed));
    // Due from the beginning, but nobody waits.
    kit.share();
    assert!(!kit.deque().schedule.is_due(Moment::now()), "the date is used up");
    // Now somebody waits, until the next one.
    assert!(matches!(kit.steal(), Steal::Busy | Steal::Empty));
    kit.share();
    assert_eq!(kit.withdraw(), None);
}

#[test]
fn a_blind_owner_stays_asked() {
    let options =
        SenderOptions { attempts: Attempts::Blind, ..eager(Amount::One, HandOver::Direct) };
    let kit = TestKit::<Sender>::with_options(8, &options);
    assert_eq!(kit.push(), Push::Pushed);
    assert_eq!(kit.steal(), Steal::Empty);
    kit.deque().request();
    assert_eq!(kit.push(), Push::Asked);
    assert_eq!(kit.steal(), Steal::Task(0));
    assert!(kit.deque().is_asked());
    assert_eq!(kit.push(), Push::Asked);
    assert_eq!(kit.pop(), Pop::Asked);
    assert_eq!(kit.pop(), Pop::Asked);
    assert_eq!(kit.pop(), Pop::Stolen);
    kit.retire();
    assert!(kit.deque().is_asked());
}

#[test]
fn a_blind_owner_tries_one_worker_only() {
    let options =
        SenderOptions { attempts: Attempts::Blind, ..eager(Amount::One, HandOver::Direct) };
    let deques = [0, 1, 2].map(|_| Sender::new(Slots::new(200).unwrap(), &options));
    // SAFETY: the deques outlive the team.
    let team = unsafe { Team::new(deques.iter()) };
    let (owner, waits) = (1, 2);
    let head = deques[owner].tasks.loot(Parcel { owner, first: 150, count: 1 }).first;
    let (mut attempts, mut dealt) = (0, 0);
    while dealt < 64 {
        match Sender::steal(&team, owner, waits, &NoProbe) {
            Steal::Task(_) => dealt += 1,
            Steal::Empty | Steal::Busy => {
                // Of the two others one waits: an attempt in two is at the one that does not.
                deques[owner].share(head.pointer(), &team, owner, &NoProbe);
                attempts += 1;
                assert!(attempts < 10_000, "the one that waits is never tried");
            }
        }
    }
    assert!(attempts > dealt, "the one that does not wait is never tried");
}

#[test]
fn whoever_was_dealt_a_task_deals_at_its_next_date() {
    who_was_dealt_a_task(&lazy(), false);
}

/// Its date stays what it was, as in the paper.
#[test]
fn a_blind_owner_that_was_dealt_a_task_deals_at_once() {
    who_was_dealt_a_task(&SenderOptions { attempts: Attempts::Blind, ..lazy() }, true);
}

/// A worker that is due, and then is dealt a task, is still due or not.
fn who_was_dealt_a_task(options: &SenderOptions, stays_due: bool) {
    let deques = [0, 1].map(|_| Sender::new(Slots::new(8).unwrap(), options));
    // SAFETY: the deques outlive the team.
    let team = unsafe { Team::new(deques.iter()) };
    let is_due = |worker: usize| deques[worker].schedule.is_due(Moment::now());
    let head = deques[0].tasks.loot(Parcel { owner: 0, first: 3, count: 1 }).first;
    for withdraws in [false, true] {
        deques[0].schedule.look_again_soon(Moment::now());
        while !is_due(0) {}
        assert!(matches!(Sender::steal(&team, 0, 1, &NoProbe), Steal::Empty));
        assert!(is_due(1));
        deques[0].share(head.pointer(), &team, 0, &NoProbe);
        if !withdraws {
            assert!(matches!(Sender::steal(&team, 0, 1, &NoProbe), Steal::Task(_)));
        }
        // As every thief does before it runs anything.
        assert_eq!(Sender::withdraw(&team, 1, &NoProbe).is_some(), withdraws);
        assert_eq!(is_due(1), stays_due);
        deques[1].schedule.look_again_soon(Moment::now());
        while !is_due(1) {}
    }
}

#[test]
fn a_request_before_the_date_costs_the_owner_no_atomic_step_and_stands() {
    let kit = TestKit::<Sender>::with_options(8, &lazy());
    assert_eq!(kit.push(), Push::Pushed);
    assert_eq!(kit.steal(), Steal::Empty);
    kit.share();
    assert_eq!(kit.steal(), Steal::Task(0));
    kit.deque().request();
    let before = kit.counts();
    for _ in 0..5 {
        assert_eq!(kit.push(), Push::Asked);
        assert_eq!(kit.pop(), Pop::Asked);
    }
    assert_eq!(kit.counts(), before);
    assert!(kit.deque().is_asked());
    assert_eq!(kit.pop(), Pop::Stolen);
}

#[test]
fn a_thief_looks_at_the_clock_once_a_round() {
    let kit = TestKit::<Sender>::new(2);
    let thief = kit.deque();
    let first = thief.glance(3);
    while Moment::now() == first {}
    assert_eq!(thief.glance(3), first);
    assert_ne!(thief.glance(3), first);
}

#[test]
fn a_thief_that_left_is_dealt_nothing() {
    let kit = TestKit::<Sender>::with_options(8, &eager(Amount::One, HandOver::Direct));
    assert_eq!(kit.push(), Push::Pushed);
    assert_eq!(kit.steal(), Steal::Empty);
    assert_eq!(kit.withdraw(), None);
    kit.share();
    assert_eq!(kit.withdraw(), None);
    assert_eq!(kit.pop(), Pop::Popped);
}

#[test]
fn an_owner_that_is_asked_deals_what_it_has() {
    let kit = TestKit::<Sender>::with_options(8, &eager(Amount::One, HandOver::Direct));
    assert_eq!(kit.push(), Push::Pushed);
    assert_eq!(kit.steal(), Steal::Empty);
    assert_eq!(kit.withdraw(), None);
    assert_eq!(kit.steal(), Steal::Empty);
    kit.deque().request();
    kit.share();
    assert_eq!(kit.steal(), Steal::Task(0));
}

#[test]
fn a_thief_that_asks_one_victim_is_dealt_tasks_by_no_other() {
    let options = eager(Amount::One, HandOver::Direct);
    let deques = [0, 1, 2].map(|_| Sender::new(Slots::new(4).unwrap(), &options));
    // SAFETY: the deques outlive the team.
    let team = unsafe { Team::new(deques.iter()) };
    // The victim has nothing; the other has one task.
    let (victim, other, thief) = (0, 1, 2);
    let head = deques[other].tasks.loot(Parcel { owner: other, first: 1, count: 1 }).first;
    let deal = || deques[other].share(head.pointer(), &team, other, &NoProbe);
    let steal = |from| Sender::steal(&team, from, thief, &NoProbe);
    assert!(matches!(steal(victim), Steal::Empty));
    assert_eq!(deal(), Stealable::Some);
    assert!(matches!(steal(victim), Steal::Empty));
    // Once it asks both, it is anybody's.
    assert!(matches!(steal(other), Steal::Empty));
    assert_eq!(deal(), Stealable::None);
    assert!(matches!(steal(victim), Steal::Task(Loot { owner: 1, count: 1, .. })));
}

#[test]
fn nobody_steals_from_itself() {
    let deque = Sender::new(Slots::new(4).unwrap(), &SenderOptions::default());
    // SAFETY: the deque outlives the team.
    let team = unsafe { Team::new([&deque].into_iter()) };
    assert!(matches!(Sender::steal(&team, 0, 0, &NoProbe), Steal::Empty));
    assert!(Sender::withdraw(&team, 0, &NoProbe).is_none());
}
