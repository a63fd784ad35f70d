//! Values that may be read while they are overwritten: copied word by word through atomics.
//!
//! A thief of an idempotent queue reads an item before it knows that the item is its own; the owner may
//! overwrite the slot meanwhile. As a plain read that is a data race. Here every slot is a few atomic
//! words; a value read across a write is a mixture of two, and the queue's protocol finds that out
//! before it makes a `T` of it.
//!
//! It finds out by tags and indices of limited width, which a thief that sleeps long enough can outlive: it then keeps
//! a mixture, or a slot of a new array that was never written. So a mixture must be a value too: [`Plain`] says that.
//! Wider tags would only make that rarer, and a stamp beside each item would cost the owner two more stores at each push.
//!
//! - plain-1. Words of a slot are stored with Release and, by thieves, loaded with Acquire. So a thief that reads
//!   any word of an item sees all that the owner did and saw before it wrote the item, and a compare-and-swap
//!   that expects older ends than those fails.
//! - plain-2. Arrays that were outgrown are held until the queue is dropped; together they are smaller than the
//!   current one. So an array that a thief once found stays readable.

use bytemuck::Pod;
use lyocell_sync::{AtomicPtr, AtomicUsize, Ordering};
use std::marker::PhantomData;
use std::ptr;

/// The items of the relaxed queues: plain numbers, in which every pattern of bits is a value.
///
/// It needs no implementation: every [`bytemuck::Pod`] that is [`Send`] has it. These are all integers and floats, `()`,
/// arrays of them, and structures of them without padding, for which `Pod` can be derived. A reference, a `bool`, a `char`
/// or a `NonZero` is none; a queue holds an index or a number in its place.
///
/// The reason: a thief reads an item before it knows that the item is its own, while the owner may be overwriting it. It
/// finds out, unless it sleeps through all tags of the queue in between (see each queue for how many). Then the item
/// may be a mixture of two, and what a mixture is must at least be a value.
///
/// ```
/// use lyocell_queues::{IdempotentFifo, Owner};
///
/// #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
/// #[repr(C)]
/// struct Visit { vertex: u32, parent: u32 }
///
/// let queue = IdempotentFifo::with_capacity(4);
/// queue.push(Visit { vertex: 7, parent: 3 }).unwrap();
/// assert_eq!(queue.take().unwrap().vertex, 7);
/// ```
///
/// What could be no value is refused:
///
/// ```compile_fail,E0277
/// use lyocell_queues::{IdempotentDoubleEnded, Owner};
/// let queue = IdempotentDoubleEnded::<&str>::with_capacity(4);
/// ```
/// ```compile_fail,E0277
/// use lyocell_queues::{IdempotentLifo, Owner};
/// let queue = IdempotentLifo::<[bool; 16]>::with_capacity(4);
/// ```
/// ```compile_fail,E0277
/// use lyocell_queues::{Duplicating, Owner};
/// let queue = Duplicating::<char>::with_capacity(4);
/// ```
pub trait Plain: Pod + Send {}

impl<T: Pod + Send> Plain for T {}

/// One atomic word.
type Cell = AtomicUsize;

const WORD: usize = size_of::<usize>();

/// A ring of slots, each of as many words as a `T` needs.
#[derive(Debug)]
pub(crate) struct Words<T> {
    cells: Box<[Cell]>,
    mask: usize,
    /// The array this one replaced (plain-2).
    previous: *mut Words<T>,
    items: PhantomData<T>,
}

impl<T: Plain> Words<T> {
    /// Words of a slot.
    const WIDTH: usize = size_of::<T>().div_ceil(WORD);

    pub(crate) fn allocate(capacity: usize, previous: *mut Self) -> *mut Self {
        debug_assert!(capacity.is_power_of_two());
        let words = capacity.checked_mul(Self::WIDTH).expect("queue outgrew the address space");
        let cells = (0..words).map(|_| Cell::new(0)).collect();
        Box::into_raw(Box::new(Self { cells, mask: capacity - 1, previous, items: PhantomData }))
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.cells)
    }

    /// Where the slots are.
    #[inline(always)]
    pub(crate) fn ring(&self) -> WordRing<T> {
        WordRing { cells: self.cells.as_ptr(), mask: self.mask, items: PhantomData }
    }
}

/// Where an array's slots are; good as long as the array.
#[derive(Debug)]
pub(crate) struct WordRing<T> {
    cells: *const Cell,
    mask: usize,
    items: PhantomData<T>,
}

impl<T> Clone for WordRing<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for WordRing<T> {}

impl<T: Plain> WordRing<T> {
    #[inline(always)]
    pub(crate) fn capacity(self) -> usize {
        self.mask.wrapping_add(1)
    }

