//! How many forks lie between the start of the program and this process.
//!
//! What a pool makes of that is told in `registry::after_fork`.

/// How many forks this process comes after: for a [probe](crate::Probe) that has threads or locks of its own, which are not
/// there, or not free, in the child of a `fork()`.
///
/// A process made without the C library's `fork` (a bare `clone`) is not noticed.
///
/// # Examples
/// ```
/// use lyocell::probe::Generation;
///
/// let ours = Generation::now();
/// assert!(!ours.is_past());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// By after_fork-1.
pub struct Generation(usize);

impl Generation {
    /// That of this process; from now on its forks are counted.
    pub fn now() -> Generation {
        system::watch();
        Generation(system::forks())
    }

    /// Whether this process is a child of the one that this generation is from.
    #[inline]
    pub fn is_past(self) -> bool {
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
