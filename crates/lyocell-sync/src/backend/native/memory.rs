//! Memory that costs nothing until it is touched.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// Zeroed bytes with room for values.
///
/// They are asked for with the alignment of a word: for a larger one the standard library's allocator
/// would take dirty memory and zero it by hand, and so touch all of it. The values begin at the first
/// fitting address.
#[derive(Debug)]
pub struct Memory<T> {
    bytes: NonNull<u8>,
    layout: Layout,
    values: PhantomData<T>,
}

impl<T> Memory<T> {
    /// Room for this many values, each of which is as `build` would make it; `None` if there is not enough memory.
    ///
    /// # Safety
    /// A value of which all bytes are zero is what `build` makes, and it has nothing to drop.
    pub unsafe fn reserve(count: usize, _build: fn() -> T) -> Option<Memory<T>> {
        let size = count.checked_mul(size_of::<T>())?.checked_add(align_of::<T>())?;
        let layout = Layout::from_size_align(size, align_of::<usize>()).ok()?;
        // SAFETY: the layout is not empty.
        let bytes = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        Some(Memory { bytes, layout, values: PhantomData })
    }

    /// The first value.
    pub fn first(&self) -> NonNull<T> {
        let skip = self.bytes.as_ptr().align_offset(align_of::<T>());
        // SAFETY: there is room for the values and one alignment more.
        unsafe { self.bytes.add(skip) }.cast()
    }
}

impl<T> Drop for Memory<T> {
    fn drop(&mut self) {
        // SAFETY: reserved with this layout.
        unsafe { dealloc(self.bytes.as_ptr(), self.layout) };
    }
}
