//! The way of a stolen task back to its owner: result or panic, and the owner's sleep.

use super::{explore, race, role};
use crate::task::{Finished, Slot, Unpark};
use lyocell_sync::{Parker, yield_now};
use std::mem::ManuallyDrop;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Too large for a slot, so a thief has to box it.
type Large = [u64; 8];

/// Doubles the number it was stored with, eight times; an odd one panics, with the number.
///
/// # Safety
/// The caller is the thief, and the slot was stored with a `u64`.
unsafe extern "C" fn double(slot: &Slot, _worker: *const ()) -> Finished {
    // SAFETY: by the caller's word.
    let number = unsafe { slot.take::<u64>() };
    // SAFETY: the value has been taken.
    unsafe {
        slot.fill::<Large>(|| match number % 2 {
            0 => [number * 2; 8],
            // No message: the hook for panics is not called.
            _ => resume_unwind(Box::new(number)),
        })
    }
}

/// How the owner waits.
#[derive(Clone, Copy)]
enum Waits {
    Asleep,
    Awake,
}

fn wait(slot: &Slot, parker: &Parker, waits: Waits) -> Finished {
    loop {
        let seen = match waits {
            Waits::Asleep => slot.state.note_sleeping(),
            Waits::Awake => slot.state.load(),
        };
        assert!(matches!(seen.thief(), None | Some(6)));
        match (seen.finished(), waits) {
            (Some(finished), _) => return finished,
            (None, Waits::Asleep) => parker.park(),
            (None, Waits::Awake) => yield_now(),
        }
    }
}

/// A slot that thief 6 has won; what its task leaves comes back, and the slot is as good as new.
fn hand_over(number: u64, waits: Waits) {
    let slot = Arc::new(Slot::new());
    // SAFETY: a new slot is free, and the value is copied.
    unsafe { slot.store(double, &ManuallyDrop::new(number)) };
    let parker = Parker::default();
    let (won, owner) = (Arc::clone(&slot), parker.unparker().clone());
    let thief = role(move || {
        won.state.note_taken(6);
        // SAFETY: the slot was won, and `double` looks at no worker.
        let finished = unsafe { won.run(std::ptr::null()) };
        if won.state.finish(finished) == Unpark::Owner {
            owner.unpark();
        }
    });
    race([thief], || {
        let finished = wait(&slot, &parker, waits);
        // SAFETY: the end was seen, this is once, and the result is `Large`.
        match unsafe { slot.collect::<Large>(finished) } {
            Ok(result) => assert_eq!(result, [number * 2; 8]),
            Err(panic) => assert_eq!(panic.downcast_ref(), Some(&number)),
        }
        assert_eq!(finished == Finished::Panicked, number % 2 == 1);
        assert!(slot.state.load().finished().is_none() && slot.state.load().thief().is_none());
        assert_eq!(slot.state.finish(finished), Unpark::Nobody);
    });
}

#[test]
fn result_reaches_an_owner_asleep() {
    explore(3, || hand_over(22, Waits::Asleep));
}

#[test]
fn result_reaches_an_owner_awake() {
    explore(3, || hand_over(22, Waits::Awake));
}

#[test]
fn panic_reaches_an_owner_asleep() {
    explore(3, || hand_over(5, Waits::Asleep));
}

/// A task that is given back has one taker, who sees it, whoever that is.
#[test]
fn what_is_given_back_is_taken_over_once() {
    explore(3, || {
        let slot = Arc::new(Slot::new());
        let runs = Arc::new(AtomicUsize::new(0));
        let take = |slot: &Slot, runs: &AtomicUsize| {
            if slot.state.take_over() {
                // SAFETY: the slot was taken over, and `double` looks at no worker.
                assert_eq!(unsafe { slot.run(std::ptr::null()) }, Finished::Done);
                runs.fetch_add(1, Ordering::Relaxed);
            }
        };
        let given = Arc::clone(&slot);
        let giver = role(move || {
            // SAFETY: a new slot is free, and nobody touches it before it is given back.
            unsafe { given.store(double, &ManuallyDrop::new(22_u64)) };
            assert_eq!(given.state.give_back(), Unpark::Nobody);
        });
        let (offered, counts) = (Arc::clone(&slot), Arc::clone(&runs));
        let taker = role(move || take(&offered, &counts));
        race([giver, taker], || take(&slot, &runs));
        take(&slot, &runs);
        assert_eq!(runs.load(Ordering::Relaxed), 1);
        // SAFETY: it has run, and its result is `Large`.
        drop(unsafe { slot.collect::<Large>(Finished::Done) });
    });
}
