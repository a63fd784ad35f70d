//! `lyocell report`.

use std::path::PathBuf;

use clap::Args;

use super::CliError;
use super::output::print;
use crate::whole_report::{Folder, Origin, Others, Size, make};
use crate::workers;

#[derive(Args)]
pub(super) struct WholeReportArguments {
    /// Measure what takes under five minutes on two CPUs (default)
    #[arg(long, conflicts_with = "full")]
    quick: bool,

    /// Measure at the sizes that README quotes, every experiment as often as by itself: half an hour on two CPUs
    #[arg(long)]
    full: bool,

    /// Measure next to nothing, to see that it works
    #[arg(long, hide = true, conflicts_with_all = ["quick", "full"])]
    least: bool,

    /// The folder of the report, in which what was measured is kept
    #[arg(long, value_name = "DIR", default_value = "lyocell-report")]
    out: PathBuf,

    /// Measure all of it again, whatever is in the folder
    #[arg(long)]
    anew: bool,
}

/// Measures what the folder lacks, and writes the report.
pub(super) fn report(arguments: WholeReportArguments) -> Result<(), CliError> {
    let size = match arguments {
        WholeReportArguments { full: true, .. } => Size::Full,
        WholeReportArguments { least: true, .. } => Size::Least,
        _ => Size::Quick,
    };
    let origin = Origin::here(size, workers::by_default()?)?;
    let others = if arguments.anew { Others::Remove } else { Others::Refuse };
    let folder = Folder::open(arguments.out, origin, others)?;
    let written = make(&folder)?;
    for step in &written.left_out {
        anstream::eprintln!("note: there was no time for {step}: run it again to go on");
    }
    let (measured, kept) = (written.measured, written.kept);
    anstream::eprintln!("measured {measured} steps; {kept} had been before");
    print(&format!("{}\n", written.page.display()))
}
