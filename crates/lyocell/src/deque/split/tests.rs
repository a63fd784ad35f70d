use super::*;
use crate::deque::Amount;
use crate::deque::kit::test_kit::TestKit;
use crate::lines::hold_lines;
use crate::probe::NoProbe;

#[test]
fn no_line_has_two_writers() {
    // The owner writes to `slots` as well, but only when the array grows.
    hold_lines!(Split: slots: Nobody, limits: Thieves, bounds: Anybody, options: Nobody, exposer: Thieves);
}

#[test]
fn share_half_steal_the_oldest_take_back_the_rest() {
    let deque = Split::new(Slots::new(8).unwrap(), &SplitOptions::default());
    // SAFETY: the deque outlives the team.
    let team = unsafe { Team::new([&deque].into_iter()) };
    let steal = || Split::steal(&team, 0, 1, &NoProbe);
    let at = |index: usize| deque.slots.get(index).pointer();
    assert!(matches!(steal(), Steal::Empty));
    deque.request();
    assert_eq!(deque.push(at(1), &NoProbe), Fast::Slow);
    assert_eq!(deque.push_slow(at(4), &NoProbe), Push::Asked);
    assert_eq!(deque.share(at(4), &team, 0, &NoProbe), Stealable::Some);
    assert_eq!(deque.push(at(4), &NoProbe), Fast::Done);
    let Steal::Task(loot) = steal() else { panic!("two are shared") };
    assert_eq!(loot.first.pointer(), at(0));
    assert_eq!(deque.pop(at(3), &NoProbe), Fast::Done);
    assert_eq!(deque.pop(at(2), &NoProbe), Fast::Done);
    assert_eq!(deque.pop(at(1), &NoProbe), Fast::Slow);
    assert_eq!(deque.pop_slow(at(1), &NoProbe), Pop::Popped);
    assert_eq!(deque.pop(at(0), &NoProbe), Fast::Slow);
    assert_eq!(deque.pop_slow(at(0), &NoProbe), Pop::Stolen);
    deque.retire(at(0), &NoProbe);
    assert!(matches!(steal(), Steal::Empty));
}

#[test]
fn a_request_that_meets_the_last_pop_stands_for_the_next_push() {
    let deque = Split::new(Slots::new(8).unwrap(), &SplitOptions::default());
    // SAFETY: the deque outlives the team.
    let team = unsafe { Team::new([&deque].into_iter()) };
    let at = |index: usize| deque.slots.get(index).pointer();
    assert_eq!(deque.push(at(1), &NoProbe), Fast::Done);
    deque.request();
    assert_eq!(deque.pop(at(0), &NoProbe), Fast::Slow);
    assert_eq!(deque.pop_slow(at(0), &NoProbe), Pop::Asked);
    assert_eq!(deque.share(at(0), &team, 0, &NoProbe), Stealable::None);
    assert!(deque.is_asked());
    assert_eq!(deque.push(at(1), &NoProbe), Fast::Slow);
    assert_eq!(deque.push_slow(at(1), &NoProbe), Push::Asked);
    assert_eq!(deque.share(at(1), &team, 0, &NoProbe), Stealable::Some);
    assert!(!deque.is_asked());
    assert!(matches!(Split::steal(&team, 0, 1, &NoProbe), Steal::Task(_)));
}

#[test]
fn an_array_grows_and_is_small_again_and_requests_stand_meanwhile() {
    const AT_HAND: usize = 100;
    const CAPACITY: usize = 1_000;
    let slots = Slots::several(1, CAPACITY, AT_HAND).unwrap().remove(0);
    let first = slots.first();
    let deque = Split::new(slots, &SplitOptions::default());
    let at = |index: usize| first.wrapping_add(index);
    for round in 0..3 {
        let mut asked = false;
        for head in 1..=CAPACITY {
            if asked || deque.push(at(head), &NoProbe) == Fast::Slow {
                // Each time that it has doubled, and whenever somebody asks, if only once.
                let pushed = deque.push_slow(at(head), &NoProbe);
                assert_eq!(pushed, if asked { Push::Asked } else { Push::Pushed });
                assert!(asked || [100, 200, 400, 800].contains(&(head - 1)), "{head}");
            }
            if round == 1 && head == AT_HAND {
                deque.request();
                asked = true;
            }
        }
        assert_eq!(deque.push(at(CAPACITY + 1), &NoProbe), Fast::Slow);
        assert_eq!(deque.push_slow(at(CAPACITY + 1), &NoProbe), Push::Full);
        deque.give_back();
        assert!(!deque.slots.has_grown());
        assert_eq!(deque.is_asked(), asked);
        deque.forget_request(&NoProbe);
    }
}

