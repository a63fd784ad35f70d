//! A plain store to a word that other threads change by compare-and-swap, of which loom must be told.
//!
//! In C11 a compare-and-swap comes directly after the store it read, so a later store of that
//! store's thread comes after both. Loom orders the two only if one thread saw the other, and would let a
//! thread read the older one; in the models the store is therefore a swap, whose result nobody uses.

use super::{AtomicU32, AtomicUsize, Ordering};
#[cfg(any(loom, target_has_atomic = "64"))]
use super::{AtomicWord, Word};

/// A word with such a store.
pub trait Overwrite<T> {
    /// Stores.
    fn overwrite(&self, value: T, ordering: Ordering);
}

macro_rules! overwrite {
    ($($atomic:ty => $value:ty),*) => {$(
        impl Overwrite<$value> for $atomic {
            #[cfg(not(loom))]
            #[inline(always)]
            fn overwrite(&self, value: $value, ordering: Ordering) {
                self.store(value, ordering);
            }

            #[cfg(loom)]
            fn overwrite(&self, value: $value, ordering: Ordering) {
                self.swap(value, ordering);
            }
        }
    )*};
}

overwrite!(AtomicUsize => usize, AtomicU32 => u32);
#[cfg(any(loom, target_has_atomic = "64"))]
overwrite!(AtomicWord => Word);
