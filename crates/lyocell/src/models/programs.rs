//! The programs that the models of several deques run: an owner and its thieves.
//!
//! Each task runs once (deque-1), with the contents that its owner gave it (deque-3), and its result comes back.

use super::workbench::{Ran, Workbench};
use super::{Role, race, role};
use crate::deque::{Deque, Push};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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

/// Two private tasks, which the owner pops, and others that it pushes in their place, beside an exposer.
pub(super) fn owner_pops_while_one_exposes<D: Deque>(tries: usize) {
    let workbench = Workbench::<D>::exposing(2, 1);
    let owner = workbench.owner();
    let _ = owner.push(0);
    let _ = owner.push(1);
    race([thief(&workbench, 1, tries)], || {
        owner.pop();
        owner.pop();
        let _ = owner.push(2);
        owner.pop();
    });
    workbench.runs().assert_once_each(3);
}

/// One private task, popped and pushed anew, beside two exposers, or one and a thief that steals what it exposes.
pub(super) fn owner_pops_while_two_expose<D: Deque>(tries: [usize; 2]) {
    let workbench = Workbench::<D>::exposing(1, 2);
    let owner = workbench.owner();
    let _ = owner.push(0);
    let thieves = [thief(&workbench, 1, tries[0]), thief(&workbench, 2, tries[1])];
    race(thieves, || {
        owner.pop();
        let _ = owner.push(1);
        owner.pop();
    });
    workbench.runs().assert_once_each(2);
}

/// Tasks pushed while one exposes them and another steals what was exposed.
pub(super) fn owner_pushes_while_one_exposes<D: Deque>(thieves: usize) {
    let workbench = Workbench::<D>::exposing(2, thieves);
    let owner = workbench.owner();
    let life = || {
        let _ = owner.push(0);
        let _ = owner.push(1);
        owner.pop_all();
    };
    match thieves {
        1 => race([thief(&workbench, 1, 2)], life),
        _ => race([thief(&workbench, 1, 1), thief(&workbench, 2, 1)], life),
    }
    workbench.runs().assert_once_each(2);
}

/// An exposer that finds the limits tripped by somebody else, while the owner resets them.
pub(super) fn owner_forgets_a_request_while_one_exposes<D: Deque>() {
    let workbench = Workbench::<D>::exposing(1, 2);
    let owner = workbench.owner();
    let _ = owner.push(0);
    let asks = Arc::clone(&workbench);
    let asks = role(move || asks.deque().request());
    race([thief(&workbench, 1, 2), asks], || {
        owner.forget_request();
        owner.pop();
    });
    workbench.runs().assert_once_each(1);
}

/// An exposer beside a push that finds no room.
pub(super) fn a_full_array_is_exposed<D: Deque>(options: &D::Options) {
    let workbench = Workbench::<D>::exposing_with_options(1, 1, options);
    let owner = workbench.owner();
    race([thief(&workbench, 1, 2)], || {
        assert_ne!(owner.push(0), Push::Full);
        assert_eq!(owner.push(1), Push::Full);
        owner.pop();
    });
    workbench.runs().assert_once_each(1);
}

/// An exposer beside pushes that have the array grow, and one that finds no room; then it is small again, and grows anew.
pub(super) fn a_growing_array_is_exposed<D: Deque>(options: &D::Options) {
    let workbench = Workbench::<D>::exposing_and_growing(2, 1, options);
    let owner = workbench.owner();
    race([thief(&workbench, 1, 2)], || {
        assert_ne!(owner.push(0), Push::Full);
        assert_ne!(owner.push(1), Push::Full);
        assert_eq!(owner.push(2), Push::Full);
        owner.pop_all();
        owner.give_back();
        assert_ne!(owner.push(2), Push::Full);
        owner.pop_all();
    });
    workbench.runs().assert_once_each(3);
}

/// A push, and a worker that asks and looks before it parks: the push finds the request, or the worker the task (idle-6).
pub(super) fn a_push_is_heard_or_seen<D: Deque>() {
    let workbench = Workbench::<D>::exposing(1, 1);
    let owner = workbench.owner();
    let sleeper = Arc::clone(&workbench);
    let seen = Arc::new(AtomicBool::new(false));
    let sees = Arc::clone(&seen);
    let parks = role(move || sees.store(sleeper.ask_and_look(), Ordering::Relaxed));
    let mut push = None;
    race([parks], || push = Some(owner.push(0)));
    assert!(
        push == Some(Push::Asked) || seen.load(Ordering::Relaxed),
        "a push that nobody heard of"
    );
    owner.pop();
}
