//! `lyocell run --ranks`: programs as bags of items on the ranks of MPI.
//!
//! Under `mpirun` each process is a rank with a pool of its own. All do what the command line says, and rank 0 reports.

use std::error::Error;
use std::io;
use std::thread;
use std::time::{Duration, Instant};

use lyocell::{Caller, Pool};
use lyocell_engines::runtime::Observed;
use lyocell_ranks::programs::{Program, Ranked};
use lyocell_ranks::{Mpi, Options, Transport};

use super::CliError;
use super::run::{RunArguments, table};
use crate::measure::RunRecord;
use crate::report::{self, Format};
use crate::workers;
use lyocell_workloads::Refused;

/// How long a rank that fails waits before it ends all others, which may have more to say.
const SPOKEN: Duration = Duration::from_secs(2);

/// Measures what the arguments name, and writes the report on rank 0.
pub(super) fn run(arguments: &RunArguments) -> Result<(), CliError> {
    let program = |word: &String| {
        word.parse::<Program>().map_err(|unknown| Refused(format!("--ranks: {unknown}")))
    };
    let programs = arguments.workloads.iter().map(program).collect::<Result<Vec<_>, _>>()?;
    let workers = match &arguments.workers[..] {
        [] => vec![workers::by_default()?],
        workers => workers::sorted(workers.to_vec()),
    };
    let mut mpi = Mpi::start().map_err(|error| failed(&error))?;
    let outcome = on_rank(&mut mpi, arguments, &programs, &workers);
    if let Err(error) = &outcome {
        let rank = mpi.rank();
        anstream::eprintln!("error: rank {rank}: {}", error.message().unwrap_or_default());
        thread::sleep(SPOKEN);
        mpi.abort("it ends the run");
    }
    outcome
}

fn on_rank(
    mpi: &mut Mpi,
    arguments: &RunArguments,
    programs: &[Program],
    workers: &[usize],
) -> Result<(), CliError> {
    let is_first = mpi.rank() == 0;
    let output = is_first.then(|| arguments.report.open()).transpose()?;
    let reps = arguments.reps as usize;
    let mut groups = Vec::new();
    for &program in programs {
        let mut group = Vec::new();
        for &workers in workers {
            group.extend(match program {
                Program::Uts(uts) => measure(mpi, "uts", uts, workers, reps)?,
                Program::Queens(queens) => measure(mpi, "queens", queens, workers, reps)?,
            });
        }
        groups.push(group);
    }
    let Some(output) = output else { return Ok(()) };
    let report = match arguments.report.format {
        Format::Table => table(&groups, output.screen()),
        Format::Csv => report::csv(&groups.concat()),
        Format::Json => report::json(&report::watched_records(&groups.concat())),
    };
    output.write(&report)
}

/// Runs a program once to warm up and so many times more, with so many workers on each rank. Each answer is judged.
fn measure<R: Ranked>(
    mpi: &mut Mpi,
    workload: &'static str,
    program: R,
    workers: usize,
    reps: usize,
) -> Result<Vec<RunRecord>, CliError> {
    let pool = Pool::builder().workers(workers).caller(Caller::Sleeps).build();
    let pool = pool.map_err(|error| failed(&error))?;
    let ranks = mpi.size();
    // Names live as long as the program, as engines do.
    let engine = Box::leak(format!("ranks:{ranks}").into_boxed_str());
    let mut records = Vec::new();
    for rep in 0..=reps {
        let mut options = Options::default();
        // Ranks that are told otherwise would wait for each other.
        options.program = format!("{} --workers {workers}, run {rep} of {reps}", program.name());
        let start = Instant::now();
        let sum = lyocell_ranks::run(mpi, &pool, || program.first(), &options);
        let seconds = start.elapsed().as_secs_f64();
        let answer = program.judge_sum(sum.map_err(|error| failed(&error))?);
        records.push(RunRecord {
            workload,
            param: program.parameter(),
            engine,
            workers: ranks * workers,
            rep,
            seconds,
            tasks: program.tasks(),
            answer: answer.map_err(|wrong| failed(&wrong))?,
            observed: Observed::default(),
            layout: None,
        });
    }
    // That of the warm-up.
    records.remove(0);
    Ok(records)
}

fn failed(error: &dyn Error) -> CliError {
    CliError::Machine(io::Error::other(error.to_string()))
}
