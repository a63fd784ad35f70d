//! The engines as types. Which programs an engine runs is which problems implement [`On`] for it: what an
//! engine cannot run does not exist.

use std::marker::PhantomData;

use lyocell::{Deque, Probe, Worker};

use crate::problem::Problem;

/// An engine, as a type.
pub trait Engine {
    /// What a program is handed to run with.
    type Handle<'a>;
}

/// A problem that runs on the engine `E`.
pub trait On<E: Engine>: Problem {
    /// Solves the problem.
    fn run(&mut self, handle: E::Handle<'_>) -> Self::Answer;
}

/// Plain recursion: no handle, no tasks.
#[derive(Debug)]
pub enum Serial {}

/// Lyocell, on the deque `D` and with the probe `P`; a program is handed the worker that it begins on.
#[derive(Debug)]
pub struct Lyocell<D, P>(PhantomData<(D, P)>);

/// rayon; a program begins on a worker of its pool.
#[derive(Debug)]
pub enum Rayon {}

/// chili; a program is handed a scope of its pool, opened once around it.
#[derive(Debug)]
pub enum Chili {}

impl Engine for Serial {
    type Handle<'a> = ();
}

impl<D: Deque, P: Probe> Engine for Lyocell<D, P> {
    type Handle<'a> = &'a Worker<D, P>;
}

impl Engine for Rayon {
    type Handle<'a> = ();
}

impl Engine for Chili {
    type Handle<'a> = &'a mut chili::Scope<'a>;
}

/// forte; a program begins on a worker of its pool. Only with the feature `forte`.
#[cfg(feature = "forte")]
#[derive(Debug)]
pub enum Forte {}

#[cfg(feature = "forte")]
impl Engine for Forte {
    type Handle<'a> = &'a forte::Worker;
}
