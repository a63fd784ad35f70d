//! What a step has found: numbers and words, as they are kept between two runs of the program.

use lyocell::probe::{Counts, Event, Phase, Spent};
use lyocell_workloads::Instance;
use serde::{Deserialize, Serialize};

use crate::experiment::Told;
use crate::measure::{Columns, RunRecord};
use lyocell_engines::latency::{Figure, Host, Measure};
use lyocell_engines::profile::ProfiledRun;

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Found {
    Times {
        notes: Vec<String>,
        runs: Vec<Run>,
    },
    Workers(Vec<Watched>),
    Profile(Profiled),
    Deques(Vec<Run>),
    Latency(Vec<Latency>),
    /// The drawing is SVG, where the paper has a plot.
    Paper {
        told: Told,
        drawing: Option<String>,
        reps: usize,
    },
}

/// The columns of a timed run.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(transparent)]
pub(super) struct Run(Columns);

impl From<&RunRecord> for Run {
    fn from(record: &RunRecord) -> Run {
        let RunRecord { workload, param, engine, workers, rep, seconds, tasks, answer, .. } =
            record;
        let (workload, engine) = ((*workload).to_owned(), (*engine).to_owned());
        let (param, answer) = (param.clone(), answer.clone());
        Run((workload, param, engine, *workers, *rep, *seconds, *tasks, answer))
    }
}

impl Run {
    pub(super) fn record(self) -> Option<RunRecord> {
        RunRecord::kept(self.0)
    }
}

/// Names and numbers.
pub(super) type Named<N> = Vec<(String, N)>;

/// What the probes saw of the run of median time.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Watched {
    pub(super) workload: String,
    pub(super) seconds: f64,
    /// What happened how often, of each worker.
    pub(super) events: Vec<Named<usize>>,
    /// How long each worker did what, in seconds.
    pub(super) phases: Vec<Named<f64>>,
}

impl Watched {
    pub(super) fn of(record: &RunRecord) -> Watched {
        let events = |counts: &Counts| {
            let event = |event: Event| (event.name().to_owned(), counts.of(event));
            let depth = ("peak depth".to_owned(), counts.peak_depth);
            Event::ALL.iter().copied().map(event).chain([depth]).collect()
        };
        let phases = |spent: &Spent| {
            let phase = |phase: Phase| (phase.name().to_owned(), spent.on(phase).as_secs_f64());
            Phase::ALL.iter().copied().map(phase).collect()
        };
        Watched {
            workload: record.job(),
            seconds: record.seconds,
            events: record.observed.counts.iter().map(events).collect(),
            phases: record.observed.times.iter().map(phases).collect(),
        }
    }
}

/// What the profile and the trace of a run say.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Profiled {
    pub(super) workload: String,
    pub(super) workers: usize,
    /// The fastest run without the profile, and the run with it, in seconds.
    pub(super) alone: f64,
    pub(super) profiled: f64,
    pub(super) work: f64,
    pub(super) span: f64,
    /// T_1 / T_inf, and the same with what a steal costs here.
    pub(super) parallelism: f64,
    pub(super) burdened: f64,
    pub(super) task_ns: Option<f64>,
    pub(super) steal_ns: Option<f64>,
    pub(super) verdict: String,
    /// How many tasks were stolen, by thief, then by victim.
    pub(super) steals: Vec<Vec<u64>>,
    /// What of the trace had no room.
    pub(super) dropped: u64,
}

impl Profiled {
    pub(super) fn of(instance: &Instance, workers: usize, run: &ProfiledRun) -> Profiled {
        let all = &run.report.all;
        Profiled {
            workload: instance.to_string(),
            workers,
            alone: run.alone.as_secs_f64(),
            profiled: run.profiled.as_secs_f64(),
            work: all.work_s,
            span: all.span_s,
            parallelism: all.parallelism,
            burdened: all.parallelism_burdened,
            task_ns: all.task_granularity_ns,
            steal_ns: all.steal_granularity_ns,
            verdict: all.verdict.clone(),
            steals: run.trace.as_ref().map_or_else(Vec::new, |trace| trace.steals()),
            dropped: run.trace.as_ref().map_or(0, |trace| trace.dropped()),
        }
    }
}

/// A figure of latency.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Latency {
    pub(super) measure: String,
    pub(super) summary: String,
    pub(super) engine: String,
    pub(super) statistic: String,
    pub(super) value: f64,
    pub(super) unit: String,
    /// The value in its unit.
    pub(super) text: String,
    /// Whether the host disturbed it.
    pub(super) disturbed: bool,
}

impl Latency {
    pub(super) fn of(measure: &Measure, figure: &Figure) -> Latency {
        Latency {
            measure: measure.name.to_owned(),
            summary: measure.summary.to_owned(),
            engine: figure.engine.to_owned(),
            statistic: figure.statistic.clone(),
            value: figure.value,
            unit: figure.unit.name().to_owned(),
            text: crate::report::amount(figure.value, figure.unit),
            disturbed: figure.host == Host::Disturbed,
        }
    }
}
