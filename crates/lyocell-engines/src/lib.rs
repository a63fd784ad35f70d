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
//! | `runtime/` | the runtime, in each of its setups: its deques, its options, what its probes saw |
//! | `latency/` | what a pool does when there is little to do |
//! | `fork_cost.rs` | what a join costs over a call |
//! | `profile.rs` | a program under the profile, beside the same without it |
//!
//! All that is generic over programs, deques and probes is compiled here, and ends in `dyn`: whoever uses this crate
//! compiles none of it again.
//!
//! To add an engine: its file here, its place in [`ENGINES`], and its files in the folders of the programs (see
//! `lyocell_workloads`).

use lyocell_workloads::{Instance, StartError, WrongAnswer};

mod chili;
pub mod fork_cost;
mod lace;
mod lace_wait;
pub mod latency;
pub mod profile;
mod programs;
mod rayon;
mod rival;
pub mod runtime;
mod sample;
mod serial;
mod serial_c;

pub use chili::deepen_stacks;
pub use programs::Programs;
pub use rival::{BUILD, RIVALS};
pub use sample::Sample;

/// Most workers an engine is asked for: enough to have many on each core of a large machine; beyond,
/// the threads' stacks get in the way.
pub const MAX_WORKERS: usize = 256;

/// Stack of a worker, and of the thread that drives the measurements and is a worker of some engines.
/// Reserved, not touched. rayon needs most: under `uts:T3L`, 17,844 levels deep, a waiting worker
/// steals on top of its frames.
pub const STACK_BYTES: usize = if cfg!(target_pointer_width = "64") { 512 << 20 } else { 64 << 20 };

/// The engine that T_S is measured with.
pub const SERIAL: &str = "serial";

/// The serial program in C.
pub const SERIAL_C: &str = "serial-c";

/// The name of the runtime in its default setup.
pub const RUNTIME: &str = "lyocell";

/// Every engine that runs unless others are named, in the order they are listed and take turns; the runtime in its default setup.
pub static ENGINES: [&dyn Engine; 6] =
    [&serial::Serial, &serial_c::InC, &runtime::DEFAULT, &rayon::Rayon, &chili::Chili, &lace::Lace];

/// The engine of this name.
pub fn engine(name: &str) -> Option<&'static dyn Engine> {
    ENGINES.into_iter().chain(RIVALS).find(|engine| engine.name() == name)
}

/// An entry of the list.
pub trait Engine: Sync {
    /// As the command line has it.
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

/// Whether an engine has workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parallelism {
    /// Runs on the calling thread, whatever the number of workers.
    None,
    /// As many as it is asked for.
    Workers,
}

/// A started engine.
pub trait Session {
    /// Runs `instance` once, which is of one of the engine's [programs](Engine::programs).
    ///
    /// # Errors
    /// The answer is wrong.
    fn run(&mut self, instance: &mut Instance) -> Result<Sample, WrongAnswer>;
}

/// CPUs this process may use; 1 if unknown.
pub fn parallelism() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
