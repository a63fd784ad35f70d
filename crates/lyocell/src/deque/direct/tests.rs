//! What an owner and a thief see of a direct task stack, one step at a time. The interleavings are
//! `models::direct`'s.

use super::*;

const THIEF: usize = 1;

/// A deque alone in its team.
struct Alone<V: Variant> {
    team: Team<Direct<V>>,
    // Boxed: the team points to it.
    deque: Box<Direct<V>>,
}

impl<V: Variant> Alone<V> {
    fn new(capacity: usize) -> Alone<V> {
        let deque = Box::new(Direct::new(Slots::new(capacity).unwrap(), &()));
        // SAFETY: the deque is boxed and lives as long as the team.
        let team = unsafe { Team::new([&*deque].into_iter()) };
        Alone { team, deque }
    }

    fn at(&self, index: usize) -> *const Slot {
        self.deque.slots.get(index).pointer()
    }

    /// Pushes to the slot with this index.
    fn push(&self, index: usize) -> Push {
        let head = self.at(index).wrapping_add(1);
        match self.deque.push(head) {
            Fast::Done => Push::Pushed,
            Fast::Slow => self.deque.push_slow(head),
        }
    }

    fn pop(&self, index: usize) -> Pop {
        match self.deque.pop(self.at(index)) {
            Fast::Done => Pop::Popped,
            Fast::Slow => self.deque.pop_slow(self.at(index)),
        }
    }

    fn share(&self, head: usize) -> Shared {
        self.deque.share(self.at(head), &self.team, 0)
    }

    /// The index of the task that a thief gets.
    fn steal(&self) -> Option<usize> {
        match Direct::steal(&self.team, 0, THIEF) {
            Steal::Task(loot) => Some(self.deque.slots.index(loot.first.pointer())),
            Steal::Empty => None,
            Steal::Busy => panic!("nobody else is there"),
        }
    }

    fn public(&self) -> usize {
        self.deque.frontier.public(&self.deque.slots)
    }
}

#[test]
fn all_is_private_until_somebody_asks() {
    let alone = Alone::<Private>::new(16);
    (0..12).for_each(|index| assert_eq!(alone.push(index), Push::Pushed));
    assert_eq!((alone.steal(), alone.public()), (None, 0));
    alone.deque.request();
    assert!(alone.deque.is_asked());
    assert_eq!(alone.push(12), Push::Asked);
    assert_eq!(alone.share(13), Shared::Some);
    assert!(!alone.deque.is_asked());
    // Half of 13 tasks, rounded up.
    assert_eq!(alone.public(), 7);
    for index in 0..7 {
        assert_eq!(alone.steal(), Some(index));
    }
    assert_eq!(alone.steal(), None);
    // The owner has private ones left, and meets the stolen ones below.
    for index in (7..13).rev() {
        assert!(matches!(alone.pop(index), Pop::Popped | Pop::Asked));
    }
    for index in (0..7).rev() {
        assert_eq!(alone.pop(index), Pop::Stolen);
        alone.deque.retire(alone.at(index));
    }
    assert_eq!(alone.deque.stealing.tail().load(), 0);
}

#[test]
fn tasks_are_born_public_below_the_frontier() {
    let alone = Alone::<Private>::new(16);
    assert_eq!(alone.push(0), Push::Pushed);
    alone.deque.request();
    assert_eq!(alone.pop(0), Pop::Asked);
    assert_eq!(alone.share(0), Shared::None);
    assert_eq!(alone.public(), AHEAD);
    assert_eq!(alone.push(0), Push::Pushed);
    assert_eq!(alone.deque.shared(), Shared::Some);
    assert_eq!(alone.steal(), Some(0));
    assert_eq!(alone.pop(0), Pop::Stolen);
    alone.deque.retire(alone.at(0));
    assert_eq!(alone.steal(), None);
}

#[test]
fn who_steals_the_trip_wire_asks() {
    let alone = Alone::<Private>::new(16);
    alone.deque.request();
    assert_eq!(alone.push(0), Push::Asked);
    let _ = alone.share(1);
    (1..10).for_each(|index| assert_eq!(alone.push(index), Push::Pushed));
    let mut stolen = 0;
    while !alone.deque.is_asked() {
        assert_eq!(alone.steal(), Some(stolen));
        stolen += 1;
    }
    // There is something left for the next thief while the owner is told.
    assert!(0 < stolen && stolen < AHEAD);
    assert_eq!(alone.push(10), Push::Asked);
    assert_eq!(alone.share(11), Shared::Some);
    assert!(alone.public() > AHEAD);
}

#[test]
fn public_slots_that_nobody_robs_become_private_again() {
    let alone = Alone::<Private>::new(64);
    alone.deque.request();
    assert_eq!(alone.push(0), Push::Asked);
    let _ = alone.share(1);
    let mut rounds = 0;
    while alone.public() > 1 {
        (1..AHEAD).for_each(|index| assert_eq!(alone.push(index), Push::Pushed));
        (1..AHEAD).rev().for_each(|index| assert_eq!(alone.pop(index), Pop::Popped));
        rounds += 1;
        assert!(rounds < 10_000, "{} slots stay public", alone.public());
    }
    // The task below stays public, and its neighbour is not stolen with it.
    assert_eq!(alone.push(1), Push::Pushed);
    assert_eq!(alone.steal(), Some(0));
    assert_eq!(alone.steal(), None);
}

fn two_slots_keep_two_tasks<V: Variant>() {
    let alone = Alone::<V>::new(2);
    assert_eq!(alone.push(0), Push::Pushed, "{}", V::NAME);
    assert_eq!(alone.push(1), Push::Pushed);
    assert_eq!(alone.push(2), Push::Full);
    alone.deque.request();
    assert_eq!(alone.push(2), Push::Full);
    assert_eq!(alone.share(2), alone.deque.shared());
    assert!(matches!(alone.pop(1), Pop::Popped));
    assert!(matches!(alone.pop(0), Pop::Popped));
    assert_eq!(alone.steal(), None);
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

fn is_public_from_birth<V: Variant>() {
    let alone = Alone::<V>::new(8);
    assert_eq!(alone.push(0), Push::Pushed);
    assert_eq!(alone.push(1), Push::Pushed);
    assert_eq!(alone.steal(), Some(0), "{}", V::NAME);
    assert_eq!(alone.pop(1), Pop::Popped);
    assert_eq!(alone.pop(0), Pop::Stolen);
}

#[test]
fn without_private_tasks_nobody_has_to_ask() {
    is_public_from_birth::<Task>();
    is_public_from_birth::<TaskJoin>();
    is_public_from_birth::<NonePrivate>();
}

#[test]
fn where_all_is_private_asking_is_in_vain_and_costs_nothing() {
    let alone = Alone::<AllPrivate>::new(8);
    alone.deque.request();
    assert!(!alone.deque.is_asked());
    assert_eq!(alone.push(0), Push::Pushed);
    assert_eq!(alone.share(1), Shared::None);
    assert_eq!(alone.steal(), None);
    assert_eq!(alone.pop(0), Pop::Popped);
}
