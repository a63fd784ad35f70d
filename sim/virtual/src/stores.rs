//! Store buffers: plain stores that others see late, where the memory is [`Memory::Tso`].
//!
//! Each processor's plain stores wait in a queue and leave in their order; the thread itself sees them at once. A fence, a
//! read-modify-write, the heavy barrier and going to sleep empty it; so does time, by the seed.
//!
//! # Invariants
//! - stores-1. What waits here is to be written to memory that is still there and is the same word: whoever frees memory empties the
//!   buffers of what lies in it first, and a word on the running thread's own stack does not wait at all. One on another's stack has left
//!   when that thread learns that its frame may go: stores leave in their order, and the one that tells it is the last.

use crate::world::{Memory, World};
use std::collections::VecDeque;

/// The most stores that wait.
const ENTRIES: usize = 16;
/// One store in so many waits longer than the next few accesses.
const LONG_ONE_IN: u64 = 8;
/// How long, in picoseconds: as long as it takes others to look at several lines.
const LONG: u64 = 3_000_000;
const SHORT: u64 = 50_000;

/// A store that has not left.
pub(crate) struct Waiting {
    address: usize,
    value: u64,
    write: fn(usize, u64),
    due: u64,
}

#[derive(Default)]
pub(crate) struct Buffer(VecDeque<Waiting>);

impl World {
    /// Whether this store has to go the way of others: there are buffers, and the word may wait in one.
    #[inline]
    pub(crate) fn buffers(&self) -> bool {
        self.memory == Memory::Tso
    }

    /// A plain store of the running thread.
    pub(crate) fn store_late(&self, address: usize, value: u64, write: fn(usize, u64)) {
        let me = self.thread();
        let on_own_stack = self.threads.borrow().get(me).stack.contains(&address);
        if on_own_stack {
            self.drain(me);
            return write(address, value);
        }
        let longest = if self.dice.one_in(LONG_ONE_IN) { LONG } else { SHORT };
        let due = self.now() + self.dice.below(longest);
        {
            let mut buffers = self.buffers.borrow_mut();
            if buffers.len() <= me {
                buffers.resize_with(me + 1, Buffer::default);
            }
            let waiting = &mut buffers[me].0;
            let due = waiting.back().map_or(due, |last| last.due.max(due));
            waiting.push_back(Waiting { address, value, write, due });
            if waiting.len() > ENTRIES {
                waiting.pop_front().into_iter().for_each(Waiting::leave);
            }
        }
        self.drain_due(self.now());
    }

    /// What the running thread has stored there, if that has not left.
    pub(crate) fn stored(&self, address: usize) -> Option<u64> {
        let buffers = self.buffers.borrow();
        let waiting = &buffers.get(self.thread())?.0;
        waiting.iter().rev().find(|store| store.address == address).map(|store| store.value)
    }

    /// All stores of a thread leave.
    pub(crate) fn drain(&self, thread: usize) {
        if let Some(buffer) = self.buffers.borrow_mut().get_mut(thread) {
            buffer.0.drain(..).for_each(Waiting::leave);
        }
    }

    pub(crate) fn drain_all(&self) {
        self.buffers
            .borrow_mut()
            .iter_mut()
            .for_each(|buffer| buffer.0.drain(..).for_each(Waiting::leave));
    }

    /// The stores leave whose moment has come.
    pub(crate) fn drain_due(&self, now: u64) {
        for Buffer(waiting) in &mut *self.buffers.borrow_mut() {
            while waiting.front().is_some_and(|store| store.due <= now) {
                waiting.pop_front().into_iter().for_each(Waiting::leave);
            }
        }
    }

    /// Stores to what is about to be freed leave, with all before them (stores-1).
    pub(crate) fn drain_range(&self, address: usize, bytes: usize) {
        let Ok(mut buffers) = self.buffers.try_borrow_mut() else { return };
        for Buffer(waiting) in &mut *buffers {
            let last = waiting
                .iter()
                .rposition(|store| (address..address + bytes).contains(&store.address));
            for _ in 0..last.map_or(0, |last| last + 1) {
                waiting.pop_front().into_iter().for_each(Waiting::leave);
            }
        }
    }
}

impl Waiting {
    fn leave(self) {
        (self.write)(self.address, self.value);
    }
}
