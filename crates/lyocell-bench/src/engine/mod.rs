//! The engines: what runs a workload in parallel, one file each.
//!
//! An [`Engine`] is an entry of the registry; started with a number of workers it is a [`Session`],
//! which lives as long as the measurements of one workload, so that threads are not started anew for
//! each run. A session that does nothing must cost the others nothing.

use std::fmt;
use std::time::{Duration, Instant};

use crate::workload::{Instance, Problem, WrongAnswer};

mod chili;
#[cfg(lace)]
mod lace;
#[cfg(not(lace))]
mod lace_absent;
#[cfg(lace)]
mod lace_wait;
mod lyocell;
mod rayon;
mod serial;

#[cfg(not(lace))]
use lace_absent as lace;

/// Most workers an engine is asked for: enough to have many on each core of a large machine; beyond,
/// the threads' stacks get in the way.
pub(crate) const MAX_WORKERS: usize = 256;

/// Stack of a worker, and of the thread that drives the measurements and is a worker of some engines.
/// Reserved, not touched. rayon needs most: under `uts:T3L`, 17,844 levels deep, a waiting worker
/// steals on top of its frames.
pub(crate) const STACK_BYTES: usize =
    if cfg!(target_pointer_width = "64") { 512 << 20 } else { 64 << 20 };

/// An entry of the registry.
pub(crate) trait Engine: Sync {
    fn name(&self) -> &'static str;

    /// One line on what it is.
    fn summary(&self) -> &'static str;

    /// Why this machine does not have it.
    fn absence(&self) -> Option<&'static str> {
        None
    }

    /// Why it does not run this workload.
    fn refusal(&self, _instance: &Instance) -> Option<&'static str> {
        None
    }

    /// Whether it has workers at all.
    fn parallelism(&self) -> Parallelism {
        Parallelism::Workers
    }

    /// Starts it with `workers` workers, 1 to [`MAX_WORKERS`].
    ///
    /// # Errors
    /// The threads cannot be had.
    fn start(&self, workers: usize) -> Result<Box<dyn Session>, StartError>;
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parallelism {
    /// Runs on the calling thread, whatever the number of workers.
    None,
    Workers,
}

/// A started engine.
pub(crate) trait Session {
    /// Runs `instance` once. The engine has not refused it.
    ///
    /// # Errors
    /// The answer is wrong.
    fn run(&mut self, instance: &mut Instance) -> Result<Sample, WrongAnswer>;
}

/// Every engine, in the order they are listed and take turns.
pub(crate) static ENGINES: [&dyn Engine; 5] =
    [&serial::Serial, &lyocell::Lyocell, &rayon::Rayon, &chili::Chili, &lace::Lace];

/// One run.
#[derive(Debug)]
pub(crate) struct Sample {
    pub(crate) time: Duration,
    pub(crate) answer: String,
}

impl Sample {
    /// Times `run` alone: neither what makes it ready nor what judges its answer.
    fn take<P: Problem>(
        problem: &mut P,
        run: impl FnOnce(&mut P) -> P::Answer,
    ) -> Result<Sample, WrongAnswer> {
        problem.reset();
        let start = Instant::now();
        let answer = run(problem);
        let time = start.elapsed();
        Ok(Sample { time, answer: problem.judge(&answer)? })
    }
}

/// An engine that could not be started.
#[derive(Debug)]
pub(crate) struct StartError {
    pub(crate) engine: &'static str,
    pub(crate) workers: usize,
    pub(crate) cause: String,
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StartError { engine, workers, cause } = self;
        write!(f, "{engine} cannot be started with {workers} workers: {cause}; try fewer")
    }
}
