//! What the program of every engine does: runs what it is told, line by line.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use lyocell_workloads::{Instance, Problem, WrongAnswer, small_instances};

/// Stack of the thread that drives the engine, and of each worker where that can be said: as much as the other engines
/// have. Reserved, not touched.
pub(crate) const STACK_BYTES: usize =
    if cfg!(target_pointer_width = "64") { 512 << 20 } else { 64 << 20 };

/// The line that names every small instance that the engine runs, for tests.
pub const SMALL: &str = "small";

/// Nanoseconds of a run alone, and its answer.
pub type Outcome = Result<(u128, String), WrongAnswer>;

/// A started engine.
pub trait Running {
    /// Whether it runs `instance`.
    fn holds(&self, instance: &Instance) -> bool;

    /// Runs `instance` once; `None` if it does not [hold](Running::holds) it.
    fn run(&self, instance: &mut Instance) -> Option<Outcome>;
}

/// Starts an engine with so many workers, or says why it cannot.
pub type Start = fn(workers: usize) -> Result<Box<dyn Running>, String>;

/// The program of an engine: what starts it, unless it could not be built; and what it is, or why it is not here.
pub fn main(start: Option<Start>, about: &str) -> ExitCode {
    let Some(start) = start else { return refuse(about) };
    let mut arguments = std::env::args().skip(1);
    let Some(workers) = arguments.next() else {
        println!("{about}");
        return ExitCode::SUCCESS;
    };
    let Some(workers) = workers.parse().ok().filter(|workers| (1..=256).contains(workers)) else {
        return refuse(&format!("there are 1 to 256 workers, not {workers:?}"));
    };
    let driver = thread::Builder::new().name("driver".to_owned()).stack_size(STACK_BYTES);
    let driver = driver.spawn(move || serve(start, workers));
    match driver.map(|driver| driver.join()) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => fail(&error.to_string()),
        Ok(Err(_)) => fail("it panicked"),
        Err(error) => fail(&error.to_string()),
    }
}

fn refuse(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::from(2)
}

fn fail(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::FAILURE
}

/// Starts the engine, and runs what each line of the standard input names.
fn serve(start: Start, workers: usize) -> io::Result<()> {
    let running = start(workers).map_err(io::Error::other)?;
    say("ready")?;
    for line in io::stdin().lock().lines() {
        for mut instance in named(&line?, &*running)? {
            let run = running.run(&mut instance);
            match run.ok_or_else(|| io::Error::other(format!("it does not run {instance}")))? {
                Ok((nanoseconds, answer)) => say(&format!("done {nanoseconds} {answer}"))?,
                Err(WrongAnswer { expected, got }) => say(&format!("wrong {expected}\t{got}"))?,
            }
        }
    }
    Ok(())
}

/// What a line names.
fn named(line: &str, running: &dyn Running) -> io::Result<Vec<Instance>> {
    if line == SMALL {
        let small = small_instances().into_iter();
        return Ok(small.filter(|instance| running.holds(instance)).collect());
    }
    Ok(vec![line.parse().map_err(io::Error::other)?])
}

fn say(line: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{line}")?;
    stdout.flush()
}

/// Times `run` alone: neither what makes it ready nor what judges its answer.
pub(crate) fn timed<P: Problem>(problem: &mut P, run: impl FnOnce(&mut P) -> P::Answer) -> Outcome {
    problem.reset();
    let start = Instant::now();
    let answer = run(problem);
    let time = start.elapsed();
    Ok((time.as_nanos(), problem.judge(&answer)?))
}
