//! The native backend's memory, of which the machine is told: what is at hand anew is nobody's.

use crate::backend::native::{Memory as Native, OutOfMemory};
use lyocell_virtual::{new_memory, old_memory};
use std::ptr::NonNull;

/// An array with room for values, zeroed.
pub struct Memory<T>(Native<T>);

impl<T> Memory<T> {
    /// So many arrays of so many values each, of which the first `at_hand` are; each value is as `build` would make it.
    ///
    /// # Safety
    /// A value of which all bytes are zero is what `build` makes, and it has nothing to drop.
    pub unsafe fn reserve(
        arrays: usize,
        count: usize,
        at_hand: usize,
        build: fn() -> T,
    ) -> Result<impl Iterator<Item = Memory<T>>, OutOfMemory> {
        // SAFETY: by the caller.
        let arrays = unsafe { Native::reserve(arrays, count, at_hand, build) }?;
        Ok(arrays.map(Memory).inspect(move |array| array.tell(new_memory, 0, at_hand)))
    }

    /// The first value.
    pub fn first(&self) -> NonNull<T> {
        self.0.first()
    }

    /// Has the values from the one place to the other at hand, zeroed or as they were when they were last.
    pub fn extend(&self, from: usize, to: usize) -> Result<(), OutOfMemory> {
        self.0.extend(from, to)?;
        self.tell(new_memory, from, to);
        Ok(())
    }

    /// Gives back the memory of the values from the one place to the other, which nobody has a reference to.
    pub fn give_back(&self, from: usize, to: usize) {
        self.tell(old_memory, from, to);
        self.0.give_back(from, to);
    }

    /// Does nothing here: a run is to be the same after others.
    pub fn restore(&mut self, _is_used: impl Fn(&T) -> bool) {}

    fn tell(&self, what: fn(usize, usize), from: usize, to: usize) {
        what(self.first().addr().get() + from * size_of::<T>(), (to - from) * size_of::<T>());
    }
}
