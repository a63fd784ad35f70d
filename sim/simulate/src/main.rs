//! `lyocell-simulate`: what `lyocell simulate` starts, and asks by its arguments. It answers with a line of JSON for each thing that
//! it has to tell: `{"begin": …}` once, `{"row": …}` for each run, `{"checked": …}` from time to time.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use lyocell::deque::{Amount, Attempts, Share};
use lyocell::{Exposing, Signals, Wait};
use lyocell_simulate::pools::{self, OnePool, Setup, Tuning};
use lyocell_simulate::row::{Job, measure, wools_model};
use lyocell_simulate::{check, last_words, machines, queues, trace};
use lyocell_virtual::{Backend, Machine, Memory, Options, Placement};
use serde_json::{Value, json};

/// Programs on the runtime over virtual processors, a line of JSON for each run: `lyocell simulate` shows them as a table or a plot.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// What to run: fib:N, tree:LEVELS:NS, stress:LEVELS:NS:TREES or stress:LEVELSxSTEPSxTREES, phases:LEVELS:NS:TREES, burst:LEVELS:NS,
    /// bursts:LEVELS:NS:TREES, loop:ITEMS:NS, skynet:LEVELS, queens:N, stream:JOINS:NS, uts:TREE, dfs:grid,NODES, mm:64xTREES; or raw:NODES, on queues in the place of deques
    #[arg(value_name = "PROGRAM", required_unless_present_any = ["check", "calibrate"])]
    programs: Vec<String>,

    /// The machine: a name, or a file that ends in .toml
    #[arg(long, value_name = "MACHINE", default_value = "opteron-48")]
    machine: String,

    /// A number of the machine file, and how many times as large it is to be
    #[arg(long, value_name = "NAME=FACTOR", value_parser = scale)]
    scale: Vec<(String, f64)>,

    /// The numbers of workers
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1,2,4,8",
          value_parser = clap::value_parser!(u64).range(1..=1023))]
    workers: Vec<u64>,

    /// The deques
    #[arg(long, value_name = "DEQUE", value_delimiter = ',', default_value = "split")]
    deque: Vec<String>,

    /// What a worker does that waits for a stolen task
    #[arg(long, value_name = "POLICY", value_delimiter = ',', default_value = "leap+random",
          value_parser = |word: &str| word.parse::<Wait>().map_err(|error| error.to_string()))]
    wait: Vec<Wait>,

    /// How long a worker searches before it sleeps: microseconds, or forever
    #[arg(long, value_name = "TIME", value_parser = search)]
    search: Option<Duration>,

    /// Whether thieves share what an owner keeps to itself: on; off, where it shares some ahead of being asked; or asked, where it does not
    #[arg(long, value_enum, default_value = "on")]
    exposing: Shared,

    /// How often owners in long tasks are interrupted to share, such as 200us: for split, receiver and sender
    #[arg(long, value_name = "PERIOD", value_parser = time)]
    interrupt: Option<Duration>,

    /// Who is interrupted: owners that withhold what they are asked for, or all
    #[arg(long, value_enum, default_value = "asked", requires = "interrupt")]
    signals: Interrupted,

    /// Have each thief look first at those on its own node of the machine's memory
    #[arg(long)]
    nodes: bool,

    /// How many tasks a steal moves, one or half: for split, receiver and sender
    #[arg(long, value_name = "AMOUNT", value_parser = |word: &str| word.parse::<Amount>().map_err(|error| error.to_string()))]
    steal: Option<Amount>,

    /// How far the split point moves: one, quarter, half, three-quarters, all
    #[arg(long, value_name = "SHARE", value_parser = share)]
    share: Option<Share>,

    /// The mean time between two deals of one owner, such as 30us or 1ms: for sender
    #[arg(long, value_name = "TIME", value_parser = time)]
    delta: Option<Duration>,

    /// When an owner tries to deal, on-demand or blind, where nobody sleeps: for sender
    #[arg(long, value_enum)]
    attempts: Option<Deals>,

    /// Look at how many tasks are in a deque at most, which takes time
    #[arg(long)]
    depths: bool,

    /// So many seeds, from 0 on
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    seeds: u64,

    /// What memory the machine has
    #[arg(long, value_enum, default_value = "sequential")]
    memory: Model,

    /// What virtual threads are made of: the run is the same
    #[arg(long, value_enum, default_value = "coroutines")]
    backend: Made,

    /// Take one processor of each part of the machine in turn, and not neighbours, whatever its file says
    #[arg(long)]
    spread: bool,

    /// Write what the workers of the last run did when to this file, for ui.perfetto.dev
    #[arg(long, value_name = "FILE")]
    trace: Option<String>,

    /// Check the runtime under faults, on every deque, with so many seeds: by these programs, or by fifteen that are chosen for that
    #[arg(long, conflicts_with_all = ["deque", "workers", "wait", "search", "backend", "trace"])]
    check: bool,

    /// With --check: of the seeds each K-th only, from the I-th on, for K programs side by side
    #[arg(long, value_name = "I/K", requires = "check", value_parser = part)]
    part: Option<(u64, u64)>,

    /// Measure this machine, and print its file under this title
    #[arg(long, value_name = "TITLE", conflicts_with_all = ["programs", "check"])]
    calibrate: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Shared {
    /// By a thief that was not answered
    On,
    /// By the owner, ahead of being asked
    Off,
    /// By the owner, when it is asked only
    Asked,
}

