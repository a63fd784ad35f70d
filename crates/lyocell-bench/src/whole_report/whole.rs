//! All that was found, and what programs read of it.

use serde::Serialize;

use super::folder::Origin;
use super::found::{Found, Latency, Profiled, Watched};
use crate::experiment::Told;
use crate::measure::{RunRecord, Summary};
use crate::report;

/// An experiment of a paper, done again.
#[derive(Debug, Serialize)]
pub(super) struct Paper {
    #[serde(flatten)]
    pub(super) told: Told,
    /// SVG, where the paper has a plot.
    #[serde(skip)]
    pub(super) drawing: Option<String>,
    pub(super) reps: usize,
}

/// A report. In JSON `results` are the runs, as `lyocell compare` reads them.
#[derive(Debug, Serialize)]
pub(super) struct Whole {
    pub(super) origin: Origin,
    /// What was left out, in sentences.
    pub(super) notes: Vec<String>,
    #[serde(rename = "results")]
    pub(super) runs: Vec<RunRecord>,
    pub(super) deques: Vec<RunRecord>,
    pub(super) workers: Vec<Watched>,
    pub(super) profiles: Vec<Profiled>,
    pub(super) latency: Vec<Latency>,
    pub(super) papers: Vec<Paper>,
    /// The experiments that were not done again.
    pub(super) not_run: Vec<String>,
}

impl Whole {
    /// With nothing in it, but for the experiments that are `left_out` for want of time.
    pub(super) fn new(origin: Origin, left_out: Vec<String>) -> Whole {
        let late = |step: &String| format!("There was no time for {step}: run it again to go on.");
        Whole {
            origin,
            notes: left_out.iter().map(late).collect(),
            runs: Vec::new(),
            deques: Vec::new(),
            workers: Vec::new(),
            profiles: Vec::new(),
            latency: Vec::new(),
            papers: Vec::new(),
            not_run: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, found: Found) {
        match found {
            Found::Times { notes, runs } => {
                let new = notes.into_iter().filter(|note| !self.notes.contains(note));
                let new: Vec<String> = new.collect();
                self.notes.extend(new);
                self.runs.extend(runs.into_iter().filter_map(super::found::Run::record));
            }
            Found::Deques(runs) => {
                self.deques.extend(runs.into_iter().filter_map(super::found::Run::record));
            }
            Found::Workers(watched) => self.workers.extend(watched),
            Found::Profile(profiled) => self.profiles.push(profiled),
            Found::Latency(figures) => self.latency.extend(figures),
            Found::Paper { told, drawing, reps } => self.papers.push(Paper { told, drawing, reps }),
        }
    }

    /// A summary of each workload.
    pub(super) fn summaries(&self) -> Vec<Summary> {
        let job = |record: &RunRecord| (record.workload, record.param.clone());
        let groups = self.runs.chunk_by(|a, b| job(a) == job(b));
        groups.filter_map(Summary::of).collect()
    }

    /// The runs, a line each, behind comments that say what they were measured on.
    pub(super) fn to_csv(&self) -> String {
        let Origin { machine, program, size, workers, notes } = &self.origin;
        let mut text = format!("# machine: {machine}\n# program: {program}\n");
        text += &format!("# size: {}\n# workers: {workers}\n", size.name());
        text.extend(notes.iter().map(|(name, value)| format!("# {name}: {value}\n")));
        text + &report::csv(&[&self.runs[..], &self.deques_alone()].concat())
    }

    /// Those of the deques that are not among the runs.
    fn deques_alone(&self) -> Vec<RunRecord> {
        let key = |record: &RunRecord| (record.engine, record.workers, record.param.clone());
        let is_new = |record: &&RunRecord| !self.runs.iter().any(|run| key(run) == key(record));
        self.deques.iter().filter(is_new).cloned().collect()
    }

    pub(super) fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("it has text keys only") + "\n"
    }
}
