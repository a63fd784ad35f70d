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
        meet(Half::Light);
        fence(Ordering::SeqCst);
    }
}

enum Half {
    Light,
    Heavy,
}

/// Loom switches threads at accesses, not at fences, and tries another order of two accesses only if it may matter: so both halves
/// access a word of their own, which the heavy one changes.
#[cfg(loom)]
fn meet(half: Half) {
    loom::lazy_static! {
        static ref PLACE: crate::AtomicUsize = crate::AtomicUsize::new(0);
    }
    match half {
        Half::Light => PLACE.load(Ordering::Relaxed),
        Half::Heavy => PLACE.fetch_add(1, Ordering::Relaxed),
    };
}

pub(crate) fn register() -> bool {
    REGISTERED.set(true);
    true
}

pub(crate) fn issue() -> bool {
    meet(Half::Heavy);
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
fn meet(_half: Half) {}
