//! `lyocell-ranks uts:T1L`: programs of the benchmark on several ranks.

use clap::Parser;
use lyocell::{Caller, Pool};
use lyocell_ranks::programs::{Program, Ranked};
use lyocell_ranks::{InProcess, Machine, Options, Transport, run, simulate};
use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

/// Runs a program of the benchmark on several ranks, each with a pool of its own, and checks the answer.
///
/// Under `mpirun` each process is a rank, if this program was built with `--features mpi`. Without, ranks are threads of this
/// process, as many as `--ranks` says, or are simulated.
#[derive(Parser)]
#[command(name = "lyocell-ranks", version)]
struct Arguments {
    /// uts:TREE or queens:N.
    program: Program,

    /// Workers of each rank; as many as there are processors by default.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1023))]
    workers: Option<u32>,

    /// Ranks in this process, each a thread that talks and a pool.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    ranks: Option<u32>,

    /// Plays so many ranks of one worker each on one thread, in virtual time.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=65536), conflicts_with_all = ["ranks", "workers"])]
    simulate: Option<u32>,

    /// In a simulation: a file that says what items and messages take, such as machines/cluster.toml, which holds where none is
    /// named.
    #[arg(long, value_name = "FILE", value_parser = machine_in, requires = "simulate")]
    machine: Option<Machine>,

    /// In a simulation: what an item takes, in nanoseconds, whatever the file says.
    #[arg(long, requires = "simulate")]
    item_ns: Option<u64>,

    /// In a simulation: what a message takes but for its length, in nanoseconds, whatever the file says.
    #[arg(long, requires = "simulate")]
    latency_ns: Option<u64>,

    /// After how many items a worker looks whether others want some.
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    at_a_time: u32,

    /// What is drawn at random hangs on it.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// The machine of a simulation for which none is named.
const CLUSTER: &str = include_str!("../../machines/cluster.toml");

/// The machine in the file of this name.
fn machine_in(file: &str) -> Outcome<Machine> {
    Ok(toml::from_str(&std::fs::read_to_string(file)?)?)
}

/// How long a rank that was told of another's failure waits for that one to end the run.
#[cfg(feature = "mpi")]
const SPOKEN: std::time::Duration = std::time::Duration::from_secs(2);

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.program {
        Program::Uts(problem) => arguments.answer(problem),
        Program::Queens(problem) => arguments.answer(problem),
    }
    .unwrap_or_else(|error| {
        eprintln!("lyocell-ranks: {error}");
        ExitCode::FAILURE
    })
}

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

impl Arguments {
    fn answer<R: Ranked>(&self, program: R) -> Outcome<ExitCode> {
        match (self.simulate, self.ranks) {
            (Some(ranks), _) => self.simulated(program, ranks as usize),
            (None, Some(ranks)) => self.in_process(program, ranks as usize),
            (None, None) => self.under_mpi(program),
        }
    }

    fn options(&self, program: impl Ranked) -> Options {
        let mut options = Options::default();
        options.at_a_time = self.at_a_time as usize;
        options.seed = self.seed;
        options.program = program.name();
        options
    }

    /// One rank; returns what is to be said about the run.
    fn rank<R: Ranked>(&self, program: R, transport: &mut impl Transport) -> Outcome<String> {
        let mut pool = Pool::builder().caller(Caller::Sleeps);
        if let Some(workers) = self.workers {
            pool = pool.workers(workers as usize);
        }
        let pool = pool.build()?;
        let start = Instant::now();
        let total = run(transport, &pool, || program.first(), &self.options(program))?;
        let seconds = start.elapsed().as_secs_f64();
        let answer = program.judge_sum(total)?;
        let (ranks, workers) = (transport.size(), pool.workers());
        let (name, rate) = (program.name(), program.items() as f64 / seconds / 1e6);
        Ok(format!(
            "{name}: {answer}, as it should be; {ranks} ranks of {workers} workers, {seconds:.3} s, {rate:.2} million items a second"
        ))
    }

    fn in_process<R: Ranked>(&self, program: R, ranks: usize) -> Outcome<ExitCode> {
        let outcomes: Vec<Outcome<String>> = std::thread::scope(|threads| {
            let ranks = InProcess::connect(ranks, self.seed).into_iter();
            let start = |mut rank| threads.spawn(move || self.rank(program, &mut rank));
            let running: Vec<_> = ranks.map(start).collect();
            let end = |rank: std::thread::ScopedJoinHandle<'_, _>| {
                rank.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            running.into_iter().map(end).collect()
        });
        told(
            outcomes
                .into_iter()
                .collect::<Outcome<Vec<String>>>()
                .map(|mut said| said.swap_remove(0)),
        )
    }

    #[cfg(feature = "mpi")]
    fn under_mpi<R: Ranked>(&self, program: R) -> Outcome<ExitCode> {
        let mut rank = lyocell_ranks::Mpi::start()?;
        match (self.rank(program, &mut rank), rank.rank()) {
            (Ok(said), 0) => told(Ok(said)),
            (Ok(_), _) => Ok(ExitCode::SUCCESS),
            (Err(error), me) => {
                eprintln!("lyocell-ranks: rank {me}: {error}");
                // Who has failed ends all ranks, once these have spoken.
                std::thread::sleep(SPOKEN);
                rank.abort("nobody has ended the run");
                Ok(ExitCode::FAILURE)
            }
        }
    }

    #[cfg(not(feature = "mpi"))]
    fn under_mpi<R: Ranked>(&self, _: R) -> Outcome<ExitCode> {
        Err("this program was built without MPI: build it with --features mpi,programs, or say --ranks N or --simulate N".into())
    }

    fn simulated<R: Ranked>(&self, program: R, ranks: usize) -> Outcome<ExitCode> {
        let mut machine = self.machine.map_or_else(|| toml::from_str(CLUSTER), Ok)?;
        machine.item_ns = self.item_ns.unwrap_or(machine.item_ns);
        machine.latency_ns = self.latency_ns.unwrap_or(machine.latency_ns);
        let run = simulate(ranks, program.first(), machine, &self.options(program));
        let efficiency = run.efficiency(ranks);
        let (ms, messages, bags) = (run.time_ns as f64 / 1e6, run.messages, run.bags);
        let (name, answer) = (program.name(), program.judge_sum(run.total)?);
        told(Ok(format!(
            "{name}: {answer}, as it should be; {ranks} simulated ranks of one worker, {ms:.3} ms, efficiency {efficiency:.3}, {messages} messages, {bags} of them bags"
        )))
    }
}

fn told(said: Outcome<String>) -> Outcome<ExitCode> {
    println!("{}", said?);
    Ok(ExitCode::SUCCESS)
}
