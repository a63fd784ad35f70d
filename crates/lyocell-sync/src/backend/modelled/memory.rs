//! Values side by side.

use std::ptr::NonNull;

/// Values side by side. loom's atomics must be built, they cannot be zeroed.
#[derive(Debug)]
pub struct Memory<T>(Box<[T]>);

impl<T> Memory<T> {
    /// This many values.
    ///
    /// # Safety
    /// None here; see the one that ships.
    pub unsafe fn reserve(count: usize, build: fn() -> T) -> Option<Memory<T>> {
        Some(Memory((0..count).map(|_| build()).collect()))
    }

    /// The first value.
    pub fn first(&self) -> NonNull<T> {
        NonNull::from(&*self.0).cast()
    }
}
