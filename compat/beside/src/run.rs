//! What a program is, how it is run, and what programs are made of.

use std::process::ExitCode;
use std::time::{Duration, Instant};

/// A program: its name, and what one run of it takes. A wrong answer is an error, in words.
pub(crate) type Program = (&'static str, fn() -> Result<Duration, String>);

/// How often a program runs after it has warmed up. An odd number, for the median.
const RUNS: usize = 5;

/// Does what the command line says: `PROGRAM THREADS` runs one of the programs, once to warm up and then a few times, and
/// prints the median time in nanoseconds. Without a program it prints their names.
pub(crate) fn command_line(programs: &[Program]) -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.as_slice() {
        [] => {
            programs.iter().for_each(|(name, _)| println!("{name}"));
            ExitCode::SUCCESS
        }
        [name, threads] => match run(programs, name, threads) {
            Ok(time) => {
                println!("{}", time.as_nanos());
                ExitCode::SUCCESS
            }
            Err(why) => {
                eprintln!("{name}: {why}");
                ExitCode::FAILURE
            }
        },
        _ => {
            eprintln!("either no words, or the name of a program and a number of threads");
            ExitCode::FAILURE
        }
    }
}

fn run(programs: &[Program], name: &str, threads: &str) -> Result<Duration, String> {
    let threads = threads.parse().map_err(|_| format!("{threads:?} is no number of threads"))?;
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    builder.build_global().map_err(|error| error.to_string())?;
    let (_, program) = programs
        .iter()
        .find(|(known, _)| *known == name)
        .ok_or("there is no such program: without any words, their names are printed")?;
    program()?;
    let mut times = (0..RUNS).map(|_| program()).collect::<Result<Vec<_>, _>>()?;
    times.sort_unstable();
    Ok(times[RUNS / 2])
}

/// The time that a body takes, if its answer is the right one.
pub(crate) fn timed<T: PartialEq + std::fmt::Debug>(
    expected: &T,
    body: impl FnOnce() -> T,
) -> Result<Duration, String> {
    let begin = Instant::now();
    let answer = body();
    let time = begin.elapsed();
    if answer == *expected { Ok(time) } else { Err(format!("{answer:?}, and not {expected:?}")) }
}

/// The same numbers every time, without a pattern: splitmix64.
pub(crate) fn numbers(count: usize) -> Vec<u64> {
    let mut state = 42_u64;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    (0..count).map(|_| next()).collect()
}
