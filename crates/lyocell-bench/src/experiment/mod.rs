//! The experiments of the papers, done again: each prints the paper's table beside ours and says whether what the paper
//! found is found here.
//!
//! | file | what |
//! |---|---|
//! | `paper.rs` | the papers and their machines |
//! | `plan.rs` | who runs what; rounds of runs |
//! | `record.rs` | the runs, and medians of them |
//! | `clock.rs` | the processor's cycles, measured |
//! | `verdict.rs` | measured numbers with their noise beside a threshold: holds, does not, open |
//! | `report.rs`, `chart.rs` | tables, notes, the finding; plots |
//! | `kept.rs` | reports of runs that were kept, and their sections of EXPERIMENTS.md |
//! | `lace/`, `wool/`, `acar/`, `queues/` | an experiment a file: what is run, the paper's numbers, the finding |
//!
//! The numbers of the papers are in the code of the experiments, as printed there; where a paper has a plot without
//! numbers, a note says in words what it shows. Verdicts are functions of the measured runs alone.

use lyocell_workloads::Instance;

use crate::measure::Contender;
use lyocell_queue_study::CasePlan;
use lyocell_workloads::Refused;

mod acar;
mod chart;
mod clock;
mod kept;
mod lace;
mod paper;
mod plan;
mod queues;
mod record;
mod report;
mod verdict;
mod wool;

pub(crate) use chart::{Chart, draw};
pub(crate) use kept::{HEADER, KeptRuns, line, section};
pub(crate) use paper::Paper;
pub(crate) use plan::Prepared;
pub(crate) use record::{ExperimentRecord, Results};
pub(crate) use report::{Report, Table, Told, Verdict, render};
pub(crate) use wool::steal_costs;

/// An entry of the registry.
pub(crate) trait Experiment: Sync {
    fn name(&self) -> &'static str;

    fn paper(&self) -> &'static Paper;

    /// Where in the paper.
    fn place(&self) -> &'static str;

    /// One line on what it measures.
    fn shows(&self) -> &'static str;

    /// Repetitions that keep it under two minutes on two processors.
    fn reps(&self) -> usize {
        5
    }

    /// Repetitions of the paper's sizes: the paper's, where it says how many.
    fn full_reps(&self) -> usize {
        self.reps()
    }

    /// The numbers of workers to run with, in ascending order.
    ///
    /// # Errors
    /// The experiment does not run with the numbers that are asked for.
    fn workers(&self, request: &Request) -> Result<Vec<usize>, Refused> {
        Ok(request.workers.clone().unwrap_or_else(|| vec![all_processors(request)]))
    }

    /// What to run, with these numbers of workers.
    ///
    /// # Errors
    /// The experiment does not run the workloads that are asked for.
    fn workloads(&self, request: &Request, workers: &[usize]) -> Result<Vec<Instance>, Refused>;

    /// Who runs `instance`, with these numbers of workers.
    fn contenders(&self, instance: &Instance, workers: &[usize]) -> Vec<Contender>;

    /// What it runs of the cases of queues, if it is about these; then it runs no programs.
    fn cases(
        &self,
        _request: &Request,
        _workers: &[usize],
    ) -> Option<Result<Vec<CasePlan>, Refused>> {
        None
    }

    /// What the runs say.
    fn report(&self, results: &Results) -> Report;

    /// What plots them, where the paper has a plot.
    fn charts(&self) -> Option<fn(&Results) -> Vec<Chart>> {
        None
    }
}

/// What the user asked for.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// In place of the experiment's own workloads.
    pub(crate) workloads: Option<Vec<Instance>>,
    /// The same of the experiments on queues.
    pub(crate) cases: Vec<String>,
    /// In ascending order, without repeats.
    pub(crate) workers: Option<Vec<usize>>,
    pub(crate) size: Size,
    /// As many as by default.
    pub(crate) default_workers: usize,
}

impl Request {
    /// For the experiment's own workloads of this size.
    pub(crate) fn of(size: Size, default_workers: usize) -> Request {
        Request { workloads: None, cases: Vec::new(), workers: None, size, default_workers }
    }
}

/// How large the workloads are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// Under two minutes in all.
    Small,
    /// As the paper's.
    Paper,
}

/// What a report is made on.
pub(crate) struct Context {
    /// What it was measured on, in words.
    pub(crate) machine: String,
    pub(crate) processors: usize,
}

/// Every experiment, in the order they are listed.
pub(crate) static EXPERIMENTS: [&dyn Experiment; 23] = [
    &lace::LaceFig5,
    &lace::LaceFig6,
    &lace::LaceFig7,
    &lace::LaceFig8,
    &lace::LaceHalf,
    &lace::LaceShare,
    &lace::LaceLarger,
    &wool::WoolFig1,
    &wool::WoolTable1,
    &wool::WoolTable2,
    &wool::WoolFig4,
    &wool::WoolTable3,
    &wool::WoolFig5,
    &wool::WoolTable4,
    &wool::WoolFig6,
    &acar::AcarFig4,
    &acar::AcarFig5,
    &acar::AcarFig6a,
    &acar::AcarFig6b,
    &queues::RAW,
    &queues::QUICKSORT,
    &queues::SPANNING_TREE,
    &queues::XML,
];

/// The fewest workers between whom there is something to steal.
pub(crate) const TWO_WORKERS: usize = 2;

/// The experiment that tells what a steal costs.
pub(crate) fn cost_of_stealing() -> &'static dyn Experiment {
    &wool::WoolTable3
}

/// A worker for each processor, two at least: with one there is nobody to steal.
fn all_processors(request: &Request) -> usize {
    request.default_workers.max(TWO_WORKERS)
}

/// The workloads asked for, or those of the size asked for.
fn asked_or(request: &Request, small: Vec<Instance>, paper: Vec<Instance>) -> Vec<Instance> {
    let own = match request.size {
        Size::Small => small,
        Size::Paper => paper,
    };
    request.workloads.clone().unwrap_or(own)
}

#[cfg(test)]
mod tests {
    use lyocell_workloads::Fib;

    use super::*;

    fn request(size: Size) -> Request {
        Request::of(size, 2)
    }

    #[test]
    fn names_are_distinct_and_every_experiment_has_work_for_two_processors() {
        for (index, experiment) in EXPERIMENTS.iter().enumerate() {
            let name = experiment.name();
            assert!(EXPERIMENTS[..index].iter().all(|other| other.name() != name), "{name}");
            for size in [Size::Small, Size::Paper] {
                let workers = experiment.workers(&request(size)).unwrap();
                assert!(workers.is_sorted() && !workers.is_empty(), "{name}");
                let cases = experiment.cases(&request(size), &workers);
                let cases = cases.map_or(0, |cases| cases.unwrap().len());
                let programs = experiment.workloads(&request(size), &workers).unwrap().len();
                assert!((cases == 0) != (programs == 0), "{name}");
            }
        }
    }

    #[test]
    fn what_is_asked_for_takes_the_place_of_the_experiments_own() {
        let asked = Request { workloads: Some(vec![Fib::new(3).into()]), ..request(Size::Small) };
        let run = |request: &Request| {
            let instances = asked_or(request, vec![Fib::new(1).into()], vec![Fib::new(2).into()]);
            instances.iter().map(Instance::to_string).collect::<Vec<_>>()
        };
        assert_eq!(run(&asked), ["fib:3"]);
        assert_eq!(run(&request(Size::Small)), ["fib:1"]);
        assert_eq!(run(&request(Size::Paper)), ["fib:2"]);
    }
}
