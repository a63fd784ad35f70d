//! A timed run.

use lyocell_workloads::{Instance, WORKLOADS};
use serde::Serialize;

use super::Contender;
use lyocell_engines::Sample;
use lyocell_engines::runtime::Observed;

/// The columns of the CSV report.
pub(crate) type Columns = (String, String, String, usize, usize, f64, Option<u64>, String);

/// One timed run. The fields that are written are the columns of the CSV report, in this order: do not
/// change them.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RunRecord {
    pub(crate) workload: &'static str,
    pub(crate) param: String,
    pub(crate) engine: &'static str,
    pub(crate) workers: usize,
    /// From 1.
    pub(crate) rep: usize,
    pub(crate) seconds: f64,
    /// Unless they differ from run to run.
    pub(crate) tasks: Option<u64>,
    pub(crate) answer: String,
    #[serde(skip)]
    pub(crate) observed: Observed,
    /// Which, where the program was run in several.
    #[serde(skip)]
    pub(crate) layout: Option<usize>,
}

impl RunRecord {
    /// The columns of the CSV report.
    pub(crate) const COLUMNS: [&str; 8] =
        ["workload", "param", "engine", "workers", "rep", "seconds", "tasks", "answer"];

    /// As an [`Instance`] shows itself.
    pub(crate) fn job(&self) -> String {
        format!("{}:{}", self.workload, self.param)
    }

    /// Of a run of `instance` by `contender`, its `rep`th.
    pub(super) fn of(
        instance: &Instance,
        contender: &Contender,
        rep: usize,
        sample: Sample,
    ) -> RunRecord {
        RunRecord {
            workload: instance.workload().name,
            param: instance.parameter(),
            engine: contender.engine.name(),
            workers: contender.workers,
            rep,
            seconds: sample.time.as_secs_f64(),
            tasks: instance.tasks(),
            answer: sample.answer,
            observed: sample.observed,
            layout: None,
        }
    }

    /// One that was kept: without what was observed. `None` if there is no such workload.
    pub(crate) fn kept(columns: Columns) -> Option<RunRecord> {
        let (workload, param, engine, workers, rep, seconds, tasks, answer) = columns;
        let workload = WORKLOADS.iter().find(|known| known.name == workload)?.name;
        // Names live as long as the program, as engines do.
        let engine = Box::leak(engine.into_boxed_str());
        let (observed, layout) = (Observed::default(), None);
        let record = RunRecord {
            workload,
            param,
            engine,
            workers,
            rep,
            seconds,
            tasks,
            answer,
            observed,
            layout,
        };
        Some(record)
    }

    /// What `text` has, the CSV report of a program in this layout; `None` if it is none.
    pub(crate) fn parse_all(text: &str, layout: usize) -> Option<Vec<RunRecord>> {
        let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
        let record = |row: Result<Columns, csv::Error>| {
            Some(RunRecord { layout: Some(layout), ..RunRecord::kept(row.ok()?)? })
        };
        rows.map(record).collect()
    }
}
