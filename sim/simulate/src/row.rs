//! A run, and what is told of it.

use lyocell::probe::{Event, Phase};
use lyocell_virtual::{Failure, Machine, Options, Report, Watched};
use serde::Serialize;

use crate::bounds::{Bounds, Case, WoolsModel};
use crate::pools::{OnePool, Ran, Setup};
use crate::programs::{Known, Program};

/// A program, by its words.
#[derive(Clone, Debug)]
pub struct Job {
    words: String,
    program: Program,
    known: Known,
}

impl Job {
    /// Of its words, on this machine.
    ///
    /// # Errors
    /// As for [`Program::parse`].
    pub fn parse(words: &str, machine: &Machine) -> Result<Job, String> {
        let program = Program::parse(words, machine)?;
        Ok(Job { words: words.to_owned(), program, known: program.known() })
    }

    /// Its words.
    pub fn words(&self) -> &str {
        &self.words
    }
}

/// One run as a row.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// As on the command line.
    pub program: String,
    /// The deque's name.
    pub deque: &'static str,
    /// The wait policy's.
    pub wait: &'static str,
    /// How long a worker searches before it sleeps, in nanoseconds, if not as long as usual.
    pub search_ns: Option<f64>,
    /// Workers.
    pub workers: usize,
    /// The seed.
    pub seed: u64,
    /// T_P in nanoseconds.
    pub took_ns: f64,
    /// The declared work of all tasks on this machine, in nanoseconds: T_S.
    pub serial_ns: f64,
    /// Processor time meanwhile of all threads but the caller, in nanoseconds.
    pub others_ns: f64,
    /// What theory says.
    pub bounds: Bounds,
    /// What Wool's model says, in nanoseconds.
    pub wools_model_ns: Option<f64>,
    /// What the workers counted, by name.
    pub events: Vec<(&'static str, u64)>,
    /// The most tasks that were in one deque, where that is looked at.
    pub peak_depth: Option<u64>,
    /// What all threads did, in nanoseconds, by name.
    pub phases: Vec<(&'static str, f64)>,
    /// Heavy barriers.
    pub barriers: u64,
    /// Lines that passed from one processor to another, by distance, the nearest first.
    pub transfers: Vec<u64>,
    /// Searching for tasks, over all workers, in nanoseconds.
    pub searching_ns: f64,
    /// Asleep, over all workers, in nanoseconds.
    pub idle_ns: f64,
    /// Processor time of all threads, in nanoseconds.
    pub processor_ns: f64,
    /// The digest of the run.
    pub hash: String,
}

const TOLD: [Event; 10] = [
    Event::Steal,
    Event::Leap,
    Event::Failed,
    Event::Expose,
    Event::Grow,
    Event::Shrink,
    Event::Request,
    Event::OwnerRmw,
    Event::Park,
    Event::Wake,
];

/// Runs a job once, and checks its answer and its least bound.
///
/// # Errors
/// The run failed, its answer is wrong, or it was faster than can be.
pub fn measure(
    options: &Options,
    job: &Job,
    (deque, pool): (&'static str, OnePool),
    setup: Setup,
) -> Result<(Row, Report<Ran>), String> {
    let Job { words, program, known } = job;
    let here = |what: String| {
        let (wait, workers, seed) = (setup.wait.name(), setup.workers, options.seed);
        format!("{words} on {deque}, {wait}, x{workers}, seed {seed}: {what}")
    };
    let report = pool(options, *program, setup);
    let report = report.map_err(|failure: Failure| here(failure.to_string()))?;
    let Ran { answer, took_ps, others_ps, .. } = report.value;
    if answer != known.answer {
        return Err(here(format!("wrong answer {answer}, expected {}", known.answer)));
    }
    let machine = options.machine.extended(setup.workers);
    let farthest = machine.distance.last().map_or(0.0, |distance| distance.half_round_trip.ns);
    let bounds = Bounds::of(Case {
        known: *known,
        workers: setup.workers,
        latency_ns: farthest,
        delta_ns: (deque == "sender").then(|| {
            let delta =
                setup.tuning.delta.unwrap_or(lyocell::deque::SenderOptions::default().delta);
            delta.as_nanos() as f64
        }),
    });
    let at_least = bounds.least_ns * 1000.0;
    if ((took_ps + 1) as f64) < at_least {
        return Err(here(format!(
            "{took_ps} ps, which is less than max(T_1/P, T_∞), {at_least} ps"
        )));
    }
    let sum = |of: &dyn Fn(&Watched) -> u64| report.threads.iter().map(of).sum::<u64>();
    let in_phase = |phase: Phase| sum(&|thread| thread.phases[phase as usize]) as f64 / 1000.0;
    let awake = |thread: &Watched| (thread.lived.1 - thread.lived.0).saturating_sub(thread.slept);
    let row = Row {
        program: words.clone(),
        deque,
        wait: setup.wait.name(),
        search_ns: setup.search.map(|time| time.as_secs_f64() * 1e9),
        workers: setup.workers,
        seed: options.seed,
        took_ns: took_ps as f64 / 1000.0,
        serial_ns: known.work as f64 / 1000.0,
        others_ns: others_ps as f64 / 1000.0,
        bounds,
        wools_model_ns: None,
        events: TOLD
            .map(|event| (event.name(), sum(&|thread| thread.events[event as usize])))
            .to_vec(),
        peak_depth: options
            .keep_most
            .then(|| report.threads.iter().map(|thread| thread.most).max().unwrap_or(0)),
        phases: Phase::ALL.iter().map(|&phase| (phase.name(), in_phase(phase))).collect(),
        barriers: report.counts.barriers,
        transfers: report.counts.transfers.clone(),
        searching_ns: in_phase(Phase::Stealing) + in_phase(Phase::Leaping),
        idle_ns: in_phase(Phase::Idle),
        processor_ns: sum(&awake) as f64 / 1000.0,
        hash: format!("{:016x}", report.counts.hash),
    };
    Ok((row, report))
}

impl Row {
    /// Steals and leaps.
    pub fn steals(&self) -> u64 {
        let counted =
            |(name, _): &&(&str, u64)| [Event::Steal.name(), Event::Leap.name()].contains(name);
        self.events.iter().filter(counted).map(|(_, count)| count).sum()
    }

    /// Takes in what Wool's model says.
    pub fn modelled(&mut self, model: WoolsModel) {
        self.wools_model_ns = Some(model.predicts(self.serial_ns, self.steals(), self.workers));
    }
}

/// Wool's model for such pools, its costs measured as the paper does: what a tree with one long leaf for each worker takes beyond
/// the leaf. `None` where there is no such tree, or one worker.
///
/// # Errors
/// As for [`measure`].
pub fn wools_model(
    options: &Options,
    deque: (&'static str, OnePool),
    setup: Setup,
) -> Result<Option<WoolsModel>, String> {
    if !setup.workers.is_power_of_two() || setup.workers == 1 {
        return Ok(None);
    }
    let spread = |workers: usize| {
        const LEAF_NS: u64 = 1_000_000;
        let job = Job::parse(&format!("tree:{}:{LEAF_NS}", workers.ilog2()), &options.machine)?;
        let (row, _) = measure(options, &job, deque, Setup { workers, ..setup })?;
        Ok::<f64, String>(row.took_ns - LEAF_NS as f64)
    };
    Ok(Some(WoolsModel {
        spread_over_two_ns: spread(2)?,
        spread_over_all_ns: spread(setup.workers)?,
    }))
}
