//! A handle that only looks.

use super::Shared;
use lyocell_sync::Arc;
use std::fmt;

/// A handle of a [`ChaseLev`](crate::ChaseLev), a [`Fifo`](crate::Fifo) or their shrinking forms that only looks: smaller than a
/// thief's, which takes a line of memory in the queue.
///
/// ```
/// use lyocell_queues::{ChaseLev, Owner};
///
/// let queue = ChaseLev::with_capacity(2);
/// let watcher = queue.watcher();
/// assert!(watcher.is_empty());
/// queue.push(1)?;
/// assert_eq!(watcher.len(), 1);
/// # Ok::<(), lyocell_queues::Full<u32>>(())
/// ```
pub struct ChaseLevWatcher<T: Send>(Arc<Shared<T>>);

impl<T: Send> ChaseLevWatcher<T> {
    pub(super) fn new(shared: &Arc<Shared<T>>) -> Self {
        Self(Arc::clone(shared))
    }

    /// Returns how many items there seem to be. A hint, which orders nothing: where something hangs on it, both sides
    /// fence, the owner after its push and the watcher before its look.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len_seen()
    }

    /// Returns whether there seems to be no item. A hint as [`len`](Self::len).
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: Send> Clone for ChaseLevWatcher<T> {
    fn clone(&self) -> Self {
        Self::new(&self.0)
    }
}

impl<T: Send> fmt::Debug for ChaseLevWatcher<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChaseLevWatcher").field("len", &self.len()).finish_non_exhaustive()
    }
}
