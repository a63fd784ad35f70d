//! The gate between an owner and its own signal handler.

use lyocell_sync::unmodelled::{AtomicBool, Ordering, compiler_fence};

/// Closed while the owner is in a slow path: the paper's local lock (interrupt-3).
pub(crate) struct Gate(AtomicBool);

// Ordering: Relaxed, and the compiler's fences; owner and handler are one thread.
impl Gate {
    pub(super) fn new() -> Gate {
        Gate(AtomicBool::new(false))
    }

    /// Runs a slow path, or a part of one, behind the closed gate. It must not unwind.
    // Always inlined, so that a slow path is the same code whatever else the compiler has to weigh.
    #[inline(always)]
    pub(crate) fn closed<R>(&self, slow_path: impl FnOnce() -> R) -> R {
        let before = self.0.load(Ordering::Relaxed);
        self.0.store(true, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        let result = slow_path();
        compiler_fence(Ordering::SeqCst);
        self.0.store(before, Ordering::Relaxed);
        result
    }

    pub(super) fn is_closed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
