//! The standard library's lock, which passes poison.

use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::sync::{self, PoisonError, TryLockError};

/// The lock is held as long as this is there.
#[derive(Debug)]
pub struct MutexGuard<'a, T: ?Sized>(ManuallyDrop<sync::MutexGuard<'a, T>>);

impl<'a, T: ?Sized> MutexGuard<'a, T> {
    #[inline]
    fn of(guard: sync::MutexGuard<'a, T>) -> Self {
        MutexGuard(ManuallyDrop::new(guard))
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: nobody uses what is dropped again.
        unlock(unsafe { ManuallyDrop::take(&mut self.0) });
    }
}

// Inlined, what looks for poison, here and in `Mutex::lock`, is a hundred and fifty bytes each time that a lock is taken.
#[inline(never)]
fn unlock<T: ?Sized>(guard: sync::MutexGuard<'_, T>) {
    drop(guard);
}

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

    /// Takes the lock, and waits for it.
    #[inline(never)]
    pub fn lock(&self) -> MutexGuard<'_, T> {
        MutexGuard::of(self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes the lock if it is free.
    #[inline]
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        match self.0.try_lock() {
            Ok(guard) => Some(MutexGuard::of(guard)),
            Err(TryLockError::Poisoned(poisoned)) => Some(MutexGuard::of(poisoned.into_inner())),
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
