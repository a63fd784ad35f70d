//! The head of a worker's deque, where a signal handler on the owner's thread may read it.
//!
//! The handler sees memory as the instructions before it left it, so what matters is their order, and only
//! the compiler could change that: its fences cost no instruction.

// The owner and its handler are one thread, and whoever else reads the head only wants a hint.
use crate::sync::unmodelled::{AtomicPtr, Ordering, compiler_fence};

/// A pointer that one thread moves; its signal handler relies on the order, others may peek.
pub(crate) struct Head<T>(AtomicPtr<T>);

// Ordering: Relaxed everywhere here; by the compiler's fences for the handler, a hint for others.
impl<T> Head<T> {
    pub(crate) fn at(slot: *const T) -> Head<T> {
        Head(AtomicPtr::new(slot.cast_mut()))
    }

    #[inline(always)]
    pub(crate) fn get(&self) -> *const T {
        self.0.load(Ordering::Relaxed)
    }

    /// Moves it above a slot: what was written before is in memory first (interrupt-1).
    #[inline(always)]
    pub(crate) fn raise(&self, to: *const T) {
        compiler_fence(Ordering::Release);
        self.0.store(to.cast_mut(), Ordering::Relaxed);
    }

    /// Moves it down to a slot: whatever the owner reads or writes next comes after (interrupt-2).
    #[inline(always)]
    pub(crate) fn lower(&self, to: *const T) {
        self.0.store(to.cast_mut(), Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
    }
}
