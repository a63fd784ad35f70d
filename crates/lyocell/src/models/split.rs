//! The deque: push, pop, steal, share, retire, request. Each task runs once (deque-1), with the contents that
//! its owner gave it (deque-3), and its result comes back.
//!
//! The models are written for any deque; they run for the split deque here, and for others in their files.

use super::workbench::{Ran, Workbench};
use super::{Role, explore, race, role};
use crate::deque::{Amount, Deque, Push, Split};
use std::sync::Arc;

/// A thief that tries a number of times.
pub(super) fn thief<D: Deque>(workbench: &Arc<Workbench<D>>, thief: usize, tries: usize) -> Role {
    let workbench = Arc::clone(workbench);
    role(move || {
        (0..tries).for_each(|_| {
            workbench.try_steal(thief);
        });
    })
}

/// Three tasks, two of them shared from the start; the owner takes back what the thief leaves.
pub(super) fn owner_pops_while_one_thief_steals<D: Deque>() {
    let workbench = Workbench::<D>::new(3, 1);
    let owner = workbench.owner();
    (0..3).for_each(|task| assert_ne!(owner.push(task), Push::Full));
    let _ = owner.share();
    race([thief(&workbench, 1, 3)], || owner.pop_all());
    workbench.runs().assert_once_each(3);
}

#[test]
fn split_owner_pops_while_one_thief_steals() {
    explore(3, owner_pops_while_one_thief_steals::<Split>);
}

/// The thief asks, and the owner answers whenever it notices.
pub(super) fn request_is_answered_between_pushes_and_pops<D: Deque>() {
    let workbench = Workbench::<D>::new(2, 1);
    let owner = workbench.owner();
    race([thief(&workbench, 1, 2)], || {
        let _ = owner.push(0);
        let _ = owner.push(1);
        owner.pop();
        let _ = owner.push(2);
        owner.pop_all();
    });
    workbench.runs().assert_once_each(3);
}

#[test]
fn split_request_is_answered_between_pushes_and_pops() {
    explore(2, request_is_answered_between_pushes_and_pops::<Split>);
}

/// A steal of half of what is shared, beside an owner that takes back what it can.
#[test]
fn split_owner_pops_while_a_thief_steals_half() {
    explore(3, || {
        let workbench = Workbench::<Split>::with_options(4, 1, &Amount::Half);
        let owner = workbench.owner();
        (0..4).for_each(|task| assert_eq!(owner.push(task), Push::Pushed));
        let _ = owner.share();
        let _ = owner.share();
        race([thief(&workbench, 1, 2)], || owner.pop_all());
        workbench.runs().assert_once_each(4);
    });
}

pub(super) fn two_thieves_never_win_the_same_task<D: Deque>() {
    let workbench = Workbench::<D>::new(2, 2);
    let owner = workbench.owner();
    let _ = owner.push(0);
    let _ = owner.push(1);
    let _ = owner.share();
    let _ = owner.share();
    race([thief(&workbench, 1, 2), thief(&workbench, 2, 1)], || owner.pop_all());
    workbench.runs().assert_once_each(2);
}

#[test]
fn split_two_thieves_never_win_the_same_task() {
    explore(2, two_thieves_never_win_the_same_task::<Split>);
}

/// The slot of a stolen task is retired and used again, and a thief that looked before it was may try to
/// steal after.
pub(super) fn a_retired_slot_is_shared_again<D: Deque>() {
    let workbench = Workbench::<D>::new(1, 2);
    let owner = workbench.owner();
    let _ = owner.push(0);
    let _ = owner.share();
    race([thief(&workbench, 1, 1), thief(&workbench, 2, 1)], || {
        owner.pop();
        let _ = owner.push(1);
        let _ = owner.share();
        owner.pop();
    });
    workbench.runs().assert_once_each(2);
}

#[test]
fn split_a_retired_slot_is_shared_again() {
    explore(2, a_retired_slot_is_shared_again::<Split>);
}

/// Sharing more while a thief is at it, then taking it back in steps.
fn the_split_point_goes_up_and_down<D: Deque>() {
    let workbench = Workbench::<D>::new(4, 1);
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
    explore(2, the_split_point_goes_up_and_down::<Split>);
}

/// A full array refuses the push and stays as it was, whoever asks meanwhile.
fn full_is_full_whoever_asks<D: Deque>() {
    let workbench = Workbench::<D>::new(1, 1);
    let owner = workbench.owner();
    race([thief(&workbench, 1, 2)], || {
        let first = owner.push(0);
        assert_ne!(first, Push::Full);
        assert_eq!(owner.push(1), Push::Full);
        // Nothing is shared unless somebody asks.
        assert!(owner.pop() == Ran::Here || first == Push::Asked);
    });
    workbench.runs().assert_once_each(1);
}

#[test]
fn split_full_is_full_whoever_asks() {
    explore(3, full_is_full_whoever_asks::<Split>);
}
