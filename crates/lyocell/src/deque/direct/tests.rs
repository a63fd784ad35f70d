//! What an owner and a thief see of a direct task stack, one step at a time. The interleavings are
//! `models::direct`'s.

use super::*;
use crate::deque::kit::test_kit::Trial;

fn public<V: Variant>(trial: &Trial<Direct<V>>) -> usize {
    let deque = trial.deque();
    deque.frontier.public(&deque.slots)
}

/// Pushes so many tasks that nobody asks for.
fn push<V: Variant>(trial: &Trial<Direct<V>>, tasks: usize) {
    (0..tasks).for_each(|_| assert_eq!(trial.push(), Push::Pushed, "{}", V::NAME));
}

#[test]
fn all_is_private_until_somebody_asks() {
    let trial = Trial::<DirectPrivate>::new(16);
    push(&trial, 12);
    assert_eq!((trial.steal(), public(&trial)), (Steal::Empty, 0));
    trial.deque().request();
    assert!(trial.deque().is_asked());
    assert_eq!(trial.push(), Push::Asked);
    assert!(!trial.deque().is_asked());
    // Half of 13 tasks, rounded up.
    assert_eq!((trial.deque().shared(), public(&trial)), (Shared::Some, 7));
    (0..7).for_each(|task| assert_eq!(trial.steal(), Steal::Task(task)));
    assert_eq!(trial.steal(), Steal::Empty);
}

#[test]
fn the_tail_follows_the_owner_down_over_stolen_tasks() {
    let trial = Trial::<DirectPrivate>::new(16);
    push(&trial, 2);
    trial.deque().request();
    assert_eq!(trial.push(), Push::Asked);
    assert_eq!(trial.steal(), Steal::Task(0));
    assert_eq!(trial.steal(), Steal::Task(1));
    assert!(matches!(trial.pop(), Pop::Popped | Pop::Asked));
    for task in [1, 0] {
        assert_eq!(trial.pop(), Pop::Stolen);
        // Somebody has it, so who is about to sleep had better look again.
        assert_eq!(trial.deque().slots.get(task).claim.look(), Seen::InTransit);
        trial.retire();
        assert_eq!(trial.deque().stealing.tail().load(), task);
        assert_eq!((trial.steal(), trial.deque().shared()), (Steal::Empty, Shared::None));
    }
}

#[test]
fn tasks_are_born_public_below_the_frontier() {
    let trial = Trial::<DirectPrivate>::new(16);
    push(&trial, 1);
    trial.deque().request();
    assert_eq!(trial.pop(), Pop::Asked);
    assert_eq!((trial.deque().shared(), public(&trial)), (Shared::None, AHEAD));
    push(&trial, 1);
    assert_eq!(trial.deque().shared(), Shared::Some);
    assert_eq!(trial.steal(), Steal::Task(0));
}

#[test]
fn who_steals_the_trip_wire_asks() {
    let trial = Trial::<DirectPrivate>::new(16);
    trial.deque().request();
    assert_eq!(trial.push(), Push::Asked);
    push(&trial, 9);
    let mut stolen = 0;
    while !trial.deque().is_asked() {
        assert_eq!(trial.steal(), Steal::Task(stolen));
        stolen += 1;
    }
    // There is something left for the next thief while the owner is told.
    assert!(0 < stolen && stolen < AHEAD);
    assert_eq!(trial.push(), Push::Asked);
    assert_eq!(trial.deque().shared(), Shared::Some);
    assert!(public(&trial) > AHEAD);
}

#[test]
fn public_slots_that_nobody_robs_become_private_again() {
    let trial = Trial::<DirectPrivate>::new(64);
    trial.deque().request();
    assert_eq!(trial.push(), Push::Asked);
    let mut rounds = 0;
    while public(&trial) > 1 {
        push(&trial, AHEAD);
        (0..AHEAD).for_each(|_| assert_eq!(trial.pop(), Pop::Popped));
        rounds += 1;
        assert!(rounds < 10_000, "{} slots stay public", public(&trial));
    }
    // The task below stays public, and its neighbour is not stolen with it.
    push(&trial, 1);
    assert_eq!(trial.steal(), Steal::Task(0));
    assert_eq!(trial.steal(), Steal::Empty);
}

fn two_slots_keep_two_tasks<V: Variant>() {
    let trial = Trial::<Direct<V>>::new(2);
    push(&trial, 2);
    assert_eq!(trial.push(), Push::Full, "{}", V::NAME);
    trial.deque().request();
    assert_eq!(trial.push(), Push::Full);
    assert!(matches!(trial.pop(), Pop::Popped | Pop::Asked));
    assert_eq!(trial.pop(), Pop::Popped);
    assert_eq!(trial.steal(), Steal::Empty);
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
    let trial = Trial::<Direct<V>>::new(8);
    push(&trial, 2);
    assert_eq!(trial.steal(), Steal::Task(0), "{}", V::NAME);
    assert_eq!(trial.pop(), Pop::Popped);
    assert_eq!(trial.pop(), Pop::Stolen);
}

#[test]
fn without_private_tasks_nobody_has_to_ask() {
    public_from_birth::<Task>();
    public_from_birth::<TaskJoin>();
    public_from_birth::<NonePrivate>();
}

#[test]
fn where_all_is_private_asking_is_in_vain_and_costs_nothing() {
    let trial = Trial::<DirectAllPrivate>::new(8);
    trial.deque().request();
    assert!(!trial.deque().is_asked());
    push(&trial, 1);
    trial.share();
    assert_eq!((trial.steal(), trial.deque().shared()), (Steal::Empty, Shared::None));
    assert_eq!(trial.pop(), Pop::Popped);
}
