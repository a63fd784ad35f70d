//! The head of a worker's deque, where its own signal handler and thieves may read it.
//!
//! The owner moves it with plain stores, in an order that others can rely on.
//! - *The handler* runs on the owner's thread and sees memory as the instructions before it left it. Only the compiler
//!   could change their order.
//! - *A thief that exposes* the owner's tasks issues the [heavy barrier](lyocell_sync::HeavyBarrier) before it reads the
//!   head. So it sees where the head is, unless the owner has yet to look at its limits, which the thief has tripped.
//!
//! Both cost the owner no instruction on the processors that keep stores in order, and a store-release elsewhere.

use lyocell_sync::{AtomicPtr, Ordering, light};

/// A pointer that one thread moves, in an order that its signal handler and thieves rely on.
pub(crate) struct Head<T>(AtomicPtr<T>);

impl<T> Head<T> {
    pub(crate) fn at(slot: *const T) -> Head<T> {
        Head(AtomicPtr::new(slot.cast_mut()))
    }

    /// For the owner, who moves it; a hint for anybody else.
    #[inline(always)]
    pub(crate) fn get(&self) -> *const T {
        // Ordering: Relaxed; the owner reads what it wrote itself.
        self.0.load(Ordering::Relaxed)
    }

    /// For a thief, after the heavy barrier: with the head come the slots below it.
    pub(crate) fn look(&self) -> *const T {
        // Ordering: Acquire; meets the Release in `raise` and `lower`.
        self.0.load(Ordering::Acquire)
    }

    /// Moves it above a slot: what was written before is in memory first (interrupt-1), and the limits are read after
    /// (split-6).
    #[inline(always)]
    pub(crate) fn raise(&self, to: *const T) {
        // Ordering: Release; meets the Acquire in `look`.
        self.0.store(to.cast_mut(), Ordering::Release);
        light();
    }

    /// Moves it down to a slot: whatever the owner reads or writes next comes after (interrupt-2, split-6).
    #[inline(always)]
    pub(crate) fn lower(&self, to: *const T) {
        // Ordering: Release; meets the Acquire in `look`: the slots below were written long before.
        self.0.store(to.cast_mut(), Ordering::Release);
        light();
    }
}
