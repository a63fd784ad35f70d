//! What a program is, how it is run, and what programs are made of.

use std::fs;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A program: its name, and what one run of it takes. A wrong answer is an error, in words.
pub(crate) type Program = (&'static str, fn() -> Result<Duration, String>);

/// How often a program runs after it has warmed up. An odd number, for the median.
const RUNS: usize = 5;

/// Does what the command line says: `PROGRAM THREADS` runs one of the programs, once to warm up and then a few times, and
/// prints the median time and the median processor time in nanoseconds, and the resident memory at the end in kilobytes. Without a
/// program it prints their names.
pub(crate) fn command_line(programs: &[Program]) -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.as_slice() {
        [] => {
            programs.iter().for_each(|(name, _)| println!("{name}"));
            ExitCode::SUCCESS
        }
        [name, threads] => match run(programs, name, threads) {
            Ok(Cost { wall, processor }) => {
                println!("{} {} {}", wall.as_nanos(), processor.as_nanos(), resident_kb());
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

/// What a run costs.
struct Cost {
    wall: Duration,
    processor: Duration,
}

/// The processor time of the bodies that were [timed](timed) in this run, in nanoseconds.
static PROCESSOR_NS: AtomicU64 = AtomicU64::new(0);

fn run(programs: &[Program], name: &str, threads: &str) -> Result<Cost, String> {
    let threads = threads.parse().map_err(|_| format!("{threads:?} is no number of threads"))?;
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    builder.build_global().map_err(|error| error.to_string())?;
    let (_, program) = programs
        .iter()
        .find(|(known, _)| *known == name)
        .ok_or("there is no such program: without any words, their names are printed")?;
    program()?;
    let (mut walls, mut processors) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        PROCESSOR_NS.store(0, Ordering::Relaxed);
        let begin = processor_time();
        walls.push(program()?);
        let all = processor_time().saturating_sub(begin);
        // A program that keeps its own time is charged for all that it does.
        let timed = Duration::from_nanos(PROCESSOR_NS.load(Ordering::Relaxed));
        processors.push(if timed.is_zero() { all } else { timed });
    }
    walls.sort_unstable();
    processors.sort_unstable();
    Ok(Cost { wall: walls[RUNS / 2], processor: processors[RUNS / 2] })
}

/// The processor time that all threads of this process have taken.
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the time is written to the place.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// The resident memory of this process, in kilobytes; 0 where the system does not tell.
fn resident_kb() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

/// The time that a body takes, if its answer is the right one.
pub(crate) fn timed<T: PartialEq + std::fmt::Debug>(
    expected: &T,
    body: impl FnOnce() -> T,
) -> Result<Duration, String> {
    let (begin, before) = (Instant::now(), processor_time());
    let answer = body();
    let (time, after) = (begin.elapsed(), processor_time());
    let spent = after.saturating_sub(before).as_nanos() as u64;
    PROCESSOR_NS.fetch_add(spent, Ordering::Relaxed);
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
