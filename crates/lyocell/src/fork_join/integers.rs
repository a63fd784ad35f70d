//! Ranges of integers as sources.

use super::source::Source;
use std::ops::{Range, RangeInclusive};

/// An integer type, or `char`: its ranges, with an end, are sources.
///
/// Implemented for all of Rust's, and for nothing else.
pub trait Integer: Copy + Ord + Send + sealed::Integer {}

mod sealed {
    pub trait Integer: Sized {
        const MIN: Self;
        const MAX: Self;

        /// How far it is to a greater one; `usize::MAX` if it is farther.
        fn distance(self, to: Self) -> usize;

        /// The one so far on. If it is in the type, so is its distance, though it may look negative there.
        fn wrapping_add(self, distance: usize) -> Self;
    }
}

macro_rules! integers {
    ($($integer:ident),*) => {$(
        impl Integer for $integer {}

        impl sealed::Integer for $integer {
            const MIN: Self = $integer::MIN;
            const MAX: Self = $integer::MAX;

            #[inline]
            fn distance(self, to: Self) -> usize {
                usize::try_from(to.abs_diff(self)).unwrap_or(usize::MAX)
            }

            #[inline]
            fn wrapping_add(self, distance: usize) -> Self {
                self.wrapping_add(distance as $integer)
            }
        }
    )*};
}

impl Integer for char {}

/// The first of the numbers that are no character, and how many these are.
const SURROGATES: (u32, u32) = (0xd800, 0x800);

impl sealed::Integer for char {
    const MIN: char = char::MIN;
    const MAX: char = char::MAX;

    #[inline]
    fn distance(self, to: char) -> usize {
        let (from, to) = (u32::from(self), u32::from(to));
        let gap = if from < SURROGATES.0 && to >= SURROGATES.0 { SURROGATES.1 } else { 0 };
        (to - from - gap) as usize
    }

    #[inline]
    fn wrapping_add(self, distance: usize) -> char {
        let (from, distance) = (u32::from(self), distance as u32);
        let to = from.wrapping_add(distance);
        let gap = if from < SURROGATES.0 && to >= SURROGATES.0 { SURROGATES.1 } else { 0 };
        // Past the greatest one only where there is nothing more.
        char::from_u32(to.wrapping_add(gap)).unwrap_or(char::MAX)
    }
}

integers!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);

impl<T: Integer> Source for Range<T>
where
    Range<T>: Iterator<Item = T>,
{
    type Item = T;

    fn items(&self) -> usize {
        if self.is_empty() { 0 } else { self.start.distance(self.end) }
    }

    fn cut(self, count: usize) -> (Self, Self) {
        let middle = self.start.wrapping_add(count);
        (self.start..middle, middle..self.end)
    }

    fn iterator(self) -> impl Iterator<Item = T> {
        self
    }
}

impl<T: Integer> Source for RangeInclusive<T>
where
    RangeInclusive<T>: Iterator<Item = T>,
{
    type Item = T;

    fn items(&self) -> usize {
        if self.is_empty() { 0 } else { self.start().distance(*self.end()).saturating_add(1) }
    }

    fn cut(self, count: usize) -> (Self, Self) {
        let nothing = T::MAX..=T::MIN;
        if count == 0 {
            return (nothing, self);
        }
        let (start, end) = self.into_inner();
        let last = start.wrapping_add(count - 1);
        let right = if last == end { nothing } else { last.wrapping_add(1)..=end };
        (start..=last, right)
    }

    fn iterator(self) -> impl Iterator<Item = T> {
        self
    }
}
