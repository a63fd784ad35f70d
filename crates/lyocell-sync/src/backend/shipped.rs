//! The [handshake](crate::handshake) and the [overwriting store](crate::overwrite) as they ship, over the backend's atomics.

#[cfg(target_has_atomic = "64")]
use crate::AtomicU64;
use crate::handshake::{AtomicWord, Handshake, Word};
use crate::overwrite::Overwrite;
use crate::{AtomicPtr, AtomicU32, AtomicUsize, Ordering};
use std::ptr;

macro_rules! handshake {
    ($([$($generic:ident)?] $atomic:ty => $value:ty),* $(,)?) => {$(
        impl$(<$generic>)? Handshake for $atomic {
            type Value = $value;

            #[inline(always)]
            fn store_first(&self, value: $value) {
                // Ordering: SeqCst; meets the other side's SeqCst load (`handshake`).
                self.store(value, Ordering::SeqCst);
            }

            #[inline(always)]
            fn load_first(&self) -> $value {
                // Ordering: SeqCst; meets the other side's SeqCst swaps and stores (`handshake`).
                self.load(Ordering::SeqCst)
            }

            #[inline(always)]
            fn load_second(&self) -> $value {
                // Ordering: SeqCst; meets the other side's SeqCst store (`handshake`).
                self.load(Ordering::SeqCst)
            }
        }
    )*};
}

handshake!([] AtomicUsize => usize, [T] AtomicPtr<T> => *mut T);
#[cfg(target_has_atomic = "64")]
handshake!([] AtomicU64 => u64);

#[inline(always)]
pub(crate) fn add_first(word: &AtomicUsize, more: usize) {
    // Ordering: SeqCst; meets the other side's SeqCst load (`handshake`).
    word.fetch_add(more, Ordering::SeqCst);
}

#[inline(always)]
pub(crate) fn replace_first(word: &AtomicWord, old: Word, new: Word) -> bool {
    // Ordering: SeqCst; meets the other side's SeqCst load (`handshake`). Failure: nothing done, Relaxed.
    word.compare_exchange(old, new, Ordering::SeqCst, Ordering::Relaxed).is_ok()
}

#[inline(always)]
pub(crate) fn occupy_first<A>(word: &AtomicPtr<A>, new: *mut A) -> bool {
    // Ordering: SeqCst, as in `replace_first`; Acquire in it meets the Release of who emptied the word.
    word.compare_exchange(ptr::null_mut(), new, Ordering::SeqCst, Ordering::Relaxed).is_ok()
}

macro_rules! overwrite {
    ($($atomic:ty => $value:ty),*) => {$(
        impl Overwrite<$value> for $atomic {
            #[inline(always)]
            fn overwrite(&self, value: $value, ordering: Ordering) {
                self.store(value, ordering);
            }
        }
    )*};
}

overwrite!(AtomicUsize => usize, AtomicU32 => u32);
#[cfg(target_has_atomic = "64")]
overwrite!(AtomicU64 => u64);