#[test]
fn a_push_above_shares_until_enough_can_be_stolen_and_none_is_fast_past_the_array() {
    let slots = Slots::several(1, 1_000, 100).unwrap().remove(0);
    let first = slots.first();
    let deque = Split::new(slots, &SplitOptions::default());
    // SAFETY: the deque outlives the team.
    let team = unsafe { Team::new([&deque].into_iter()) };
    let at = |index: usize| first.wrapping_add(index);
    for (head, fast) in [(0, Fast::Slow), (1, Fast::Slow), (2, Fast::Done)] {
        deque.share_above(at(head), 2);
        assert_eq!(deque.push(at(head), &NoProbe), Fast::Done, "no higher than before");
        assert_eq!(deque.push(at(head + 1), &NoProbe), fast, "{head}");
        assert_eq!(deque.share(at(head + 1), &team, 0, &NoProbe), Stealable::Some);
    }
    for head in [101, 201] {
        assert_eq!(deque.push_slow(at(head), &NoProbe), Push::Pushed);
    }
    deque.share_above(at(300), 10);
    assert!(!deque.is_asked());
    deque.give_back();
    assert_eq!(deque.push(at(101), &NoProbe), Fast::Slow);
}

#[test]
fn a_request_that_meets_a_pop_of_shared_tasks_is_told() {
    let kit = TestKit::<Split>::new(8);
    for _ in 0..4 {
        assert_eq!(kit.push(), Push::Pushed);
    }
    kit.share();
    assert_eq!(kit.pop(), Pop::Popped);
    assert_eq!(kit.pop(), Pop::Popped);
    kit.deque().request();
    // Takes shared tasks back, and sets the pop limit anew.
    assert_eq!(kit.pop(), Pop::Asked);
}

#[test]
fn a_push_after_a_stolen_task_shares_before_anybody_asks() {
    let kit = TestKit::<Split>::new(8);
    kit.deque().request();
    assert_eq!(kit.push(), Push::Asked);
    assert_eq!(kit.steal(), Steal::Task(0));
    assert_eq!(kit.pop(), Pop::Stolen);
    kit.retire();
    assert_eq!(kit.push(), Push::Asked);
    assert_eq!(kit.steal(), Steal::Task(0));
    assert_eq!(kit.pop(), Pop::Stolen);
    kit.retire();
    assert_eq!(kit.push(), Push::Asked);
    assert_eq!(kit.pop(), Pop::Popped);
    assert_eq!(kit.push(), Push::Pushed, "nobody came");
}

#[test]
fn a_steal_of_half_takes_the_older_half_of_what_is_shared() {
    let steal_half = SplitOptions { amount: Amount::Half, ..Default::default() };
    let kit = TestKit::<Split>::with_options(8, &steal_half);
    for _ in 0..7 {
        assert_eq!(kit.push(), Push::Pushed);
    }
    kit.share();
    // Four of seven are shared.
    assert_eq!(kit.steal_many(), Steal::Task((0, 2)));
    assert_eq!(kit.steal_many(), Steal::Task((2, 1)));
    assert_eq!(kit.steal_many(), Steal::Task((3, 1)));
    assert_eq!(kit.steal_many(), Steal::Empty);
    for _ in 0..3 {
        assert_eq!(kit.pop(), Pop::Popped);
    }
    assert_eq!(kit.pop(), Pop::Stolen);
}

