//! What is made anew in the child of a fork: a lock that somebody holds who is not there, or a thread that is not there.
//!
//! # Invariants
//! - per_process-1. What was made is never freed, and the word leads to something that was made or is null.

use lyocell::probe::Generation;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// One for each process; those of the processes before are kept, some hundred bytes for each fork that made its own.
#[derive(Debug)]
pub(crate) struct PerProcess<T: Sync + 'static>(AtomicPtr<Made<T>>);

#[derive(Debug)]
struct Made<T> {
    generation: Generation,
    value: T,
}

impl<T: Sync> PerProcess<T> {
    pub(crate) const fn new() -> PerProcess<T> {
        PerProcess(AtomicPtr::new(null_mut()))
    }

    /// That of this process, made of that of the process before if there is none. Where two threads make one, that of the first
    /// is taken.
    pub(crate) fn get(&self, make: impl FnOnce(Option<&T>) -> T) -> &'static T {
        // Ordering: Acquire; meets the Release of who made it.
        let found = self.0.load(Ordering::Acquire);
        // SAFETY: by per_process-1.
        let before: Option<&'static Made<T>> = unsafe { found.as_ref() };
        if let Some(made) = before.filter(|made| !made.generation.is_past()) {
            return &made.value;
        }
        let value = make(before.map(|made| &made.value));
        let made = Box::into_raw(Box::new(Made { generation: Generation::now(), value }));
        // Ordering: AcqRel; Release for who finds it, Acquire for what somebody else has made meanwhile. What was found is not
        // freed, so the word has not been there and back.
        let ours = match self.0.compare_exchange(found, made, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => made,
            Err(theirs) => {
                // SAFETY: nobody else has seen it.
                drop(unsafe { Box::from_raw(made) });
                theirs
            }
        };
        // SAFETY: by per_process-1.
        let made: &'static Made<T> = unsafe { &*ours };
        &made.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_once() {
        static ONE: PerProcess<u32> = PerProcess::new();
        assert_eq!(*ONE.get(|before| before.map_or(7, |_| 8)), 7);
        assert_eq!(*ONE.get(|_| 9), 7);
    }
}
