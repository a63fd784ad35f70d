//! `lyocell run`.

use clap::Args;

use super::output::ReportArguments;
use super::setups::SetupArguments;
use super::{CliError, select};
use crate::engine::{RUNTIME, Watch};
use crate::machine::parallelism;
use crate::measure::{Contender, Job, Progress, Record, measure};
use crate::report::{self, Emphasis, Format};
use crate::summary::{SERIAL, Summary};

/// Enough for a median, few enough to wait for.
const DEFAULT_REPS: u32 = 5;

#[derive(Args)]
pub(super) struct RunArguments {
    /// What to run, such as fib:40 or uts:T3L (see `lyocell list`)
    #[arg(value_name = "WORKLOAD[:PARAM]", required = true)]
    workloads: Vec<String>,

    /// The engines, such as lyocell,rayon [default: all there are; serial and lyocell if anything is said
    /// about setups]
    #[arg(long = "engine", value_name = "ENGINE", value_delimiter = ',')]
    engines: Vec<String>,

    /// The numbers of workers, such as 1,2,4 [default: 1 and one for each CPU]
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = select::workers)]
    workers: Vec<usize>,

    /// Timed repetitions of each, after one to warm up
    #[arg(long, value_name = "N", default_value_t = DEFAULT_REPS,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    reps: u32,

    #[command(flatten)]
    report: ReportArguments,

    #[command(flatten)]
    setups: SetupArguments,
}

impl RunArguments {
    /// The names of the engines that run; all if there are none.
    ///
    /// # Errors
    /// Something is said about setups of the runtime, and it does not run.
    fn engine_names(&self) -> Result<Vec<String>, CliError> {
        if !self.setups.are_given() {
            return Ok(self.engines.clone());
        }
        if self.engines.is_empty() {
            return Ok([SERIAL, RUNTIME].map(str::to_owned).to_vec());
        }
        if !self.engines.iter().any(|name| name == RUNTIME) {
            let message = format!("there are options for setups of {RUNTIME}: add it to --engine");
            return Err(CliError::Usage(message));
        }
        Ok(self.engines.clone())
    }
}

/// Measures what the arguments name and writes the report.
pub(super) fn run(arguments: RunArguments) -> Result<(), CliError> {
    let jobs = arguments.workloads.iter().map(|word| select::job(word));
    let jobs = jobs.collect::<Result<Vec<Job>, _>>()?;
    let names = arguments.engine_names()?;
    let engines = select::engines(&names, &arguments.setups.setups()?)?;
    let workers = match arguments.workers {
        workers if workers.is_empty() => default_workers(),
        workers => without_repeats(workers),
    };
    let contenders = select::contenders(&jobs, &engines, &workers, &names)?;
    let output = arguments.report.open()?;
    let groups = measure_all(jobs, &contenders, arguments.reps as usize)?;
    let watch = arguments.setups.watch();
    let report = match (arguments.report.format, watch) {
        (Format::Table, watch) => {
            let emphasis = output.emphasis();
            table(&groups, emphasis) + &report::watched_tables(&groups, watch, emphasis)
        }
        (Format::Csv, Watch::Nothing) => report::csv(&groups.concat()),
        (Format::Csv, watch) => report::watched_csv(&groups.concat(), watch),
        (Format::Json, _) => report::json(&report::watched_records(&groups.concat())),
    };
    output.write(&report)
}

/// One worker, and as many as there are CPUs.
pub(super) fn default_workers() -> Vec<usize> {
    without_repeats(vec![1, parallelism()])
}

fn without_repeats(mut workers: Vec<usize>) -> Vec<usize> {
    workers.sort_unstable();
    workers.dedup();
    workers
}

/// The records of each job.
pub(super) fn measure_all(
    jobs: Vec<Job>,
    contenders: &[Vec<Contender>],
    reps: usize,
) -> Result<Vec<Vec<Record>>, CliError> {
    let turns = contenders.iter().map(Vec::len).sum::<usize>() * (reps + 1);
    let progress = Progress::new(turns);
    let measure = |(mut job, contenders): (Job, &Vec<Contender>)| {
        Ok(measure(&mut job, contenders, reps, &progress)?)
    };
    jobs.into_iter().zip(contenders).map(measure).collect()
}

/// The table of the records of each job.
pub(super) fn table(groups: &[Vec<Record>], emphasis: Emphasis) -> String {
    let summaries: Vec<Summary> = groups.iter().filter_map(|group| Summary::of(group)).collect();
    report::table(&summaries, emphasis)
}
