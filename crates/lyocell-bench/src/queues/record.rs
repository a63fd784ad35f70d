//! Timed runs, as the reports have them.

use lyocell_queues::Footprint;
use serde::Serialize;

use super::job::{Job, Sample};
use super::operations::Operation;
use super::plan::Runner;
use super::queue::{Exact, Queue};

/// One timed run without counting. The fields are the columns of the CSV report, in this order: do not change them.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CaseRecord {
    pub(crate) case: &'static str,
    pub(crate) param: String,
    pub(crate) queue: &'static str,
    pub(crate) threads: usize,
    /// From 1.
    pub(crate) rep: usize,
    pub(crate) seconds: f64,
    pub(crate) visits: u64,
    /// Visits beyond one a pushed node.
    pub(crate) duplicates: u64,
    /// Visits beyond one a node of the case.
    pub(crate) repeats: u64,
    pub(crate) answer: String,
}

/// One run with counting and its neighbour without. The fields are the columns of the CSV report with statistics, in this
/// order: do not change them.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct StatisticsRecord {
    pub(crate) case: &'static str,
    pub(crate) param: String,
    pub(crate) queue: &'static str,
    pub(crate) threads: usize,
    pub(crate) rep: usize,
    /// Without counting.
    pub(crate) seconds: f64,
    pub(crate) visits: u64,
    /// With counting, as all below.
    pub(crate) counted_seconds: f64,
    pub(crate) counted_visits: u64,
    pub(crate) pushes: u64,
    pub(crate) overflows: u64,
    pub(crate) takes: u64,
    pub(crate) steals: u64,
    pub(crate) empty: u64,
    pub(crate) busy: u64,
    pub(crate) duplicates: u64,
    pub(crate) repeats: u64,
    /// `None` if the queue does not tell, as the two below.
    pub(crate) growths: Option<usize>,
    pub(crate) shrinks: Option<usize>,
    pub(crate) peak_length: usize,
    /// All queues together, at the end.
    pub(crate) bytes: Option<usize>,
    pub(crate) answer: String,
    /// Means of those that were timed without the slowest hundredth; `None` if none was.
    pub(crate) push_ns: Option<f64>,
    pub(crate) take_ns: Option<f64>,
    pub(crate) steal_ns: Option<f64>,
    pub(crate) failed_steal_ns: Option<f64>,
}

/// Of a run.
pub(super) fn record(job: &Job, runner: Runner, rep: usize, sample: Sample) -> CaseRecord {
    CaseRecord {
        case: job.case,
        param: job.parameter.clone(),
        queue: runner.name(),
        threads: runner.threads(),
        rep,
        seconds: sample.time.as_secs_f64(),
        visits: sample.visits,
        duplicates: sample.duplicates,
        repeats: sample.repeats,
        answer: sample.answer,
    }
}

/// Of the run `counted`, and its neighbour without counting.
pub(super) fn statistics(
    uncounted: &CaseRecord,
    queue: Queue,
    counted: Sample,
) -> StatisticsRecord {
    let counts = counted.counts.unwrap_or_default();
    let footprint = counted.footprints.map(|footprints| total(queue, &footprints));
    StatisticsRecord {
        case: uncounted.case,
        param: uncounted.param.clone(),
        queue: uncounted.queue,
        threads: uncounted.threads,
        rep: uncounted.rep,
        seconds: uncounted.seconds,
        visits: uncounted.visits,
        counted_seconds: counted.time.as_secs_f64(),
        counted_visits: counted.visits,
        pushes: counts.pushes,
        overflows: counts.overflows,
        takes: counts.takes,
        steals: counts.steals,
        empty: counts.empty,
        busy: counts.busy,
        duplicates: counted.duplicates,
        repeats: counted.repeats,
        growths: footprint.map(|footprint| footprint.growths),
        shrinks: footprint.map(|footprint| footprint.shrinks),
        peak_length: counts.peak_length,
        bytes: footprint.map(|footprint| footprint.bytes),
        answer: counted.answer,
        push_ns: counts.times.of(Operation::Push),
        take_ns: counts.times.of(Operation::Take),
        steal_ns: counts.times.of(Operation::Steal),
        failed_steal_ns: counts.times.of(Operation::FailedSteal),
    }
}

/// What a team's queues cost together.
fn total(queue: Queue, footprints: &[Footprint]) -> Footprint {
    // The handles of the central queue each tell of the same one.
    let queues = if queue == Queue::Exact(Exact::CentralLocked) { 1 } else { footprints.len() };
    footprints[..queues].iter().fold(Footprint::default(), |sum, one| Footprint {
        bytes: sum.bytes + one.bytes,
        growths: sum.growths + one.growths,
        shrinks: sum.shrinks + one.shrinks,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_central_queue_is_counted_once() {
        let one = Footprint { bytes: 10, growths: 2, shrinks: 1 };
        let team = [one, one];
        assert_eq!(total(Queue::BASELINE, &team).bytes, 20);
        assert_eq!(total(Queue::Exact(Exact::CentralLocked), &team), one);
    }
}