impl From<Shared> for Exposing {
    fn from(shared: Shared) -> Exposing {
        match shared {
            Shared::On => Exposing::Allowed,
            Shared::Off => Exposing::Off,
            Shared::Asked => Exposing::WhenAsked,
        }
    }
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Interrupted {
    /// Who withholds what it is asked for
    Asked,
    /// Every worker
    All,
}

impl From<Interrupted> for Signals {
    fn from(interrupted: Interrupted) -> Signals {
        match interrupted {
            Interrupted::Asked => Signals::Asked,
            Interrupted::All => Signals::All,
        }
    }
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Deals {
    /// To whoever asks
    OnDemand,
    /// At each date, to one worker at random
    Blind,
}

#[derive(Clone, Copy, ValueEnum)]
enum Model {
    /// All see all stores at once
    Sequential,
    /// Plain stores reach others late, by the seed, in their order
    Tso,
}

#[derive(Clone, Copy, ValueEnum)]
enum Made {
    /// Coroutines
    Coroutines,
    /// Threads of the real machine that pass a baton: slower by far
    Threads,
}

fn part(words: &str) -> Result<(u64, u64), String> {
    let numbers =
        words.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    match numbers {
        Some((part, of @ 1..=1024)) if part < of => Ok((part, of)),
        _ => Err("a part is such as 0/2 and 1/2".to_owned()),
    }
}

fn search(word: &str) -> Result<Duration, String> {
    match word {
        "forever" => Ok(Duration::MAX),
        _ => time(word).map_err(|_| "a search is such as 100us, or forever".to_owned()),
    }
}

fn time(word: &str) -> Result<Duration, String> {
    let of = |unit: &str, micros: u64| {
        let number = word.strip_suffix(unit)?.parse::<u64>().ok()?;
        Some(Duration::from_micros(number.checked_mul(micros)?))
    };
    let time = of("us", 1).or_else(|| of("ms", 1_000));
    time.ok_or_else(|| format!("{word} is no time such as 30us or 1ms"))
}

fn share(word: &str) -> Result<Share, String> {
    let found = Share::ALL.iter().find(|share| share.name() == word);
    let names = || Share::ALL.iter().map(|share| share.name()).collect::<Vec<_>>().join(", ");
    found.copied().ok_or_else(|| format!("there is no share {word}: there are {}", names()))
}

fn scale(words: &str) -> Result<(String, f64), String> {
    let parts = words.split_once('=').and_then(|(name, factor)| Some((name, factor.parse().ok()?)));
    match parts {
        Some((name, factor)) if factor > 0.0 && factor < 1e6 => Ok((name.to_owned(), factor)),
        _ => Err(format!("{words} is not a name and a factor, such as rmw=2")),
    }
}

fn main() -> ExitCode {
    match simulate(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Stopped::Refused(message)) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
        Err(Stopped::Found(message)) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
        // Whoever reads the rows has had enough.
        Err(Stopped::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(Stopped::Output(error)) => {
            eprintln!("error: the rows cannot be told: {error}");
            ExitCode::FAILURE
        }
    }
}

enum Stopped {
    /// The command line asks for what there is not.
    Refused(String),
    /// A run failed.
    Found(String),
    Output(io::Error),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Stopped {
        Stopped::Output(error)
    }
}

fn simulate(arguments: &Arguments) -> Result<(), Stopped> {
    if let Some(title) = &arguments.calibrate {
        return calibrate(title);
    }
    let machine = machine(arguments).map_err(Stopped::Refused)?;
    let memory = match arguments.memory {
        Model::Sequential => Memory::Sequential,
        Model::Tso => Memory::Tso,
    };
    if arguments.check {
        let jobs = check::programs(&arguments.programs, &machine).map_err(Stopped::Refused)?;
        last_words::listen();
        let mut told = Ok(());
        let (first, of) = arguments.part.unwrap_or((0, 1));
        let seeds = (first..arguments.seeds).step_by(of as usize);
        let runs = check::check(&machine, memory, &jobs, seeds, &mut |seeds| {
            told = say(&json!({ "checked": seeds }));
            told.is_ok()
        });
        told?;
        return Ok(say(&json!({ "runs": runs.map_err(Stopped::Found)? }))?);
    }
    if arguments.programs.iter().any(|words| words.starts_with("raw:")) {
        return cases(arguments, &machine, memory);
    }
    let jobs: Result<Vec<Job>, String> =
        arguments.programs.iter().map(|words| Job::parse(words, &machine)).collect();
    let jobs = jobs.map_err(Stopped::Refused)?;
    let deques: Result<Vec<_>, String> =
        arguments.deque.iter().map(|name| pools::deque(name)).collect();
    let deques = deques.map_err(Stopped::Refused)?;
    let tuning = tuning(arguments, &deques).map_err(Stopped::Refused)?;
    // Blind owners do not hit who sleeps.
    let blind = (tuning.attempts == Some(Attempts::Blind)).then_some(Duration::MAX);
    let mut runs = Vec::new();
    for job in &jobs {
        for &deque in &deques {
            for &wait in &arguments.wait {
                for &workers in &arguments.workers {
                    let setup = Setup {
                        search: arguments.search.or(blind),
                        exposing: arguments.exposing.into(),
                        interrupt: arguments
                            .interrupt
                            .map(|period| (period, arguments.signals.into())),
                        nodes: arguments.nodes,
                        tuning,
                        ..Setup::new(workers as usize, wait)
                    };
                    runs.extend((0..arguments.seeds).map(|seed| (job, deque, setup, seed)));
                }
            }
        }
    }
    say(&json!({ "begin": about(&machine) }))?;
    let last = runs.len() - 1;
    // Better refused now than after the runs.
    let mut trace =
        match &arguments.trace {
            Some(file) => Some(File::create(file).map_err(|error| {
                Stopped::Refused(format!("cannot write --trace {file}: {error}"))
            })?),
            None => None,
        };
    let mut models = BTreeMap::new();
    for (number, (job, deque, setup, seed)) in runs.into_iter().enumerate() {
        let mut options = Options::new(machine.clone());
        (options.seed, options.memory) = (seed, memory);
        options.keep_most = arguments.depths;
        options.backend = match arguments.backend {
            Made::Coroutines => Backend::Coroutines,
            Made::Threads => Backend::Threads,
        };
        if arguments.spread {
            options.placement = Placement::Spread;
        }
        let kind = (deque.0, setup.wait.name(), setup.workers);
        if seed == 0 && !models.contains_key(&kind) {
            models.insert(kind, wools_model(&options, deque, setup).map_err(Stopped::Found)?);
        }
        options.keep_trace = trace.is_some() && number == last;
        let (mut row, report) = measure(&options, job, deque, setup).map_err(Stopped::Found)?;
        if let Some(Some(model)) = models.get(&kind) {
            row.modelled(*model);
        }
        if let Some(mut file) = trace.take_if(|_| number == last) {
            file.write_all(trace::perfetto(&report.threads).as_bytes())?;
        }
        say(&json!({ "row": row }))?;
    }
    Ok(())
}

/// Runs cases of queues, whose names stand for deques.
fn cases(arguments: &Arguments, machine: &Machine, memory: Memory) -> Result<(), Stopped> {
    say(&json!({ "begin": about(machine) }))?;
    for case in &arguments.programs {
        for queue in &arguments.deque {
            for &workers in &arguments.workers {
                for seed in 0..arguments.seeds {
                    let mut options = Options::new(machine.clone());
                    (options.seed, options.memory) = (seed, memory);
                    let row = queues::measure(&options, case, queue, workers as usize);
                    say(&json!({ "case": row.map_err(Stopped::Found)? }))?;
                }
            }
        }
    }
    Ok(())
}

/// What the arguments tell the deques.
fn tuning(arguments: &Arguments, deques: &[(&'static str, OnePool)]) -> Result<Tuning, String> {
    let tuning = Tuning {
        amount: arguments.steal,
        share: arguments.share,
        delta: arguments.delta,
        attempts: arguments.attempts.map(|deals| match deals {
            Deals::OnDemand => Attempts::OnDemand,
            Deals::Blind => Attempts::Blind,
        }),
    };
    if arguments.interrupt.is_some_and(|period| period.is_zero()) {
        return Err("a period is longer than nothing, such as 200us".to_owned());
    }
    let for_sender = tuning.delta.is_some() || tuning.attempts.is_some();
    for (name, _) in deques {
        let takes = match *name {
            "split" => !for_sender,
            "receiver" | "receiver-block" => tuning.share.is_none() && !for_sender,
            "sender" => tuning.share.is_none(),
            _ => tuning == Tuning::default() && arguments.interrupt.is_none(),
        };
        if !takes {
            return Err(format!("{name} has no such option: see --help for whose it is"));
        }
    }
    Ok(tuning)
}

#[cfg(target_os = "linux")]
fn calibrate(title: &str) -> Result<(), Stopped> {
    let file = lyocell_simulate::calibrate::calibrate(title);
    let file =
        file.map_err(|error| Stopped::Found(format!("this machine cannot be measured: {error}")))?;
    Ok(write!(io::stdout(), "{file}")?)
}

#[cfg(not(target_os = "linux"))]
fn calibrate(_title: &str) -> Result<(), Stopped> {
    Err(Stopped::Refused(
        "--calibrate measures by Linux's calls: there is no other way yet".to_owned(),
    ))
}

/// The machine of the arguments.
fn machine(arguments: &Arguments) -> Result<Machine, String> {
    let machine = machines::machine(&arguments.machine)?;
    arguments.scale.iter().try_fold(machine, |machine, (name, factor)| {
        machine.scaled(name, *factor).map_err(|error| error.to_string())
    })
}

/// What is to be known of a machine by who shows its rows.
fn about(machine: &Machine) -> Value {
    let distances: Vec<&str> =
        machine.distance.iter().map(|distance| distance.name.as_str()).collect();
    // A step of Wool's leaves takes two cycles (Faxén 2010).
    let gigahertz = machine.task.get("step").map_or(0.0, |step| 2.0 / step.ns);
    json!({
        "title": machine.title,
        "gigahertz": gigahertz,
        "processors": machine.processors,
        "distances": distances,
        "numbers": machine.numbers(),
    })
}

fn say(what: &Value) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{what}")?;
    stdout.flush()
}
