//! Store buffers: plain stores that others see late, where the memory is [`Memory::Tso`].
//!
//! Each processor's plain stores wait in a queue and leave in their order; the thread itself sees them at once. A fence, a
//! read-modify-write and going to sleep empty it; so does time, by the seed.
//!
//! The heavy barrier of another thread empties it up to the latest light one. What was stored after that is not yet *placed*: a
//! compiler may have put that store behind the loads that follow in the source, up to the next light barrier, and then the heavy one
//! comes between these loads and the store.
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
/// How long at the most where threads come late by as much, too. The runtime has a moment of 100 microseconds after which it takes any
/// store for seen.
const LONGEST: u64 = 50_000_000;

/// A store that has not left.
pub(crate) struct Waiting {
    address: usize,
    value: u64,
    write: fn(usize, u64),
    due: u64,
}

/// The stores of a thread that have not left, the oldest first.
#[derive(Default)]
pub(crate) struct Buffer {
    waiting: VecDeque<Waiting>,
    /// How many of them, the newest, came after the latest light barrier.
    unplaced: usize,
}

impl Buffer {
    /// So many leave, the oldest first.
    fn leave(&mut self, many: usize) {
        self.waiting.drain(..many).for_each(Waiting::leave);
        self.unplaced = self.unplaced.min(self.waiting.len());
    }

    fn leave_all(&mut self) {
        self.leave(self.waiting.len());
    }
}

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
        let late = (self.faults.longest_delay_ns * 1000).clamp(LONG, LONGEST);
        let longest = if self.dice.one_in(LONG_ONE_IN) { late } else { SHORT };
        let due = self.now() + self.dice.below(longest);
        {
            let mut buffers = self.buffers.borrow_mut();
            if buffers.len() <= me {
                buffers.resize_with(me + 1, Buffer::default);
            }
            let buffer = &mut buffers[me];
            let due = buffer.waiting.back().map_or(due, |last| last.due.max(due));
            buffer.waiting.push_back(Waiting { address, value, write, due });
            buffer.unplaced += 1;
            if buffer.waiting.len() > ENTRIES {
                buffer.leave(1);
            }
        }
        self.drain_due(self.now());
    }

    /// What the running thread has stored there, if that has not left.
    pub(crate) fn stored(&self, address: usize) -> Option<u64> {
        let buffers = self.buffers.borrow();
        let waiting = &buffers.get(self.thread())?.waiting;
        waiting.iter().rev().find(|store| store.address == address).map(|store| store.value)
    }

    /// The running thread passes a light barrier: what it has stored is placed.
    pub(crate) fn place(&self) {
        if let Some(buffer) = self.buffers.borrow_mut().get_mut(self.thread()) {
            buffer.unplaced = 0;
        }
    }

    /// All stores of a thread leave.
    pub(crate) fn drain(&self, thread: usize) {
        if let Some(buffer) = self.buffers.borrow_mut().get_mut(thread) {
            buffer.leave_all();
        }
    }

    pub(crate) fn drain_all(&self) {
        self.buffers.borrow_mut().iter_mut().for_each(Buffer::leave_all);
    }

    /// What all threads have stored and placed leaves, and all that the running one has stored.
    pub(crate) fn drain_placed(&self) {
        self.drain(self.thread());
        for buffer in &mut *self.buffers.borrow_mut() {
            buffer.leave(buffer.waiting.len() - buffer.unplaced);
        }
    }

    /// The stores leave whose moment has come.
    pub(crate) fn drain_due(&self, now: u64) {
        for buffer in &mut *self.buffers.borrow_mut() {
            while buffer.waiting.front().is_some_and(|store| store.due <= now) {
                buffer.leave(1);
            }
        }
    }

    /// Stores to what is about to be freed leave, with all before them (stores-1).
    pub(crate) fn drain_range(&self, address: usize, bytes: usize) {
        let Ok(mut buffers) = self.buffers.try_borrow_mut() else { return };
        for buffer in &mut *buffers {
            let is_there = |store: &Waiting| (address..address + bytes).contains(&store.address);
            let last = buffer.waiting.iter().rposition(is_there);
            buffer.leave(last.map_or(0, |last| last + 1));
        }
    }
}

impl Waiting {
    fn leave(self) {
        (self.write)(self.address, self.value);
    }
}
