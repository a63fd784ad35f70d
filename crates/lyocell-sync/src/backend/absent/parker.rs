//! A system that may have no threads: then nobody hands a token over while the one thread there is waits for it.
//!
//! Nor does it ask a clock, which may be missing too. It is WebAssembly's: there is nothing to tell at compile time whether a target of
//! it has threads, but for what the standard library is made of.

use crate::thread;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Whether one thread can wait for another. Where none can, what it would wait by has nothing in it.
const HAS_THREADS: bool = size_of::<Condvar>() > 0;

/// A token that one waits for and any hands over, as crossbeam's `Parker`.
#[derive(Debug, Default)]
pub struct Parker(Unparker);

/// Hands the token over.
#[derive(Clone, Debug, Default)]
pub struct Unparker(Arc<Token>);

#[derive(Debug, Default)]
struct Token {
    is_there: Mutex<bool>,
    comes: Condvar,
}

impl Parker {
    /// Waits for the token, and takes it.
    ///
    /// # Panics
    /// Panics if it is not there and there are no threads: to wait for it would be for ever.
    pub fn park(&self) {
        let Token { is_there, comes } = &*self.0.0;
        let mut is_there = is_there.lock().unwrap_or_else(PoisonError::into_inner);
        while !*is_there {
            if !HAS_THREADS {
                panic!(
                    "what is waited for here is left to another thread, and this system has none: leave it to the \
                     pool that waits for it, or wait for it after the call that it is part of"
                );
            }
            is_there = comes.wait(is_there).unwrap_or_else(PoisonError::into_inner);
        }
        *is_there = false;
    }

    /// Waits for the token for so long, and takes it. Without threads it has the time pass.
    pub fn park_timeout(&self, limit: Duration) {
        let Token { is_there, comes } = &*self.0.0;
        let mut is_there = is_there.lock().unwrap_or_else(PoisonError::into_inner);
        if !*is_there && HAS_THREADS {
            let waited = comes.wait_timeout(is_there, limit);
            is_there = waited.unwrap_or_else(PoisonError::into_inner).0;
        } else if !*is_there {
            thread::sleep(limit);
        }
        *is_there = false;
    }

    /// What hands the token to this one.
    pub fn unparker(&self) -> &Unparker {
        &self.0
    }
}

impl Unparker {
    /// Hands the token over.
    pub fn unpark(&self) {
        *self.0.is_there.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.comes.notify_one();
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// What happens without threads, `compat/wasm` tells.
    #[test]
    fn a_token_is_handed_over_and_taken_once() {
        let parker = Parker::default();
        parker.unparker().clone().unpark();
        parker.park();
        parker.park_timeout(Duration::ZERO);
        let unparker = parker.unparker().clone();
        let other = std::thread::spawn(move || unparker.unpark());
        parker.park();
        other.join().unwrap();
        parker.unparker().unpark();
        parker.park_timeout(Duration::MAX);
        parker.park_timeout(Duration::from_micros(1));
    }
}
