//! Values that may be read while they are overwritten: copied word by word through atomics.
//!
//! A thief of an idempotent queue reads an item before it knows that the item is its own; the owner may
//! overwrite the slot meanwhile. As a plain read that is a data race. Here every slot is a few atomic
//! words; a value read across a write is a mixture of two, and the queue's protocol finds that out
//! before it makes a `T` of it.
//!
//! The words are pointers, not integers, so that a reference in an item keeps its provenance. An atomic load
//! must find initialised memory, so the items must have no padding: that is what [`Plain`] says.
//!
//! - plain-1. Words of a slot are stored with Release and, by thieves, loaded with Acquire. So a thief that reads
//!   any word of an item sees all that the owner did and saw before it wrote the item, and a compare-and-swap
//!   that expects older ends than those fails.
//! - plain-2. Arrays that were outgrown are held until the queue is dropped; together they are smaller than the
//!   current one. So an array that a thief once found stays readable.

use crate::sync::{AtomicPtr, Ordering};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::num::NonZero;
use std::ptr;

/// Types whose values have no uninitialised byte.
///
/// The relaxed queues hold such items: all integers, floats, `bool`, `char`, `()`, shared references, arrays of
/// these, and in [`Pod`] every type that is [`bytemuck::NoUninit`] (which can be derived).
///
/// # Safety
/// No byte of any value may be uninitialised: no padding, no union with a shorter member, no enum with
/// fields of different sizes. Pointers inside must be at multiples of their size.
///
/// ```
/// use lyocell_queues::Plain;
///
/// #[derive(Clone, Copy)]
/// #[repr(C)]
/// struct Visit { vertex: u32, parent: u32 }
/// // SAFETY: two u32 in C layout leave no gap.
/// unsafe impl Plain for Visit {}
/// ```
pub unsafe trait Plain: Copy + Send {}

macro_rules! plain {
    ($($type:ty)*) => {$(
        // SAFETY: a primitive; all its bytes are always initialised.
        unsafe impl Plain for $type {}
    )*};
}
plain!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char);
plain!(NonZero<u8> NonZero<u16> NonZero<u32> NonZero<u64> NonZero<u128> NonZero<usize>);
plain!(NonZero<i8> NonZero<i16> NonZero<i32> NonZero<i64> NonZero<i128> NonZero<isize>);

// SAFETY: no byte at all.
unsafe impl Plain for () {}
// SAFETY: a pointer and, for unsized referents, a length or a second pointer.
unsafe impl<U: Sync + ?Sized> Plain for &U {}
// SAFETY: a thin pointer, null for `None`.
unsafe impl<U: Sync> Plain for Option<&U> {}
// SAFETY: elements follow each other without a gap.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

/// Makes any [`bytemuck::NoUninit`] type an item of the relaxed queues.
///
/// ```
/// use lyocell_queues::{IdempotentFifo, Owner, Pod};
///
/// #[derive(Clone, Copy, bytemuck::NoUninit)]
/// #[repr(C)]
/// struct Visit { vertex: u32, parent: u32 }
///
/// let queue = IdempotentFifo::with_capacity(4);
/// queue.push(Pod(Visit { vertex: 7, parent: 3 })).unwrap();
/// assert_eq!(queue.take().unwrap().0.vertex, 7);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Pod<T>(pub T);

// SAFETY: what `NoUninit` says; and such types hold no pointers.
unsafe impl<T: bytemuck::NoUninit + Send> Plain for Pod<T> {}

/// One atomic word.
type Cell = AtomicPtr<()>;

const WORD: usize = size_of::<*mut ()>();

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
        let cells = (0..words).map(|_| Cell::new(ptr::null_mut())).collect();
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

    /// The word at `part` of the slot for `index`, and how many bytes of the item are in it.
    ///
    /// # Safety
    /// The array must still be there, and `part` below `WIDTH`.
    #[inline(always)]
    unsafe fn cell<'a>(self, index: usize, part: usize) -> (&'a Cell, usize) {
        let at = (index & self.mask) * Words::<T>::WIDTH + part;
        // SAFETY: the mask keeps the slot inside the array.
        (unsafe { &*self.cells.add(at) }, WORD.min(size_of::<T>() - part * WORD))
    }

    /// # Safety
    /// The array must still be there, and the caller the owner.
    #[inline(always)]
    pub(crate) unsafe fn write(self, index: usize, item: T) {
        for part in 0..Words::<T>::WIDTH {
            let mut word: *mut () = ptr::null_mut();
            // SAFETY: as the caller promises; the bytes are inside `item` and `word`, and initialised (`Plain`).
            let cell = unsafe {
                let (cell, bytes) = self.cell(index, part);
                let from = (&raw const item).cast::<u8>().add(part * WORD);
                ptr::copy_nonoverlapping(from, (&raw mut word).cast::<u8>(), bytes);
                cell
            };
            // Ordering: Release; meets the Acquire in `read_racing` (plain-1).
            cell.store(word, Ordering::Release);
        }
    }

    /// # Safety
    /// The array must still be there.
    #[inline(always)]
    unsafe fn read(self, index: usize, ordering: Ordering) -> MaybeUninit<T> {
        let mut item = MaybeUninit::<T>::uninit();
        for part in 0..Words::<T>::WIDTH {
            // SAFETY: as the caller promises; the bytes are inside `item`.
            unsafe {
                let (cell, bytes) = self.cell(index, part);
                let word = cell.load(ordering);
                let to = item.as_mut_ptr().cast::<u8>().add(part * WORD);
                ptr::copy_nonoverlapping((&raw const word).cast::<u8>(), to, bytes);
            }
        }
        item
    }

    /// Reads a slot that its owner may be overwriting: perhaps a mixture, to be used only when the
    /// protocol has shown that it is not.
    ///
    /// # Safety
    /// The array must still be there.
    #[inline(always)]
    pub(crate) unsafe fn read_racing(self, index: usize) -> MaybeUninit<T> {
        // SAFETY: the caller's word. Ordering: Acquire; meets the Release in `write` (plain-1).
        unsafe { self.read(index, Ordering::Acquire) }
    }

    /// # Safety
    /// The array must still be there, the caller the owner, and the slot written.
    #[inline(always)]
    pub(crate) unsafe fn read_own(self, index: usize) -> T {
        // SAFETY: the caller's word. Ordering: Relaxed; the owner reads what it wrote itself.
        unsafe { self.read(index, Ordering::Relaxed).assume_init() }
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
