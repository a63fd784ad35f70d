//! The only place that knows loom: atomics, cells and shared ownership under one name each.
//!
//! It also holds the one ordering idiom two queues and the reclamation share, the *handshake*: each of
//! two threads stores to its own word and then loads the other's, and at least one of them must
//! see the other's store.
//!
//! C11 gives this to four `SeqCst` accesses (the store and the load of each side), and that is what
//! the ordinary build uses: on x86 the store is one `xchg`, cheaper than a store and `mfence`; on
//! AArch64 it is `stlr` and `ldar`, cheaper than a `dmb`; and ThreadSanitizer, which does not know
//! fences, sees everything. Loom treats `SeqCst` accesses as `AcqRel`, so the models use the
//! equivalent with `fence(SeqCst)` between store and load, as Lê et al. have it. The shipped form is explored by Miri, whose
//! weak-memory emulation knows both.
//!
//! And one thing loom must be told: a plain store by one thread to a word on which another does
//! compare-and-swap ([`Overwrite`]).

#[cfg(loom)]
pub(crate) use loom::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering},
};
#[cfg(not(loom))]
pub(crate) use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering},
};

#[cfg(not(loom))]
mod word {
    // 64-bit words where the target has them (also most 32-bit ones); elsewhere the tags and
    // indices that share a word are half as wide.
    #[cfg(target_has_atomic = "64")]
    pub(crate) type Word = u64;
    #[cfg(target_has_atomic = "64")]
    pub(crate) type AtomicWord = std::sync::atomic::AtomicU64;
    #[cfg(not(target_has_atomic = "64"))]
    pub(crate) type Word = usize;
    #[cfg(not(target_has_atomic = "64"))]
    pub(crate) type AtomicWord = std::sync::atomic::AtomicUsize;
}

/// The lock's content if the lock is free.
#[cfg(not(loom))]
pub(crate) fn try_lock<T>(lock: &Mutex<T>) -> Option<std::sync::MutexGuard<'_, T>> {
    match lock.try_lock() {
        Ok(content) => Some(content),
        // No code of the user's runs under a lock here, so a poisoned one guards whole content.
        Err(std::sync::TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(std::sync::TryLockError::WouldBlock) => None,
    }
}

/// The lock's content. Loom does not explore what others may do before a `try_lock`, so the models wait.
#[cfg(loom)]
pub(crate) fn try_lock<T>(lock: &Mutex<T>) -> Option<loom::sync::MutexGuard<'_, T>> {
    lock.lock().ok()
}

#[cfg(loom)]
mod word {
    pub(crate) type Word = u64;
    pub(crate) type AtomicWord = super::AtomicU64;
}
pub(crate) use word::{AtomicWord, Word};

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

/// A plain store to a word that other threads change by compare-and-swap.
///
/// In C11 a compare-and-swap comes directly after the store it read, so a later store of that
/// store's thread comes after both. Loom orders the two only if one thread saw the other, and would let a
/// thread read the older one; in the models the store is therefore a swap, whose result nobody uses.
pub(crate) trait Overwrite: Handshake {
    /// Stores.
    fn overwrite(&self, value: Self::Value, ordering: Ordering);
}

macro_rules! overwrite {
    ($($atomic:ty),*) => {$(
        impl Overwrite for $atomic {
            #[cfg(not(loom))]
            #[inline(always)]
            fn overwrite(&self, value: <Self as Handshake>::Value, ordering: Ordering) {
                self.store(value, ordering);
            }

            #[cfg(loom)]
            fn overwrite(&self, value: <Self as Handshake>::Value, ordering: Ordering) {
                self.swap(value, ordering);
            }
        }
    )*};
}

overwrite!(AtomicUsize);
#[cfg(any(loom, target_has_atomic = "64"))]
overwrite!(AtomicWord);

/// A cell whose accesses loom checks for races; otherwise `UnsafeCell`.
#[cfg(loom)]
#[derive(Debug)]
pub(crate) struct RaceCell<T>(loom::cell::UnsafeCell<T>);

/// A cell whose accesses loom checks for races; otherwise `UnsafeCell`.
#[cfg(not(loom))]
#[derive(Debug)]
pub(crate) struct RaceCell<T>(std::cell::UnsafeCell<T>);

#[cfg(loom)]
impl<T> RaceCell<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(loom::cell::UnsafeCell::new(value))
    }

    pub(crate) fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
        self.0.with(f)
    }

    pub(crate) fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        self.0.with_mut(f)
    }
}

#[cfg(not(loom))]
impl<T> RaceCell<T> {
    #[inline(always)]
    pub(crate) fn new(value: T) -> Self {
        Self(std::cell::UnsafeCell::new(value))
    }

    #[inline(always)]
    pub(crate) fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
        f(self.0.get())
    }

    #[inline(always)]
    pub(crate) fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        f(self.0.get())
    }
}
