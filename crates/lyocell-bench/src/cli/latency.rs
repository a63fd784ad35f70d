//! `lyocell latency`.

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::output::ReportArguments;
use super::{CliError, select};
use crate::latency::{Figure, MEASURES, Measure, SUBJECTS};
use crate::machine::parallelism;
use crate::measure::{Failure, Progress};
use crate::report::{self, Format};

#[derive(Args)]
pub(super) struct LatencyArguments {
    /// The number of workers of each pool [default: one for each CPU]
    #[arg(long, value_name = "N", value_parser = select::workers)]
    workers: Option<usize>,

    /// What to measure, such as enter,stream [default: everything]
    #[arg(long = "measure", value_name = "MEASURE", value_delimiter = ',',
          value_parser = PossibleValuesParser::new(MEASURES.iter().map(|measure| measure.name)))]
    measures: Vec<String>,

    #[command(flatten)]
    report: ReportArguments,
}

/// Takes every measure of every pool and writes the report.
pub(super) fn latency(arguments: LatencyArguments) -> Result<(), CliError> {
    let workers = arguments.workers.unwrap_or_else(parallelism);
    let output = arguments.report.open()?;
    let asked = |name: &str| arguments.measures.iter().any(|measure| measure == name);
    let all = arguments.measures.is_empty();
    let measures: Vec<_> = MEASURES.iter().filter(|measure| all || asked(measure.name)).collect();
    let figures = take_all(&measures, workers)?;
    let report = match arguments.report.format {
        Format::Table => report::latency_table(&figures, output.emphasis()),
        Format::Csv => report::csv(&figures),
        Format::Json => report::json(&figures),
    };
    output.write(&report)
}

/// The figures of every pool.
fn take_all(measures: &[&Measure], workers: usize) -> Result<Vec<Figure>, CliError> {
    let progress = Progress::new(measures.len() * SUBJECTS.len());
    let mut figures = Vec::new();
    for measure in measures {
        for subject in &SUBJECTS {
            progress.announce(format!("{} of {}", measure.name, subject.name));
            figures.extend(measure.figures(subject, workers).map_err(Failure::Start)?);
            progress.advance();
        }
    }
    Ok(figures)
}
