//! A cell whose accesses loom checks for races.

/// A cell that is read and written through pointers, under a protocol that keeps the accesses apart: loom checks that they are.
#[derive(Debug)]
pub struct RaceCell<T>(loom::cell::UnsafeCell<T>);

impl<T> RaceCell<T> {
    /// A cell with this value.
    pub fn new(value: T) -> Self {
        Self(loom::cell::UnsafeCell::new(value))
    }

    /// Calls `f` with a pointer that may be read through.
    pub fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
        self.0.with(f)
    }

    /// Calls `f` with a pointer that may be written through.
    pub fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        self.0.with_mut(f)
    }
}
