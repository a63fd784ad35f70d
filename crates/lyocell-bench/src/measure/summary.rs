//! Medians and ratios of a workload's records.

use super::RunRecord;
use crate::engine::{SERIAL, SERIAL_C};

/// The times of one contender.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Timing {
    /// Median, in seconds.
    pub(crate) median: f64,
    /// Half the distance from the fastest to the slowest, as a share of the median.
    pub(crate) spread: f64,
}

impl Timing {
    /// `None` if there are no times.
    pub(crate) fn of(mut seconds: Vec<f64>) -> Option<Timing> {
        seconds.sort_by(f64::total_cmp);
        let (first, last) = (seconds.first()?, seconds.last()?);
        let (low, high) = (seconds[(seconds.len() - 1) / 2], seconds[seconds.len() / 2]);
        let median = low.midpoint(high);
        let spread = if median > 0.0 { (last - first) / 2.0 / median } else { 0.0 };
        Some(Timing { median, spread })
    }
}

/// One workload: T_S, and T_n of each engine and number n of workers.
#[derive(Debug)]
pub(crate) struct Summary {
    pub(crate) workload: String,
    pub(crate) tasks: u64,
    pub(crate) serial: Option<Timing>,
    /// T_S of the program in C.
    pub(crate) serial_c: Option<Timing>,
    /// In ascending order.
    pub(crate) workers: Vec<usize>,
    pub(crate) engines: Vec<EngineSummary>,
}

/// One engine on one workload.
#[derive(Debug)]
pub(crate) struct EngineSummary {
    pub(crate) engine: &'static str,
    /// T_n for each n of [`Summary::workers`].
    times: Vec<Option<Timing>>,
}

impl Summary {
    /// Of the records of one workload; `None` if there are none.
    pub(crate) fn of(records: &[RunRecord]) -> Option<Summary> {
        let first = records.first()?;
        let timing = |engine: &str, workers: usize| {
            let runs = records.iter().filter(|r| r.engine == engine && r.workers == workers);
            Timing::of(runs.map(|record| record.seconds).collect())
        };
        let parallel =
            || records.iter().filter(|record| ![SERIAL, SERIAL_C].contains(&record.engine));
        let mut workers: Vec<usize> = parallel().map(|record| record.workers).collect();
        workers.sort_unstable();
        workers.dedup();
        let mut names: Vec<&'static str> = Vec::new();
        for record in parallel() {
            if !names.contains(&record.engine) {
                names.push(record.engine);
            }
        }
        let summarize = |&engine: &&'static str| EngineSummary {
            engine,
            times: workers.iter().map(|&workers| timing(engine, workers)).collect(),
        };
        Some(Summary {
            workload: format!("{}:{}", first.workload, first.param),
            tasks: first.tasks,
            serial: timing(SERIAL, 1),
            serial_c: timing(SERIAL_C, 1),
            engines: names.iter().map(summarize).collect(),
            workers,
        })
    }

    /// The largest number of workers, P.
    pub(crate) fn most_workers(&self) -> Option<usize> {
        self.workers.last().copied()
    }

    /// T_n of `engine`.
    pub(crate) fn time(&self, engine: &str, workers: usize) -> Option<Timing> {
        let engine = self.engines.iter().find(|summary| summary.engine == engine)?;
        let index = self.workers.iter().position(|&count| count == workers)?;
        engine.times[index]
    }

    /// T_S / T_P.
    pub(crate) fn speedup_over_serial(&self, engine: &str) -> Option<f64> {
        Some(self.serial?.median / self.time(engine, self.most_workers()?)?.median)
    }

    /// T_1 / T_P, where P > 1.
    pub(crate) fn speedup_over_one(&self, engine: &str) -> Option<f64> {
        let most = self.most_workers().filter(|&most| most > 1)?;
        Some(self.time(engine, 1)?.median / self.time(engine, most)?.median)
    }

    /// (T_1 - T_S) / tasks, in nanoseconds.
    pub(crate) fn overhead_ns(&self, engine: &str) -> Option<f64> {
        let tasks = Some(self.tasks).filter(|&tasks| tasks > 0)?;
        let overhead = self.time(engine, 1)?.median - self.serial?.median;
        Some(overhead * 1e9 / tasks as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(engine: &'static str, workers: usize, seconds: f64) -> RunRecord {
        RunRecord {
            workload: "fib",
            param: "10".to_owned(),
            engine,
            workers,
            rep: 1,
            seconds,
            tasks: 100,
            answer: "55".to_owned(),
            observed: Default::default(),
        }
    }

    #[test]
    fn a_timing_is_the_median_and_half_the_range() {
        let odd = Timing::of(vec![4.0, 1.0, 2.0]).unwrap();
        assert_eq!(odd, Timing { median: 2.0, spread: 0.75 });
        assert_eq!(Timing::of(vec![1.0, 2.0]).unwrap().median, 1.5);
        assert_eq!(Timing::of(vec![]), None);
    }

    #[test]
    fn ratios_are_of_medians() {
        let records = [
            record("serial", 1, 2.0),
            record("serial-c", 1, 1.5),
            record("lyocell", 1, 3.0),
            record("lyocell", 4, 0.75),
            record("rayon", 4, 1.0),
        ];
        let summary = Summary::of(&records).unwrap();
        assert_eq!(summary.workers, [1, 4]);
        assert_eq!(summary.engines.len(), 2);
        assert_eq!(summary.serial_c.unwrap().median, 1.5);
        assert_eq!(summary.speedup_over_serial("lyocell"), Some(2.0 / 0.75));
        assert_eq!(summary.speedup_over_one("lyocell"), Some(4.0));
        assert_eq!(summary.overhead_ns("lyocell"), Some(1e7));
        assert_eq!(summary.speedup_over_one("rayon"), None);
        assert_eq!(summary.speedup_over_serial("rayon"), Some(2.0));
    }

    #[test]
    fn without_a_serial_run_there_is_nothing_over_serial() {
        let summary = Summary::of(&[record("rayon", 1, 1.0)]).unwrap();
        assert!(summary.serial.is_none());
        assert_eq!(summary.speedup_over_serial("rayon"), None);
        assert_eq!(summary.overhead_ns("rayon"), None);
        assert_eq!(summary.speedup_over_one("rayon"), None);
    }
}
