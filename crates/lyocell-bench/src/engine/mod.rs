//! The engines: what runs a workload in parallel, one file each.
//!
//! An [`Engine`] is an entry of the registry; started with a number of workers it is a [`Session`],
//! which lives as long as the measurements of one workload, so that threads are not started anew for
//! each run. A session that does nothing must cost the others nothing.
//!
//! The runtime is an engine in each of its [setups](Setup); `deques` lists what it can run on.

use std::fmt;
use std::time::{Duration, Instant};

use crate::workload::{Instance, Problem, WrongAnswer};

#[cfg(test)]
mod answers;
mod chili;
pub(crate) mod deques;
#[cfg(lace)]
mod lace;
#[cfg(not(lace))]
mod lace_absent;
#[cfg(lace)]
mod lace_wait;
mod lyocell;
mod observed;
mod rayon;
mod serial;
mod setup;

#[cfg(not(lace))]
use lace_absent as lace;

pub(crate) use observed::{Observed, Watch};
pub(crate) use setup::{Setup, amount_name, duration_name};

use observed::Observer;

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

/// The name of the runtime in its default setup.
pub(crate) const RUNTIME: &str = "lyocell";

/// Every engine, in the order they are listed and take turns; the runtime in its default setup.
pub(crate) static ENGINES: [&dyn Engine; 5] =
    [&serial::Serial, &lyocell::DEFAULT, &rayon::Rayon, &chili::Chili, &lace::Lace];

/// One run.
#[derive(Debug)]
pub(crate) struct Sample {
    pub(crate) time: Duration,
    pub(crate) answer: String,
    pub(crate) observed: Observed,
}

impl Sample {
    /// Times `run` alone: neither what makes it ready nor what judges its answer.
    fn take<P: Problem>(
        problem: &mut P,
        run: impl FnOnce(&mut P) -> P::Answer,
    ) -> Result<Sample, WrongAnswer> {
        Sample::take_observed(problem, &(), run)
    }

    /// As [`Sample::take`]; `observer` looks on meanwhile, and what it needs before and after is not timed.
    fn take_observed<P: Problem>(
        problem: &mut P,
        observer: &impl Observer,
        run: impl FnOnce(&mut P) -> P::Answer,
    ) -> Result<Sample, WrongAnswer> {
        problem.reset();
        observer.begin();
        let start = Instant::now();
        let answer = run(problem);
        let time = start.elapsed();
        let observed = observer.end();
        Ok(Sample { time, answer: problem.judge(&answer)?, observed })
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
