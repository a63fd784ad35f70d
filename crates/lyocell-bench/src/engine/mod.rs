//! The engines: what runs the programs, one file each.
//!
//! An [`Engine`] is an entry of the list; started with a number of workers it is a [`Session`]. A session lives for
//! one turn only: no pool is there while another engine is timed, however quiet it may be. Each file says why what
//! it runs is its engine's best fair form.
//!
//! | file | what |
//! |---|---|
//! | `sample.rs` | one run, timed |
//! | `programs.rs` | which programs an engine runs |
//! | `serial.rs`, `serial_c.rs`, `rayon.rs`, `chili.rs`, `lace.rs` | the engines beside the runtime; `lace_wait.rs` waits for Lace |
//! | `rival.rs` | engines in C and C++ that have a program of their own, each started for its turn |
//! | `lyocell/` | the runtime, in each of its setups: its deques, its options, what its probes saw |
//!
//! To add an engine: its file here, its place in [`ENGINES`], and its files in the folders of the programs (see
//! `lyocell_workloads`).

use std::fmt;

use lyocell_workloads::{Instance, WrongAnswer};

mod chili;
mod lace;
mod lace_wait;
pub(crate) mod lyocell;
mod programs;
mod rayon;
mod rival;
mod sample;
mod serial;
mod serial_c;

pub(crate) use chili::deepen_stacks;
pub(crate) use programs::Programs;
pub(crate) use rival::{BUILD, RIVALS};
pub(crate) use sample::Sample;

/// Most workers an engine is asked for: enough to have many on each core of a large machine; beyond,
/// the threads' stacks get in the way.
pub(crate) const MAX_WORKERS: usize = 256;

/// Stack of a worker, and of the thread that drives the measurements and is a worker of some engines.
/// Reserved, not touched. rayon needs most: under `uts:T3L`, 17,844 levels deep, a waiting worker
/// steals on top of its frames.
pub(crate) const STACK_BYTES: usize =
    if cfg!(target_pointer_width = "64") { 512 << 20 } else { 64 << 20 };

/// The engine that T_S is measured with.
pub(crate) const SERIAL: &str = "serial";

/// The serial program in C.
pub(crate) const SERIAL_C: &str = "serial-c";

/// The name of the runtime in its default setup.
pub(crate) const RUNTIME: &str = "lyocell";

/// Every engine that runs unless others are named, in the order they are listed and take turns; the runtime in its default setup.
pub(crate) static ENGINES: [&dyn Engine; 6] =
    [&serial::Serial, &serial_c::InC, &lyocell::DEFAULT, &rayon::Rayon, &chili::Chili, &lace::Lace];

/// The engine of this name.
pub(crate) fn engine(name: &str) -> Option<&'static dyn Engine> {
    ENGINES.into_iter().chain(RIVALS).find(|engine| engine.name() == name)
}

/// An entry of the list.
pub(crate) trait Engine: Sync {
    fn name(&self) -> &'static str;

    /// One line on what it is.
    fn summary(&self) -> &'static str;

    /// Why this machine does not have it.
    fn absence(&self) -> Option<&'static str> {
        None
    }

    /// Which programs it runs; fib is among them.
    fn programs(&self) -> Programs;

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
    /// Runs `instance` once, which is of one of the engine's [programs](Engine::programs).
    ///
    /// # Errors
    /// The answer is wrong.
    fn run(&mut self, instance: &mut Instance) -> Result<Sample, WrongAnswer>;
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
