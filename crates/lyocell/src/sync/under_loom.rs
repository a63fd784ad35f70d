//! The primitives in the models: loom's, and what it lacks.

use super::Mutex;
use loom::sync::{Arc, Condvar};
use std::cell::Cell;
use std::ptr::NonNull;
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

thread_local! {
    // Of the test's thread, on which loom runs all those of a model.
    static LIMITS_COUNT: Cell<bool> = const { Cell::new(true) };
}

/// From now on a sleep with a limit is one without in this model: nobody may rely on its end.
#[cfg(test)]
pub(crate) fn forget_limits() {
    LIMITS_COUNT.set(false);
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
        if !LIMITS_COUNT.get() {
            return self.park();
        }
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

/// Values side by side. loom's atomics must be built, they cannot be zeroed.
pub(crate) struct Memory<T>(Box<[T]>);

impl<T> Memory<T> {
    /// # Safety
    /// None here; see the one that ships.
    pub(crate) unsafe fn reserve(count: usize, build: fn() -> T) -> Option<Memory<T>> {
        Some(Memory((0..count).map(|_| build()).collect()))
    }

    pub(crate) fn first(&self) -> NonNull<T> {
        NonNull::from(&*self.0).cast()
    }
}
