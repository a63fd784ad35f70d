//! A parker over loom's lock.

use loom::sync::{Arc, Condvar, Mutex};
use std::cell::Cell;
use std::time::Duration;

/// A token that one thread waits for and any thread hands over, as crossbeam's `Parker`.
#[derive(Debug)]
pub struct Parker(Unparker);

/// Hands the token over.
#[derive(Clone, Debug)]
pub struct Unparker(Arc<(Mutex<bool>, Condvar)>);

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
pub fn forget_limits() {
    LIMITS_COUNT.set(false);
}

impl Parker {
    /// Waits for the token, and takes it.
    pub fn park(&self) {
        let (token, wake) = &*self.0.0;
        let mut token = token.lock().unwrap();
        while !*token {
            token = wake.wait(token).unwrap();
        }
        *token = false;
    }

    /// loom has no time: a wait with a limit is one that may end at once.
    pub fn park_timeout(&self, _limit: Duration) {
        if !LIMITS_COUNT.get() {
            return self.park();
        }
        *self.0.0.0.lock().unwrap() = false;
        loom::thread::yield_now();
    }

    /// What hands the token to this one.
    pub fn unparker(&self) -> &Unparker {
        &self.0
    }
}

impl Unparker {
    /// Hands the token over.
    pub fn unpark(&self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_one();
    }
}
