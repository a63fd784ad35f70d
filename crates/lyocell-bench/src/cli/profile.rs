//! `lyocell profile`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::CliError;
use super::output::{Output, print};
use super::run::instances;
use crate::report::{Screen, Table, folded};
use crate::workers;
use lyocell_engines::profile::{Profiling, Readings};
use lyocell_workloads::Refused;

#[derive(Args)]
pub(super) struct ProfileArguments {
    /// What to profile, such as fib:35 or uts:T3 (see `lyocell list`)
    #[arg(value_name = "WORKLOAD[:PARAM]", required = true)]
    workloads: Vec<String>,

    /// The number of workers [default: one for each CPU]
    #[arg(long, value_name = "N", value_parser = workers::parse)]
    workers: Option<usize>,

    /// How often the clock is read
    #[arg(long, value_enum, default_value_t = ClockArgument::Fitting)]
    clock: ClockArgument,

    /// Write a report to this file: a page if it ends in .html, JSON if in .json, else text
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write what the workers did when to this file: a page if it ends in .html, else JSON for ui.perfetto.dev
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum ClockArgument {
    /// Once in some microseconds where tasks are short
    Sampled,
    /// At every fork and join
    Exact,
    /// Exact where tasks take a tenth of a microsecond to one and are few enough, else sampled
    Fitting,
}

/// Runs each workload with and without the profile, and tells why it is not faster.
pub(super) fn profile(arguments: ProfileArguments) -> Result<(), CliError> {
    let several = arguments.workloads.len() > 1;
    if several && (arguments.out.is_some() || arguments.trace.is_some()) {
        let message = "--out and --trace are for one workload: name one, or leave them out";
        return Err(Refused(message.to_owned()).into());
    }
    let workers = arguments.workers.map_or_else(workers::by_default, Ok)?;
    let mut instances = instances(&arguments.workloads)?;
    // Better refused now than after the run.
    let mut out = open("--out", arguments.out)?;
    let mut trace = open("--trace", arguments.trace)?;
    let readings = match arguments.clock {
        ClockArgument::Sampled => Readings::Sampled,
        ClockArgument::Exact => Readings::Exact,
        ClockArgument::Fitting => Readings::Fitting,
    };
    let profiling = Profiling { workers, readings, traced: trace.is_some() };
    for instance in &mut instances {
        let profiled = profiling.run(instance)?;
        print(&fitted(&format!("{profiled}\n"), Screen::of_stdout()))?;
        if let Some((ending, output)) = out.take() {
            output.write(&match ending.as_str() {
                "html" => profiled.report.to_html(),
                "json" => profiled.report.to_json(),
                _ => profiled.report.to_string(),
            })?;
        }
        if let (Some((ending, output)), Some(traced)) = (trace.take(), &profiled.trace) {
            output.write(&match ending.as_str() {
                "html" => traced.to_html(),
                _ => traced.to_perfetto(),
            })?;
        }
    }
    Ok(())
}

/// The text of a profile, on a screen that is too narrow for it: its table folds as all tables do, its sentences between words.
fn fitted(text: &str, screen: Screen) -> String {
    let cells = |line: &str| -> Vec<String> {
        let cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
        cells.map(str::to_owned).collect()
    };
    let mut lines = text.lines().peekable();
    let mut fitted = String::new();
    while let Some(line) = lines.next() {
        if screen.is_narrow() && line.starts_with(TABLE_BEGINS) {
            let header = cells(line);
            let mut rows = Vec::new();
            while let Some(row) = lines.next_if(|row| cells(row).len() == header.len()) {
                rows.push(cells(row));
            }
            fitted += &Table::new(1, &header).of(rows).terminal(screen);
        } else {
            fitted += &folded(&format!("{line}\n"), screen);
        }
    }
    fitted
}

/// The first title of the table of a profile.
const TABLE_BEGINS: &str = "region ";

/// The file, and the ending of its name.
fn open(option: &str, path: Option<PathBuf>) -> Result<Option<(String, Output)>, CliError> {
    let Some(path) = path else { return Ok(None) };
    let ending =
        path.extension().map_or_else(String::new, |ending| ending.to_string_lossy().into_owned());
    Ok(Some((ending, Output::open_file(option, path)?)))
}
