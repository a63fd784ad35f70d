//! The handshake of two threads: each stores to its own word and then loads the other's, and at least one of them must
//! see the other's store. Two queues and the freeing of arrays rest on it.
//!
//! C11 gives this to four `SeqCst` accesses (the store and the load of each side), and that is what
//! the ordinary build uses: on x86 the store is one `xchg`, cheaper than a store and `mfence`; on
//! AArch64 it is `stlr` and `ldar`, cheaper than a `dmb`; and ThreadSanitizer, which does not know
//! fences, sees everything. Loom treats `SeqCst` accesses as `AcqRel`, so the models use the
//! equivalent with `fence(SeqCst)` between store and load, as Lê et al. have it. The shipped form is explored by
//! Miri, whose weak-memory emulation knows both.

use super::{AtomicPtr, AtomicUsize, AtomicWord, Ordering, Word};

/// One side of the handshake: a word this thread stores to and another loads.
pub(crate) trait Handshake {
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

macro_rules! handshake {
    ($([$($generic:ident)?] $atomic:ty => $value:ty),* $(,)?) => {$(
        #[cfg(not(loom))]
        impl$(<$generic>)? Handshake for $atomic {
            type Value = $value;

            #[inline(always)]
            fn store_first(&self, value: $value) {
                // Ordering: SeqCst; meets the other side's SeqCst load (module docs).
                self.store(value, Ordering::SeqCst);
            }

            #[inline(always)]
            fn load_first(&self) -> $value {
                // Ordering: SeqCst; meets the other side's SeqCst swaps and stores (module docs).
                self.load(Ordering::SeqCst)
            }

            #[inline(always)]
            fn load_second(&self) -> $value {
                // Ordering: SeqCst; meets the other side's SeqCst store (module docs).
                self.load(Ordering::SeqCst)
            }
        }

        #[cfg(loom)]
        impl$(<$generic>)? Handshake for $atomic {
            type Value = $value;

            fn store_first(&self, value: $value) {
                // Ordering: Release and a fence; the models' form of the same (module docs).
                self.store(value, Ordering::Release);
                loom::sync::atomic::fence(Ordering::SeqCst);
            }

            fn load_first(&self) -> $value {
                // Ordering: Relaxed and a fence, which makes it Acquire; the models' form of the same (module
                // docs).
                let value = self.load(Ordering::Relaxed);
                loom::sync::atomic::fence(Ordering::SeqCst);
                value
            }

            fn load_second(&self) -> $value {
                // Ordering: Acquire; the fence stands before it, in the first half (module docs).
                self.load(Ordering::Acquire)
            }
        }
    )*};
}

handshake!([] AtomicUsize => usize, [T] AtomicPtr<T> => *mut T);
#[cfg(any(loom, target_has_atomic = "64"))]
handshake!([] AtomicWord => Word);

/// Adds to a word as [`Handshake::store_first`] stores (and Release).
#[cfg(not(loom))]
#[inline(always)]
pub(crate) fn add_first(word: &AtomicUsize, more: usize) {
    // Ordering: SeqCst; meets the other side's SeqCst load (module docs).
    word.fetch_add(more, Ordering::SeqCst);
}

/// Adds to a word as [`Handshake::store_first`] stores (and Release).
#[cfg(loom)]
pub(crate) fn add_first(word: &AtomicUsize, more: usize) {
    // Ordering: Relaxed and a fence; the models' form of the same (module docs).
    word.fetch_add(more, Ordering::Relaxed);
    loom::sync::atomic::fence(Ordering::SeqCst);
}

/// Replaces a word's value, if it is still `old`, as [`Handshake::store_first`] stores (and Release). Tells whether it
/// was.
#[cfg(not(loom))]
#[inline(always)]
pub(crate) fn replace_first(word: &AtomicWord, old: Word, new: Word) -> bool {
    // Ordering: SeqCst; meets the other side's SeqCst load (module docs). Failure: nothing done, Relaxed.
    word.compare_exchange(old, new, Ordering::SeqCst, Ordering::Relaxed).is_ok()
}

/// Replaces a word's value, if it is still `old`, as [`Handshake::store_first`] stores (and Release). Tells whether it
/// was.
#[cfg(loom)]
pub(crate) fn replace_first(word: &AtomicWord, old: Word, new: Word) -> bool {
    // Ordering: Release and a fence; the models' form of the same (module docs).
    let replaced = word.compare_exchange(old, new, Ordering::Release, Ordering::Relaxed).is_ok();
    loom::sync::atomic::fence(Ordering::SeqCst);
    replaced
}
