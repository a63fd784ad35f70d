//! The programs that the models of several deques run: an owner and its thieves.
//!
//! Each task runs once (deque-1), with the contents that its owner gave it (deque-3), and its result comes back.

use super::workbench::{Ran, Workbench};
use super::{Role, race, role};
use crate::deque::{Deque, Push};
use std::sync::Arc;

/// A thief that tries a number of times, then withdraws, as every worker does before it does anything else: what it
/// was sent by then it runs.
pub(super) fn thief<D: Deque>(workbench: &Arc<Workbench<D>>, thief: usize, tries: usize) -> Role {
    let workbench = Arc::clone(workbench);
    role(move || {
        (0..tries).for_each(|_| {
            workbench.try_steal(thief);
        });
        workbench.withdraw(thief);
    })
}

/// Some tasks, shared in so many steps; the owner takes back what the thief leaves of them.
pub(super) fn owner_pops_while_one_thief_steals<D: Deque>(
    tasks: usize,
    steps: usize,
    tries: usize,
) {
    let workbench = Workbench::<D>::new(tasks, 1);
    let owner = workbench.owner();
    (0..tasks).for_each(|task| assert_ne!(owner.push(task), Push::Full));
    (0..steps).for_each(|_| {
        let _ = owner.share();
    });
    race([thief(&workbench, 1, tries)], || owner.pop_all());
    workbench.runs().assert_once_each(tasks);
}

/// The thief asks, and the owner answers whenever it notices.
pub(super) fn request_is_answered_between_pushes_and_pops<D: Deque>(
    options: &D::Options,
    capacity: usize,
    tries: usize,
) {
    let workbench = Workbench::<D>::with_options(capacity, 1, options);
    let owner = workbench.owner();
    race([thief(&workbench, 1, tries)], || {
        let _ = owner.push(0);
        let _ = owner.push(1);
        owner.pop();
        let _ = owner.push(2);
        owner.pop_all();
    });
    workbench.runs().assert_once_each(3);
}

/// Two shared tasks, and two thieves beside their owner.
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

/// A full array refuses the push and stays as it was, and the refused task is nobody's, whoever asks meanwhile. Tells
/// how the owner's one task was pushed and who ran it.
pub(super) fn a_full_array_refuses_the_push<D: Deque>() -> (Push, Ran) {
    let workbench = Workbench::<D>::new(1, 1);
    let owner = workbench.owner();
    let mut end = None;
    race([thief(&workbench, 1, 2)], || {
        let first = owner.push(0);
        assert_ne!(first, Push::Full);
        assert_eq!(owner.push(1), Push::Full);
        end = Some((first, owner.pop()));
    });
    workbench.runs().assert_once_each(1);
    end.expect("the owner is done")
}
