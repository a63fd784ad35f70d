//! A parker over loom's lock.

use loom::sync::{Arc, Condvar, Mutex};
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
