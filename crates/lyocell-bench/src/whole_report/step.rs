//! What is measured, a step at a time.

use std::time::Duration;

use clap::ValueEnum;
use lyocell_workloads::{Fib, Instance, Matmul, Queens, Uts};
use serde::{Deserialize, Serialize};

use super::found::{Found, Latency, Profiled, Watched};
use crate::comparison::Request;
use crate::experiment::{self, EXPERIMENTS, Experiment, Prepared, Told};
use crate::measure::take_figures;
use crate::report::median_runs;
use crate::results::Stopped;
use lyocell_engines::latency::{MEASURES, Measure};
use lyocell_engines::parallelism;
use lyocell_engines::profile::{Profiling, Readings};
use lyocell_engines::runtime::{Setup, Watch};
use lyocell_engines::{RUNTIME, SERIAL};

/// How much is measured.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Size {
    /// Next to nothing, to see that it works.
    Least,
    /// Under five minutes on two processors.
    Quick,
    /// What the tables of README are made from, and the experiments as often as they are by themselves.
    Full,
}

impl Size {
    pub(super) fn name(self) -> &'static str {
        match self {
            Size::Least => "least",
            Size::Quick => "quick",
            Size::Full => "full",
        }
    }

    /// Whether the experiment of this name is done again.
    fn has(self, experiment: &str) -> bool {
        match self {
            Size::Least => experiment == LEAST,
            Size::Quick => QUICKLY.iter().any(|(name, _)| *name == experiment),
            Size::Full => true,
        }
    }

    /// Timed repetitions, after one to warm up.
    fn reps(self) -> usize {
        match self {
            Size::Least => 3,
            Size::Quick | Size::Full => 5,
        }
    }

    /// The programs of the Lace paper, and about how many seconds the serial one takes.
    fn workloads(self) -> Vec<(Instance, f64)> {
        match self {
            Size::Least => vec![(Fib::new(15).into(), 0.001), (Queens::new(6).into(), 0.001)],
            Size::Quick => vec![
                (Fib::new(36).into(), 0.04),
                (Queens::new(11).into(), 0.02),
                (Uts::new("T2").into(), 0.45),
                (Uts::new("T3").into(), 0.21),
                (Matmul::new(512).into(), 0.02),
            ],
            Size::Full => vec![
                (Fib::new(40).into(), 0.25),
                (Queens::new(12).into(), 0.1),
                (Uts::new("T2").into(), 0.45),
                (Uts::new("T3").into(), 0.21),
                (Matmul::new(1024).into(), 0.14),
            ],
        }
    }
}

/// Something that is measured at once, and kept when it is over.
pub(super) struct Step {
    pub(super) name: String,
    pub(super) work: Work,
    /// About how long it takes.
    pub(super) expected: Duration,
}

pub(super) enum Work {
    /// A workload on every engine.
    Compare(Instance),
    /// A workload with all workers, their probes on.
    Watch(Instance),
    /// Work and span of a workload, and who steals from whom.
    Profile(Instance),
    /// A workload on each deque, with one worker.
    Deques(Instance),
    Latency(&'static Measure),
    Experiment(&'static Experiment),
}

/// The deques of the papers.
const DEQUES: [&str; 6] = ["split", "direct", "receiver", "sender", "chase-lev", "abp"];

/// The shortest experiment.
const LEAST: &str = "wool-table2";

/// Experiments that are over in a minute with as many rounds as it takes to decide their findings, some of each paper; and
/// about how many seconds they take.
const QUICKLY: [(&str, f64); 8] = [
    ("lace-half", 20.0),
    ("wool-table2", 12.0),
    ("wool-fig4", 10.0),
    ("wool-table3", 30.0),
    ("acar-fig6b", 55.0),
    ("queues-raw", 6.0),
    ("queues-quicksort", 4.0),
    ("queues-xml", 6.0),
];

/// Engines, some of them slow, with one worker and with all: a turn takes about so many serial ones on average.
const TURNS: f64 = 11.0;

/// All that a report of this size has, in the order it is measured.
pub(super) fn steps(size: Size, workers: usize) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut step = |name: String, seconds: f64, work: Work| {
        steps.push(Step { name, work, expected: Duration::from_secs_f64(seconds) });
    };
    let rounds = size.reps() as f64 + 1.0;
    for (instance, serial) in size.workloads() {
        let counts = worker_counts(workers).len() as f64;
        let seconds = TURNS / 2.0 * counts * rounds * serial;
        step(format!("times of {instance}"), seconds, Work::Compare(instance.clone()));
        let seconds = 2.0 * rounds * serial;
        step(format!("workers in {instance}"), seconds, Work::Watch(instance.clone()));
        step(format!("profile of {instance}"), 6.0 * serial, Work::Profile(instance));
    }
    let (instance, serial): (Instance, f64) = match size {
        Size::Least => (Fib::new(15).into(), 0.001),
        Size::Quick => (Fib::new(36).into(), 0.04),
        Size::Full => (Fib::new(40).into(), 0.25),
    };
    step("deques".to_owned(), 12.0 * rounds * serial, Work::Deques(instance));
    let measures = match size {
        Size::Least | Size::Quick => &MEASURES[..1],
        Size::Full => &MEASURES[..],
    };
    for measure in measures {
        let seconds = if size == Size::Full { 30.0 } else { 2.0 };
        step(format!("latency: {}", measure.name), seconds, Work::Latency(measure));
    }
    let seconds = |name: &str| match size {
        Size::Least => 0.1,
        Size::Quick => QUICKLY.iter().find(|(known, _)| *known == name).map_or(20.0, |own| own.1),
        Size::Full => 90.0,
    };
    for experiment in EXPERIMENTS.into_iter().filter(|experiment| size.has(experiment.name)) {
        let seconds = seconds(experiment.name);
        step(format!("paper: {}", experiment.name), seconds, Work::Experiment(experiment));
    }
    steps
}

/// The experiments that a report of this size does not do again.
pub(super) fn not_run(size: Size) -> Vec<&'static str> {
    EXPERIMENTS.iter().map(|experiment| experiment.name).filter(|name| !size.has(name)).collect()
}

