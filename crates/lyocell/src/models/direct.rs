//! The direct task stack: the claim and the tail, the back-off, the frontier; every stealing of Figure 4 and
//! the locked base line.
//!
//! Each task runs once, and the stolen ones are the oldest (deque-2). A thief without the second look at the tail
//! breaks that, and the model notices: see [`a_thief_that_does_not_look_again_steals_out_of_order`].

use super::programs::{
    a_full_array_is_exposed, a_push_is_heard_or_seen, a_retired_slot_is_shared_again,
    owner_pops_while_one_exposes, owner_pops_while_one_thief_steals, owner_pops_while_two_expose,
    owner_pushes_while_one_exposes, thief, two_thieves_never_win_the_same_task,
};
use super::workbench::{Ran, Workbench};
use super::{explore, race, role};
use crate::deque::direct::{
    DirectBase, DirectLocked, DirectNonePrivate, DirectPeek, DirectPrivate, DirectTask,
    DirectTaskJoin, DirectTripWire, DirectTryLock,
};
use crate::deque::direct::{NoLock, Privacy, Stealing, Tail, Variant};
use crate::deque::{Deque, Direct, Join, Push, Steal};
use crate::task::Slots;
use crate::task::claim::{Reclaim, Seen, Won};
use std::sync::Arc;

/// Two public tasks; the owner takes back what the thief leaves.
fn two_public_tasks_and_one_thief<D: Deque>() {
    owner_pops_while_one_thief_steals::<D>(2, 2, 2);
}

#[test]
fn direct_owner_pops_while_one_thief_steals() {
    explore(3, two_public_tasks_and_one_thief::<DirectPrivate>);
    explore(3, two_public_tasks_and_one_thief::<DirectTask>);
    explore(3, two_public_tasks_and_one_thief::<DirectTaskJoin>);
    explore(3, two_public_tasks_and_one_thief::<DirectNonePrivate>);
    explore(3, two_public_tasks_and_one_thief::<DirectBase>);
    explore(3, two_public_tasks_and_one_thief::<DirectPeek>);
    explore(3, two_public_tasks_and_one_thief::<DirectTripWire>);
    explore(3, two_public_tasks_and_one_thief::<DirectTryLock>);
    explore(3, two_public_tasks_and_one_thief::<DirectLocked>);
}

#[test]
fn direct_two_thieves_never_win_the_same_task() {
    explore(2, two_thieves_never_win_the_same_task::<DirectPrivate>);
    explore(2, two_thieves_never_win_the_same_task::<DirectTripWire>);
    explore(2, two_thieves_never_win_the_same_task::<DirectTryLock>);
    explore(2, two_thieves_never_win_the_same_task::<DirectLocked>);
}

/// One of two tasks is stolen to begin with, so the tail stands at the other. The owner joins with both and
/// spawns two more in their slots. A thief that read the tail before may be as late as it likes: of what the
/// owner pops, the stolen tasks are still the oldest.
fn a_late_thief_takes_the_oldest_or_nothing<D: Deque>() {
    let workbench = Workbench::<D>::new(2, 2);
    let owner = workbench.owner();
    let _ = owner.push(0);
    let _ = owner.push(1);
    let _ = owner.share();
    let _ = owner.share();
    workbench.try_steal(2);
    race([thief(&workbench, 1, 1)], || {
        owner.pop_all();
        let _ = owner.push(2);
        let _ = owner.push(3);
        let newer = owner.pop();
        let older = owner.pop();
        assert!(newer == Ran::Here || older == Ran::AtThief, "stolen out of order");
    });
    workbench.runs().assert_once_each(4);
}

#[test]
fn direct_a_late_thief_takes_the_oldest_or_nothing() {
    explore(4, a_late_thief_takes_the_oldest_or_nothing::<DirectTaskJoin>);
    explore(4, a_late_thief_takes_the_oldest_or_nothing::<DirectPrivate>);
    explore(4, a_late_thief_takes_the_oldest_or_nothing::<DirectBase>);
    explore(4, a_late_thief_takes_the_oldest_or_nothing::<DirectPeek>);
    explore(4, a_late_thief_takes_the_oldest_or_nothing::<DirectTryLock>);
    explore(4, a_late_thief_takes_the_oldest_or_nothing::<DirectLocked>);
}

/// As above for two late thieves, without tasks: only the claims of two slots and the tail. If claims did not
/// name the thief, one would commit to what the other acquired after the slots were used again.
fn a_late_thief_commits_only_its_own_claim<S: Stealing>() {
    let stack = Arc::new((Slots::new(2).expect("two slots"), S::default()));
    let late = |thief: usize| {
        let stack = Arc::clone(&stack);
        move || {
            let _ = stack.1.steal(&stack.0, thief);
        }
    };
    // The older task is stolen and finished.
    stack.1.tail().store(1);
    stack.0.get(1).claim.offer();
    let owner = Arc::clone(&stack);
    let owner = role(move || {
        let (older, newer) = (owner.0.get(0), owner.0.get(1));
        if newer.claim.take() == Reclaim::Stolen {
            return;
        }
        owner.1.retire(0);
        older.claim.offer();
        newer.claim.offer();
        if newer.claim.take() == Reclaim::Stolen {
            assert_eq!(older.claim.take(), Reclaim::Stolen, "stolen out of order");
        }
    });
    race([owner, role(late(1))], late(2));
}

