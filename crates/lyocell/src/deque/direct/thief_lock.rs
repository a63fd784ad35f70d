//! The lock that the thieves of a deque share with its owner, where it has one.

use lyocell_sync::{Generation, Mutex, MutexGuard};

/// A lock of the owner and its thieves that survives a fork.
///
/// Whoever uses it leaves what it guards whole at every single step, because in the child of a fork a thief that
/// holds it is not there any more (after_fork-3).
pub(super) struct ThiefLock {
    lock: Mutex<()>,
    generation: Generation,
}

impl Default for ThiefLock {
    fn default() -> Self {
        ThiefLock { lock: Mutex::new(()), generation: Generation::now() }
    }
}

impl ThiefLock {
    /// Takes the lock; or passes it over in the child of a fork, if a thief that is not there has it.
    pub(super) fn lock(&self) -> Option<MutexGuard<'_, ()>> {
        self.try_lock().or_else(|| {
            let is_there = !self.generation.is_past();
            is_there.then(|| self.lock.lock())
        })
    }

    /// Takes the lock, if it is free.
    pub(super) fn try_lock(&self) -> Option<MutexGuard<'_, ()>> {
        self.lock.try_lock()
    }
}

#[cfg(all(test, unix, not(any(loom, miri))))]
mod tests {
    use super::*;
    use crate::deque::kit::test_kit::in_a_child;

    /// after_fork-3: a thief that has it at the fork never gives it back in the child.
    #[test]
    fn a_lock_that_nobody_will_free_is_passed_over_in_a_child() {
        let lock = ThiefLock::default();
        let held = lock.lock();
        in_a_child(|| assert!(lock.lock().is_none()));
        drop(held);
        in_a_child(|| assert!(lock.lock().is_some()));
    }
}
