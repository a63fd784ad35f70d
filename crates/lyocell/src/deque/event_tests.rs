//! What each deque tells the probes, one step at a time.

use super::direct::{DirectNonePrivate, DirectPrivate, DirectTask};
use super::kit::test_kit::TestKit;
use super::{
    Abp, Acquire, Amount, ChaseLev, Deque, DirectLocked, HandOver, Pop, Push, Receiver,
    ReceiverOptions, Sender, SenderOptions, Split, Steal,
};
use crate::probe::Event::{self, CasFailure, Deal, DealRequest, Grow, OwnerRmw, Shrink};
use std::time::Duration;

/// A deque after three pushes and three pops that nobody asked for.
fn undisturbed<D: Deque>() -> Vec<(Event, usize)> {
    let kit = TestKit::<D>::new(8);
    (0..3).for_each(|_| assert_eq!(kit.push(), Push::Pushed));
    (0..3).for_each(|_| assert_eq!(kit.pop(), Pop::Popped));
    kit.counts()
}

#[test]
fn owners_that_keep_their_tasks_to_themselves_pay_nothing() {
    for counts in [
        undisturbed::<Split>(),
        undisturbed::<DirectPrivate>(),
        undisturbed::<Receiver>(),
        undisturbed::<Sender>(),
    ] {
        assert_eq!(counts, []);
    }
}

#[test]
fn owners_whose_tasks_are_everybodys_pay_for_each_pop() {
    assert_eq!(undisturbed::<DirectTask>(), [(OwnerRmw, 3)]);
    assert_eq!(undisturbed::<DirectNonePrivate>(), [(OwnerRmw, 3)]);
    assert_eq!(undisturbed::<DirectLocked>(), [(OwnerRmw, 3)]);
    // A store for each; and again for the last task, which is the slow path's, with the contest for it and
    // a new limit.
    assert_eq!(undisturbed::<ChaseLev>(), [(OwnerRmw, 6)]);
    assert_eq!(undisturbed::<Abp>(), [(OwnerRmw, 6)]);
}

/// Five tasks, the last of which is asked for and one of which is stolen; then all are popped.
fn one_stolen<D: Deque>(kit: &TestKit<D>) -> Vec<(Event, usize)> {
    (0..4).for_each(|_| assert_eq!(kit.push(), Push::Pushed));
    kit.deque().request();
    assert_eq!(kit.push(), Push::Asked);
    assert_eq!(kit.steal(), Steal::Task(0));
    (0..4).for_each(|_| assert!(kit.pop() != Pop::Stolen));
    assert_eq!(kit.pop(), Pop::Stolen);
    kit.retire();
    kit.counts()
}

#[test]
fn split_tells_of_each_move_of_the_split_point() {
    // Three tasks are shared: the limit and the split point. Two of them are popped, each by a shrink and a
    // new limit; the stolen one is seen and retired without.
    let counts = one_stolen(&TestKit::<Split>::new(8));
    assert_eq!(counts, [(Grow, 1), (Shrink, 2), (OwnerRmw, 2 + 2 + 2)]);
}

#[cfg(all(feature = "ablations", target_arch = "x86_64", not(miri)))]
#[test]
fn split_with_a_fence_has_fences_where_the_other_has_rmws() {
    let counts = one_stolen(&TestKit::<super::SplitFence>::new(8));
    // The split point is raised by a plain store.
    assert_eq!(counts, [(Grow, 1), (Shrink, 2), (OwnerRmw, 1 + 2 + 2)]);
}

#[test]
fn direct_tells_of_the_frontier_and_of_swaps() {
    let counts = one_stolen(&TestKit::<DirectPrivate>::new(16));
    // Four slots are public, one stays private. The frontier moves once, each public pop swaps, and that of the
    // stolen task once more, in the slow path.
    assert_eq!(counts, [(Grow, 1), (OwnerRmw, 1 + 3 + 2)]);
}

#[test]
fn receiver_tells_of_requests_and_answers() {
    for acquire in [Acquire::Communicate, Acquire::Block] {
        let options = ReceiverOptions { acquire, ..Default::default() };
        let kit = TestKit::<Receiver>::with_options(8, &options);
        assert_eq!(kit.push(), Push::Pushed);
        kit.deque().request();
        assert_eq!(kit.push(), Push::Asked);
        let status = [(OwnerRmw, 1)];
        assert_eq!(kit.counts(), status);
        assert_eq!(kit.steal(), Steal::Busy);
        assert_eq!(kit.push(), Push::Asked);
        // The request is taken, answered, and the limit set anew.
        assert_eq!(kit.counts(), [(OwnerRmw, 1 + 3), (Deal, 1), (DealRequest, 1)]);
        assert_eq!(kit.steal(), Steal::Task(0));
        // A thief that has left gets no answer.
        assert_eq!(kit.steal(), Steal::Busy);
        assert_eq!(kit.withdraw(), None);
        assert_eq!(kit.counts(), [(OwnerRmw, 4), (Deal, 1), (DealRequest, 2)]);
    }
}

#[test]
fn sender_tells_of_deals_and_their_steps() {
    for (hand_over, steps) in [(HandOver::Direct, 1), (HandOver::TwoStep, 2)] {
        let (amount, delta) = (Amount::One, Duration::ZERO);
        let options = SenderOptions { amount, hand_over, delta, ..Default::default() };
        let kit = TestKit::<Sender>::with_options(8, &options);
        assert_eq!(kit.push(), Push::Pushed);
        assert_eq!(kit.steal(), Steal::Empty);
        kit.deque().request();
        assert_eq!(kit.push(), Push::Asked);
        assert_eq!(kit.counts(), [(OwnerRmw, steps + 1), (Deal, 1)]);
        assert_eq!(kit.steal(), Steal::Task(0));
    }
}

/// The last task is stolen while the owner's pop is under way: as it seems to the slow path of a deque whose
/// fast path has found nobody.
#[test]
fn a_last_task_that_is_gone_costs_no_contest() {
    fn counts<D: Deque>() -> Vec<(Event, usize)> {
        let kit = TestKit::<D>::new(8);
        assert_eq!(kit.push(), Push::Pushed);
        assert_eq!(kit.steal(), Steal::Task(0));
        assert_eq!(kit.pop(), Pop::Stolen);
        kit.counts()
    }
    let failures = |counts: &[(Event, usize)]| counts.iter().any(|count| count.0 == CasFailure);
    assert!(!failures(&counts::<ChaseLev>()) && !failures(&counts::<Abp>()));
}