#[test]
fn direct_a_late_thief_commits_only_its_own_claim() {
    explore(4, a_late_thief_commits_only_its_own_claim::<NoLock>);
}

#[test]
#[should_panic(expected = "stolen out of order")]
fn a_thief_that_does_not_look_again_steals_out_of_order() {
    explore(3, a_late_thief_takes_the_oldest_or_nothing::<Direct<Trusting>>);
}

/// As `task-join`, with thieves that trust what they read of the tail.
enum Trusting {}

impl Variant for Trusting {
    const NAME: &'static str = "trusting";
    const JOIN: Join = Join::Specific;
    const PRIVACY: Privacy = Privacy::Absent;
    type Stealing = NoSecondLook;
}

/// [`NoLock`] without the back-off.
#[derive(Default)]
struct NoSecondLook(NoLock);

impl Stealing for NoSecondLook {
    fn tail(&self) -> &Tail {
        self.0.tail()
    }

    fn steal(&self, slots: &Slots, thief: usize) -> Steal<usize> {
        let tail = self.tail().load();
        let claim = &slots.get(tail).claim;
        if claim.look() != Seen::Offered || claim.acquire(thief) == Won::No {
            return Steal::Busy;
        }
        if claim.commit(thief) == Won::No {
            return Steal::Busy;
        }
        self.tail().store(tail + 1);
        Steal::Task(tail)
    }

    fn retire(&self, index: usize) {
        self.0.retire(index);
    }
}

/// The thief asks, the owner makes slots public, inlines their tasks, and makes them private again; a
/// thief that was late does not mistake a private task for the public one before it.
fn the_frontier_goes_up_and_down<D: Deque>() {
    let workbench = Workbench::<D>::new(2, 1);
    let owner = workbench.owner();
    let _ = owner.push(0);
    let _ = owner.share();
    race([thief(&workbench, 1, 2)], || {
        let _ = owner.push(1);
        owner.pop_all();
        let _ = owner.push(2);
        let _ = owner.push(3);
        owner.pop_all();
    });
    workbench.runs().assert_once_each(4);
}

#[test]
fn direct_the_frontier_goes_up_and_down() {
    explore(3, the_frontier_goes_up_and_down::<DirectPrivate>);
    explore(2, the_frontier_goes_up_and_down::<DirectPeek>);
}

/// Nothing is public to begin with: what the thief gets, it asked for.
fn a_request_is_answered<D: Deque>() {
    let workbench = Workbench::<D>::new(2, 1);
    let owner = workbench.owner();
    race([thief(&workbench, 1, 2)], || {
        let first = owner.push(0);
        let second = owner.push(1);
        let asked = first == Push::Asked || second == Push::Asked;
        assert!(owner.pop() == Ran::Here || asked);
        let _ = owner.push(2);
        owner.pop_all();
    });
    workbench.runs().assert_once_each(3);
}

#[test]
fn direct_a_request_is_answered() {
    explore(3, a_request_is_answered::<DirectPrivate>);
}

#[test]
fn direct_a_retired_slot_is_used_again() {
    explore(2, a_retired_slot_is_shared_again::<DirectPrivate>);
}

#[test]
fn direct_variants_use_a_retired_slot_again() {
    explore(2, a_retired_slot_is_shared_again::<DirectTaskJoin>);
    explore(2, a_retired_slot_is_shared_again::<DirectBase>);
    explore(2, a_retired_slot_is_shared_again::<DirectLocked>);
}

/// Where what is pushed is public at once.
#[test]
fn direct_a_push_is_heard_or_seen() {
    explore(3, a_push_is_heard_or_seen::<DirectNonePrivate>);
    explore(3, a_push_is_heard_or_seen::<DirectBase>);
    explore(3, a_push_is_heard_or_seen::<DirectLocked>);
}

#[test]
fn direct_owner_pops_while_one_exposes() {
    explore(3, || owner_pops_while_one_exposes::<DirectPrivate>(2));
    explore(2, || owner_pops_while_one_exposes::<DirectPeek>(2));
}

#[test]
fn direct_owner_pops_while_two_expose() {
    explore(2, || owner_pops_while_two_expose::<DirectPrivate>([2, 2]));
}

#[test]
fn direct_a_full_array_is_exposed() {
    explore(3, || a_full_array_is_exposed::<DirectPrivate>(&()));
}

#[test]
fn direct_owner_pushes_while_one_exposes() {
    explore(3, || owner_pushes_while_one_exposes::<DirectPrivate>(1));
    explore(2, || owner_pushes_while_one_exposes::<DirectPrivate>(2));
}