    /// The words of the slot for `index`.
    ///
    /// # Safety
    /// The array must still be there.
    #[inline(always)]
    unsafe fn slot<'a>(self, index: usize) -> &'a [Cell] {
        let at = (index & self.mask) * Words::<T>::WIDTH;
        // SAFETY: the caller's word; the mask keeps the slot inside the array.
        unsafe { std::slice::from_raw_parts(self.cells.add(at), Words::<T>::WIDTH) }
    }

    /// # Safety
    /// The array must still be there, and the caller the owner.
    #[inline(always)]
    pub(crate) unsafe fn write(self, index: usize, item: T) {
        // SAFETY: the caller's word.
        let slot = unsafe { self.slot(index) };
        for (cell, bytes) in slot.iter().zip(bytemuck::bytes_of(&item).chunks(WORD)) {
            let mut word = [0; WORD];
            word[..bytes.len()].copy_from_slice(bytes);
            // Ordering: Release; meets the Acquire in `read_racing` (plain-1).
            cell.store(usize::from_ne_bytes(word), Ordering::Release);
        }
    }

    /// # Safety
    /// The array must still be there.
    #[inline(always)]
    unsafe fn read(self, index: usize, ordering: Ordering) -> T {
        let mut item = T::zeroed();
        // SAFETY: the caller's word.
        let slot = unsafe { self.slot(index) };
        for (cell, bytes) in slot.iter().zip(bytemuck::bytes_of_mut(&mut item).chunks_mut(WORD)) {
            bytes.copy_from_slice(&cell.load(ordering).to_ne_bytes()[..bytes.len()]);
        }
        item
    }

    /// Reads a slot that its owner may be overwriting: perhaps a mixture, which is no item until the protocol has
    /// shown that it is one.
    ///
    /// # Safety
    /// The array must still be there.
    #[inline(always)]
    pub(crate) unsafe fn read_racing(self, index: usize) -> T {
        // SAFETY: the caller's word. Ordering: Acquire; meets the Release in `write` (plain-1).
        unsafe { self.read(index, Ordering::Acquire) }
    }

    /// # Safety
    /// The array must still be there, and the caller the owner.
    #[inline(always)]
    pub(crate) unsafe fn read_own(self, index: usize) -> T {
        // SAFETY: the caller's word. Ordering: Relaxed; the owner reads what it wrote itself.
        unsafe { self.read(index, Ordering::Relaxed) }
    }
}

/// A queue's current array and those it replaced.
#[derive(Debug)]
pub(crate) struct Current<T>(AtomicPtr<Words<T>>);

// SAFETY: `T: Send` items in atomic words; the links are written before an array is published.
unsafe impl<T: Plain> Send for Current<T> {}
// SAFETY: as above.
unsafe impl<T: Plain> Sync for Current<T> {}

impl<T: Plain> Current<T> {
    pub(crate) fn new(capacity: usize) -> Self {
        let capacity =
            capacity.max(1).checked_next_power_of_two().expect("capacity fits the address space");
        Self(AtomicPtr::new(Words::allocate(capacity, ptr::null_mut())))
    }

    /// The current array.
    #[inline(always)]
    pub(crate) fn ring(&self) -> WordRing<T> {
        // Ordering: Acquire; meets the Release in `grow`.
        let array = self.0.load(Ordering::Acquire);
        // SAFETY: plain-2.
        unsafe { (*array).ring() }
    }

    /// The owner doubles the array, keeping `len` items from index `first` on.
    pub(crate) fn grow(&self, first: usize, len: usize) -> WordRing<T> {
        // Ordering: Relaxed; only the owner stores it.
        let old = self.0.load(Ordering::Relaxed);
        // SAFETY: plain-2.
        let from = unsafe { (*old).ring() };
        let larger = from.capacity().checked_mul(2).expect("queue outgrew the address space");
        let new = Words::allocate(larger, old);
        // SAFETY: just made.
        let to = unsafe { (*new).ring() };
        for index in (0..len).map(|at| first.wrapping_add(at)) {
            // SAFETY: plain-2; both arrays are there, the caller is the owner, the item was written.
            unsafe { to.write(index, from.read_own(index)) };
        }
        // Ordering: Release; meets the Acquire in `ring`.
        self.0.store(new, Ordering::Release);
        to
    }

    /// Bytes of all arrays.
    pub(crate) fn bytes(&self) -> usize {
        // Ordering: Relaxed; only the owner stores it, and only the owner asks.
        let mut at = self.0.load(Ordering::Relaxed).cast_const();
        let mut bytes = 0;
        // SAFETY: plain-2.
        while let Some(array) = unsafe { at.as_ref() } {
            bytes += array.bytes();
            at = array.previous;
        }
        bytes
    }
}

impl<T> Drop for Current<T> {
    fn drop(&mut self) {
        // Ordering: Relaxed; nobody else has the queue any more.
        let mut at = self.0.load(Ordering::Relaxed);
        while !at.is_null() {
            // SAFETY: plain-2; boxed in `allocate`, linked once.
            let array = unsafe { Box::from_raw(at) };
            at = array.previous;
        }
    }
}
