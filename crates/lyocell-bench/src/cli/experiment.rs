//! `lyocell experiment`.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use lyocell_workloads::WORKLOADS;

use super::output::{Output, print};
use super::run::instances;
use super::{CliError, kept};
use crate::experiment::{
    Context, EXPERIMENTS, Experiment, ExperimentRecord, Prepared, Request, Results, Simulated,
    Size, draw, render, simulate,
};
use crate::machine::Machine;
use crate::report::{self, Screen};
use crate::workers;
use lyocell_engines::parallelism;
use lyocell_queue_study::CASES;
use lyocell_workloads::{Refused, enumerate};

#[derive(Args)]
pub(super) struct ExperimentArguments {
    /// Which experiment, or `all`; without it they are listed
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// Timed repetitions of each run, after one to warm up [default: what decides its finding, some minutes on two CPUs]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    reps: Option<u32>,

    /// The numbers of workers, such as 2,8 [default: one for each CPU, at least two]
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = workers::parse)]
    workers: Vec<usize>,

    /// What to run in place of the experiment's own workloads, such as fib:40
    #[arg(long = "workload", value_name = "WORKLOAD:PARAM", value_delimiter = ',')]
    workloads: Vec<String>,

    /// Run the sizes of the paper, which may take hours
    #[arg(long, conflicts_with = "workloads")]
    full: bool,

    /// The CSV file, with a line a run [default: lyocell-NAME.csv in the current directory]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Keep the runs of each experiment in a file of its own, FOLDER/NAME.csv, in place of one for all
    ///
    /// Each begins with comments that say what it was measured on. EXPERIMENTS.md links to those in
    /// results/MACHINE/experiments.
    #[arg(long, value_name = "FOLDER", conflicts_with = "out")]
    keep: Option<PathBuf>,

    /// Simulate it on this machine, a name, a file that ends in .toml, or `paper` for that of the paper; of each workload and contender that
    /// `lyocell simulate` has, with the paper's number of workers and seeds for repetitions
    #[arg(long, value_name = "MACHINE", conflicts_with = "full")]
    machine: Option<String>,

    /// Draw what is a plot in the paper into this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Run nothing: report again what --keep has kept in this folder; of several, in the first that has the experiment
    #[arg(long, value_name = "FOLDER", value_delimiter = ',',
          conflicts_with_all = ["machine", "reps", "workers", "workloads", "full", "out", "keep", "plot"])]
    read: Vec<PathBuf>,

    /// With --read: put the sections into this document, between `<!-- results: NAME -->` and `<!-- end -->`
    #[arg(long, value_name = "DOCUMENT", requires = "read", conflicts_with = "check")]
    write: Option<PathBuf>,

    /// With --read: fail, and show what differs, unless this document has these sections
    #[arg(long, value_name = "DOCUMENT", requires = "read")]
    check: Option<PathBuf>,
}

/// The name that stands for every experiment.
const ALL: &str = "all";

/// Runs the experiments that are asked for, or lists them.
pub(super) fn experiment(arguments: ExperimentArguments) -> Result<(), CliError> {
    let Some(name) = &arguments.name else { return print(&listing()) };
    if !arguments.read.is_empty() {
        return kept::report(&named(name)?, &arguments.read, arguments.write, arguments.check);
    }
    let request = request(&arguments)?;
    let prepared = named(name)?.into_iter().map(|one| match arguments.machine {
        Some(_) => Prepared::new(one, &as_in_the_paper(one, &request)),
        None => Prepared::new(one, &request),
    });
    let mut prepared = prepared.collect::<Result<Vec<_>, _>>()?;
    if arguments.plot.is_some() {
        refuse_plot_of_nothing(&prepared)?;
    }
    let mut files = Files::open(name, &prepared, arguments.out, arguments.keep)?;
    let drawing = arguments.plot.map(|path| Output::open_file("--plot", path)).transpose()?;
    let context = Context { machine: Machine::this().to_string(), processors: parallelism() };
    let mut charts = Vec::new();
    for prepared in &mut prepared {
        let reps = arguments.reps.map_or(prepared.reps(request.size), |reps| reps as usize);
        let simulated = arguments.machine.as_deref().map(|name| simulate(prepared, name, reps));
        let simulated = simulated.transpose()?;
        let note = simulated.as_ref().map(Simulated::note);
        let (results, context) = match simulated {
            Some(Simulated { results, context, .. }) => (results, Cow::Owned(context)),
            None => (prepared.measure(reps)?, Cow::Borrowed(&context)),
        };
        let report = prepared.experiment.report(&results).with(note);
        let screen = Screen::of_stdout();
        print(&format!("{}\n", render(prepared.experiment, &report, &context, screen)))?;
        charts.extend(prepared.experiment.charts.into_iter().flat_map(|charts| charts(&results)));
        files.take(prepared, results, &context.machine)?;
    }
    if let Some(drawing) = drawing {
        drawing.write(&draw(&charts)?)?;
    }
    files.finish()
}

/// Where the runs go. All is opened before the first run.
enum Files {
    /// All into one, at the end.
    One { output: Output, records: Vec<ExperimentRecord> },
    /// Those of each experiment into its own as soon as it is over; the next one first.
    Each(VecDeque<Output>),
}

