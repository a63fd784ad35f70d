//! Forks are counted by a handler that the C library calls in the child.

use std::sync::Once;
// The same in the models: it is touched by that handler, and is no part of any protocol between threads.
use crate::unmodelled::{AtomicUsize, Ordering};

static FORKS: AtomicUsize = AtomicUsize::new(0);

/// Ordering: Relaxed, as its counterpart: the child begins as one thread.
#[inline]
pub(crate) fn forks() -> usize {
    FORKS.load(Ordering::Relaxed)
}

extern "C" fn in_the_child() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

pub(crate) fn watch() {
    static WATCH: Once = Once::new();
    WATCH.call_once(|| {
        // SAFETY: the handler only changes an atomic. If there is no memory for it, forks go unnoticed,
        // as they would without us.
        unsafe { libc::pthread_atfork(None, None, Some(in_the_child)) };
    });
}
