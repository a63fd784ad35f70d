//! The primitives in the models: loom's, and what it lacks.

use super::Mutex;
use loom::sync::{Arc, Condvar};
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

/// Never met here.
#[derive(Debug)]
pub(crate) struct OutOfMemory;

/// None.
pub fn address_limit() -> Option<usize> {
    None
}

/// Values side by side. loom's atomics must be built, they cannot be zeroed.
pub(crate) struct Memory<T>(Box<[T]>);

impl<T> Memory<T> {
    /// # Safety
    /// None here; see the one that ships.
    pub(crate) unsafe fn reserve(
        arrays: usize,
        count: usize,
        _at_hand: usize,
        build: fn() -> T,
    ) -> Result<Vec<Memory<T>>, OutOfMemory> {
        Ok((0..arrays).map(|_| Memory((0..count).map(|_| build()).collect())).collect())
    }

    pub(crate) fn extend(&self, _from: usize, _to: usize) -> Result<(), OutOfMemory> {
        Ok(())
    }

    pub(crate) fn give_back(&self, _from: usize, _to: usize) {}

    pub(crate) fn first(&self) -> NonNull<T> {
        NonNull::from(&*self.0).cast()
    }
}
