//! Which token a worker's tasks are under, and where they stop.

use super::{Registry, Worker};
use crate::cancel::{Cancel, Listening, Stopped, Token};
use crate::deque::Deque;
use crate::probe::Probe;
use lyocell_sync::{Ordering, fence, thread};
use std::panic::resume_unwind;
use std::ptr::NonNull;

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Calls `body` with all that it forks under this token, or under none.
    #[inline]
    pub(crate) fn under<R>(&self, token: Option<Token>, body: impl FnOnce() -> R) -> R {
        if token.is_none() && !self.tokens.any() {
            return body();
        }
        let _entry = self.enter_under(token);
        body()
    }

    /// Makes the entry that tells so (entries-1). In the child of a fork there is none: a thief may hold the lock for ever.
    fn enter_under(&self, token: Option<Token>) -> Option<Under<'_, D, P>> {
        if self.is_left_behind() {
            return None;
        }
        self.tokens.enter(self.owner.head().pointer().addr(), token);
        Some(Under(self))
    }

    /// The token that the current task is under.
    pub(crate) fn token(&self) -> Option<Token> {
        if !self.tokens.any() || self.is_left_behind() { None } else { self.tokens.current() }
    }

    /// The token that a task of this worker is under, whose slot has this address; for its thief.
    pub(crate) fn token_of(&self, slot: usize) -> Option<Token> {
        self.tokens.of_task(slot)
    }

    /// Tells whether the current task is to stop here, by [`stop`]. Then it is taken to unwind already (entries-3), and must.
    #[inline]
    pub(crate) fn has_to_stop(&self) -> bool {
        self.tokens.any() && self.has_to_stop_under()
    }

    #[cold]
    #[inline(never)]
    fn has_to_stop_under(&self) -> bool {
        // Pairs with that of `Cancel::cancel` (token-2).
        fence(Ordering::SeqCst);
        // Where it cannot unwind it goes on.
        let can = cfg!(panic = "unwind") && !thread::panicking();
        let stops = can && self.token().is_some_and(|token| token.is_cancelled());
        if stops {
            self.tokens.note_unwinding(self.owner.head().pointer().addr());
        }
        stops
    }

    /// Unwinds if the current task is to stop.
    #[inline]
    pub(crate) fn stop_if_cancelled(&self) {
        if self.has_to_stop() {
            stop();
        }
    }

    /// The current frame unwinds, and what it has forked so far lies below the head (entries-3).
    pub(crate) fn note_unwinding(&self) {
        if self.tokens.any() && !self.is_left_behind() {
            self.tokens.note_unwinding(self.owner.head().pointer().addr());
        }
    }

    /// Has this worker's pool told of the token.
    ///
    /// # Safety
    /// The result is dropped before the current task ends.
    pub(crate) unsafe fn listen_to(&self, cancel: &Cancel) -> Listening {
        // SAFETY: by the caller's word; worker-3. It is called with a pool of this type.
        unsafe { cancel.tells(NonNull::from(self.registry()).cast(), ask_all::<D, P>) }
    }
}

/// An entry, until its frame ends.
struct Under<'a, D: Deque, P: Probe>(&'a Worker<D, P>);

impl<D: Deque, P: Probe> Drop for Under<'_, D, P> {
    fn drop(&mut self) {
        if !self.0.is_left_behind() {
            self.0.tokens.leave();
        }
    }
}

/// Unwinds without a word.
pub(crate) fn stop() -> ! {
    resume_unwind(Box::new(Stopped))
}

/// Makes the next push or pop of each worker a slow one (token-2).
///
/// # Safety
/// It is a registry of this type.
unsafe fn ask_all<D: Deque, P: Probe>(pool: NonNull<()>) {
    // SAFETY: by the caller's word.
    let pool = unsafe { pool.cast::<Registry<D, P>>().as_ref() };
    if pool.generation.is_past() {
        return;
    }
    for worker in pool.workers.iter() {
        worker.owner.deque.request();
        // worker-4.
        worker.wake_if_needed();
    }
}
