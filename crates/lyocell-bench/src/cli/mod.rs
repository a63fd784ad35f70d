//! The command line: one file a subcommand.
//!
//! - cli-1. The environment is changed before there is a second thread, and never again.
//!
//! Exit codes: 0 if all went well, or whoever read the output had enough; 1 if an answer was wrong or
//! the machine failed; 2 if the command line asks for what there is not.

use std::io;
use std::process::ExitCode;
use std::thread;

use clap::{Parser, Subcommand};

use crate::results::Stopped;
use lyocell_engines::{STACK_BYTES, deepen_stacks};
use lyocell_workloads::{Failure, Refused};

mod compare;
mod drop_in;
mod experiment;
mod kept;
mod latency;
mod list;
mod output;
mod profile;
mod queues;
#[cfg(feature = "mpi")]
mod ranks;
#[cfg(not(feature = "mpi"))]
#[path = "no_ranks.rs"]
mod ranks;
mod report;
mod results;
mod run;
mod setups;
mod simulate;

/// Fork-join workloads on Lyocell and its rivals, with every answer checked.
///
/// Without a subcommand: the headline table, in under two minutes on two cores.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Show the workloads with their parameters and sources, and the engines
    List(list::ListArguments),
    /// Measure workloads on engines
    Run(run::RunArguments),
    /// Tell why workloads are not faster: work, span, parallelism, and a verdict
    Profile(profile::ProfileArguments),
    /// Compare two files of results: what got faster or slower, with the noise taken into account
    Compare(compare::CompareArguments),
    /// Measure how fast pools wake and how quietly they sleep
    Latency(latency::LatencyArguments),
    /// Compare programs on rayon with and without Lyocell under it
    DropIn(drop_in::DropInArguments),
    /// Compare work-stealing queues on the cases of "Work-stealing Queues In Practice"
    Queues(queues::QueuesArguments),
    /// Run programs on the runtime over virtual processors, up to 1,023 of them: counts, ratios and bounds, no seconds
    Simulate(simulate::SimulateArguments),
    /// Do an experiment of the papers again, the paper's numbers beside ours
    Experiment(experiment::ExperimentArguments),
    /// Measure all of it, and write one page with plots and tables; what was measured is kept
    Report(report::WholeReportArguments),
    /// Measure what README quotes, and keep it in a file
    Results(results::ResultsArguments),
    /// Make README's tables from a file of results, or check that they agree
    Readme(results::ReadmeArguments),
}

/// Parses the command line and does what it says.
pub fn main() -> ExitCode {
    // SAFETY: cli-1.
    unsafe { deepen_stacks() };
    let arguments = Arguments::parse();
    match on_driver_thread(move || dispatch(arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if let Some(message) = error.message() {
                anstream::eprintln!("error: {message}");
            }
            error.exit_code()
        }
    }
}

fn dispatch(arguments: Arguments) -> Result<(), CliError> {
    match arguments.command {
        None => run::headline(),
        Some(Command::List(arguments)) => list::list(&arguments),
        Some(Command::Run(arguments)) => run::run(arguments),
        Some(Command::Profile(arguments)) => profile::profile(arguments),
        Some(Command::Compare(arguments)) => compare::compare_files(arguments),
        Some(Command::Latency(arguments)) => latency::latency(arguments),
        Some(Command::DropIn(arguments)) => drop_in::drop_in(arguments),
        Some(Command::Queues(arguments)) => queues::queues(arguments),
        Some(Command::Simulate(arguments)) => simulate::simulate(arguments),
        Some(Command::Experiment(arguments)) => experiment::experiment(arguments),
        Some(Command::Report(arguments)) => report::report(arguments),
        Some(Command::Results(arguments)) => results::results(arguments),
        Some(Command::Readme(arguments)) => results::readme(arguments),
    }
}

/// Runs `command` on a thread with the stack of a worker: serial recursion is as deep as parallel, and
/// the thread that enters some engines is a worker of theirs.
fn on_driver_thread(command: impl FnOnce() -> Result<(), CliError> + Send) -> Result<(), CliError> {
    thread::scope(|scope| {
        let driver = thread::Builder::new().name("driver".to_owned()).stack_size(STACK_BYTES);
        let driver = driver.spawn_scoped(scope, command).map_err(CliError::Machine)?;
        driver.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Why a command stopped.
#[derive(Debug)]
enum CliError {
    /// The command line asks for what there is not.
    Refused(Refused),
    /// A measurement failed.
    Failure(Failure),
    /// A document does not agree with the results that it is made from, or results with those before them.
    Disagreement(String),
    /// Writing, starting a thread or another rank failed.
    Machine(io::Error),
    /// Whoever read the output has closed it.
    OutputClosed,
}

impl CliError {
    fn message(&self) -> Option<String> {
        match self {
            CliError::Refused(refused) => Some(refused.to_string()),
            CliError::Failure(failure) => Some(failure.to_string()),
            CliError::Disagreement(message) => Some(message.clone()),
            CliError::Machine(error) => Some(error.to_string()),
            CliError::OutputClosed => None,
        }
    }

    fn exit_code(&self) -> ExitCode {
        match self {
            CliError::Refused(_) => ExitCode::from(2),
            CliError::Failure(_) | CliError::Disagreement(_) | CliError::Machine(_) => {
                ExitCode::FAILURE
            }
            CliError::OutputClosed => ExitCode::SUCCESS,
        }
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> CliError {
        match error.kind() {
            io::ErrorKind::BrokenPipe => CliError::OutputClosed,
            _ => CliError::Machine(error),
        }
    }
}

impl From<Failure> for CliError {
    fn from(failure: Failure) -> CliError {
        CliError::Failure(failure)
    }
}

impl From<Refused> for CliError {
    fn from(refused: Refused) -> CliError {
        CliError::Refused(refused)
    }
}

impl From<Stopped> for CliError {
    fn from(stopped: Stopped) -> CliError {
        match stopped {
            Stopped::Refused(refused) => refused.into(),
            Stopped::Failed(failure) => failure.into(),
            Stopped::Machine(error) => error.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use lyocell_workloads::WrongAnswer;

    #[test]
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_wrong_answer_exits_with_one() {
        let wrong = WrongAnswer { expected: "1".to_owned(), got: "2".to_owned() };
        let (job, contender) = ("fib:1".to_owned(), "rayon x1".to_owned());
        let error = CliError::from(Failure::Wrong { job, contender, wrong });
        assert_eq!(error.exit_code(), ExitCode::from(1));
        let message = error.message().unwrap();
        assert_eq!(message, "fib:1 on rayon x1: wrong answer: 2, expected 1");
    }

    #[test]
    fn a_closed_pipe_is_no_error() {
        let error = CliError::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(error.exit_code(), ExitCode::SUCCESS);
        assert_eq!(error.message(), None);
    }
}
