//! Values side by side.

use crate::backend::native::OutOfMemory;
use std::ptr::NonNull;

/// Values side by side. loom's atomics must be built, they cannot be zeroed.
#[derive(Debug)]
pub struct Memory<T>(Box<[T]>);

impl<T> Memory<T> {
    /// So many arrays of so many values each.
    ///
    /// # Safety
    /// None here; see the one that ships.
    pub unsafe fn reserve(
        arrays: usize,
        count: usize,
        _at_hand: usize,
        build: fn() -> T,
    ) -> Result<impl Iterator<Item = Memory<T>>, OutOfMemory> {
        Ok((0..arrays).map(move |_| Memory((0..count).map(|_| build()).collect())))
    }

    /// All is at hand.
    pub fn extend(&self, _from: usize, _to: usize) -> Result<(), OutOfMemory> {
        Ok(())
    }

    /// Does nothing here.
    pub fn give_back(&self, _from: usize, _to: usize) {}

    /// Does nothing here.
    pub fn restore(&mut self, _is_used: impl Fn(&T) -> bool) {}

    /// The first value.
    pub fn first(&self) -> NonNull<T> {
        NonNull::from(&*self.0).cast()
    }
}
