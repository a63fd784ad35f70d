//! The experiments of the papers, done again: each prints the paper's table beside ours and says whether what the paper
//! found is found here.
//!
//! | file | what |
//! |---|---|
//! | `paper` | the papers and their machines |
//! | `plan` | jobs and who runs each |
//! | `measure`, `record` | rounds of runs; medians of them |
//! | `clock` | the processor's cycles, measured |
//! | `report`, `chart` | tables, notes, the finding; plots |
//! | the others | an experiment each: what is run, the paper's numbers, the finding |
//!
//! The numbers of the papers are in the code of the experiments, as printed there; where a paper has a plot without
//! numbers, a note says in words what it shows. Verdicts are functions of the measured runs alone.

use crate::machine::Machine;
use crate::measure::Job;

mod acar_fig4;
mod acar_fig5;
mod acar_fig6a;
mod chart;
mod clock;
mod lace_fig5;
mod lace_fig7;
mod lace_fig8;
mod measure;
mod paper;
mod plan;
mod record;
mod report;
mod wool_fig4;
mod wool_table2;
mod wool_table3;

pub(crate) use chart::{Chart, draw};
pub(crate) use measure::{measure, turns};
pub(crate) use paper::Paper;
pub(crate) use plan::{Contender, Plan};
pub(crate) use record::{Record, Results};
pub(crate) use report::{Report, render};

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

    /// The numbers of workers to run with, in ascending order.
    ///
    /// # Errors
    /// The experiment does not run with the numbers that are asked for.
    fn workers(&self, request: &Request) -> Result<Vec<usize>, String> {
        Ok(request.workers.clone().unwrap_or_else(|| vec![all_processors(request)]))
    }

    /// What to run, as on the command line of `lyocell run`, with these numbers of workers.
    ///
    /// # Errors
    /// The experiment does not run the workloads that are asked for.
    fn workloads(&self, request: &Request, workers: &[usize]) -> Result<Vec<String>, String>;

    /// Who runs `job`, with these numbers of workers.
    fn contenders(&self, job: &Job, workers: &[usize]) -> Vec<Contender>;

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
    pub(crate) workloads: Option<Vec<String>>,
    /// In ascending order, without repeats.
    pub(crate) workers: Option<Vec<usize>>,
    pub(crate) size: Size,
    /// How many this process may use.
    pub(crate) processors: usize,
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
    pub(crate) machine: Machine,
    pub(crate) processors: usize,
}

/// Every experiment, in the order they are listed.
pub(crate) static EXPERIMENTS: [&dyn Experiment; 9] = [
    &lace_fig5::LaceFig5,
    &lace_fig7::LaceFig7,
    &lace_fig8::LaceFig8,
    &wool_table2::WoolTable2,
    &wool_fig4::WoolFig4,
    &wool_table3::WoolTable3,
    &acar_fig4::AcarFig4,
    &acar_fig5::AcarFig5,
    &acar_fig6a::AcarFig6a,
];

/// A worker for each processor, two at least: with one there is nobody to steal.
fn all_processors(request: &Request) -> usize {
    request.processors.max(2)
}

/// The workloads asked for, or those of the size asked for.
fn asked_or(request: &Request, small: &[&str], paper: &[&str]) -> Vec<String> {
    let own = match request.size {
        Size::Small => small,
        Size::Paper => paper,
    };
    let own = || own.iter().map(|&word| word.to_owned()).collect();
    request.workloads.clone().unwrap_or_else(own)
}

/// Every contender that this machine has, of `each` for every number of workers.
fn lineup<const N: usize>(
    workers: &[usize],
    each: impl Fn(usize) -> [Option<Contender>; N],
) -> Vec<Contender> {
    workers.iter().flat_map(|&workers| each(workers)).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(size: Size) -> Request {
        Request { workloads: None, workers: None, size, processors: 2 }
    }

    #[test]
    fn names_are_distinct_and_every_experiment_has_work_for_two_processors() {
        for (index, experiment) in EXPERIMENTS.iter().enumerate() {
            let name = experiment.name();
            assert!(EXPERIMENTS[..index].iter().all(|other| other.name() != name), "{name}");
            for size in [Size::Small, Size::Paper] {
                let workers = experiment.workers(&request(size)).unwrap();
                assert!(workers.is_sorted() && !workers.is_empty(), "{name}");
                assert!(!experiment.workloads(&request(size), &workers).unwrap().is_empty());
            }
        }
    }

    #[test]
    fn what_is_asked_for_takes_the_place_of_the_experiments_own() {
        let asked = Request { workloads: Some(vec!["fib:3".to_owned()]), ..request(Size::Small) };
        assert_eq!(asked_or(&asked, &["fib:1"], &["fib:2"]), ["fib:3"]);
        assert_eq!(asked_or(&request(Size::Small), &["fib:1"], &["fib:2"]), ["fib:1"]);
        assert_eq!(asked_or(&request(Size::Paper), &["fib:1"], &["fib:2"]), ["fib:2"]);
    }
}
