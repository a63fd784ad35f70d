//! `lyocell queues`.

use std::path::PathBuf;

use clap::Args;

use super::output::{Output, ReportArguments};
use super::{CliError, enumerate, select};
use crate::measure::Progress;
use crate::queues::{
    CASES, CaseEntry, CaseSummary, Counting, Job, Plan, Queue, Record, StatisticsRecord, lineup,
    measure, plot, statistics_table, table,
};
use crate::report::{self, Emphasis, Format};

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
          value_parser = select::workers)]
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
    let queues = queues_named(&arguments.queues)?;
    if arguments.plot.is_some() && !queues.contains(&Queue::BASELINE) {
        let baseline = Queue::BASELINE.name();
        let message = format!("--plot compares with {baseline}: add it to --queue");
        return Err(CliError::Usage(message));
    }
    let mut threads = arguments.threads.clone();
    threads.sort_unstable();
    threads.dedup();
    let plans = plans(&arguments, &queues, &threads)?;
    let output = arguments.report.open()?;
    let drawing = arguments.plot.map(|path| Output::open_file("--plot", path)).transpose()?;
    let counting = if arguments.stats { Counting::On } else { Counting::Off };
    let results = measure_all(plans, arguments.reps as usize, counting)?;
    if let Some(drawing) = drawing {
        drawing.write(&plot(&results.summaries())?)?;
    }
    let report = results.report(arguments.report.format, counting, output.emphasis());
    output.write(&report)
}

/// The queues called `names`, in the paper's order; all if there are no names.
fn queues_named(names: &[String]) -> Result<Vec<Queue>, CliError> {
    for name in names {
        if Queue::ALL.iter().all(|queue| queue.name() != name) {
            let queues = enumerate(Queue::ALL.iter().map(|queue| queue.name()));
            return Err(CliError::Usage(format!("there is no queue `{name}`: there are {queues}")));
        }
    }
    let asked = |queue: &Queue| names.is_empty() || names.iter().any(|name| name == queue.name());
    Ok(Queue::ALL.into_iter().filter(asked).collect())
}

/// The jobs asked for and who runs each.
///
/// # Errors
/// There is no such case; a case and a queue that were both asked for by name do not go together.
fn plans(
    arguments: &QueuesArguments,
    queues: &[Queue],
    threads: &[usize],
) -> Result<Vec<Plan>, CliError> {
    let jobs = match &arguments.cases[..] {
        [] => all_jobs()?,
        words => {
            let jobs = words.iter().map(|word| jobs(word)).collect::<Result<Vec<_>, _>>()?;
            jobs.into_iter().flatten().collect()
        }
    };
    if !arguments.queues.is_empty() && !arguments.cases.is_empty() {
        for (job, queue) in jobs.iter().flat_map(|job| queues.iter().map(move |q| (job, *q))) {
            if let Some(reason) = job.refusal(queue) {
                return Err(CliError::Usage(format!(
                    "{job} does not run on {}: {reason}; {}",
                    queue.name(),
                    willing(job)
                )));
            }
        }
    }
    let plan = |job: Job| Plan { contenders: lineup(&job, queues, threads), job };
    // A case that none of the queues can run has only the serial program.
    Ok(jobs.into_iter().map(plan).filter(|plan| plan.contenders.len() > 1).collect())
}

fn willing(job: &Job) -> String {
    let willing = Queue::ALL.into_iter().filter(|&queue| job.refusal(queue).is_none());
    format!("use {}", enumerate(willing.map(Queue::name)))
}

/// Every case with each of its default parameters.
fn all_jobs() -> Result<Vec<Job>, CliError> {
    let jobs = CASES.iter().map(|case| jobs(case.name)).collect::<Result<Vec<_>, _>>()?;
    Ok(jobs.into_iter().flatten().collect())
}

/// The jobs that `CASE[:PARAM]` names.
fn jobs(word: &str) -> Result<Vec<Job>, CliError> {
    let (name, parameter) = match word.split_once(':') {
        Some((name, parameter)) => (name, Some(parameter)),
        None => (word, None),
    };
    let case = CASES.iter().find(|case| case.name == name).ok_or_else(|| {
        let names = enumerate(CASES.iter().map(|case| case.name));
        CliError::Usage(format!("there is no case `{name}`: there are {names}"))
    })?;
    let parameters = match &parameter {
        Some(parameter) => std::slice::from_ref(parameter),
        None => case.defaults,
    };
    parameters.iter().map(|parameter| job(case, parameter)).collect()
}

fn job(case: &CaseEntry, parameter: &str) -> Result<Job, CliError> {
    case.job(parameter).map_err(|reason| {
        let CaseEntry { name, parameters, .. } = case;
        CliError::Usage(format!(
            "there is no {name}:{parameter} ({reason}): {name} takes {parameters}"
        ))
    })
}

/// What was measured.
struct Results {
    /// The records of each case.
    groups: Vec<Vec<Record>>,
    statistics: Vec<StatisticsRecord>,
}

fn measure_all(plans: Vec<Plan>, reps: usize, counting: Counting) -> Result<Results, CliError> {
    let progress = Progress::new(plans.iter().map(|plan| plan.turns(reps, counting)).sum());
    let mut results = Results { groups: Vec::new(), statistics: Vec::new() };
    for mut plan in plans {
        let measured = measure(&mut plan, reps, counting, &progress)?;
        results.groups.push(measured.records);
        results.statistics.extend(measured.statistics);
    }
    Ok(results)
}

impl Results {
    fn summaries(&self) -> Vec<CaseSummary> {
        self.groups.iter().filter_map(|records| CaseSummary::of(records)).collect()
    }

    fn report(&self, format: Format, counting: Counting, emphasis: Emphasis) -> String {
        match (format, counting) {
            (Format::Table, Counting::Off) => table(&self.summaries(), emphasis),
            (Format::Table, Counting::On) => {
                let statistics = statistics_table(&self.statistics, emphasis);
                format!("{}\n{statistics}", table(&self.summaries(), emphasis))
            }
            (Format::Csv, Counting::Off) => report::csv(&self.groups.concat()),
            (Format::Csv, Counting::On) => report::csv(&self.statistics),
            (Format::Json, Counting::Off) => report::json(&self.groups.concat()),
            (Format::Json, Counting::On) => report::json(&self.statistics),
        }
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
