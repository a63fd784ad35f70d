//! A worker of any engine, behind an indirection.

use super::Fork;

/// What [`AnyFork::join_any`] calls: once, although the type does not say so.
pub(crate) type Once<'c> = &'c mut (dyn FnMut(&mut dyn AnyFork) + Send);

/// A [`Fork`] of a type that is not known. Programs call [`both`].
pub(crate) trait AnyFork {
    /// Calls each once, in parallel if another worker is free.
    fn join_any(&mut self, a: Once<'_>, b: Once<'_>);
}

impl<F: Fork> AnyFork for F {
    fn join_any(&mut self, a: Once<'_>, b: Once<'_>) {
        self.join(|fork| a(fork), |fork| b(fork));
    }
}

/// Runs both, in parallel if another worker is free.
pub(crate) fn both<A, B, RA, RB>(fork: &mut dyn AnyFork, a: A, b: B) -> (RA, RB)
where
    A: FnOnce(&mut dyn AnyFork) -> RA + Send,
    B: FnOnce(&mut dyn AnyFork) -> RB + Send,
    RA: Send,
    RB: Send,
{
    let (mut a, mut b) = (Some(a), Some(b));
    let (mut first, mut second) = (None, None);
    fork.join_any(&mut |fork| first = a.take().map(|a| a(fork)), &mut |fork| {
        second = b.take().map(|b| b(fork));
    });
    (first.expect("a join runs both"), second.expect("a join runs both"))
}
