//! The command line from outside: exit codes, messages, the forms of the report. A file a subcommand, and for `lyocell
//! run` a file for each thing that it can be asked for.

mod common;
mod compare;
mod drop_in;
mod experiment;
mod latency;
mod layouts;
mod list;
mod observed;
mod profile;
mod queues;
mod report;
mod results;
#[cfg(unix)]
mod rivals;
mod run;
mod seen;
mod setups;
#[cfg(unix)]
mod simulate;
mod whole_report;
