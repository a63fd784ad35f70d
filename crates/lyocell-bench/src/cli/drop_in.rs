//! `lyocell drop-in`.

use std::path::PathBuf;

use clap::Args;

use super::CliError;
use super::output::ReportArguments;
use crate::drop_in::{Builds, Ratio, compare};
use crate::refused::{Refused, enumerate};
use crate::report::{self, Format};
use crate::workers;

/// Where the two packages are, in a checkout.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../compat/beside");

#[derive(Args)]
pub(super) struct DropInArguments {
    /// The number of threads of each pool [default: one for each CPU]
    #[arg(long, value_name = "N", value_parser = workers::parse)]
    workers: Option<usize>,

    /// How many pairs of runs
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = parse_pairs)]
    pairs: usize,

    /// Which programs, such as join,par-sort [default: all]
    #[arg(long = "program", value_name = "PROGRAM", value_delimiter = ',')]
    programs: Vec<String>,

    /// The folder with the packages `plain` and `patched`
    #[arg(long, value_name = "FOLDER", default_value = FOLDER)]
    folder: PathBuf,

    #[command(flatten)]
    report: ReportArguments,
}

fn parse_pairs(word: &str) -> Result<usize, String> {
    let number = word.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "the number of pairs is at least 1".to_owned())
}

/// Builds the programs with and without the drop-in, and compares their times.
pub(super) fn drop_in(arguments: DropInArguments) -> Result<(), CliError> {
    let workers = arguments.workers.map_or_else(workers::by_default, Ok)?;
    for kind in ["plain", "patched"] {
        let manifest = arguments.folder.join(kind).join("Cargo.toml");
        if !manifest.is_file() {
            let message = format!(
                "{} is not there: --folder names a checkout's compat/beside",
                manifest.display()
            );
            return Err(Refused(message).into());
        }
    }
    let output = arguments.report.open()?;
    let builds = Builds::build(&arguments.folder)?;
    let known = builds.plain.programs()?;
    let unknown = arguments.programs.iter().find(|program| !known.contains(program));
    if let Some(unknown) = unknown {
        let known = enumerate(&known);
        return Err(Refused(format!("there is no program {unknown}, but {known}")).into());
    }
    let asked = if arguments.programs.is_empty() { &known } else { &arguments.programs };
    let pairs = compare(&builds, asked, workers, arguments.pairs)?;
    let report = match arguments.report.format {
        Format::Table => report::drop_in_table(&Ratio::of(&pairs), output.emphasis()),
        Format::Csv => report::csv(&pairs),
        Format::Json => report::json(&pairs),
    };
    output.write(&report)
}
