//! `lyocell simulate`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::CliError;
use super::output::{Output, ReportArguments, print};
use super::results::{about, read, write_or_check};
use crate::experiment::{
    EXPERIMENTS, KeptRuns, Results, SIMULATED_HEADER as HEADER, simulated_line, steals_beside,
    theorem,
};
use crate::measure::Progress;
use crate::report::{Format, Table};
use crate::results::Block;
use crate::simulate::{self, Answer, Failed, Request};
use lyocell_workloads::Refused;

#[derive(Args)]
pub(super) struct SimulateArguments {
    /// What to run: fib:N, fib:N,CUTOFF, dfs:grid,NODES, mm:64xTREES, tree:LEVELS:NS, stress:LEVELS:NS:TREES, phases:LEVELS:NS:TREES, burst:LEVELS:NS,
    /// bursts:LEVELS:NS:TREES, loop:ITEMS:NS, skynet:LEVELS, queens:N, stream:JOINS:NS, uts:TREE;
    /// each declares what its tasks cost
    #[arg(value_name = "PROGRAM", required_unless_present_any = ["check", "read"])]
    programs: Vec<String>,

    /// The machine: a name, of which a wrong one tells those that there are, or a file that ends in .toml
    #[arg(long, value_name = "MACHINE", default_value = "opteron-48")]
    machine: String,

    /// The numbers of workers
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1,2,4,8,16,32,48",
          value_parser = clap::value_parser!(u64).range(1..=1023))]
    workers: Vec<u64>,

    /// The deques: split, direct, direct-locked, receiver, sender, chase-lev, abp
    #[arg(long = "deque", value_name = "DEQUE", value_delimiter = ',', default_value = "split")]
    deques: Vec<String>,

    /// What a worker does that waits for a stolen task: leap, transitive, leap+random, random, none
    #[arg(
        long = "wait",
        value_name = "POLICY",
        value_delimiter = ',',
        default_value = "leap+random"
    )]
    waits: Vec<String>,

    /// How long a worker searches before it sleeps, such as 100us, or forever, as in the papers [default: the runtime's]
    #[arg(long, value_name = "TIME")]
    search: Option<String>,

    /// Whether thieves share what an owner keeps to itself: on; off, where it shares some ahead of being asked; or asked, where it does
    /// not, as in the papers
    #[arg(long, value_name = "WHETHER", default_value = "on")]
    exposing: String,

    /// How often owners in long tasks are interrupted to share, such as 200us: for split, receiver and sender
    #[arg(long, value_name = "PERIOD")]
    interrupt: Option<String>,

    /// Who is interrupted: asked, owners that withhold what they are asked for; or all, as in the paper [default: asked]
    #[arg(long, value_name = "WHO", requires = "interrupt")]
    signals: Option<String>,

    /// Have each thief look first at those on its own node of the machine's memory (NUMA)
    #[arg(long)]
    nodes: bool,

    /// So many seeds: each row is a median of them
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    seeds: u64,

    /// What memory the machine has
    #[arg(long, value_enum, default_value_t = Memory::Sequential)]
    memory: Memory,

    /// Take one processor of each part of the machine in turn, and not neighbours, whatever its file says
    #[arg(long)]
    spread: bool,

    /// Divide and multiply each number of the machine by this, and say which rankings hold
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    factor: Option<f64>,

    /// Draw the speedups and their bounds into this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Write what the workers of the last run did when to this file, for ui.perfetto.dev
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,

    #[command(flatten)]
    report: ReportArguments,

    /// Simulate nothing: the tables of results/SCALE.md, of what is kept in this folder; in others, what was predicted and measured on
    /// other machines
    #[arg(long, value_name = "FOLDER", value_delimiter = ',', conflicts_with_all = ["programs", "check", "factor", "plot", "trace"])]
    read: Vec<PathBuf>,

    /// With --read: put the tables into this document
    #[arg(long, value_name = "DOCUMENT", requires = "read", conflicts_with = "agrees")]
    write: Option<PathBuf>,

    /// With --read: fail, and show what differs, unless this document has these tables
    #[arg(long, value_name = "DOCUMENT", requires = "read")]
    agrees: Option<PathBuf>,

    /// Check the runtime under faults, on every deque, with so many seeds: by these programs, or by fifteen that are chosen for that
    #[arg(long, conflicts_with_all = ["workers", "deques", "waits", "search", "exposing", "interrupt", "nodes", "factor", "plot", "trace", "format", "out"])]
    check: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Memory {
    /// All see all stores at once
    Sequential,
    /// Plain stores reach others late, by the seed, in their order
    Tso,
}

fn factor(word: &str) -> Result<f64, String> {
    match word.parse() {
        Ok(factor) if factor > 1.0 && factor <= 100.0 => Ok(factor),
        _ => Err("a factor is above 1, and at most 100".to_owned()),
    }
}

/// The answer of a simulation that is kept in a file of this name.
fn kept_answer(folder: &Path, name: &str) -> Result<Answer, CliError> {
    let path = folder.join(name);
    let answer = serde_json::from_str::<Answer>(&read(&path)?);
    Ok(answer.map_err(|error| about(&path, error.to_string()))?)
}

/// What a folder has that was predicted of its machine, beside what was measured there.
fn residuals(folder: &Path) -> Result<String, CliError> {
    let text = |name: &str| read(&folder.join(name));
    let measured = simulate::Measured::of(&text("measured.csv")?, &text("steals.csv")?);
    let measured = measured.map_err(|why| about(folder, why))?;
    Ok(simulate::residuals(&kept_answer(folder, "predicted.json")?, &measured))
}

