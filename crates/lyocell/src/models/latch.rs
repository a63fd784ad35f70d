//! The latch: what was done before it was set is visible to the one that waited.

use super::{explore, race, role};
use crate::wait::{Goal, Latch, Subscribed, sleep_until};
use lyocell_sync::{Parker, RaceCell as UnsafeCell, yield_now};
use std::sync::Arc;

/// A latch, and what its setter does before it sets it.
struct Call {
    latch: Latch,
    outcome: UnsafeCell<u32>,
}

// SAFETY: this is what the models check.
unsafe impl Sync for Call {}
// SAFETY: as above.
unsafe impl Send for Call {}

impl Call {
    fn new(waiter: &Parker) -> Arc<Call> {
        Arc::new(Call { latch: Latch::new(waiter), outcome: UnsafeCell::new(0) })
    }

    fn answer(&self) {
        // SAFETY: before the latch is set the outcome is the setter's.
        self.outcome.with_mut(|outcome| unsafe { *outcome = 42 });
        // SAFETY: it is in an `Arc`.
        unsafe { Latch::set(&raw const self.latch) };
    }

    fn assert_answered(&self) {
        // SAFETY: after the latch was set the outcome is the waiter's.
        self.outcome.with(|outcome| assert_eq!(unsafe { *outcome }, 42));
    }
}

#[test]
fn waiter_sleeps_until_it_is_set() {
    explore(3, || {
        let parker = Parker::default();
        let call = Call::new(&parker);
        let setter = Arc::clone(&call);
        race([role(move || setter.answer())], || {
            sleep_until(&call.latch, &parker);
            call.assert_answered();
        });
    });
}

/// A worker looks at the latch between tasks.
#[test]
fn waiter_looks_now_and_then() {
    explore(3, || {
        let call = Call::new(&Parker::default());
        let setter = Arc::clone(&call);
        race([role(move || setter.answer())], || {
            while !call.latch.reached() {
                yield_now();
            }
            call.assert_answered();
        });
    });
}

/// A worker that has asked to be woken is awake for another reason, and looks.
#[test]
fn waiter_that_was_to_sleep_looks_all_the_same() {
    explore(3, || {
        let call = Call::new(&Parker::default());
        let setter = Arc::clone(&call);
        race([role(move || setter.answer())], || {
            let asks = call.latch.subscribe();
            while asks == Subscribed::WillUnpark && !call.latch.reached() {
                yield_now();
            }
            call.assert_answered();
        });
    });
}
