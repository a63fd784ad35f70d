//! The experiments of the papers, done again: each prints the paper's table beside ours and says whether what the paper
//! found is found here.
//!
//! | file | what |
//! |---|---|
//! | `paper.rs` | the papers and their machines |
//! | `plan.rs` | who runs what; rounds of runs |
//! | `record.rs` | the runs, and medians of them |
//! | `clock.rs` | the processor's cycles, measured |
//! | `simulated.rs` | the same on virtual processors |
//! | `verdict.rs` | the one rule by which all findings are judged: holds, does not, open |
//! | `report.rs`, `chart.rs` | tables, notes, the finding; plots |
//! | `kit.rs` | what an experiment is written with |
//! | `provenance.rs` | of which commit, programs and parameters kept runs are |
//! | `kept.rs` | reports of runs that were kept, and their sections of EXPERIMENTS.md |
//! | `lace/`, `wool/`, `acar/`, `queues/` | an experiment a file: what is run, the paper's numbers, the finding |
//!
//! The numbers of the papers are in the code of the experiments, as printed there; where a paper has a plot without
//! numbers, a note says in words what it shows. Verdicts are functions of the measured runs alone.
//!
//! An [`Experiment`] is data: what differs from [`Experiment::USUAL`].

use lyocell_workloads::Instance;

use crate::measure::Contender;
use lyocell_queue_study::CasePlan;
use lyocell_workloads::Refused;

mod acar;
mod chart;
mod clock;
mod kept;
mod kit;
mod lace;
mod paper;
mod plan;
mod provenance;
mod queues;
mod record;
mod report;
mod simulated;
mod verdict;
mod wool;

use crate::report::Table;
pub(crate) use acar::theorem;
pub(crate) use chart::{Chart, Line, SPEEDUP, draw};
pub(crate) use clock::gigahertz;
pub(crate) use kept::{
    HEADER, KeptRuns, SIMULATED_HEADER, line, line_without, section, section_without,
    simulated_line,
};
use paper::LACE;
pub(crate) use paper::Paper;
pub(crate) use plan::Prepared;
pub(crate) use provenance::{PROGRAMS, changed_program, programs_of};
use queues::Published;
pub(crate) use record::{ExperimentRecord, Results};
use report::Finding;
pub(crate) use report::{Report, Told, Verdict, render};
pub(crate) use simulated::{Simulated, simulate};
pub(crate) use wool::steals_beside;

/// An entry of the registry.
pub(crate) struct Experiment {
    pub(crate) name: &'static str,
    pub(crate) paper: &'static Paper,
    /// Where in the paper.
    pub(crate) place: &'static str,
    /// One line on what it measures.
    pub(crate) shows: &'static str,
    /// Repetitions, unless its finding takes more to be decided: as many as keep it under two minutes on two processors.
    pub(crate) reps: usize,
    /// Repetitions of the paper's sizes, where the paper says how many.
    full_reps: Option<usize>,
    workers: Workers,
    workloads: Workloads,
    /// Who runs a workload, with these numbers of workers.
    contenders: fn(&Instance, &[usize]) -> Vec<Contender>,
    tables: &'static [fn(&Results) -> Table],
    /// On how to read the tables, and what was done otherwise than in the paper; no numbers: these stand in a table.
    notes: &'static [&'static str],
    /// What else the paper says, with its numbers.
    facts: &'static [(&'static str, &'static str)],
    finding: fn(&Results) -> Finding,
    /// What plots the runs, where the paper has a plot.
    pub(crate) charts: Option<fn(&Results) -> Vec<Chart>>,
}

/// With which numbers of workers it runs, unless others are asked for.
enum Workers {
    /// One for each processor, two at least.
    All,
    /// Each number from the first to that, but at most the second.
    From(usize, usize),
    /// These, in ascending order, or why not with the numbers that are asked for.
    Checked(fn(&Request) -> Result<Vec<usize>, Refused>),
}

/// What it runs, unless something else is asked for.
enum Workloads {
    /// These, in a size for two processors and in the paper's.
    Named([&'static [&'static str]; 2]),
    /// These, with so many workers, or why not what is asked for.
    Made(fn(&Request, &[usize]) -> Result<Vec<Instance>, Refused>),
    /// A case of the queues, which is no program.
    Case(&'static Published),
}

impl Experiment {
    /// What most experiments have in common.
    const USUAL: Experiment = Experiment {
        name: "",
        paper: &LACE,
        place: "",
        shows: "",
        reps: 5,
        full_reps: None,
        workers: Workers::All,
        workloads: Workloads::Named([&[], &[]]),
        contenders: |_, _| Vec::new(),
        tables: &[],
        notes: &[],
        facts: &[],
        finding: |_| Finding::of("", &[], None),
        charts: None,
    };

