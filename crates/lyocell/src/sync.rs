//! The primitives that threads share memory by: those that the protocols are written in.
//!
//! Built as usual, everything here is `std` or crossbeam and costs nothing. Built with
//! `--cfg loom`, the same names are loom's, so the models explore the very code that ships.
//!
//! May import: nothing.
//! Never enters: what a thread does without others; that is in [`outside`](crate::outside).

#[cfg(not(loom))]
pub(crate) use plain::*;
#[cfg(loom)]
pub(crate) use under_loom::*;

/// Atomics that are the standard library's in every build, models included: where a thread meets only its own
/// signal handler, or where the value is no more than a hint or a count. A model has nothing to find there.
pub(crate) mod unmodelled {
    pub(crate) use std::sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, Ordering, compiler_fence,
    };
}

#[cfg(not(loom))]
mod plain {
    pub(crate) use crossbeam_utils::sync::{Parker, Unparker};
    pub(crate) use std::hint::spin_loop;
    pub(crate) use std::sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, Ordering, fence,
    };
    pub(crate) use std::sync::{Mutex, MutexGuard};
    pub(crate) use std::thread::yield_now;

    /// `std::cell::UnsafeCell` with loom's interface.
    #[derive(Debug)]
    #[repr(transparent)]
    pub(crate) struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

    impl<T> UnsafeCell<T> {
        #[cfg(test)]
        pub(crate) const fn new(value: T) -> Self {
            UnsafeCell(std::cell::UnsafeCell::new(value))
        }

        /// Calls `f` with a pointer that may be read through.
        #[inline(always)]
        pub(crate) fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
            f(self.0.get())
        }

        /// Calls `f` with a pointer that may be written through.
        #[inline(always)]
        pub(crate) fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
            f(self.0.get())
        }
    }
}

#[cfg(loom)]
mod under_loom {
    pub(crate) use loom::cell::UnsafeCell;
    pub(crate) use loom::hint::spin_loop;
    pub(crate) use loom::sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, Ordering, fence,
    };
    use loom::sync::{Arc, Condvar};
    pub(crate) use loom::sync::{Mutex, MutexGuard};
    pub(crate) use loom::thread::yield_now;
    use std::time::Duration;

    /// A token that one thread waits for and any thread hands over, as crossbeam's `Parker`.
    #[derive(Debug)]
    pub(crate) struct Parker(Unparker);

    #[derive(Clone, Debug)]
    pub(crate) struct Unparker(Arc<(Mutex<bool>, Condvar)>);

    impl Default for Parker {
        fn default() -> Self {
            Parker(Unparker(Arc::new((Mutex::new(false), Condvar::new()))))
        }
    }

    impl Parker {
        pub(crate) fn park(&self) {
            let (token, wake) = &*self.0.0;
            let mut token = token.lock().unwrap();
            while !*token {
                token = wake.wait(token).unwrap();
            }
            *token = false;
        }

        /// loom has no time: a wait with a limit is one that may end at once.
        pub(crate) fn park_timeout(&self, _limit: Duration) {
            *self.0.0.0.lock().unwrap() = false;
            loom::thread::yield_now();
        }

        pub(crate) fn unparker(&self) -> &Unparker {
            &self.0
        }
    }

    impl Unparker {
        pub(crate) fn unpark(&self) {
            *self.0.0.lock().unwrap() = true;
            self.0.1.notify_one();
        }
    }
}
