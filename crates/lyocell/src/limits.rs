//! Numbers that several rooms have to agree on.
//!
//! May import: nothing.
//! Never enters: a choice that one room can make alone; that stands in its own file, with its evidence.

/// The most workers a pool can have: the counts of [`idle`](crate::idle) and the words of
/// [mailboxes](crate::deque) have room for this many, on 32 bits too.
pub(crate) const MAX_WORKERS: usize = 1023;
