//! The programs that the benchmark runs: a folder each, and in it a file for each engine that runs it.
//!
//! | file | what |
//! |---|---|
//! | `list.rs` | the one list of programs, and the rosters of engines that run some of them only |
//! | `problem.rs` | a program with its parameters: tasks, answers, and the check of an answer |
//! | `workload.rs` | a program as a list shows it: its name, its source, the parameters that it takes |
//! | `failure.rs`, `refused.rs` | how far a measurement is, and why it stopped; why a command line is refused |
//! | `engine.rs` | the engines as types, and what a program is handed by each |
//! | `made.rs` | what is made by its first use |
//! | `chain.rs` | work whose cost in cycles is known |
//! | `lace/` | starts and stops Lace; stands in for it where it could not be built |
//! | `rival/` | engines in C and C++ that have a program of their own, as a table of functions |
//! | `fork/` | what a program needs of an engine that is written once for all of them |
//! | `freivalds.rs` | whether a matrix is the product of two others |
//! | `pbbs/` | inputs and steps of the Problem Based Benchmark Suite |
//! | the other folders | a program each |
//!
//! Programs with long leaves are written once, over a join of any engine (see `fork/`). In the folder of a program, `mod.rs` has the problem, its parameters, the published answers and the check;
//! `serial.rs`, `lyocell.rs`, `rayon.rs`, `chili.rs`, and `lace.rs` with `lace.c`, have the recursion on one engine
//! each; where tasks are short, `serial_c.rs` with `serial.c` has it in C without an engine. The code of a leaf (the
//! check of a board, the hash of a child, the base case of a product) is one function that all engines in Rust call.
//! A `rival.rs` calls what such an engine brings of its own (see `rival/`).
//! Programs in C have short leaves in C too, in a header of the folder, so that no engine pays for a border between
//! languages; long ones they call.
//!
//! To add a program: write its folder, and put it into `list.rs`. To add an engine: write its type in `engine.rs`,
//! a file for it in the folder of each program that it runs, and, where it cannot run all, a roster in `list.rs`.

mod bdd;
pub mod chain;
mod cholesky;
mod cilksort;
mod dfs;
mod engine;
mod failure;
mod fib;
mod fork;
mod freivalds;
mod heat;
mod hull;
mod integrate;
mod knapsack;
pub mod lace;
mod list;
mod made;
mod matching;
mod matmul;
mod mis;
mod mm;
mod pbbs;
mod problem;
mod queens;
mod refused;
pub mod rival;
mod samplesort;
mod skynet;
mod ssf;
mod strassen;
mod stress;
mod tree_sum;
mod uts;
mod workload;

#[cfg(feature = "forte")]
pub use engine::Forte;
pub use engine::{Chili, Engine, Lyocell, On, Rayon, Serial};
pub use failure::{Failure, StartError, Watcher};
pub use list::problems::*;
pub use list::{
    Everything, ForkJoin, Instance, OfLace, OfRivals, OfWool, OwnOfRivals, Reach, Roster,
    ShortTasks, UnknownInstance, Visitor, WORKLOADS, small_instances,
};
pub use problem::{Forks, Problem, WrongAnswer};
pub use queens::QueensBoard;
pub use refused::{Refused, enumerate};
pub use uts::{Totals, UtsNode, UtsTree};
pub use workload::{UnknownParameter, Workload};

/// The compiler that these programs were built with.
pub const RUST_COMPILER: &str = env!("LYOCELL_RUSTC");