/// A push to a public slot, which the owner offers after it has raised the head: whoever exposes must leave it alone.
fn a_public_slot_is_not_exposed<D: Deque>() {
    let workbench = Workbench::<D>::exposing(1, 1);
    let owner = workbench.owner();
    let _ = owner.push(0);
    let _ = owner.share();
    owner.pop();
    race([thief(&workbench, 1, 2)], || {
        let _ = owner.push(1);
        owner.pop();
    });
    workbench.runs().assert_once_each(2);
}

#[test]
fn direct_a_public_slot_is_not_exposed() {
    explore(3, a_public_slot_is_not_exposed::<DirectPrivate>);
}

/// The owner makes a slot private again while somebody has asked: an exposer that comes after that trips the frontier anew.
fn a_lowered_frontier_is_tripped_anew<D: Deque>() {
    let workbench = Workbench::<D>::exposing(1, 2);
    let owner = workbench.owner();
    let _ = owner.push(0);
    let _ = owner.share();
    owner.pop();
    let _ = owner.push(1);
    let asks = Arc::clone(&workbench);
    let asks = role(move || asks.deque().request());
    race([thief(&workbench, 1, 2), asks], || {
        owner.pop();
        let _ = owner.push(2);
        owner.pop();
    });
    workbench.runs().assert_once_each(3);
}

#[test]
fn direct_a_lowered_frontier_is_tripped_anew() {
    explore(2, a_lowered_frontier_is_tripped_anew::<DirectPrivate>);
}

/// An exposer has read in the tail that slot 1 is the oldest that is not stolen, and is delayed. Since then the owner has
/// retired the stolen task below and made all slots private. Now it pushes anew, and if it is asked and shares, a thief takes
/// the older of its tasks: the tail is at slot 1 again. (That thief is played by the owner's thread, and is delayed in its
/// turn before it asks for more.)
fn the_tail_goes_down_and_up_again() {
    let workbench = Workbench::<DirectPrivate>::exposing(2, 2);
    let owner = workbench.owner();
    let exposer = Arc::clone(&workbench);
    let exposer = role(move || {
        let _ = exposer.expose_by(|deque, barrier, head| deque.expose_at(1, barrier, head));
    });
    race([exposer], || {
        let _ = owner.push(0);
        let _ = owner.push(1);
        if let Steal::Task(loot) = workbench.deque().steal_oldest(0, 1) {
            workbench.run(loot, 1);
        }
        owner.pop();
    });
    while workbench.try_steal(2) > 0 {}
    owner.pop_all();
    workbench.runs().assert_once_each(2);
}

#[test]
fn direct_the_tail_goes_down_and_up_again() {
    explore(3, the_tail_goes_down_and_up_again);
}

/// One thief exposes a task after the other, steals each, and is at the next slot, while the owner resets the frontier: it
/// goes over all of them.
fn owner_shares_while_one_exposes_again_and_again<D: Deque>() {
    let workbench = Workbench::<D>::exposing(2, 1);
    let owner = workbench.owner();
    let _ = owner.push(0);
    let _ = owner.push(1);
    race([thief(&workbench, 1, 5)], || {
        let _ = owner.share();
        owner.pop_all();
    });
    workbench.runs().assert_once_each(2);
}

#[test]
fn direct_owner_shares_while_one_exposes_again_and_again() {
    explore(3, owner_shares_while_one_exposes_again_and_again::<DirectPrivate>);
    explore(2, owner_shares_while_one_exposes_again_and_again::<DirectPeek>);
}

/// The owner collects what was stolen, makes all slots private again and pushes anew, beside one that exposes and steals.
fn owner_retires_and_pushes_anew_while_one_exposes<D: Deque>() {
    let workbench = Workbench::<D>::exposing(2, 2);
    let owner = workbench.owner();
    let _ = owner.push(0);
    let _ = owner.push(1);
    let _ = owner.share();
    workbench.try_steal(2);
    race([thief(&workbench, 1, 3)], || {
        owner.pop_all();
        let _ = owner.push(2);
        let _ = owner.push(3);
        owner.pop_all();
    });
    workbench.runs().assert_once_each(4);
}

#[test]
fn direct_owner_retires_and_pushes_anew_while_one_exposes() {
    explore(3, owner_retires_and_pushes_anew_while_one_exposes::<DirectPrivate>);
    explore(2, owner_retires_and_pushes_anew_while_one_exposes::<DirectTryLock>);
}

/// An exposer has read in the tail a slot that is far above the oldest task now: what it would offer there would lie above a
/// gap, where no reset of the frontier looks.
fn an_old_tail_is_not_exposed() {
    let workbench = Workbench::<DirectPrivate>::exposing(4, 2);
    let owner = workbench.owner();
    let exposer = Arc::clone(&workbench);
    let exposer = role(move || {
        let _ = exposer.expose_by(|deque, barrier, head| deque.expose_at(3, barrier, head));
    });
    race([exposer], || {
        (0..4).for_each(|task| _ = owner.push(task));
        let _ = owner.share();
        owner.pop();
    });
    for _ in 0..4 {
        let _ = owner.share();
        workbench.try_steal(2);
    }
    owner.pop_all();
    workbench.runs().assert_once_each(4);
}

#[test]
fn direct_an_old_tail_is_not_exposed() {
    explore(3, an_old_tail_is_not_exposed);
}
