//! A cell whose accesses loom checks for races; in the ordinary build `UnsafeCell`.

/// A cell that is read and written through pointers, under a protocol that keeps the accesses apart.
///
/// Loom checks that they are; in the ordinary build this is [`std::cell::UnsafeCell`].
#[cfg(loom)]
#[derive(Debug)]
pub struct RaceCell<T>(loom::cell::UnsafeCell<T>);

/// A cell that is read and written through pointers, under a protocol that keeps the accesses apart.
///
/// Loom checks that they are; in the ordinary build this is [`std::cell::UnsafeCell`].
#[cfg(not(loom))]
#[derive(Debug)]
#[repr(transparent)]
pub struct RaceCell<T>(std::cell::UnsafeCell<T>);

#[cfg(loom)]
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

#[cfg(not(loom))]
impl<T> RaceCell<T> {
    /// A cell with this value.
    #[inline(always)]
    pub const fn new(value: T) -> Self {
        Self(std::cell::UnsafeCell::new(value))
    }

    /// Calls `f` with a pointer that may be read through.
    #[inline(always)]
    pub fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
        f(self.0.get())
    }

    /// Calls `f` with a pointer that may be written through.
    #[inline(always)]
    pub fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        f(self.0.get())
    }
}
