//! The concurrent deques, Chase-Lev's and ABP's: the models of every deque, and what is theirs alone, the ring
//! that grows and the tag. (Their index protocols are modelled with the queues too, on other slots.)

use super::programs::{
    self, a_push_is_heard_or_seen, a_retired_slot_is_shared_again, thief,
    two_thieves_never_win_the_same_task,
};
use super::workbench::Workbench;
use super::{explore, race};
use crate::deque::{Abp, ChaseLev, Deque, Push, Wide};

/// Owner and thief want the same last task.
fn the_last_task_goes_to_one<D: Deque>() {
    let workbench = Workbench::<D>::new(1, 1);
    let owner = workbench.owner();
    let _ = owner.push(0);
    race([thief(&workbench, 1, 1)], || {
        owner.pop();
    });
    workbench.runs().assert_once_each(1);
}

/// The deque is emptied and filled again, each time in the same slot, under a thief that looked before.
fn a_slot_comes_and_goes_under_a_thief<D: Deque>() {
    let workbench = Workbench::<D>::new(1, 1);
    let owner = workbench.owner();
    let _ = owner.push(0);
    race([thief(&workbench, 1, 2)], || {
        owner.pop();
        for task in 1..3 {
            let _ = owner.push(task);
            owner.pop();
        }
    });
    workbench.runs().assert_once_each(3);
}

/// Pushes that outgrow the first ring, once it is not empty and while a thief reads it.
fn pushes_beside_a_thief<D: Deque>() {
    let workbench = Workbench::<D>::new(4, 1);
    let owner = workbench.owner();
    let _ = owner.push(0);
    race([thief(&workbench, 1, 2)], || {
        (1..4).for_each(|task| assert_ne!(owner.push(task), Push::Full));
        owner.pop_all();
    });
    workbench.runs().assert_once_each(4);
}

fn owner_pops_while_one_thief_steals<D: Deque>() {
    programs::owner_pops_while_one_thief_steals::<D>(3, 1, 3);
}

fn request_is_answered_between_pushes_and_pops<D: Deque<Options = ()>>() {
    programs::request_is_answered_between_pushes_and_pops::<D>(&(), 2, 2);
}

fn full_is_full_for_thieves_too<D: Deque>() {
    let _ = programs::a_full_array_refuses_the_push::<D>();
}

macro_rules! models {
    ($deque:ty as $module:ident: $($model:ident with $preemptions:literal,)*) => {
        mod $module {
            use super::*;
            $(
                #[test]
                fn $model() {
                    explore($preemptions, super::$model::<$deque>);
                }
            )*
        }
    };
}

models!(ChaseLev as chase_lev:
    the_last_task_goes_to_one with 3,
    owner_pops_while_one_thief_steals with 3,
    request_is_answered_between_pushes_and_pops with 3,
    two_thieves_never_win_the_same_task with 2,
    a_retired_slot_is_shared_again with 2,
    a_slot_comes_and_goes_under_a_thief with 3,
    pushes_beside_a_thief with 3,
    full_is_full_for_thieves_too with 3,
);
models!(Abp as abp:
    the_last_task_goes_to_one with 3,
    owner_pops_while_one_thief_steals with 3,
    request_is_answered_between_pushes_and_pops with 3,
    two_thieves_never_win_the_same_task with 2,
    a_retired_slot_is_shared_again with 2,
    a_slot_comes_and_goes_under_a_thief with 3,
    pushes_beside_a_thief with 3,
    full_is_full_for_thieves_too with 3,
);

// Tags for the models only: one that wraps around soon, and none.
impl Wide for Abp<1> {}
impl Wide for Abp<0> {}

/// Three new starts, which take a tag of one bit once round and more: the owner waits for the thief in between.
#[test]
fn abp_with_a_tag_that_comes_round() {
    explore(3, a_slot_comes_and_goes_under_a_thief::<Abp<1>>);
}

/// The check can fail: without the tag, a thief that looked before the owner took the last task wins it too.
#[test]
#[should_panic(expected = "runs of task 0")]
fn abp_without_a_tag_is_found_out() {
    explore(3, the_last_task_goes_to_one::<Abp<0>>);
}

#[test]
fn concurrent_a_push_is_heard_or_seen() {
    explore(3, a_push_is_heard_or_seen::<ChaseLev>);
    explore(3, a_push_is_heard_or_seen::<Abp>);
}
