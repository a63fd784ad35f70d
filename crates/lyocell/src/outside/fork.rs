//! How many forks lie between the start of the program and this process.
//!
//! What a pool makes of that is told in `registry::after_fork`.

/// How many forks this process comes after (after_fork-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Generation(usize);

impl Generation {
    /// That of this process; from now on its forks are counted.
    pub(crate) fn now() -> Generation {
        system::watch();
        Generation(system::forks())
    }

    /// Whether this process is a child of the one that this generation is from.
    #[inline]
    pub(crate) fn is_past(self) -> bool {
        self.0 != system::forks()
    }
}

#[cfg(all(unix, not(miri)))]
mod system {
    use std::sync::Once;
    // Not loom's: it is touched by a handler, and is no part of any protocol between threads.
    use crate::sync::unmodelled::{AtomicUsize, Ordering};

    static FORKS: AtomicUsize = AtomicUsize::new(0);

    /// Ordering: Relaxed, as its counterpart: the child begins as one thread.
    #[inline]
    pub(super) fn forks() -> usize {
        FORKS.load(Ordering::Relaxed)
    }

    extern "C" fn in_the_child() {
        FORKS.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn watch() {
        static WATCH: Once = Once::new();
        WATCH.call_once(|| {
            // SAFETY: the handler only changes an atomic. If there is no memory for it, forks go unnoticed,
            // as they would without us.
            unsafe { libc::pthread_atfork(None, None, Some(in_the_child)) };
        });
    }
}

#[cfg(not(all(unix, not(miri))))]
mod system {
    #[inline]
    pub(super) fn forks() -> usize {
        0
    }

    pub(super) fn watch() {}
}
