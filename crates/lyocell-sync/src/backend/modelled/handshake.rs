//! The models' form of the [handshake](crate::handshake): loom treats `SeqCst` accesses as `AcqRel`, so a `fence(SeqCst)` stands
//! between store and load, as Lê et al. have it.

use crate::handshake::Handshake;
use loom::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering, fence};
use std::ptr;

macro_rules! handshake {
    ($([$($generic:ident)?] $atomic:ty => $value:ty),* $(,)?) => {$(
        impl$(<$generic>)? Handshake for $atomic {
            type Value = $value;

            fn store_first(&self, value: $value) {
                // Ordering: Release and a fence; the models' form of the same (module docs).
                self.store(value, Ordering::Release);
                fence(Ordering::SeqCst);
            }

            fn load_first(&self) -> $value {
                // Ordering: Relaxed and a fence, which makes it Acquire; the models' form of the same (module
                // docs).
                let value = self.load(Ordering::Relaxed);
                fence(Ordering::SeqCst);
                value
            }

            fn load_second(&self) -> $value {
                // Ordering: Acquire; the fence stands before it, in the first half (module docs).
                self.load(Ordering::Acquire)
            }
        }
    )*};
}

handshake!([] AtomicUsize => usize, [T] AtomicPtr<T> => *mut T, [] AtomicU64 => u64);

pub(crate) fn add_first(word: &AtomicUsize, more: usize) {
    // Ordering: Relaxed and a fence; the models' form of the same (module docs).
    word.fetch_add(more, Ordering::Relaxed);
    fence(Ordering::SeqCst);
}

pub(crate) fn occupy_first<A>(word: &AtomicPtr<A>, new: *mut A) -> bool {
    // Ordering: AcqRel and a fence; the models' form of the same (module docs).
    let occupied =
        word.compare_exchange(ptr::null_mut(), new, Ordering::AcqRel, Ordering::Relaxed).is_ok();
    fence(Ordering::SeqCst);
    occupied
}

pub(crate) fn replace_first(word: &AtomicU64, old: u64, new: u64) -> bool {
    // Ordering: Release and a fence; the models' form of the same (module docs).
    let replaced = word.compare_exchange(old, new, Ordering::Release, Ordering::Relaxed).is_ok();
    fence(Ordering::SeqCst);
    replaced
}