/// A thief steals some of the tasks that the owner shares, which pops all others.
pub(super) fn each_task_is_handed_out_once<D: Deque<Options = SplitOptions>>(
    share: Share,
    tasks: usize,
    most_stolen: usize,
) {
    let options = SplitOptions { share, ..Default::default() };
    let kit = TestKit::<D>::with_options(tasks, &options);
    (0..tasks).for_each(|_| assert_eq!(kit.push(), Push::Pushed));
    kit.share();
    let shared = share.of(tasks);
    let stolen = most_stolen.min(shared);
    (0..stolen).for_each(|task| assert_eq!(kit.steal(), Steal::Task(task)));
    if stolen == shared {
        assert_eq!(kit.steal(), Steal::Empty);
    }
    (stolen..tasks).for_each(|_| assert_eq!(kit.pop(), Pop::Popped));
    for _ in 0..stolen {
        assert_eq!(kit.pop(), Pop::Stolen);
        kit.retire();
    }
    let heard = if stolen > 0 { Push::Asked } else { Push::Pushed };
    assert_eq!(kit.push(), heard, "{share} of {tasks}");
}

/// On each share, up to ten tasks, and each number of them that a thief may steal.
pub(super) fn on_each_share(run: impl Fn(Share, usize, usize)) {
    for &share in Share::ALL {
        for tasks in 1..=10 {
            (0..=tasks).for_each(|most_stolen| run(share, tasks, most_stolen));
        }
    }
}

#[test]
fn each_share_hands_out_each_task_once() {
    on_each_share(each_task_is_handed_out_once::<Split>);
}

#[test]
fn an_exposer_shares_as_much_as_the_owner_would() {
    for &share in Share::ALL {
        let options = SplitOptions { share, ..Default::default() };
        let kit = TestKit::<Split>::with_options(8, &options);
        (0..7).for_each(|_| assert_eq!(kit.push(), Push::Pushed));
        for barrier in HeavyBarrier::register().iter() {
            let head = kit.deque().slots.get(7).pointer();
            assert_eq!(kit.deque().expose(barrier, || head), Stealable::Some);
            (0..share.of(7)).for_each(|task| assert_eq!(kit.steal(), Steal::Task(task)));
            assert_eq!(kit.steal(), Steal::Empty, "{share}");
        }
    }
}

/// A thief stops once it has announced that it will expose.
#[test]
fn an_exposer_that_stops_before_it_trips_the_limits_reads_the_head_as_it_is_later() {
    let kit = TestKit::<Split>::new(4);
    (0..4).for_each(|_| assert_eq!(kit.push(), Push::Pushed));
    let deque = kit.deque();
    let _exposer = deque.exposer.try_lock().expect("nobody else exposes");
    let marked = deque.bounds.mark().expect("nothing is shared");
    (0..3).for_each(|_| assert_eq!(kit.pop(), Pop::Popped));
    deque.limits.request();
    // Its head: one task is left.
    deque.bounds.publish(marked, 1);
    assert_eq!(kit.steal(), Steal::Task(0));
    assert_eq!(kit.steal(), Steal::Empty);
    assert_eq!(kit.pop(), Pop::Stolen);
}

/// It stops once it has tripped the limits, and goes on with a head that is none any more.
#[test]
fn an_exposer_that_stops_after_that_is_turned_away() {
    let kit = TestKit::<Split>::new(4);
    (0..4).for_each(|_| assert_eq!(kit.push(), Push::Pushed));
    let deque = kit.deque();
    let _exposer = deque.exposer.try_lock().expect("nobody else exposes");
    let marked = deque.bounds.mark().expect("nothing is shared");
    deque.limits.request();
    // The owner waits for nobody: it takes one task, and shares two of three.
    assert_eq!(kit.pop(), Pop::Asked);
    deque.bounds.publish(marked, 3);
    assert_eq!(kit.steal(), Steal::Task(0));
    assert_eq!(kit.steal(), Steal::Task(1));
    assert_eq!(kit.steal(), Steal::Empty);
    // Another one finds the lock taken, and goes.
    for barrier in HeavyBarrier::register().iter() {
        let locked_out = deque.expose(barrier, || unreachable!("nobody reads the head"));
        assert_eq!(locked_out, Stealable::None);
    }
    assert_eq!(kit.pop(), Pop::Popped);
    assert_eq!(kit.pop(), Pop::Stolen);
}

#[test]
fn two_slots_keep_two_tasks() {
    let deque = Split::new(Slots::new(2).unwrap(), &SplitOptions::default());
    let end = deque.slots.get(2).pointer();
    assert_eq!(deque.push(end, &NoProbe), Fast::Done);
    assert_eq!(deque.push(end.wrapping_add(1), &NoProbe), Fast::Slow);
    assert_eq!(deque.push_slow(end.wrapping_add(1), &NoProbe), Push::Full);
}
