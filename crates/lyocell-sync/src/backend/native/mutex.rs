//! The standard library's lock, which passes poison.

use std::sync::{self, PoisonError, TryLockError};

/// The lock is held as long as this is there.
pub type MutexGuard<'a, T> = sync::MutexGuard<'a, T>;

/// A lock around a value.
///
/// It passes poison: a panic under the lock leaves the value as it was at that moment, and the next one gets it so. For values that
/// are whole at every single step, or under whose lock no code of a user's runs.
#[derive(Debug, Default)]
#[repr(transparent)]
pub struct Mutex<T: ?Sized>(sync::Mutex<T>);

impl<T> Mutex<T> {
    /// One around this value.
    #[inline]
    pub const fn new(value: T) -> Self {
        Mutex(sync::Mutex::new(value))
    }

    /// The value, when nobody has the lock any more.
    #[inline]
    pub fn into_inner(self) -> T {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the lock, and waits for it. Not inlined: what looks for poison is ninety bytes a time.
    #[inline(never)]
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the lock if it is free.
    #[inline]
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        match self.0.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn poison_is_passed_and_a_lock_that_is_held_is_not_had() {
        let mutex = Mutex::new(1);
        let panics = catch_unwind(AssertUnwindSafe(|| {
            *mutex.lock() = 2;
            let _held = mutex.lock_or_panic();
        }));
        assert!(panics.is_err());
        assert_eq!(*mutex.lock(), 2);
        assert_eq!(mutex.try_lock().map(|value| *value), Some(2));
        let held = mutex.lock();
        assert!(mutex.try_lock().is_none());
        drop(held);
        assert_eq!(mutex.into_inner(), 2);
    }

    impl<T> Mutex<T> {
        fn lock_or_panic(&self) -> MutexGuard<'_, T> {
            let _guard = self.lock();
            panic!("under the lock");
        }
    }
}
