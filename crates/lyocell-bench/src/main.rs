//! The `lyocell` command line: runs the workloads of the papers on this runtime and on its rivals,
//! checks every answer, and compares times measured in one run.
//!
//! Reading order: `workload` (what is computed), `engine` (what runs it), `measure` (who runs when),
//! `summary` (medians and ratios), `report` (tables and files), `cli` (one file a subcommand);
//! `experiment` does tables and figures of the papers again, with all of these. `latency` stands apart: what a pool does when
//! there is little to do; and `queues`: the study of work-stealing queues.

mod cli;
mod engine;
mod experiment;
mod latency;
mod machine;
mod measure;
mod queues;
mod report;
mod summary;
mod workload;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
