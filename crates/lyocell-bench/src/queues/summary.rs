//! Means, standard deviations and ratios of a case's records.

use crate::stats::{Mean, median};
use lyocell_queue_study::CaseRecord;
use lyocell_queue_study::{Origin, Queue};

/// The times of one queue with one number of threads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Times {
    /// In seconds, as the two below.
    pub(crate) mean: f64,
    /// Of the sample (n - 1); 0 of one time.
    pub(crate) deviation: f64,
    pub(crate) median: f64,
}

impl Times {
    /// `None` if there are none.
    fn of(seconds: Vec<f64>) -> Option<Times> {
        let Mean { mean, deviation, .. } = Mean::of(&seconds)?;
        Some(Times { mean, deviation, median: median(seconds)? })
    }
}

/// A row of a case's table.
#[derive(Debug)]
pub(crate) struct QueueSummary {
    pub(crate) queue: Queue,
    /// One for each of [`CaseSummary::threads`].
    pub(crate) times: Vec<Option<Times>>,
    /// Mean visits too many per run, over all numbers of threads, as a share of the case's nodes.
    pub(crate) repeats: f64,
}

/// One case with its parameter.
#[derive(Debug)]
pub(crate) struct CaseSummary {
    pub(crate) case: &'static str,
    pub(crate) parameter: String,
    pub(crate) serial: Option<Times>,
    /// The nodes of the case.
    pub(crate) nodes: u64,
    pub(crate) threads: Vec<usize>,
    pub(crate) queues: Vec<QueueSummary>,
}

impl CaseSummary {
    /// Of the records of one case; `None` if there are none.
    pub(crate) fn of(records: &[CaseRecord]) -> Option<CaseSummary> {
        let first = records.first()?;
        let times = |queue: &str, threads: usize| {
            let runs = records.iter().filter(|r| r.queue == queue && r.threads == threads);
            Times::of(runs.map(|record| record.seconds).collect())
        };
        let is_serial = |record: &&CaseRecord| Queue::ALL.iter().all(|q| q.name() != record.queue);
        let serial = records.iter().find(is_serial);
        let mut threads: Vec<usize> =
            records.iter().filter(|r| !is_serial(r)).map(|r| r.threads).collect();
        threads.sort_unstable();
        threads.dedup();
        let ran = |queue: &Queue| records.iter().any(|record| record.queue == queue.name());
        let summarize = |queue: Queue| QueueSummary {
            queue,
            times: threads.iter().map(|&threads| times(queue.name(), threads)).collect(),
            repeats: repeats(records, queue),
        };
        Some(CaseSummary {
            case: first.case,
            parameter: first.param.clone(),
            serial: serial.and_then(|record| times(record.queue, record.threads)),
            nodes: serial.map_or(0, |record| record.visits),
            queues: Queue::ALL.into_iter().filter(ran).map(summarize).collect(),
            threads,
        })
    }

    /// As on the command line.
    pub(crate) fn name(&self) -> String {
        format!("{}:{}", self.case, self.parameter)
    }

    /// The mean time of a row over that of the baseline, with the `index`th number of threads.
    pub(crate) fn normalized(&self, row: &QueueSummary, index: usize) -> Option<f64> {
        let baseline = self.queues.iter().find(|row| row.queue == Queue::BASELINE)?;
        Some(row.times[index]?.mean / baseline.times[index]?.mean)
    }

    /// The fastest of our exactly-once queues with the `index`th number of threads, and its median over that of
    /// crossbeam-deque.
    pub(crate) fn best_over_crossbeam(&self, index: usize) -> Option<(Queue, f64)> {
        let crossbeam = Queue::Exact(lyocell_queue_study::Exact::Crossbeam);
        let peer = self.queues.iter().find(|row| row.queue == crossbeam)?.times[index]?;
        let ours = self.queues.iter().filter(|row| {
            matches!(row.queue, Queue::Exact(_)) && row.queue.origin() == Origin::Ours
        });
        let medians = ours.filter_map(|row| Some((row.queue, row.times[index]?.median)));
        let (queue, median) = medians.min_by(|one, other| one.1.total_cmp(&other.1))?;
        Some((queue, median / peer.median))
    }
}

fn repeats(records: &[CaseRecord], queue: Queue) -> f64 {
    let runs = || records.iter().filter(|record| record.queue == queue.name());
    let repeats: u64 = runs().map(|record| record.repeats).sum();
    let needed: u64 = runs().map(|record| record.visits - record.repeats).sum();
    repeats as f64 / needed.max(1) as f64
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn record(
        queue: &'static str,
        threads: usize,
        seconds: f64,
    ) -> CaseRecord {
        CaseRecord {
            case: "raw",
            param: "100".to_owned(),
            queue,
            threads,
            rep: 1,
            seconds,
            visits: 100,
            duplicates: 0,
            repeats: 0,
            answer: "100 nodes visited".to_owned(),
        }
    }

    #[test]
    fn times_have_a_mean_a_deviation_and_a_median() {
        let times = Times::of(vec![2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!((times.mean, times.median), (5.0, 4.5));
        assert!((times.deviation - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
        let one = Times::of(vec![3.0]).unwrap();
        assert_eq!(one, Times { mean: 3.0, deviation: 0.0, median: 3.0 });
        assert_eq!(Times::of(vec![]), None);
    }

    #[test]
    fn means_are_normalized_to_abp() {
        let records = [
            record("serial", 1, 1.0),
            record("abp", 1, 2.0),
            record("abp", 2, 1.0),
            record("chase-lev", 1, 3.0),
            record("locked", 2, 0.75),
            record("crossbeam-deque", 2, 1.5),
        ];
        let summary = CaseSummary::of(&records).unwrap();
        assert_eq!(summary.threads, [1, 2]);
        assert_eq!(summary.serial.unwrap().mean, 1.0);
        let names: Vec<_> = summary.queues.iter().map(|row| row.queue.name()).collect();
        assert_eq!(names, ["abp", "chase-lev", "locked", "crossbeam-deque"]);
        assert_eq!(summary.normalized(&summary.queues[0], 1), Some(1.0));
        assert_eq!(summary.normalized(&summary.queues[1], 0), Some(1.5));
        assert_eq!(summary.normalized(&summary.queues[1], 1), None);
        let (best, ratio) = summary.best_over_crossbeam(1).unwrap();
        assert_eq!((best.name(), ratio), ("locked", 0.5));
        assert!(summary.best_over_crossbeam(0).is_none());
    }

    #[test]
    fn repeats_are_a_share_of_the_nodes() {
        let twice = |visits, repeats| CaseRecord { visits, repeats, ..record("abp", 1, 1.0) };
        let summary = CaseSummary::of(&[twice(110, 10), twice(100, 0)]).unwrap();
        assert_eq!(summary.queues[0].repeats, 0.05);
        assert_eq!(summary.normalized(&summary.queues[0], 0), Some(1.0));
    }
}
