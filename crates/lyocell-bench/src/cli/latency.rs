//! `lyocell latency`.

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::CliError;
use super::output::ReportArguments;
use crate::measure::take_figures;
use crate::report::{self, Format};
use crate::workers;
use lyocell_engines::latency::MEASURES;

#[derive(Args)]
pub(super) struct LatencyArguments {
    /// The number of workers of each pool [default: one for each CPU]
    #[arg(long, value_name = "N", value_parser = workers::parse)]
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
    let workers = arguments.workers.map_or_else(workers::by_default, Ok)?;
    let output = arguments.report.open()?;
    let asked = |name: &str| arguments.measures.iter().any(|measure| measure == name);
    let all = arguments.measures.is_empty();
    let measures: Vec<_> = MEASURES.iter().filter(|measure| all || asked(measure.name)).collect();
    let figures = take_figures(&measures, workers)?;
    let report = match arguments.report.format {
        Format::Table => report::latency_table(&figures, output.screen()),
        Format::Csv => report::csv(&figures),
        Format::Json => report::json(&figures),
    };
    output.write(&report)
}
