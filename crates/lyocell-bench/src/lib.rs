//! The `lyocell` command line: runs the workloads of the papers on this runtime and on its rivals,
//! checks every answer, and compares times measured in one run.
//!
//! | module | what |
//! |---|---|
//! | `measure` | who runs when; medians and ratios |
//! | `comparison` | workloads on engines: `lyocell run` and the headline |
//! | `compare` | two files of results beside each other |
//! | `experiment` | tables and figures of the papers, done again |
//! | `queues` | what is told of the study of work-stealing queues |
//! | `layouts` | the program linked at several places in memory |
//! | `drop_in` | programs on rayon, with and without `compat/rayon-core` |
//! | `simulate` | the runtime over virtual processors |
//! | `report` | tables, files and drawings |
//! | `stats` | medians and means |
//! | `results` | the runs that README's numbers come from, and its tables |
//! | `whole_report` | all of it on one page: `lyocell report` |
//! | `files` | files that are written as a whole or not at all |
//! | `workers`, `machine` | numbers of workers; what a result was measured on |
//!
//! What runs is elsewhere: the engines in `lyocell-engines`, the study of queues in `lyocell-queue-study`.
//! | `cli` | one file a subcommand: what the words mean, and where reports go |

mod cli;
mod compare;
mod comparison;
mod drop_in;
mod experiment;
mod files;
mod layouts;
mod machine;
mod measure;
mod queues;
mod report;
mod results;
mod simulate;
mod stats;
mod whole_report;
mod workers;

pub use cli::main;
