//! The handshake of two threads: each stores to its own word and then loads the other's, and at least one of them must
//! see the other's store. Two queues and the freeing of arrays rest on it.
//!
//! C11 gives this to four `SeqCst` accesses (the store and the load of each side), and that is what
//! the ordinary build uses: on x86 the store is one `xchg`, cheaper than a store and `mfence`; on
//! AArch64 it is `stlr` and `ldar`, cheaper than a `dmb`; and ThreadSanitizer, which does not know
//! fences, sees everything. Loom treats `SeqCst` accesses as `AcqRel`, so the models use the
//! equivalent with `fence(SeqCst)` between store and load, as Lê et al. have it. The shipped form is explored by
//! Miri, whose weak-memory emulation knows both.

use crate::backend;
use crate::{AtomicPtr, AtomicUsize};

/// The word in which an index and a tag are together: 64 bits where the target has such atomics (also most 32-bit ones);
/// elsewhere tags and indices are half as wide.
#[cfg(any(loom, target_has_atomic = "64"))]
pub type Word = u64;
/// The word in which an index and a tag are together: this target has no atomics of 64 bits, so both are half as wide.
#[cfg(not(any(loom, target_has_atomic = "64")))]
pub type Word = usize;

/// The atomic of a [`Word`].
#[cfg(any(loom, target_has_atomic = "64"))]
pub type AtomicWord = crate::AtomicU64;
/// The atomic of a [`Word`].
#[cfg(not(any(loom, target_has_atomic = "64")))]
pub type AtomicWord = AtomicUsize;

/// One side of the handshake: a word this thread stores to and another loads.
pub trait Handshake {
    /// What the word holds.
    type Value;

    /// Stores, ordered before this thread's later [`Handshake::load_second`]s (and Release).
    fn store_first(&self, value: Self::Value);

    /// Loads, ordered before this thread's later [`Handshake::load_second`]s (and Acquire).
    fn load_first(&self) -> Self::Value;

    /// Loads, ordered after this thread's earlier [`Handshake::store_first`]s and
    /// [`Handshake::load_first`]s (and Acquire).
    fn load_second(&self) -> Self::Value;
}

/// Adds to a word as [`Handshake::store_first`] stores (and Release).
#[inline(always)]
pub fn add_first(word: &AtomicUsize, more: usize) {
    backend::add_first(word, more);
}

/// Replaces a word's value, if it is still `old`, as [`Handshake::store_first`] stores (and Release). Tells whether it
/// was.
#[inline(always)]
pub fn replace_first(word: &AtomicWord, old: Word, new: Word) -> bool {
    backend::replace_first(word, old, new)
}

/// Stores to a word that holds null, if it still does, as [`Handshake::store_first`] stores (and Acquire). Tells whether it
/// did.
#[inline(always)]
pub fn occupy_first<A>(word: &AtomicPtr<A>, new: *mut A) -> bool {
    backend::occupy_first(word, new)
}
