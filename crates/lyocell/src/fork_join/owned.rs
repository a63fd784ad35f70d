//! Vectors and arrays by value as sources: whoever runs an item has it.
//!
//! # Invariants
//! - owned-1. Each item of the buffer belongs to one piece, which moves it out once, or drops it.
//! - owned-2. The buffer goes with its last piece, and is empty by its own account: it drops no items.

use super::source::{IntoSource, Source};
use crate::task::panic::drop_quietly;
use std::ptr::NonNull;
use std::sync::Arc;

/// The items of a vector or an array, made from it by [`IntoSource`]. What a loop leaves, because it ends early, is dropped.
#[derive(Debug)]
pub struct Owned<T> {
    items: NonNull<T>,
    first: usize,
    end: usize,
    /// The vector, with no items. Keeps the memory.
    buffer: Arc<Vec<T>>,
}

// SAFETY: by owned-1 its items are its own; of the buffer only the memory is left.
unsafe impl<T: Send> Send for Owned<T> {}

impl<T: Send> IntoSource for Vec<T> {
    type Source = Owned<T>;

    fn into_source(mut self) -> Owned<T> {
        let end = self.len();
        let items = NonNull::new(self.as_mut_ptr()).expect("a vector's pointer is not null");
        // SAFETY: none is fewer than there are. The items are the piece's now (owned-2).
        unsafe { self.set_len(0) };
        Owned { items, first: 0, end, buffer: Arc::new(self) }
    }
}

impl<T: Send, const N: usize> IntoSource for [T; N] {
    type Source = Owned<T>;

    fn into_source(self) -> Owned<T> {
        Vec::from(self).into_source()
    }
}

impl<T> Owned<T> {
    fn pop_first(&mut self) -> Option<T> {
        if self.first == self.end {
            return None;
        }
        let at = self.first;
        self.first += 1;
        // SAFETY: owned-1; it is this piece's no more, so it is moved out once.
        Some(unsafe { self.items.add(at).read() })
    }
}

impl<T: Send> Source for Owned<T> {
    type Item = T;

    fn items(&self) -> usize {
        self.end - self.first
    }

    fn cut(mut self, count: usize) -> (Self, Self) {
        let middle = self.first + count.min(self.items());
        let buffer = Arc::clone(&self.buffer);
        let rest = Owned { items: self.items, first: middle, end: self.end, buffer };
        self.end = middle;
        (self, rest)
    }

    fn iterator(mut self) -> impl Iterator<Item = T> {
        std::iter::from_fn(move || self.pop_first())
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // Most often there are none.
        while let Some(item) = self.pop_first() {
            // The loop may be unwinding.
            drop_quietly(item);
        }
    }
}