    /// The numbers of workers to run with, in ascending order.
    ///
    /// # Errors
    /// The experiment does not run with the numbers that are asked for.
    fn workers(&self, request: &Request) -> Result<Vec<usize>, Refused> {
        let own = match self.workers {
            Workers::Checked(workers) => return workers(request),
            Workers::All => vec![all_processors(request)],
            Workers::From(first, most) => (first..=all_processors(request).min(most)).collect(),
        };
        Ok(request.workers.clone().unwrap_or(own))
    }

    /// What to run, with these numbers of workers; nothing if it runs cases of the queues.
    ///
    /// # Errors
    /// The experiment does not run the workloads that are asked for.
    fn workloads(&self, request: &Request, workers: &[usize]) -> Result<Vec<Instance>, Refused> {
        match self.workloads {
            Workloads::Made(workloads) => workloads(request, workers),
            Workloads::Named(sizes) => Ok(asked_or(request, || named(request.size.of(sizes)))),
            Workloads::Case(case) => match request.workloads.iter().flatten().next() {
                Some(other) => Err(case.refuse(other)),
                None => Ok(Vec::new()),
            },
        }
    }

    /// What it runs of the cases of queues, if it is about these; then it runs no programs.
    fn cases(
        &self,
        request: &Request,
        workers: &[usize],
    ) -> Option<Result<Vec<CasePlan>, Refused>> {
        let Workloads::Case(case) = self.workloads else { return None };
        Some(self.workloads(request, workers).and_then(|_| case.plans(request, workers)))
    }

    /// What the runs say.
    pub(crate) fn report(&self, results: &Results) -> Report {
        Report {
            tables: self.tables.iter().map(|table| table(results)).collect(),
            facts: self.facts,
            notes: self.notes.iter().map(|&note| note.to_owned()).collect(),
            finding: (self.finding)(results),
        }
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
    /// So that few repetitions stay under two minutes in all.
    Small,
    /// As the paper's.
    Paper,
}

impl Size {
    /// What there is of this size.
    fn of<T>(self, [small, paper]: [T; 2]) -> T {
        match self {
            Size::Small => small,
            Size::Paper => paper,
        }
    }
}

/// What a report is made on.
#[derive(Clone)]
pub(crate) struct Context {
    /// What it was measured on, in words.
    pub(crate) machine: String,
    pub(crate) processors: usize,
}

/// Every experiment, in the order they are listed.
pub(crate) static EXPERIMENTS: [&Experiment; 23] = [
    &lace::FIG5,
    &lace::FIG6,
    &lace::FIG7,
    &lace::FIG8,
    &lace::HALF,
    &lace::SHARE,
    &lace::LARGER,
    &wool::FIG1,
    &wool::TABLE1,
    &wool::TABLE2,
    &wool::FIG4,
    &wool::TABLE3,
    &wool::FIG5,
    &wool::TABLE4,
    &wool::FIG6,
    &acar::FIG4,
    &acar::FIG5,
    &acar::FIG6A,
    &acar::FIG6B,
    &queues::RAW,
    &queues::QUICKSORT,
    &queues::SPANNING_TREE,
    &queues::XML,
];

/// The fewest workers between whom there is something to steal.
pub(crate) const TWO_WORKERS: usize = 2;

/// A worker for each processor, two at least: with one there is nobody to steal.
fn all_processors(request: &Request) -> usize {
    request.default_workers.max(TWO_WORKERS)
}

/// The workloads asked for, or its own.
fn asked_or(request: &Request, own: impl FnOnce() -> Vec<Instance>) -> Vec<Instance> {
    request.workloads.clone().unwrap_or_else(own)
}

/// The workloads of these names and parameters.
fn named<J: AsRef<str>>(jobs: impl IntoIterator<Item = J>) -> Vec<Instance> {
    let instance = |job: J| {
        let parsed = job.as_ref().parse();
        parsed.unwrap_or_else(|error| panic!("experiments name workloads of the list: {error}"))
    };
    jobs.into_iter().map(instance).collect()
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
            let name = experiment.name;
            assert!(EXPERIMENTS[..index].iter().all(|other| other.name != name), "{name}");
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
        let experiment = Experiment {
            workloads: Workloads::Named([&["fib:1"], &["fib:2"]]),
            ..Experiment::USUAL
        };
        let run = |request: &Request| {
            let instances = experiment.workloads(request, &[]).unwrap();
            instances.iter().map(Instance::to_string).collect::<Vec<_>>()
        };
        assert_eq!(run(&asked), ["fib:3"]);
        assert_eq!(run(&request(Size::Small)), ["fib:1"]);
        assert_eq!(run(&request(Size::Paper)), ["fib:2"]);
    }
}
