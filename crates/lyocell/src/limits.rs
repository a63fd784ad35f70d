//! Numbers that several rooms have to agree on.
//!
//! May import: nothing.
//! Never enters: a choice that one room can make alone; that stands in its own file, with its evidence.

/// The most workers that a pool can have.
// The counts of `idle` and the words of mailboxes have room for this many, on 32 bits too.
pub const MAX_WORKERS: usize = 1023;
