//! `lyocell run`, and `lyocell` alone, which is the same on the headline's workloads.

use std::io;
use std::path::PathBuf;

use clap::Args;
use lyocell_workloads::Instance;

use super::CliError;
use super::output::{ReportArguments, print, print_notes};
use super::ranks;
use super::setups::SetupArguments;
use crate::comparison::{Request, SetupRequest, headline as headline_request};
use crate::layouts;
use crate::machine::Machine;
use crate::measure::{Progress, RunRecord, Summary};
use crate::report::{self, Format, Screen};
use crate::workers;
use lyocell_engines::runtime::Watch;
use lyocell_engines::{RUNTIME, SERIAL};
use lyocell_workloads::Refused;

/// Enough for a median, few enough to wait for.
const DEFAULT_REPS: u32 = 5;

#[derive(Args)]
pub(super) struct RunArguments {
    /// What to run, such as fib:40 or uts:T3L (see `lyocell list`)
    #[arg(value_name = "WORKLOAD[:PARAM]", required = true)]
    pub(super) workloads: Vec<String>,

    /// The engines, such as lyocell,rayon [default: all but the rivals that have programs of their own; serial and
    /// lyocell if anything is said about setups]
    #[arg(long = "engine", alias = "engines", value_name = "ENGINE", value_delimiter = ',')]
    engines: Vec<String>,

    /// The numbers of workers, such as 1,2,4 [default: 1 and one for each CPU]
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = workers::parse)]
    pub(super) workers: Vec<usize>,

    /// Timed repetitions of each, after one to warm up
    #[arg(long, value_name = "N", default_value_t = DEFAULT_REPS,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(super) reps: u32,

    /// Run uts or queens on the ranks of MPI, each a process under `mpirun` with so many workers
    ///
    /// The work is spread as bags of items, which ranks steal from each other. A run is timed on rank 0, which reports; in the
    /// report the engine is `ranks:` and their number, and workers are those of all ranks. Without --workers there are as many on
    /// each as it has CPUs. For a program that was built with `--features mpi`.
    #[arg(long, conflicts_with_all = ["engines", "layouts"])]
    ranks: bool,

    /// Run in this many layouts, each with all code 16 bytes further on; link them with `.ci/layouts N`
    ///
    /// What a short recursion costs depends on where its code lies in memory, so a ratio of one layout is partly luck.
    /// The table has the median over the layouts and the range; CSV has the layout as a last column.
    #[arg(long, value_name = "N", conflicts_with_all = ["stats", "times"],
          value_parser = clap::value_parser!(u32).range(2..=i64::from(layouts::MOST)))]
    layouts: Option<u32>,

    #[command(flatten)]
    pub(super) report: ReportArguments,

    #[command(flatten)]
    setups: SetupArguments,
}

/// Measures what the arguments name and writes the report.
pub(super) fn run(arguments: RunArguments) -> Result<(), CliError> {
    if arguments.ranks {
        return on_ranks(&arguments);
    }
    let instances = instances(&arguments.workloads)?;
    let setups = arguments.setups.request();
    let watch = setups.watch;
    let engines = engine_names(arguments.engines, &setups)?;
    let asked = super::setups::words(&setups);
    let (setups, notes) = setups.setups()?;
    let workers = match arguments.workers {
        workers if workers.is_empty() => default_workers()?,
        workers => workers::sorted(workers),
    };
    let reps = arguments.reps as usize;
    let programs = arguments.layouts.map(layouts::programs).transpose()?;
    if programs.is_some() && arguments.report.format == Format::Json {
        return Err(Refused("--layouts makes a table or CSV".to_owned()).into());
    }
    let words = words(&arguments.workloads, &engines, &workers, reps, &asked);
    let comparison = Request { instances, engines, setups, workers, reps }.plan()?;
    print_notes(notes.iter().chain(&comparison.notes));
    let output = arguments.report.open()?;
    let groups = match &programs {
        None => comparison.measure()?,
        Some(programs) => measure_layouts(programs, &words)?,
    };
    let report = match (arguments.report.format, watch) {
        (Format::Csv, _) if programs.is_some() => report::csv_of_layouts(&groups.concat()),
        (Format::Table, watch) => {
            let screen = output.screen();
            table(&groups, screen) + &report::watched_tables(&groups, watch, screen)
        }
        (Format::Csv, Watch::Nothing) => report::csv(&groups.concat()),
        (Format::Csv, watch) => report::watched_csv(&groups.concat(), watch),
        (Format::Json, _) => report::json(&report::watched_records(&groups.concat())),
    };
    output.write(&report)
}

