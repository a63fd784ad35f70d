//! The split deque: what every deque is tried with, steals of half, the split point that goes up and down.

use super::programs::{
    a_full_array_is_exposed, a_full_array_refuses_the_push, a_growing_array_is_exposed,
    a_push_is_heard_or_seen, a_retired_slot_is_shared_again,
    owner_forgets_a_request_while_one_exposes, owner_pops_while_one_exposes,
    owner_pops_while_one_thief_steals, owner_pops_while_two_expose, owner_pushes_while_one_exposes,
    request_is_answered_between_pushes_and_pops, thief, two_thieves_never_win_the_same_task,
};
use super::workbench::{Ran, Workbench};
use super::{explore, race};
use crate::deque::{Amount, Deque, Push, SetAside, Share, Split, SplitOptions};
use crate::probe::NoProbe;

#[test]
fn split_owner_pops_while_one_thief_steals() {
    // Two of three tasks are shared from the start.
    explore(3, || owner_pops_while_one_thief_steals::<Split>(3, 1, 3));
}

#[test]
fn split_request_is_answered_between_pushes_and_pops() {
    explore(3, || {
        request_is_answered_between_pushes_and_pops::<Split>(&SplitOptions::default(), 2, 2)
    });
}

/// A steal of half of what is shared, beside an owner that takes back what it can.
#[test]
fn split_owner_pops_while_a_thief_steals_half() {
    explore(3, || {
        let options = SplitOptions { amount: Amount::Half, ..Default::default() };
        let workbench = Workbench::<Split>::with_options(4, 1, &options);
        let owner = workbench.owner();
        (0..4).for_each(|task| assert_eq!(owner.push(task), Push::Pushed));
        let _ = owner.share();
        let _ = owner.share();
        race([thief(&workbench, 1, 2)], || owner.pop_all());
        workbench.runs().assert_once_each(4);
    });
}

#[test]
fn split_two_thieves_never_win_the_same_task() {
    explore(2, two_thieves_never_win_the_same_task::<Split>);
}

#[test]
fn split_a_retired_slot_is_shared_again() {
    explore(2, a_retired_slot_is_shared_again::<Split>);
}

/// Sharing more while a thief is at it, then taking it back in steps.
fn the_split_point_goes_up_and_down<D: Deque>(options: &D::Options) {
    let workbench = Workbench::<D>::with_options(4, 1, options);
    let owner = workbench.owner();
    (0..4).for_each(|task| assert_eq!(owner.push(task), Push::Pushed));
    race([thief(&workbench, 1, 2)], || {
        let _ = owner.share();
        let _ = owner.share();
        owner.pop_all();
    });
    workbench.runs().assert_once_each(4);
}

#[test]
fn split_the_split_point_goes_up_and_down() {
    explore(3, || the_split_point_goes_up_and_down::<Split>(&SplitOptions::default()));
}

/// By one task at a time, and over all of them at once.
#[test]
fn split_the_split_point_moves_over_another_share() {
    for share in [Share::One, Share::All] {
        let options = SplitOptions { share, ..Default::default() };
        explore(3, move || the_split_point_goes_up_and_down::<Split>(&options));
    }
}

#[test]
fn split_full_is_full_whoever_asks() {
    explore(3, || {
        let (push, ran) = a_full_array_refuses_the_push::<Split>();
        // Nothing is shared unless somebody asks.
        assert!(ran == Ran::Here || push == Push::Asked);
    });
}

#[test]
fn split_owner_pops_while_one_exposes() {
    explore(3, || owner_pops_while_one_exposes::<Split>(2));
}

#[test]
fn split_owner_pops_while_two_expose() {
    explore(2, || owner_pops_while_two_expose::<Split>([2, 2]));
}

#[test]
fn split_a_full_array_is_exposed() {
    explore(3, || a_full_array_is_exposed::<Split>(&SplitOptions::default()));
    // An exposer that takes a head past the end for a task's would share one more than there is.
    let all = SplitOptions { share: Share::All, ..Default::default() };
    explore(3, move || a_full_array_is_exposed::<Split>(&all));
}

#[test]
fn split_a_growing_array_is_exposed() {
    explore(2, || a_growing_array_is_exposed::<Split>(&SplitOptions::default()));
    let all = SplitOptions { share: Share::All, ..Default::default() };
    explore(2, move || a_growing_array_is_exposed::<Split>(&all));
}

/// The owner's share finds nothing private, and what was shared is stolen meanwhile by one that exposes next: its mark does
/// not outlast the share.
fn owner_shares_nothing_while_one_exposes<D: Deque>() {
    let workbench = Workbench::<D>::exposing(2, 1);
    let owner = workbench.owner();
    let _ = owner.push(0);
    let _ = owner.share();
    race([thief(&workbench, 1, 2)], || {
        let _ = owner.share();
        let _ = owner.push(1);
        owner.pop();
    });
    while workbench.try_steal(1) > 0 {}
    owner.pop_all();
    workbench.runs().assert_once_each(2);
}

#[test]
fn split_owner_shares_nothing_while_one_exposes() {
    explore(3, owner_shares_nothing_while_one_exposes::<Split>);
}

#[test]
fn split_owner_pushes_while_one_exposes() {
    explore(3, || owner_pushes_while_one_exposes::<Split>(1));
    explore(2, || owner_pushes_while_one_exposes::<Split>(2));
}

#[test]
fn split_owner_forgets_a_request_while_one_exposes() {
    explore(2, owner_forgets_a_request_while_one_exposes::<Split>);
}

#[test]
fn split_a_push_is_heard_or_seen() {
    explore(3, a_push_is_heard_or_seen::<Split>);
}

/// The owner sets its tasks aside while a thief steals, pushes one more and takes it back, and puts the others back: each is run once, by
/// whom it may be.
fn owner_sets_tasks_aside(exposing: bool) {
    let workbench = match exposing {
        true => Workbench::<Split>::exposing(3, 1),
        false => Workbench::<Split>::new(3, 1),
    };
    let owner = workbench.owner();
    (0..2).for_each(|task| assert_eq!(owner.push(task), Push::Pushed));
    let _ = owner.share();
    race([thief(&workbench, 1, 2)], || {
        let aside = workbench.deque().set_aside(owner.head(), &NoProbe);
        let _ = owner.push(2);
        owner.pop();
        workbench.deque().put_back(aside, owner.head(), &NoProbe);
        owner.pop_all();
    });
    workbench.runs().assert_once_each(3);
}

#[test]
fn split_owner_sets_tasks_aside() {
    explore(2, || owner_sets_tasks_aside(false));
}

#[test]
fn split_owner_sets_tasks_aside_while_one_exposes() {
    explore(2, || owner_sets_tasks_aside(true));
}

/// Between the two the owner steals from itself as a thief would, and finds nothing that is aside.
#[test]
fn split_nobody_wins_what_is_aside() {
    explore(3, || {
        let workbench = Workbench::<Split>::exposing(2, 1);
        let owner = workbench.owner();
        (0..2).for_each(|task| assert_eq!(owner.push(task), Push::Pushed));
        let _ = owner.share();
        let aside = workbench.deque().set_aside(owner.head(), &NoProbe);
        race([thief(&workbench, 1, 2)], || {});
        assert_eq!((workbench.runs().of(0), workbench.runs().of(1)), (0, 0));
        workbench.deque().put_back(aside, owner.head(), &NoProbe);
        owner.pop_all();
        workbench.runs().assert_once_each(2);
    });
}
