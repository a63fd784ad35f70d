//! Programs that are written once for all engines: those whose leaves are so long that it does not show how a
//! join is called.
//!
//! ```text
//!   Solve  a program                                      cilksort, mm, heat, …
//!     │ generic over Fork, or by its loops over dyn AnyFork
//!   Fork   what it needs of an engine: a binary join      a file an engine
//!     │
//!   On     what runs it: one implementation an engine, for every Solve
//! ```
//!
//! A program that is generic over [`Fork`] is compiled once for each engine, deque and probe, and its joins cost what
//! they do in a program of the engine's own. One that takes a [`dyn AnyFork`](AnyFork), as the loops do, is compiled
//! once: a join costs some indirect calls more, which is nothing beside a leaf of a microsecond. Programs with shorter
//! tasks have a file an engine instead.
//!
//! - fork-1. What is handed to C together with a function that takes it is what that function takes.

mod any;
mod chili;
mod counted;
#[cfg(feature = "forte")]
mod forte;
#[cfg(lace)]
mod lace;
mod loops;
mod lyocell;
mod rayon;
mod rival;
mod serial;

pub(crate) use any::{AnyFork, both};
#[cfg(test)]
pub(crate) use counted::count_forks;
pub(crate) use counted::{KnownForks, count_joins};
#[cfg(feature = "forte")]
pub(crate) use forte::OnForte;
pub(crate) use loops::{each_chunk, each_chunk_of_two, each_piece};
pub(crate) use lyocell::OnWorker;
pub(crate) use rayon::OnRayon;
pub(crate) use rival::on_rival;
pub(crate) use serial::Alone;

use crate::problem::Problem;

/// A worker of an engine, as far as a program that runs on all of them knows it.
pub(crate) trait Fork {
    /// The same for as long as a closure is run.
    type Again<'s>: Fork;

    /// Runs both, in parallel if another worker is free.
    fn join<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&mut Self::Again<'_>) -> RA + Send,
        B: FnOnce(&mut Self::Again<'_>) -> RB + Send,
        RA: Send,
        RB: Send;

    /// Runs one alone: no task.
    fn call<A, RA>(&mut self, a: A) -> RA
    where
        A: FnOnce(&mut Self::Again<'_>) -> RA;
}

/// A problem that every engine runs which has a [`Fork`].
pub(crate) trait Solve: Problem {
    /// Solves it.
    fn solve<F: Fork>(&mut self, fork: &mut F) -> Self::Answer;
}
