//! Why is my program not faster? Work, span and parallelism of fork-join programs on [`lyocell`].
//!
//! Three lines in any program:
//!
//! ```
//! use lyocell::Pool;
//! use lyocell_profile::{Profile, region};
//!
//! let mut data = vec![3, 1, 2];
//! let pool = Pool::builder().probe::<Profile>().build()?;
//! pool.run(|w| region(w, "sort", |_| data.sort()));
//! eprintln!("{}", Profile::of(&pool));
//! # Ok::<(), lyocell::BuildError>(())
//! ```
//!
//! A program that is built with the probe needs no further line: `LYOCELL_PROFILE=out.html ./program` writes the report when the
//! pool is dropped.
//!
//! # What is measured
//! - *Work* T_1: the time in tasks. *Span* T_∞: the time of the longest chain of strands that come one after the other.
//!   Their quotient, the *parallelism*, is the most that any number of workers can speed the program up. The span is given
//!   plain, with 2,000 cycles for each branch that somebody else runs (Table I of Faxén 2010), and with what that costs
//!   on this machine.
//! - G_T and G_L, the work of a task and between two steals; how long tasks are; steals, failed tries, the peak depth.
//! - How long tasks had no processor because they waited, or because others had it.
//! - For each [region](fn@region), a [verdict](RegionReport::verdict).
//!
//! Time while a worker looks for tasks or waits for one is no work. What the probe costs is measured and subtracted, and measured
//! again for the report: where the two lead to different verdicts, or most of the time was the probe's, the verdict is that the tasks
//! are [too fine to tell](Cause::TooFineToTell). Sizes of tasks that a reading of the clock is longer than are told as below it. A part of
//! a loop is one task, however many items it has, and coalesced work is what it was split into: both show the
//! parallelism that was used, not all there is.
//!
//! # Functions that take a worker
//! The handle of a pool with a probe has another type than [`lyocell::Worker`] alone. Write functions for any probe,
//! `fn sort<P: Regions>(w: &Worker<Split, P>, …)`; with [`lyocell::NoProbe`] a region is a plain call.

mod clock;
mod costs;
mod group;
mod heartbeat;
mod ledger;
mod maker;
mod output;
mod page;
mod per_process;
mod processor;
mod profile;
mod region;
mod report;
mod shell;
mod site;
mod spans;
mod tally;
mod trace;
mod usage;
mod verdict;
mod words;

pub use clock::{Clock, Declared, Exact, Sampled};
pub use group::{Group, Start};
pub use ledger::Fork;
pub use profile::Profile;
pub use region::{InRegion, Regions, advance, region};
pub use report::{Profiled, RegionReport};
#[doc(hidden)]
pub use shell::page;
pub use trace::{Trace, Traced};
pub use verdict::Cause;