/// One, doubled as long as there are so many, and all.
fn worker_counts(workers: usize) -> Vec<usize> {
    let doubled = std::iter::successors(Some(1), |count| Some(2 * count));
    let counts = doubled.take_while(|&count| count < workers).chain([workers]).collect();
    crate::workers::sorted(counts)
}

impl Step {
    /// Measures it, with at most so many workers.
    ///
    /// # Errors
    /// An engine cannot be started, or an answer is wrong.
    pub(super) fn measure(&self, size: Size, workers: usize) -> Result<Found, Stopped> {
        let reps = size.reps();
        match &self.work {
            Work::Compare(instance) => {
                let request = Request {
                    instances: vec![instance.clone()],
                    engines: Vec::new(),
                    setups: vec![Setup::DEFAULT],
                    workers: worker_counts(workers),
                    reps,
                };
                let comparison = request.plan()?;
                let notes = comparison.notes.clone();
                let records = comparison.measure()?.concat();
                Ok(Found::Times { notes, runs: records.iter().map(Into::into).collect() })
            }
            Work::Watch(instance) => watch(instance, workers, reps),
            Work::Profile(instance) => {
                let profiling = Profiling { workers, readings: Readings::Fitting, traced: true };
                let run = profiling.run(&mut instance.clone())?;
                Ok(Found::Profile(Profiled::of(instance, workers, &run)))
            }
            Work::Deques(instance) => {
                let request = Request {
                    instances: vec![instance.clone()],
                    engines: [SERIAL, RUNTIME].map(str::to_owned).to_vec(),
                    setups: DEQUES.map(Setup::on).to_vec(),
                    workers: vec![1],
                    reps,
                };
                let records = request.plan()?.measure()?.concat();
                Ok(Found::Deques(records.iter().map(Into::into).collect()))
            }
            Work::Latency(measure) => {
                let figures = take_figures(&[measure], workers)?;
                Ok(Found::Latency(
                    figures.iter().map(|figure| Latency::of(measure, figure)).collect(),
                ))
            }
            Work::Experiment(experiment) => repeat(experiment, size, workers),
        }
    }
}

fn watch(instance: &Instance, workers: usize, reps: usize) -> Result<Found, Stopped> {
    let request = Request {
        instances: vec![instance.clone()],
        engines: vec![RUNTIME.to_owned()],
        setups: vec![Setup::DEFAULT.watched(Watch::Both)],
        workers: vec![workers],
        reps,
    };
    let records = request.plan()?.measure()?.concat();
    Ok(Found::Workers(median_runs(&records).into_iter().map(Watched::of).collect()))
}

/// Does an experiment of a paper again.
fn repeat(experiment: &'static Experiment, size: Size, workers: usize) -> Result<Found, Stopped> {
    let workloads = (size == Size::Least).then(|| vec![Fib::new(12).into()]);
    let own = experiment::Request::of(experiment::Size::Small, workers);
    let request = experiment::Request { workloads, ..own };
    let mut prepared = Prepared::new(experiment, &request)?;
    // Fewer decide nothing: then it is better not run at all.
    let reps = match size {
        Size::Least => 1,
        Size::Quick | Size::Full => prepared.reps(request.size),
    };
    let results = prepared.measure(reps)?;
    let charts = experiment.charts.map_or_else(Vec::new, |charts| charts(&results));
    let drawing = if charts.is_empty() { None } else { Some(experiment::draw(&charts)?) };
    let told = Told::of(experiment, experiment.report(&results), parallelism());
    Ok(Found::Paper { told, drawing, reps })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_have_names_of_their_own() {
        for size in [Size::Least, Size::Quick, Size::Full] {
            let mut names: Vec<String> = steps(size, 2).into_iter().map(|step| step.name).collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{size:?}");
        }
    }

    #[test]
    fn workers_are_doubled_up_to_all() {
        assert_eq!(worker_counts(1), [1]);
        assert_eq!(worker_counts(2), [1, 2]);
        assert_eq!(worker_counts(6), [1, 2, 4, 6]);
    }

    #[test]
    fn a_quick_report_is_expected_to_end_within_five_minutes() {
        let expected: Duration = steps(Size::Quick, 2).iter().map(|step| step.expected).sum();
        assert!(expected < Duration::from_secs(300), "{expected:?}");
    }

    #[test]
    fn the_experiments_of_a_size_are_those_that_it_names() {
        let experiments = |size| {
            let is_one = |step: &Step| matches!(step.work, Work::Experiment(_));
            steps(size, 2).into_iter().filter(is_one).count()
        };
        let counts = [Size::Least, Size::Quick, Size::Full].map(experiments);
        assert_eq!(counts, [1, QUICKLY.len(), EXPERIMENTS.len()]);
        for size in [Size::Least, Size::Quick, Size::Full] {
            assert_eq!(not_run(size).len() + experiments(size), EXPERIMENTS.len());
        }
    }
}
