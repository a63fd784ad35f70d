//! `join` and `join_context`.

use crate::{global::global, FnContext};

/// Runs two closures, in parallel if another thread of the pool is free, and returns what both return.
///
/// Both closures always run. If one panics, so does `join`, when both are over; if both do, with the panic of the first.
pub fn join<A, B, RA, RB>(oper_a: A, oper_b: B) -> (RA, RB)
where
    A: FnOnce() -> RA + Send,
    B: FnOnce() -> RB + Send,
    RA: Send,
    RB: Send,
{
    join_context(|_| oper_a(), |_| oper_b())
}

/// As [`join`], and tells each closure whether it migrated to another thread than the one that forked it. From outside of
/// a pool, both do.
#[inline]
pub fn join_context<A, B, RA, RB>(oper_a: A, oper_b: B) -> (RA, RB)
where
    A: FnOnce(FnContext) -> RA + Send,
    B: FnOnce(FnContext) -> RB + Send,
    RA: Send,
    RB: Send,
{
    let (a, b) =
        (|context| oper_a(FnContext::of(context)), |context| oper_b(FnContext::of(context)));
    lyocell::join_context_or_in(global, a, b)
}
