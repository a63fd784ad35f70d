//! Timed runs, as the reports have them.

use lyocell_queues::Footprint;
use serde::Serialize;

use super::job::{Job, Sample};
use super::operations::Operation;
use super::plan::Runner;
use super::queue::{Exact, Queue};

/// One timed run without counting. The fields are the columns of the CSV report, in this order: do not change them.
#[derive(Clone, Debug, Serialize)]
pub struct CaseRecord {
    /// The case.
    pub case: &'static str,
    /// Its parameter.
    pub param: String,
    /// The queue, or who runs without one.
    pub queue: &'static str,
    /// How many workers.
    pub threads: usize,
    /// From 1.
    pub rep: usize,
    /// How long it took.
    pub seconds: f64,
    /// How often a node was visited.
    pub visits: u64,
    /// Visits beyond one a pushed node.
    pub duplicates: u64,
    /// Visits beyond one a node of the case.
    pub repeats: u64,
    /// What came out, as text.
    pub answer: String,
}

/// One run with counting and its neighbour without. The fields are the columns of the CSV report with statistics, in this
/// order: do not change them.
#[derive(Clone, Debug, Serialize)]
pub struct StatisticsRecord {
    /// The case.
    pub case: &'static str,
    /// Its parameter.
    pub param: String,
    /// The queue.
    pub queue: &'static str,
    /// How many workers.
    pub threads: usize,
    /// From 1.
    pub rep: usize,
    /// Without counting.
    pub seconds: f64,
    /// How often a node was visited, without counting.
    pub visits: u64,
    /// With counting, as all below.
    pub counted_seconds: f64,
    /// How often a node was visited.
    pub counted_visits: u64,
    /// Nodes that were pushed.
    pub pushes: u64,
    /// Nodes for which a bounded queue had no room.
    pub overflows: u64,
    /// Nodes that their owner took.
    pub takes: u64,
    /// Nodes that were stolen.
    pub steals: u64,
    /// Attempts to steal from an empty queue.
    pub empty: u64,
    /// Attempts to steal that met another.
    pub busy: u64,
    /// Visits beyond one a pushed node.
    pub duplicates: u64,
    /// Visits beyond one a node of the case.
    pub repeats: u64,
    /// `None` if the queue does not tell, as the two below.
    pub growths: Option<usize>,
    /// How often an array shrank.
    pub shrinks: Option<usize>,
    /// The longest queue.
    pub peak_length: usize,
    /// All queues together, at the end.
    pub bytes: Option<usize>,
    /// What came out, as text.
    pub answer: String,
    /// Means of those that were timed without the slowest hundredth; `None` if none was.
    pub push_ns: Option<f64>,
    /// Of a take.
    pub take_ns: Option<f64>,
    /// Of a steal that brought a node.
    pub steal_ns: Option<f64>,
    /// Of one that brought none.
    pub failed_steal_ns: Option<f64>,
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
