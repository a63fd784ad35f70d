//! Which token the tasks of a worker are under: told by where in its array they are.
//!
//! ```text
//!   the worker's array     | t t t | t t t t t t | t t | t …          entries, each from a head on:
//!                            none    the token A   none  the token B
//!                                    cancellable   a job  a stolen task, whose owner was under B
//! ```
//! Whatever a frame forks lies above the head that it began with. So an entry that says "from this head on" at the beginning of
//! a cancellable call, of a stolen task and of a job tells of each task which token it is under: the last entry at or below its
//! slot. A thief reads it from its victim's entries, and makes an entry of its own while it runs the task.
//!
//! # Invariants
//! - entries-1. An entry stands while its frame does, and the heads of the entries do not fall. The owner alone adds and removes.
//! - entries-2. While a stolen task is not over, the entries at or below its slot stand: their frames wait for it. Those above may come
//!   and go while the thief looks, under the lock, and are not what it looks for.
//! - entries-3. While a frame unwinds, what lies above the head has been forked by destructors, and is under no token: it is run, for
//!   who waits for it could not unwind a second time. So the entry is told where the head is when unwinding begins, and whenever
//!   a frame that unwinds has taken a task back. (A panic of the user's own is not known here before it meets a join. A destructor
//!   that forks then, has its task stolen, and meets a token that was set: the process aborts, as for any panic in a destructor.)
//!
//! A worker that has no entry, under no token, pays a load for each look. The count is written by the owner before it pushes
//! what a thief could steal, and so comes to the thief with the task.

use super::token::Token;
use lyocell_sync::unmodelled::{AtomicUsize, Mutex, Ordering};

/// The entries of one worker.
pub(crate) struct Tokens {
    count: AtomicUsize,
    entries: Mutex<Vec<Entry>>,
}

struct Entry {
    /// The address of the head at the beginning.
    from: usize,
    token: Option<Token>,
    /// From which slot on what unwinds it forks (entries-3); none has this address while nothing does.
    unwinds_from: usize,
}

impl Tokens {
    pub(crate) fn new() -> Tokens {
        Tokens { count: AtomicUsize::new(0), entries: Mutex::default() }
    }

    /// Anybody, who has a task of this worker or is it: whether there are entries.
    #[inline]
    pub(crate) fn any(&self) -> bool {
        // Ordering: Relaxed; see the module's docs.
        self.count.load(Ordering::Relaxed) > 0
    }

    /// Owner: what is forked from this head on is under this token, or none, until [`Tokens::leave`].
    pub(crate) fn enter(&self, from: usize, token: Option<Token>) {
        let mut entries = self.entries.lock();
        debug_assert!(entries.last().is_none_or(|last| last.from <= from), "entries-1");
        entries.push(Entry { from, token, unwinds_from: usize::MAX });
        // Ordering: Relaxed; see the module's docs.
        self.count.store(entries.len(), Ordering::Relaxed);
    }

    /// Owner: the frame of the last entry ends.
    pub(crate) fn leave(&self) {
        let mut entries = self.entries.lock();
        let last = entries.pop();
        self.count.store(entries.len(), Ordering::Relaxed);
        // Its token may be dropped with it.
        drop(entries);
        drop(last);
    }

    /// Owner: the token of the frame on top.
    pub(crate) fn current(&self) -> Option<Token> {
        if !self.any() {
            return None;
        }
        self.entries.lock().last()?.token.clone()
    }

    /// Thief: the token of the task in the slot at this address (entries-2).
    pub(crate) fn of_task(&self, slot: usize) -> Option<Token> {
        if !self.any() {
            return None;
        }
        let entries = self.entries.lock();
        let entry = entries.iter().rfind(|entry| entry.from <= slot)?;
        if slot >= entry.unwinds_from { None } else { entry.token.clone() }
    }

    /// Owner: the frame on top unwinds, and the head is here (entries-3).
    pub(crate) fn note_unwinding(&self, head: usize) {
        if let Some(last) = self.entries.lock().last_mut() {
            last.unwinds_from = head;
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::Cancel;
    use super::*;

    #[test]
    fn a_task_is_under_the_last_entry_at_or_below_its_slot() {
        let (cancel, tokens) = (Cancel::new(), Tokens::new());
        cancel.cancel();
        let is_cancelled_here = || tokens.current().is_some_and(|token| token.is_cancelled());
        let is_cancelled = |slot| tokens.of_task(slot).is_some_and(|token| token.is_cancelled());
        tokens.enter(10, Some(Token::within(&cancel, None)));
        tokens.enter(20, None);
        assert_eq!([9, 10, 19, 20].map(is_cancelled), [false, true, true, false]);
        assert!(!is_cancelled_here());
        tokens.leave();
        assert!(is_cancelled(20) && is_cancelled_here());
        tokens.note_unwinding(15);
        assert_eq!([9, 10, 14, 15].map(is_cancelled), [false, true, true, false]);
        assert!(is_cancelled_here());
        tokens.leave();
        assert!(!is_cancelled(20) && !tokens.any());
    }

    #[test]
    fn a_token_within_another_is_set_by_either() {
        let (outer, inner) = (Cancel::new(), Cancel::new());
        let token = Token::within(&inner, Some(Token::within(&outer, None)));
        assert!(!token.is_cancelled());
        outer.cancel();
        assert!(token.is_cancelled() && !inner.is_cancelled());
    }
}
