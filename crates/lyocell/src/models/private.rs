//! The private deques: requests and answers, deals, and thieves that leave before they get anything.
//!
//! Each thief withdraws in the end, as every worker does before it does anything else: what it was sent by
//! then it runs, and what it was not sent stays with its owner.

use super::programs::{request_is_answered_between_pushes_and_pops, thief};
use super::workbench::{Ran, Workbench};
use super::{explore, race, role};
use crate::deque::private::mailbox::{Change, Mail, Mailbox, Parcel};
use crate::deque::{
    Acquire, Amount, Attempts, Deque, HandOver, Push, Receiver, ReceiverOptions, Sender,
    SenderOptions,
};
use lyocell_sync::{RaceCell as UnsafeCell, yield_now};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn receiver(amount: Amount, acquire: Acquire) -> ReceiverOptions {
    ReceiverOptions { amount, acquire }
}

/// Without delays: an owner that finds a thief waiting deals.
fn sender((amount, hand_over, attempts): (Amount, HandOver, Attempts)) -> SenderOptions {
    SenderOptions { amount, delta: Duration::ZERO, hand_over, attempts }
}

const RECEIVERS: [(Amount, Acquire); 2] =
    [(Amount::One, Acquire::Communicate), (Amount::Half, Acquire::Block)];

const SENDERS: [(Amount, HandOver, Attempts); 3] = [
    (Amount::One, HandOver::Direct, Attempts::OnDemand),
    (Amount::Half, HandOver::TwoStep, Attempts::OnDemand),
    (Amount::One, HandOver::TwoStep, Attempts::Blind),
];

/// Explores the model with several options of both deques.
macro_rules! for_both {
    ($receiver:ident, $sender:ident: $model:ident, $preemptions:expr) => {
        #[test]
        fn $receiver() {
            for (amount, acquire) in RECEIVERS {
                let options = receiver(amount, acquire);
                explore($preemptions, move || $model::<Receiver>(&options));
            }
        }

        #[test]
        fn $sender() {
            for options in SENDERS.map(sender) {
                explore($preemptions, move || $model::<Sender>(&options));
            }
        }
    };
}

/// Whether a thief gets an answer in time or not, each task runs once.
fn asked_between_pushes_and_pops<D: Deque>(options: &D::Options) {
    request_is_answered_between_pushes_and_pops::<D>(options, 3, 3);
}

for_both!(
    receiver_asked_between_pushes_and_pops,
    sender_asked_between_pushes_and_pops: asked_between_pushes_and_pops, 3
);

/// Two thieves ask one owner at once, or are dealt tasks by it.
fn two_thieves_never_get_the_same_task<D: Deque>(options: &D::Options) {
    let workbench = Workbench::<D>::with_options(3, 2, options);
    let owner = workbench.owner();
    let _ = owner.push(0);
    let _ = owner.push(1);
    let _ = owner.share();
    race([thief(&workbench, 1, 2), thief(&workbench, 2, 1)], || {
        let _ = owner.share();
        owner.pop_all();
    });
    workbench.runs().assert_once_each(2);
}

for_both!(
    receiver_two_thieves_never_get_the_same_task,
    sender_two_thieves_never_get_the_same_task: two_thieves_never_get_the_same_task, 2
);

/// A thief withdraws and asks again, while the owner still has its first request in hand and another thief has
/// asked: its second request is refused, but the answer to the first may come all the same.
fn a_late_answer_is_not_lost(options: &ReceiverOptions) {
    let workbench = Workbench::<Receiver>::with_options(2, 2, options);
    let owner = workbench.owner();
    let _ = owner.push(0);
    let _ = owner.share();
    workbench.try_steal(1);
    let (again, other) = (Arc::clone(&workbench), Arc::clone(&workbench));
    let roles = [
        role(move || {
            again.withdraw(1);
            again.try_steal(1);
            again.withdraw(1);
        }),
        role(move || {
            other.try_steal(2);
        }),
    ];
    race(roles, || {
        let _ = owner.share();
        workbench.withdraw(0);
    });
    workbench.withdraw(2);
    owner.pop_all();
    workbench.runs().assert_once_each(1);
}

#[test]
fn receiver_a_late_answer_is_not_lost() {
    for (amount, acquire) in RECEIVERS {
        let options = receiver(amount, acquire);
        explore(3, move || a_late_answer_is_not_lost(&options));
    }
}

/// The slot of a task that was given away is retired, used again and given away again.
fn a_retired_slot_is_given_again<D: Deque>(options: &D::Options) {
    let workbench = Workbench::<D>::with_options(2, 1, options);
    let owner = workbench.owner();
    race([thief(&workbench, 1, 2)], || {
        for task in 0..2 {
            let _ = owner.push(task);
            let _ = owner.share();
            owner.pop();
        }
    });
    workbench.runs().assert_once_each(2);
}

for_both!(
    receiver_a_retired_slot_is_given_again,
    sender_a_retired_slot_is_given_again: a_retired_slot_is_given_again, 2
);

