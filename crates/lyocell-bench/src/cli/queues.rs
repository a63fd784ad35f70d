//! `lyocell queues`.

use std::path::PathBuf;

use clap::Args;

use super::CliError;
use super::output::{Output, ReportArguments};
use crate::measure::Progress;
use crate::queues::{CaseSummary, plot, statistics_table, table};
use crate::report::{self, Format, Screen};
use crate::workers;
use lyocell_queue_study::{CASES, CaseEntry, Counting, Queue, Request, Study, measure_all};
use lyocell_workloads::{Refused, enumerate};

/// Enough for a standard deviation, few enough that all cases stay under two minutes on two cores; the paper
/// has 50.
const DEFAULT_REPS: u32 = 7;

#[derive(Args)]
pub(super) struct QueuesArguments {
    /// The cases, such as raw or quicksort:1000000 [default: all]
    #[arg(long = "case", value_name = "CASE[:PARAM]", value_delimiter = ',')]
    cases: Vec<String>,

    /// The queues, such as abp,chase-lev [default: all that the case can run on]
    #[arg(long = "queue", value_name = "QUEUE", value_delimiter = ',')]
    queues: Vec<String>,

    /// The numbers of threads
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1,2,4,8",
          value_parser = workers::parse)]
    threads: Vec<usize>,

    /// Timed repetitions of each, after one to warm up
    #[arg(long, value_name = "N", default_value_t = DEFAULT_REPS,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    reps: u32,

    #[command(flatten)]
    report: ReportArguments,

    /// Draw the means, normalised to abp, into this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Count what the queues do, in runs of their own, and report that and what counting costs
    #[arg(long)]
    stats: bool,
}

/// Measures what the arguments name and writes the report.
pub(super) fn queues(arguments: QueuesArguments) -> Result<(), CliError> {
    let threads = workers::sorted(arguments.threads);
    let request = Request { cases: arguments.cases, queues: arguments.queues, threads };
    if arguments.plot.is_some() && !request.queues()?.contains(&Queue::BASELINE) {
        let baseline = Queue::BASELINE.name();
        return Err(Refused(format!("--plot compares with {baseline}: add it to --queue")).into());
    }
    let plans = request.plans()?;
    let output = arguments.report.open()?;
    let drawing = arguments.plot.map(|path| Output::open_file("--plot", path)).transpose()?;
    let counting = if arguments.stats { Counting::On } else { Counting::Off };
    let reps = arguments.reps as usize;
    let progress = Progress::new(plans.iter().map(|plan| plan.turns(reps, counting)).sum());
    let study = measure_all(plans, reps, counting, &progress)?;
    drop(progress);
    let summaries: Vec<CaseSummary> =
        study.groups.iter().filter_map(|records| CaseSummary::of(records)).collect();
    if let Some(drawing) = drawing {
        drawing.write(&plot(&summaries)?)?;
    }
    let format = arguments.report.format;
    let report = render(&study, &summaries, format, counting, output.screen());
    output.write(&report)
}

fn render(
    study: &Study,
    summaries: &[CaseSummary],
    format: Format,
    counting: Counting,
    screen: Screen,
) -> String {
    match (format, counting) {
        (Format::Table, Counting::Off) => table(summaries, screen),
        (Format::Table, Counting::On) => {
            let statistics = statistics_table(&study.statistics, screen);
            format!("{}\n{statistics}", table(summaries, screen))
        }
        (Format::Csv, Counting::Off) => report::csv(&study.groups.concat()),
        (Format::Csv, Counting::On) => report::csv(&study.statistics),
        (Format::Json, Counting::Off) => report::json(&study.groups.concat()),
        (Format::Json, Counting::On) => report::json(&study.statistics),
    }
}

/// The cases and the queues, for `lyocell list`.
pub(super) fn listing() -> String {
    let case = |case: &CaseEntry| {
        let CaseEntry { name, summary, parameters, .. } = case;
        let defaults = enumerate(case.defaults);
        format!("  {name:<16} {summary}\n  {:16} {parameters}; {defaults} if not given\n", "")
    };
    let cases: String = CASES.iter().map(case).collect();
    let queue = |queue: Queue| format!("  {:<24} {}\n", queue.name(), queue.summary());
    let queues: String = Queue::ALL.into_iter().map(queue).collect();
    format!(
        "Cases (`lyocell queues --case CASE[:PARAM]`):\n{cases}\nQueues (`lyocell queues --queue`):\n{queues}"
    )
}
