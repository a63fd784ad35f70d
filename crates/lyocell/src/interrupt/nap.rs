//! The ticker's sleep: whoever makes a tick needful wakes it, at no cost while it is awake but a fence.

use lyocell_sync::{AtomicBool, Ordering, Parker, fence};
use std::time::Duration;

/// Where the ticker sleeps.
pub(crate) struct Nap {
    asleep: AtomicBool,
    /// Parked on by the ticker's thread alone.
    parker: Parker,
}

/// What a look round the workers came to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// Somebody may need another tick.
    Tick,
    Sleep,
}

impl Nap {
    pub(crate) fn new() -> Nap {
        Nap { asleep: AtomicBool::new(false), parker: Parker::default() }
    }

    /// Anybody: something has been done that needs a tick.
    pub(crate) fn wake(&self) {
        // Pairs with the fence in `sleep`: what makes a tick needful comes before this.
        fence(Ordering::SeqCst);
        // Ordering: Relaxed, both; by the fence. Between the two the ticker may have woken and gone to sleep again: then this
        // ends the later nap, and it looks round once more.
        if self.asleep.load(Ordering::Relaxed) && self.asleep.swap(false, Ordering::Relaxed) {
            self.rouse();
        }
    }

    /// Anybody: whatever the ticker does, it should look again.
    pub(crate) fn rouse(&self) {
        self.parker.unparker().unpark();
    }

    /// The ticker: sleeps until somebody wakes it, if there is still no need for a tick.
    pub(crate) fn sleep(&self, look: impl FnOnce() -> Next) {
        // Ordering: Relaxed; by the fence, which pairs with that in `wake`. A swap, here and below, where a store
        // would do: loom does not know that a store which follows the one a swap read follows that swap too.
        self.asleep.swap(true, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        if look() == Next::Sleep {
            self.parker.park();
        }
        self.asleep.swap(false, Ordering::Relaxed);
    }

    /// The ticker: waits for the next tick.
    pub(crate) fn wait(&self, period: Duration) {
        self.parker.park_timeout(period);
    }
}
