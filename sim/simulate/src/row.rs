//! What is told of a run, and the bounds beside it.

use crate::pools::{OnePool, Ran};
use crate::programs::{Known, Program};
use lyocell::probe::{Event, Phase};
use lyocell_virtual::{Failure, Options, Report, Watched};

/// One run as a row.
#[derive(Clone, Debug)]
pub struct Row {
    /// As on the command line.
    pub program: String,
    /// The deque's name.
    pub deque: String,
    /// Workers.
    pub workers: usize,
    /// The seed.
    pub seed: u64,
    /// T_P in nanoseconds.
    pub took_ns: f64,
    /// T_1 by T_P, once T_1 is known.
    pub speedup: Option<f64>,
    /// max(work/P, span), in nanoseconds: no run is faster.
    pub bound_ns: f64,
    /// What the workers counted, by name.
    pub events: Vec<(&'static str, u64)>,
    /// Heavy barriers.
    pub barriers: u64,
    /// Lines that passed from one processor to another, by distance, the nearest first.
    pub transfers: Vec<u64>,
    /// Searching for tasks, over all workers, in nanoseconds.
    pub searching_ns: f64,
    /// Asleep, over all workers, in nanoseconds.
    pub idle_ns: f64,
    /// The digest of the run.
    pub hash: u64,
}

const TOLD: [Event; 8] = [
    Event::Steal,
    Event::Leap,
    Event::Expose,
    Event::Grow,
    Event::Shrink,
    Event::Request,
    Event::Park,
    Event::Wake,
];

/// Runs a program once, and checks its answer and its bound.
///
/// # Errors
/// The run failed, its answer is wrong, or it was faster than can be.
pub fn measure(
    options: &Options,
    (words, program, (answer, known)): (&str, Program, (u64, Known)),
    (deque, pool): (&str, OnePool),
    workers: usize,
) -> Result<Row, String> {
    let here =
        |what: String| format!("{words} on {deque} x{workers}, seed {}: {what}", options.seed);
    let report =
        pool(options, program, workers).map_err(|failure: Failure| here(failure.to_string()))?;
    if report.value.answer != answer {
        return Err(here(format!("wrong answer {}, expected {answer}", report.value.answer)));
    }
    let factor = options.machine.work.ns;
    let bound_ps = (known.work as f64 / workers as f64).max(known.span as f64) * factor;
    // Each piece of declared work is rounded down to a picosecond.
    if (report.value.took_ps + known.tasks) < bound_ps as u64 {
        return Err(here(format!(
            "{} ps, which is less than max(work/P, span), {bound_ps} ps",
            report.value.took_ps
        )));
    }
    Ok(row(&report, words, deque, workers, options.seed, bound_ps))
}

fn row(
    report: &Report<Ran>,
    words: &str,
    deque: &str,
    workers: usize,
    seed: u64,
    bound_ps: f64,
) -> Row {
    let sum = |of: &dyn Fn(&Watched) -> u64| report.threads.iter().map(of).sum::<u64>();
    let events = TOLD.map(|event| (event.name(), sum(&|thread| thread.events[event as usize])));
    let in_phase = |phase: Phase| sum(&|thread| thread.phases[phase as usize]) as f64 / 1000.0;
    Row {
        program: words.to_owned(),
        deque: deque.to_owned(),
        workers,
        seed,
        took_ns: report.value.took_ps as f64 / 1000.0,
        speedup: None,
        bound_ns: bound_ps / 1000.0,
        events: events.to_vec(),
        barriers: report.counts.barriers,
        transfers: report.counts.transfers.clone(),
        searching_ns: in_phase(Phase::Stealing) + in_phase(Phase::Leaping),
        idle_ns: in_phase(Phase::Idle),
        hash: report.counts.hash,
    }
}

/// The rows as CSV.
pub fn csv(rows: &[Row], distances: &[String]) -> String {
    let mut text = "program,deque,workers,seed,T_P_ns,speedup,bound_ns,".to_owned();
    text += &TOLD.map(|event| event.name()).join(",");
    text += &format!(
        ",barriers,{},searching_ns,idle_ns,hash\n",
        distances.iter().map(|name| format!("transfers {name}")).collect::<Vec<_>>().join(",")
    );
    for row in rows {
        let join =
            |numbers: Vec<u64>| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        let speedup = row.speedup.map_or(String::new(), |speedup| format!("{speedup:.3}"));
        text += &format!(
            "{},{},{},{},{:.1},{speedup},{:.1},{},{},{},{:.0},{:.0},{:016x}\n",
            row.program,
            row.deque,
            row.workers,
            row.seed,
            row.took_ns,
            row.bound_ns,
            join(row.events.iter().map(|(_, count)| *count).collect()),
            row.barriers,
            join(row.transfers.clone()),
            row.searching_ns,
            row.idle_ns,
            row.hash,
        );
    }
    text
}

/// The rows as a table.
pub fn table(rows: &[Row], distances: &[String]) -> String {
    let head = csv(&[], distances).trim_end().split(',').map(str::to_owned).collect::<Vec<_>>();
    let body = csv(rows, distances);
    let lines: Vec<Vec<String>> =
        body.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect();
    let widths: Vec<usize> = (0..head.len())
        .map(|column| lines.iter().chain([&head]).map(|line| line[column].len()).max().unwrap_or(0))
        .collect();
    let write = |line: &Vec<String>| {
        line.iter()
            .zip(&widths)
            .map(|(word, width)| format!("{word:>width$}"))
            .collect::<Vec<_>>()
            .join("  ")
    };
    [&head].into_iter().chain(&lines).map(|line| write(line) + "\n").collect()
}