impl Files {
    /// # Errors
    /// A file cannot be written.
    fn open(
        name: &str,
        experiments: &[Prepared],
        out: Option<PathBuf>,
        keep: Option<PathBuf>,
    ) -> Result<Files, CliError> {
        let Some(folder) = keep else {
            let file = out.unwrap_or_else(|| format!("lyocell-{name}.csv").into());
            return Ok(Files::One {
                output: Output::open_file("--out", file)?,
                records: Vec::new(),
            });
        };
        let files = experiments.iter().map(|prepared| {
            let file = folder.join(prepared.experiment.name).with_extension("csv");
            Output::open_file_in_new_folder("--keep", file)
        });
        Ok(Files::Each(files.collect::<Result<_, _>>()?))
    }

    /// Takes the runs of the next experiment.
    fn take(
        &mut self,
        prepared: &Prepared,
        results: Results,
        machine: &str,
    ) -> Result<(), CliError> {
        match self {
            Files::One { records, .. } => records.extend(results.0),
            Files::Each(files) => {
                let file = files.pop_front().expect("there is one for each experiment");
                file.write(&prepared.kept(machine, results).to_text())?;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<(), CliError> {
        match self {
            Files::One { output, records } => output.write(&report::csv(&records)),
            Files::Each(_) => Ok(()),
        }
    }
}

/// # Errors
/// A plot is asked for, and none of the experiments has one.
fn refuse_plot_of_nothing(experiments: &[Prepared]) -> Result<(), Refused> {
    if experiments.iter().any(|prepared| prepared.experiment.charts.is_some()) {
        return Ok(());
    }
    let plotted = EXPERIMENTS.iter().filter(|experiment| experiment.charts.is_some());
    let names = enumerate(plotted.map(|experiment| experiment.name));
    Err(Refused(format!("--plot is for the experiments that are plots in the paper: {names}")))
}

/// The request with one worker and with as many as in the paper, if no numbers are asked for.
fn as_in_the_paper(experiment: &Experiment, request: &Request) -> Request {
    let most = experiment.paper.workers;
    let workers = request.workers.clone().unwrap_or_else(|| vec![1, most]);
    Request { workers: Some(workers), default_workers: most, ..request.clone() }
}

/// # Errors
/// A workload is named that there is not, or the environment names no number of workers.
fn request(arguments: &ExperimentArguments) -> Result<Request, Refused> {
    let is_case = |word: &str| CASES.iter().any(|case| Some(case.name) == word.split(':').next());
    let (cases, words): (Vec<_>, Vec<_>) =
        joined(&arguments.workloads).into_iter().partition(|word| is_case(word));
    let workloads = instances(&words)?;
    let workers = workers::sorted(arguments.workers.clone());
    Ok(Request {
        workloads: (!workloads.is_empty()).then_some(workloads),
        cases,
        workers: (!workers.is_empty()).then_some(workers),
        size: if arguments.full { Size::Paper } else { Size::Small },
        default_workers: workers::by_default()?,
    })
}

/// The jobs of a list whose commas stand between jobs as well as in their parameters, `dfs:grid,1000,fib:3`: what neither has
/// a colon nor is a workload belongs to the job before it.
fn joined(pieces: &[String]) -> Vec<String> {
    let mut jobs: Vec<String> = Vec::new();
    for piece in pieces {
        let mut names = WORKLOADS.iter().map(|workload| workload.name);
        let mut cases = CASES.iter().map(|case| case.name);
        let begins = piece.contains(':')
            || names.any(|name| name == piece)
            || cases.any(|name| name == piece);
        match jobs.last_mut() {
            Some(job) if !begins => *job = format!("{job},{piece}"),
            _ => jobs.push(piece.clone()),
        }
    }
    jobs
}

/// The experiment called `name`, or all.
fn named(name: &str) -> Result<Vec<&'static Experiment>, Refused> {
    if name == ALL {
        return Ok(EXPERIMENTS.to_vec());
    }
    let found = EXPERIMENTS.into_iter().find(|experiment| experiment.name == name);
    found.map(|experiment| vec![experiment]).ok_or_else(|| {
        let names = enumerate(EXPERIMENTS.iter().map(|experiment| experiment.name).chain([ALL]));
        Refused(format!("there is no experiment `{name}`: there are {names}"))
    })
}

/// The experiments with their sources.
pub(super) fn listing() -> String {
    let mut text = String::from("Experiments (`lyocell experiment NAME`, or `all`):\n");
    for experiment in EXPERIMENTS {
        let (name, shows) = (experiment.name, experiment.shows);
        let _ = writeln!(text, "  {name:<20} {shows}");
        let (citation, place) = (experiment.paper.citation, experiment.place);
        let _ = writeln!(text, "  {:20} from: {citation}, {place}", "");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comma_may_be_within_a_workload() {
        let words = ["fib:3", "cholesky:250", "1000x4", "mm:64x2", "stress:256", "7"];
        let expected = ["fib:3", "cholesky:250,1000x4", "mm:64x2", "stress:256,7"];
        assert_eq!(joined(&words.map(str::to_owned)), expected);
        assert_eq!(joined(&["7".to_owned()]), ["7"]);
    }
}