/// The tables of results/SCALE.md: of what is kept in the first folder, and what all of them have of their machines.
fn scale(
    folders: &[PathBuf],
    write: Option<PathBuf>,
    agrees: Option<PathBuf>,
) -> Result<(), CliError> {
    let folder = folders.first().expect("the caller has looked");
    let answer = |name| kept_answer(folder, name);
    let kept = folder.join("experiments");
    let experiments = experiments(&kept)?;
    let judged = |name: &str, table: fn(&Results) -> Table| {
        let experiment = EXPERIMENTS.into_iter().find(|one| one.name == name);
        let experiment = experiment.expect("it is one of the list");
        let path = kept.join(name).with_extension("csv");
        let runs = KeptRuns::parse(experiment, &read(&path)?).map_err(|why| about(&path, why))?;
        Ok::<String, CliError>(table(&runs.results).markdown())
    };
    let (t3l, mut others) = (answer("lace-t3l.json")?, answer("lace-fig5.json")?);
    let sleeping = answer("lace-sleeping.json")?;
    let bursts = answer("bursts.json")?;
    let block = |name, text| Block { name, text };
    let all = folders.iter().map(|folder| residuals(folder)).collect::<Result<Vec<_>, _>>()?;
    let speedups = simulate::speedups(&t3l);
    others.rows.extend(t3l.rows.into_iter().chain(sleeping.rows));
    let blocks = [
        block("residuals", all.join("\n")),
        block("lace", simulate::lace(&others)),
        block("speedups", speedups),
        block("bursts", simulate::speedups(&bursts)),
        block("experiments", experiments),
        block("dealing", judged("acar-fig5", theorem)?),
        block("steals", judged("wool-table3", steals_beside)?),
    ];
    let source =
        folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(",");
    write_or_check(&blocks, write, agrees, &source).unwrap_or_else(|| {
        let texts: Vec<&str> = blocks.iter().map(|block| block.text.as_str()).collect();
        print(&texts.join("\n"))
    })
}

/// The verdicts of the experiments whose simulated runs are kept in this folder.
fn experiments(folder: &Path) -> Result<String, CliError> {
    let mut text = HEADER.to_owned();
    for experiment in EXPERIMENTS {
        let path = folder.join(experiment.name).with_extension("csv");
        if !path.exists() {
            continue;
        }
        let kept = KeptRuns::parse(experiment, &read(&path)?).map_err(|why| about(&path, why))?;
        text += &simulated_line(experiment, &kept);
    }
    Ok(text)
}

/// Runs programs on virtual processors, and tells what they took.
pub(super) fn simulate(arguments: SimulateArguments) -> Result<(), CliError> {
    if !arguments.read.is_empty() {
        return scale(&arguments.read, arguments.write, arguments.agrees);
    }
    if let Some(case) = arguments.programs.iter().find(|words| words.starts_with("raw:")) {
        let message = format!(
            "{case} is a case of queues: `lyocell experiment queues-raw --machine paper` simulates it"
        );
        return Err(Refused(message).into());
    }
    let mut further = vec!["--exposing".to_owned(), arguments.exposing];
    let given = [("--interrupt", arguments.interrupt), ("--signals", arguments.signals)];
    let given = given.into_iter().filter_map(|(option, value)| Some((option, value?)));
    further.extend(given.flat_map(|(option, value)| [option.to_owned(), value]));
    further.extend(arguments.nodes.then(|| "--nodes".to_owned()));
    let request = Request {
        programs: arguments.programs,
        machine: arguments.machine,
        workers: arguments.workers,
        deques: arguments.deques,
        waits: arguments.waits,
        search: arguments.search,
        further,
        seeds: arguments.seeds,
        tso: arguments.memory == Memory::Tso,
        spread: arguments.spread,
        trace: arguments.trace,
    };
    if arguments.check {
        let progress = Progress::new(request.seeds as usize);
        let runs = request.check(&progress)?;
        drop(progress);
        return print(&format!("{runs} runs, nothing found\n"));
    }
    let contenders = request.deques.len() * request.waits.len();
    if arguments.factor.is_some() && contenders < 2 {
        let message = "--factor says which rankings hold: name several deques or wait policies";
        return Err(Refused(message.to_owned()).into());
    }
    if arguments.factor.is_some() && arguments.report.format != Format::Table {
        return Err(Refused("--factor is told as a table: leave --format out".to_owned()).into());
    }
    let output = arguments.report.open()?;
    let drawing = arguments.plot.map(|path| Output::open_file("--plot", path)).transpose()?;
    let runs = request.programs.len() * contenders * request.workers.len() * request.seeds as usize;
    let progress = Progress::new(runs);
    let answer = request.rows(None, &progress)?;
    drop(progress);
    if let Some(drawing) = drawing {
        drawing.write(&simulate::plot(&answer)?)?;
    }
    let mut text = match arguments.report.format {
        Format::Table => simulate::tables(&answer, output.screen()),
        Format::Csv => simulate::csv(&answer),
        Format::Json => {
            serde_json::to_string_pretty(&answer).map_err(std::io::Error::other)? + "\n"
        }
    };
    if let Some(factor) = arguments.factor {
        let progress = Progress::new(runs * 2 * answer.machine.numbers.len());
        text += &simulate::survey(&request, &answer, factor, &progress, output.screen())?;
    }
    output.write(&text)
}

impl From<Failed> for CliError {
    fn from(failed: Failed) -> CliError {
        match failed {
            Failed::Refused(message) => Refused(message).into(),
            Failed::Run(message) => CliError::Disagreement(message),
            Failed::Machine(error) => error.into(),
        }
    }
}
