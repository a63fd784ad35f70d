//! Both halves as fences, which is what they are together: for the models, and for Miri, which has no such call.

use crate::{Ordering, fence};
use std::cell::Cell;

thread_local! {
    // Of the test's thread, on which loom runs all those of a model.
    static REGISTERED: Cell<bool> = const { Cell::new(false) };
    static LEFT: Cell<u32> = const { Cell::new(u32::MAX) };
}

pub(crate) fn light() {
    if cfg!(miri) || REGISTERED.get() {
        let_others_go_ahead();
        fence(Ordering::SeqCst);
    }
}

/// Loom switches threads at accesses, not at fences; so there is one here.
#[cfg(loom)]
fn let_others_go_ahead() {
    loom::lazy_static! {
        static ref NOTHING: crate::AtomicUsize = crate::AtomicUsize::new(0);
    }
    NOTHING.load(Ordering::Relaxed);
}

pub(crate) fn register() -> bool {
    REGISTERED.set(true);
    true
}

pub(crate) fn issue() -> bool {
    fence(Ordering::SeqCst);
    let left = LEFT.get();
    LEFT.set(left.saturating_sub(1));
    left > 0
}

/// From now on this model may issue it so often.
#[cfg(loom)]
pub(crate) fn refuse_after(times: u32) {
    LEFT.set(times);
}

#[cfg(not(loom))]
fn let_others_go_ahead() {}
