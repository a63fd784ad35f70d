//! A bare cell.

/// A cell that is read and written through pointers, under a protocol that keeps the accesses apart.
///
/// In the models loom checks that they are; what ships is [`std::cell::UnsafeCell`].
#[derive(Debug)]
#[repr(transparent)]
pub struct RaceCell<T>(std::cell::UnsafeCell<T>);

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