fn on_ranks(arguments: &RunArguments) -> Result<(), CliError> {
    if arguments.setups.request().is_made() {
        let message = "--ranks has bags of items and one setup: leave the options of setups out";
        return Err(Refused(message.to_owned()).into());
    }
    ranks::run(arguments)
}

/// The words with which another layout of the program measures the same and writes CSV.
fn words(
    workloads: &[String],
    engines: &[String],
    workers: &[usize],
    reps: usize,
    setups: &[String],
) -> Vec<String> {
    let workers: Vec<String> = workers.iter().map(usize::to_string).collect();
    let mut words = vec!["run".to_owned()];
    words.extend_from_slice(workloads);
    words.extend([format!("--workers={}", workers.join(",")), format!("--reps={reps}")]);
    if !engines.is_empty() {
        words.push(format!("--engine={}", engines.join(",")));
    }
    words.extend_from_slice(setups);
    words.push("--format=csv".to_owned());
    words
}

/// The records of each workload, from one layout of the program after the other.
fn measure_layouts(
    programs: &[PathBuf],
    words: &[String],
) -> Result<Vec<Vec<RunRecord>>, CliError> {
    let progress = Progress::new(programs.len());
    let mut groups: Vec<Vec<RunRecord>> = Vec::new();
    for (layout, program) in programs.iter().enumerate() {
        progress.announce(format!("layout {layout}"));
        let text = layouts::output(program, words)?;
        let records = RunRecord::parse_all(&text, layout);
        let alien = || io::Error::other(format!("{} is another program", program.display()));
        for record in records.ok_or_else(alien)? {
            let job = |record: &RunRecord| (record.workload, record.param.clone());
            match groups.iter_mut().find(|group| job(&group[0]) == job(&record)) {
                Some(group) => group.push(record),
                None => groups.push(vec![record]),
            }
        }
        progress.advance();
    }
    Ok(groups)
}

/// Measures and prints the headline table.
pub(super) fn headline() -> Result<(), CliError> {
    let comparison = headline_request(default_workers()?).plan()?;
    print_notes(&comparison.notes);
    print(&format!("{}\n", Machine::this()))?;
    print(&table(&comparison.measure()?, Screen::of_stdout()))
}

/// What the words name.
///
/// # Errors
/// One of them names nothing.
pub(super) fn instances(words: &[String]) -> Result<Vec<Instance>, Refused> {
    let instance = |word: &String| word.parse().map_err(|unknown| Refused(format!("{unknown}")));
    words.iter().map(instance).collect()
}

/// The names of the engines that run; all if there are none.
///
/// # Errors
/// Something is said about setups of the runtime, and it does not run.
fn engine_names(engines: Vec<String>, setups: &SetupRequest) -> Result<Vec<String>, Refused> {
    if !setups.is_made() {
        return Ok(engines);
    }
    if engines.is_empty() {
        return Ok([SERIAL, RUNTIME].map(str::to_owned).to_vec());
    }
    if !engines.iter().any(|name| name == RUNTIME) {
        let message = format!("there are options for setups of {RUNTIME}: add it to --engine");
        return Err(Refused(message));
    }
    Ok(engines)
}

/// One worker, and as many as by default.
fn default_workers() -> Result<Vec<usize>, Refused> {
    Ok(workers::sorted(vec![1, workers::by_default()?]))
}

/// The table of the records of each workload.
pub(super) fn table(groups: &[Vec<RunRecord>], screen: Screen) -> String {
    let summaries: Vec<Summary> = groups.iter().filter_map(|group| Summary::of(group)).collect();
    report::table(&summaries, screen)
}
