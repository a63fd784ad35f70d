//! Waiting until all threads of a pool run.

#[cfg(not(feature = "web_spin_lock"))]
use std::sync::{Condvar, Mutex};
#[cfg(feature = "web_spin_lock")]
use wasm_sync::{Condvar, Mutex};

/// How many threads of a pool do not run yet.
pub(crate) struct Primed {
    missing: Mutex<usize>,
    all_run: Condvar,
}

impl Primed {
    pub(crate) fn new(threads: usize) -> Primed {
        Primed { missing: Mutex::new(threads), all_run: Condvar::new() }
    }

    /// One more runs.
    pub(crate) fn count(&self) {
        let mut missing = self.missing.lock().expect("nobody panics with the lock");
        *missing = missing.saturating_sub(1);
        if *missing == 0 {
            self.all_run.notify_all();
        }
    }

    pub(crate) fn wait(&self) {
        let mut missing = self.missing.lock().expect("nobody panics with the lock");
        while *missing > 0 {
            missing = self.all_run.wait(missing).expect("nobody panics with the lock");
        }
    }
}
