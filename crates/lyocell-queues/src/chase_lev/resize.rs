//! What becomes of the array of a Chase-Lev queue: it only grows, or it shrinks too.
//!
//! A growing queue holds every array that it replaced, so a thief needs to post only which slot it reads. A shrinking
//! one frees them, so a thief posts first and then makes sure that the array is still the current one: thief and
//! owner meet in the handshake of [`lyocell_sync::Handshake`]. Either way chase_lev-4 holds.

use crate::array::Array;
use crate::board::{Board, Notice};
use lyocell_sync::{AtomicPtr, Handshake, Ordering};

/// The array is halved when fewer than one part in so many of its slots are in use: then the smaller
/// one is at most half full, and it takes in proportion many pushes or takes before the next change.
const SPARSE: usize = 4;

/// What becomes of arrays: [`Growing`] or [`Shrinking`].
pub trait Resize: sealed::Resize {}

/// The array only grows; replaced arrays are held.
#[derive(Debug)]
pub struct Growing;

/// The array grows and shrinks; replaced arrays are freed.
#[derive(Debug)]
pub struct Shrinking;

impl Resize for Growing {}
impl Resize for Shrinking {}

pub(super) mod sealed {
    use super::{Array, AtomicPtr, Board, Notice};

    pub trait Resize {
        /// Whether an array of `capacity` is too large for `len` items.
        fn sparse(len: usize, capacity: usize) -> bool;

        /// A thief finds the array and posts that it may read there from `index` on; `None` if the notice is in use.
        #[expect(private_interfaces)]
        fn post<T>(
            current: &AtomicPtr<Array<T>>,
            notice: &Notice<Array<T>>,
            index: usize,
        ) -> Option<*mut Array<T>>;

        /// The array that was posted, if it is sure to stay as long as the notice.
        #[expect(private_interfaces)]
        fn confirm<T>(
            current: &AtomicPtr<Array<T>>,
            posted: *mut Array<T>,
        ) -> Option<*mut Array<T>>;

        /// Whether a replaced array must be held.
        #[expect(private_interfaces)]
        fn held<T>(board: &Board<Array<T>>, array: *mut Array<T>) -> bool;
    }
}

impl sealed::Resize for Growing {
    #[inline(always)]
    fn sparse(_: usize, _: usize) -> bool {
        false
    }

    #[inline(always)]
    #[expect(private_interfaces)]
    fn post<T>(
        current: &AtomicPtr<Array<T>>,
        notice: &Notice<Array<T>>,
        index: usize,
    ) -> Option<*mut Array<T>> {
        // Ordering: Acquire; meets the owner's store in `replace`.
        let array = current.load(Ordering::Acquire);
        notice.post(array, index).then_some(array)
    }

    #[inline(always)]
    #[expect(private_interfaces)]
    fn confirm<T>(_: &AtomicPtr<Array<T>>, posted: *mut Array<T>) -> Option<*mut Array<T>> {
        Some(posted)
    }

    #[expect(private_interfaces)]
    fn held<T>(_: &Board<Array<T>>, _: *mut Array<T>) -> bool {
        true
    }
}

impl sealed::Resize for Shrinking {
    #[inline(always)]
    fn sparse(len: usize, capacity: usize) -> bool {
        len < capacity / SPARSE
    }

    #[inline(always)]
    #[expect(private_interfaces)]
    fn post<T>(
        current: &AtomicPtr<Array<T>>,
        notice: &Notice<Array<T>>,
        index: usize,
    ) -> Option<*mut Array<T>> {
        // Ordering: Relaxed; it is not looked into before `confirm`.
        let array = current.load(Ordering::Relaxed);
        notice.post_first(array, index).then_some(array)
    }

    #[inline(always)]
    #[expect(private_interfaces)]
    fn confirm<T>(current: &AtomicPtr<Array<T>>, posted: *mut Array<T>) -> Option<*mut Array<T>> {
        // Ordering: the handshake with `replace` and `held`: if the owner missed the notice, this
        // thread sees the newer array. Also Acquire; meets the owner's store in `replace`.
        let confirmed = current.load_second();
        // The array may have been replaced and freed, and a newer one be where it was: then that is the current one, and
        // the notice names it by its address. So what counts is the second look, and the pointer is from there.
        (confirmed == posted).then_some(confirmed)
    }

    #[expect(private_interfaces)]
    fn held<T>(board: &Board<Array<T>>, array: *mut Array<T>) -> bool {
        board.any_reads(array)
    }
}