/// The owner looks only when its limits are tripped: a thief that keeps trying gets the task all the same.
/// (If a request could be overlooked for good, this would not end.)
fn who_keeps_trying_gets_the_task<D: Deque>(options: &D::Options) {
    let workbench = Workbench::<D>::with_options(3, 1, options);
    let owner = workbench.owner();
    let waiting = Arc::clone(&workbench);
    let eager = role(move || {
        while waiting.try_steal(1) == 0 {
            yield_now();
        }
        waiting.withdraw(1);
    });
    assert_eq!(owner.push(0), Push::Pushed);
    race([eager], || {
        while workbench.runs().of(0) == 0 {
            let _ = owner.push(1);
            if owner.pop() == Ran::Here {
                yield_now();
            }
            workbench.runs().forget(1);
        }
        assert_eq!(owner.pop(), Ran::AtThief);
    });
}

for_both!(
    receiver_who_keeps_trying_gets_the_task,
    sender_who_keeps_trying_gets_the_task: who_keeps_trying_gets_the_task, 3
);

/// An owner that polls runs its oldest task itself, beside a thief that asks for it; and pops what is left.
fn who_polls_and_a_thief_never_run_the_same_task<D: Deque>(options: &D::Options) {
    let workbench = Workbench::<D>::with_options(3, 1, options);
    let owner = workbench.owner();
    (0..3).for_each(|task| _ = owner.push(task));
    let _ = owner.share();
    race([thief(&workbench, 1, 3)], || {
        owner.poll();
        let _ = owner.share();
        owner.poll();
        owner.pop_all();
    });
    workbench.runs().assert_once_each(3);
}

for_both!(
    receiver_who_polls_and_a_thief_never_run_the_same_task,
    sender_who_polls_and_a_thief_never_run_the_same_task: who_polls_and_a_thief_never_run_the_same_task, 3
);

/// An owner that has nothing left waits, and answers or blocks requests meanwhile; one that has tasks gives
/// them while it waits.
fn waiting_owner_leaves_no_thief_in_doubt<D: Deque>(options: &D::Options) {
    let workbench = Workbench::<D>::with_options(3, 1, options);
    let owner = workbench.owner();
    let _ = owner.push(0);
    let _ = owner.share();
    race([thief(&workbench, 1, 3)], || {
        owner.communicate();
        owner.communicate();
        owner.pop_all();
        owner.communicate();
        workbench.withdraw(0);
    });
    workbench.runs().assert_once_each(1);
}

for_both!(
    receiver_waiting_owner_leaves_no_thief_in_doubt,
    sender_waiting_owner_leaves_no_thief_in_doubt: waiting_owner_leaves_no_thief_in_doubt, 3
);

/// A mailbox, and what its senders have to send.
struct Post {
    mailbox: Mailbox,
    slots: [UnsafeCell<usize>; 3],
    accepted: AtomicUsize,
}

// SAFETY: each slot is its sender's until the mailbox has taken its parcel, then the receiver's; loom checks it.
unsafe impl Sync for Post {}

/// Two senders and a worker that opens its mailbox twice, once to one of them and once to both: what was
/// accepted and what arrived is the same, with its contents.
fn two_senders_and_a_mailbox(hand_over: HandOver) {
    let slots = [0, 0, 0].map(UnsafeCell::new);
    let post = Arc::new(Post { mailbox: Mailbox::new(), slots, accepted: AtomicUsize::new(0) });
    let senders = [1, 2].map(|sender| {
        let post = Arc::clone(&post);
        role(move || {
            // SAFETY: no other thread looks at it before it is told so through the mailbox.
            post.slots[sender].with_mut(|slot| unsafe { *slot = sender });
            let parcel = Parcel { owner: sender, first: sender, count: 1 };
            let seen = post.mailbox.peek();
            if !seen.welcomes(sender) {
                return;
            }
            let ready = match hand_over {
                HandOver::Direct => seen,
                HandOver::TwoStep => {
                    if post.mailbox.change(seen, Mail::Incoming(sender)) == Change::Refused {
                        return;
                    }
                    Mail::Incoming(sender)
                }
            };
            if post.mailbox.change(ready, Mail::Tasks(parcel)) == Change::Made {
                post.accepted.fetch_add(1, Ordering::Relaxed);
            }
        })
    });
    let mut arrived = 0;
    let mut note = |parcel: Option<Parcel>| {
        if let Some(parcel) = parcel {
            // SAFETY: its sender is done with it.
            let contents = post.slots[parcel.first].with(|slot| unsafe { *slot });
            assert_eq!(contents, parcel.owner);
            arrived += 1;
        }
    };
    race(senders, || {
        post.mailbox.open_to(1);
        note(post.mailbox.close());
        post.mailbox.open_to(2);
        post.mailbox.widen(2);
        note(match post.mailbox.take() {
            Mail::Tasks(parcel) => Some(parcel),
            _ => post.mailbox.close(),
        });
    });
    assert_eq!(arrived, post.accepted.load(Ordering::Relaxed));
}

#[test]
fn mailbox_loses_nothing_in_one_step() {
    explore(3, || two_senders_and_a_mailbox(HandOver::Direct));
}

#[test]
fn mailbox_loses_nothing_in_two_steps() {
    explore(3, || two_senders_and_a_mailbox(HandOver::TwoStep));
}
