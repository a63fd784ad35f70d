//! A plain store to a word that other threads change by compare-and-swap, of which loom must be told.
//!
//! In C11 a compare-and-swap comes directly after the store it read, so a later store of that
//! store's thread comes after both. Loom orders the two only if one thread saw the other, and would let a
//! thread read the older one; in the models the store is therefore a swap, whose result nobody uses.

use crate::Ordering;

/// A word with such a store.
pub trait Overwrite<T> {
    /// Stores.
    fn overwrite(&self, value: T, ordering: Ordering);
}
