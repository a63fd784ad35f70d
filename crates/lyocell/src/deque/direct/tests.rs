//! What an owner and a thief see of a direct task stack, one step at a time. The interleavings are
//! `models::direct`'s.

use super::*;
use crate::deque::kit::test_kit::TestKit;

fn public<V: Variant>(kit: &TestKit<Direct<V>>) -> usize {
    let deque = kit.deque();
    deque.frontier.public(&deque.slots)
}

/// Pushes so many tasks that nobody asks for.
fn push<V: Variant>(kit: &TestKit<Direct<V>>, tasks: usize) {
    (0..tasks).for_each(|_| assert_eq!(kit.push(), Push::Pushed, "{}", V::NAME));
}

#[test]
fn all_is_private_until_somebody_asks() {
    let kit = TestKit::<DirectPrivate>::new(16);
    push(&kit, 12);
    assert_eq!((kit.steal(), public(&kit)), (Steal::Empty, 0));
    kit.deque().request();
    assert!(kit.deque().is_asked());
    assert_eq!(kit.push(), Push::Asked);
    assert!(!kit.deque().is_asked());
    // Half of 13 tasks, rounded up.
    assert_eq!((kit.deque().stealable(), public(&kit)), (Stealable::Some, 7));
    (0..7).for_each(|task| assert_eq!(kit.steal(), Steal::Task(task)));
    assert_eq!(kit.steal(), Steal::Empty);
}

#[test]
fn where_nothing_is_private_a_request_leaves_the_frontier_alone() {
    fn check<V: Variant>() {
        let kit = TestKit::<Direct<V>>::new(16);
        push(&kit, 2);
        let before = public(&kit);
        kit.deque().request();
        assert_eq!(kit.push(), Push::Asked, "{}", V::NAME);
        assert_eq!(public(&kit), before, "{}", V::NAME);
        (0..3).for_each(|_| assert_eq!(kit.pop(), Pop::Popped, "{}", V::NAME));
        push(&kit, 3);
    }
    check::<variant::Task>();
    check::<variant::TaskJoin>();
    check::<variant::NonePrivate>();
}

#[test]
fn the_tail_follows_the_owner_down_over_stolen_tasks() {
    let kit = TestKit::<DirectPrivate>::new(16);
    push(&kit, 2);
    kit.deque().request();
    assert_eq!(kit.push(), Push::Asked);
    assert_eq!(kit.steal(), Steal::Task(0));
    assert_eq!(kit.steal(), Steal::Task(1));
    assert!(matches!(kit.pop(), Pop::Popped | Pop::Asked));
    for task in [1, 0] {
        assert_eq!(kit.pop(), Pop::Stolen);
        // Somebody has it, so who is about to sleep had better look again.
        assert_eq!(kit.deque().slots.get(task).claim.look(), Seen::InTransit);
        kit.retire();
        assert_eq!(kit.deque().stealing.tail().load(), task);
        assert_eq!((kit.steal(), kit.deque().stealable()), (Steal::Empty, Stealable::None));
    }
}

#[test]
fn tasks_are_born_public_below_the_frontier() {
    let kit = TestKit::<DirectPrivate>::new(16);
    push(&kit, 1);
    kit.deque().request();
    assert_eq!(kit.pop(), Pop::Asked);
    assert_eq!((kit.deque().stealable(), public(&kit)), (Stealable::None, AHEAD));
    push(&kit, 1);
    assert_eq!(kit.deque().stealable(), Stealable::Some);
    assert_eq!(kit.steal(), Steal::Task(0));
}

#[test]
fn who_steals_the_trip_wire_asks() {
    let kit = TestKit::<DirectPrivate>::new(16);
    kit.deque().request();
    assert_eq!(kit.push(), Push::Asked);
    push(&kit, 9);
    let mut stolen = 0;
    while !kit.deque().is_asked() {
        assert_eq!(kit.steal(), Steal::Task(stolen));
        stolen += 1;
    }
    // There is something left for the next thief while the owner is told.
    assert!(0 < stolen && stolen < AHEAD);
    assert_eq!(kit.push(), Push::Asked);
    assert_eq!(kit.deque().stealable(), Stealable::Some);
    assert!(public(&kit) > AHEAD);
}

#[test]
fn public_slots_that_nobody_robs_become_private_again() {
    let kit = TestKit::<DirectPrivate>::new(64);
    kit.deque().request();
    assert_eq!(kit.push(), Push::Asked);
    let mut rounds = 0;
    while public(&kit) > 1 {
        push(&kit, AHEAD);
        (0..AHEAD).for_each(|_| assert_eq!(kit.pop(), Pop::Popped));
        rounds += 1;
        assert!(rounds < 10_000, "{} slots stay public", public(&kit));
    }
    // The task below stays public, and its neighbour is not stolen with it.
    push(&kit, 1);
    assert_eq!(kit.steal(), Steal::Task(0));
    assert_eq!(kit.steal(), Steal::Empty);
}

fn two_slots_keep_two_tasks<V: Variant>() {
    let kit = TestKit::<Direct<V>>::new(2);
    push(&kit, 2);
    assert_eq!(kit.push(), Push::Full, "{}", V::NAME);
    kit.deque().request();
    assert_eq!(kit.push(), Push::Full);
    assert!(matches!(kit.pop(), Pop::Popped | Pop::Asked));
    assert_eq!(kit.pop(), Pop::Popped);
    assert_eq!(kit.steal(), Steal::Empty);
}

#[test]
fn every_variant_keeps_as_many_tasks_as_there_are_slots() {
    two_slots_keep_two_tasks::<Private>();
    two_slots_keep_two_tasks::<Task>();
    two_slots_keep_two_tasks::<TaskJoin>();
    two_slots_keep_two_tasks::<NonePrivate>();
    two_slots_keep_two_tasks::<AllPrivate>();
    two_slots_keep_two_tasks::<Base>();
    two_slots_keep_two_tasks::<Peeking>();
    two_slots_keep_two_tasks::<Trying>();
}

fn public_from_birth<V: Variant>() {
    let kit = TestKit::<Direct<V>>::new(8);
    push(&kit, 2);
    assert_eq!(kit.steal(), Steal::Task(0), "{}", V::NAME);
    assert_eq!(kit.pop(), Pop::Popped);
    assert_eq!(kit.pop(), Pop::Stolen);
}

#[test]
fn without_private_tasks_nobody_has_to_ask() {
    public_from_birth::<Task>();
    public_from_birth::<TaskJoin>();
    public_from_birth::<NonePrivate>();
}

#[test]
fn where_all_is_private_asking_is_in_vain_and_costs_nothing() {
    let kit = TestKit::<DirectAllPrivate>::new(8);
    kit.deque().request();
    assert!(!kit.deque().is_asked());
    push(&kit, 1);
    kit.share();
    assert_eq!((kit.steal(), kit.deque().stealable()), (Steal::Empty, Stealable::None));
    assert_eq!(kit.pop(), Pop::Popped);
}
