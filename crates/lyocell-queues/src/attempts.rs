//! How many steals are under way: a count by which the owner knows that there is none.
//!
//! Where the owner may bring an end of the queue back to a value that it had before, a thief that looked then and claims
//! now would be fooled (the ABA problem). A tag makes that rare; this count makes it impossible, with a tag of one bit.
//!
//! | a thief | the owner |
//! |---|---|
//! | begins (P: adds one) | counts (B: loads), and unless it finds 0 it changes nothing |
//! | looks at the end (L) | changes the end (A) |
//! | claims what it saw (C) | |
//! | reads what it won, and is done (W: subtracts one) | |
//!
//! - attempts-1. A thief begins before the look whose outcome it claims, and is done after its last access to what it won.
//! - attempts-2. An owner that counts none sees all that was done in the steals that began before, in the order in which the
//!   count changed. For it changes by read-modify-writes alone, and each W is Release: the owner's load meets all of them.
//! - attempts-3. Between a thief's look L and its claim C the owner changes the end at most once. Let L have read the end before
//!   a change A1, and let A2 be the owner's next change after A1, with its count B2 between them. L read an older value
//!   than A1 wrote, so L comes before A1 in the single order of `SeqCst` accesses; P before L, and A1 before B2, by
//!   program order. So P comes before B2, and B2 finds the thief's one in the count, which forbids A2, or finds W too;
//!   then C happened before B2 (attempts-2), and so before A2.
//!
//! - attempts-4. An owner whose changes A are plain stores may count behind a fence, and not at each: between L and C there is no
//!   change, a count that finds none, and another change. L read an older value than A1 wrote, and A1 is before the
//!   fence, so L precedes it in the order of `SeqCst`, and P the count; the rest is as in attempts-3.
//!
//! Orderings: P, L, A and B are the handshake of [`lyocell_sync::Handshake`]; in attempts-4 a fence is in A's place.

use crossbeam_utils::CachePadded;
use lyocell_sync::{AtomicUsize, Handshake, Ordering, add_first, fence};

/// How many steals are under way.
#[derive(Debug)]
pub struct Attempts(CachePadded<AtomicUsize>);

impl Attempts {
    /// None.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Self(CachePadded::new(AtomicUsize::new(0)))
    }

    /// A thief's steal, from its look to its last access (attempts-1).
    ///
    /// There are never more at once than handles, which the count of their `Arc` holds within bounds.
    #[inline]
    pub fn during<R>(&self, steal: impl FnOnce() -> R) -> R {
        // Ordering: the handshake with `none`, P of the module docs.
        add_first(&self.0, 1);
        let outcome = steal();
        // Ordering: Release, W of the module docs; meets the Acquire in `none`.
        self.0.fetch_sub(1, Ordering::Release);
        outcome
    }

    /// The owner counts, and finds that no steal is under way (attempts-2, attempts-3).
    #[inline(always)]
    pub fn none(&self) -> bool {
        // Ordering: the handshake with `during`, B of the module docs; Acquire in it meets its Release.
        self.0.load_second() == 0
    }

    /// As [`Attempts::none`], behind a fence (attempts-4).
    pub fn none_behind_a_fence(&self) -> bool {
        // Ordering: SeqCst; meets a thief's look, which is one of the handshake.
        fence(Ordering::SeqCst);
        self.none()
    }
}
