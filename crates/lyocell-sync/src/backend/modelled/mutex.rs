//! loom's lock.

use loom::sync;

/// The lock is held as long as this is there.
pub type MutexGuard<'a, T> = sync::MutexGuard<'a, T>;

/// A lock around a value, as in the native backend.
#[derive(Debug, Default)]
pub struct Mutex<T>(sync::Mutex<T>);

// A model that panics under a lock has failed: no poison is passed.
impl<T> Mutex<T> {
    /// One around this value.
    pub fn new(value: T) -> Self {
        Mutex(sync::Mutex::new(value))
    }

    /// The value, when nobody has the lock any more.
    pub fn into_inner(self) -> T {
        self.0.into_inner().unwrap()
    }

    /// Takes the lock, and waits for it.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap()
    }

    /// Takes the lock. Loom does not explore what others may do before a `try_lock`, nor lets anybody in while a lock is given back,
    /// so the models wait.
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        Some(self.lock())
    }
}
