//! A timed run.

use lyocell_workloads::Instance;
use serde::Serialize;

use super::Contender;
use crate::engine::Sample;
use crate::engine::lyocell::Observed;

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
    pub(crate) tasks: u64,
    pub(crate) answer: String,
    #[serde(skip)]
    pub(crate) observed: Observed,
}

impl RunRecord {
    /// The columns of the CSV report.
    pub(crate) const COLUMNS: [&str; 8] =
        ["workload", "param", "engine", "workers", "rep", "seconds", "tasks", "answer"];

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
        }
    }
}
