//! Words that one thread writes and others may read.
//!
//! Ordering of all accesses: Relaxed. A worker writes its own words; whoever else reads them, or sets a flag in one, expects
//! no more than a hint. What is to be read exactly is handed over behind a lock.

use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Debug, Default)]
pub(crate) struct Word(AtomicU64);

impl Word {
    pub(crate) const fn new(value: u64) -> Word {
        Word(AtomicU64::new(value))
    }

    #[inline(always)]
    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    #[inline(always)]
    pub(crate) fn set(&self, value: u64) {
        self.0.store(value, Ordering::Relaxed);
    }

    /// Adds, up to the most there is. No RMW: the worker alone writes.
    #[inline(always)]
    pub(crate) fn add(&self, value: u64) {
        self.set(self.get().saturating_add(value));
    }

    /// Anybody: sets a flag, which the worker may overwrite unseen.
    pub(crate) fn flag(&self, flag: u64) {
        self.0.fetch_or(flag, Ordering::Relaxed);
    }
}
