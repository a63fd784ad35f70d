//! Medians and ratios of a workload's records.

use super::RunRecord;
use crate::stats::{Timing, distinct};
use lyocell_engines::{SERIAL, SERIAL_C};

/// One workload: T_S, and T_n of each engine and number n of workers.
#[derive(Debug)]
pub(crate) struct Summary {
    pub(crate) workload: String,
    /// Unless they differ from run to run.
    pub(crate) tasks: Option<u64>,
    /// In ascending order.
    pub(crate) workers: Vec<usize>,
    /// Those with workers, in the order they took turns.
    pub(crate) engines: Vec<&'static str>,
    /// One, unless the program was run in several layouts.
    layouts: Vec<Layout>,
}

/// The times of one layout.
#[derive(Debug)]
struct Layout(Vec<(&'static str, usize, Timing)>);

impl Layout {
    fn time(&self, engine: &str, workers: usize) -> Option<Timing> {
        let of = |&&(name, count, _): &&(&str, usize, Timing)| name == engine && count == workers;
        self.0.iter().find(of).map(|&(.., timing)| timing)
    }
}

impl Summary {
    /// Of the records of one workload; `None` if there are none.
    pub(crate) fn of(records: &[RunRecord]) -> Option<Summary> {
        let first = records.first()?;
        let serials = [SERIAL, SERIAL_C];
        let parallel = || records.iter().filter(|record| !serials.contains(&record.engine));
        Some(Summary {
            workload: first.job(),
            tasks: first.tasks,
            workers: crate::workers::sorted(parallel().map(|record| record.workers).collect()),
            engines: distinct(parallel().map(|record| record.engine)),
            layouts: distinct(records.iter().map(|record| record.layout))
                .into_iter()
                .map(|layout| {
                    let records = records.iter().filter(|record| record.layout == layout);
                    Layout::of(&records.collect::<Vec<_>>())
                })
                .collect(),
        })
    }

    /// The largest number of workers, P.
    pub(crate) fn most_workers(&self) -> Option<usize> {
        self.workers.last().copied()
    }

    /// How many layouts these are of.
    pub(crate) fn layouts(&self) -> usize {
        self.layouts.len()
    }

    /// T_n of `engine`: of the repetitions, or of the medians of each layout.
    pub(crate) fn time(&self, engine: &str, workers: usize) -> Option<Timing> {
        match &self.layouts[..] {
            [layout] => layout.time(engine, workers),
            _ => self.over_layouts(|layout| Some(layout.time(engine, workers)?.median)),
        }
    }

    /// T_S.
    pub(crate) fn serial(&self) -> Option<Timing> {
        self.time(SERIAL, 1)
    }

    /// T_S of the program in C.
    pub(crate) fn serial_c(&self) -> Option<Timing> {
        self.time(SERIAL_C, 1)
    }

    /// T_S / T_P.
    pub(crate) fn speedup_over_serial(&self, engine: &str) -> Option<Timing> {
        let most = self.most_workers()?;
        self.ratio((SERIAL, 1), (engine, most))
    }

    /// T_1 / T_P, where P > 1.
    pub(crate) fn speedup_over_one(&self, engine: &str) -> Option<Timing> {
        let most = self.most_workers().filter(|&most| most > 1)?;
        self.ratio((engine, 1), (engine, most))
    }

    /// (T_1 - T_S) / tasks, in nanoseconds.
    pub(crate) fn overhead_ns(&self, engine: &str) -> Option<Timing> {
        let tasks = self.tasks.filter(|&tasks| tasks > 0)?;
        let each = |one: f64, serial: f64| (one - serial) * 1e9 / tasks as f64;
        self.between((engine, 1), (SERIAL, 1), each)
    }

    fn ratio(&self, of: (&str, usize), over: (&str, usize)) -> Option<Timing> {
        self.between(of, over, |of, over| of / over)
    }

    /// What is made of two times, the larger the first is and the smaller the second: of their medians in each layout, or of one
    /// layout with the range that those of the repetitions leave.
    fn between(
        &self,
        (first, of): (&str, usize),
        (second, over): (&str, usize),
        value: impl Fn(f64, f64) -> f64,
    ) -> Option<Timing> {
        if let [layout] = &self.layouts[..] {
            let (of, over) = (layout.time(first, of)?, layout.time(second, over)?);
            return Some(Timing {
                median: value(of.median, over.median),
                low: value(of.low, over.high),
                high: value(of.high, over.low),
            });
        }
        self.over_layouts(|layout| {
            Some(value(layout.time(first, of)?.median, layout.time(second, over)?.median))
        })
    }

    fn over_layouts(&self, value: impl Fn(&Layout) -> Option<f64>) -> Option<Timing> {
        Timing::of(self.layouts.iter().filter_map(value).collect())
    }
}

impl Layout {
    fn of(records: &[&RunRecord]) -> Layout {
        let contenders = distinct(records.iter().map(|record| (record.engine, record.workers)));
        let timing = |(engine, workers)| {
            let runs = records.iter().filter(|r| (r.engine, r.workers) == (engine, workers));
            Some((engine, workers, Timing::of(runs.map(|record| record.seconds).collect())?))
        };
        Layout(contenders.into_iter().filter_map(timing).collect())
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
            tasks: Some(100),
            answer: "55".to_owned(),
            observed: Default::default(),
            layout: None,
        }
    }

    fn median(timing: Option<Timing>) -> Option<f64> {
        timing.map(|timing| timing.median)
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
        assert_eq!(summary.engines, ["lyocell", "rayon"]);
        assert_eq!(median(summary.serial_c()), Some(1.5));
        assert_eq!(median(summary.speedup_over_serial("lyocell")), Some(2.0 / 0.75));
        assert_eq!(median(summary.speedup_over_one("lyocell")), Some(4.0));
        assert_eq!(median(summary.overhead_ns("lyocell")), Some(1e7));
        assert_eq!(summary.speedup_over_one("rayon"), None);
        assert_eq!(median(summary.speedup_over_serial("rayon")), Some(2.0));
    }

    #[test]
    fn without_a_serial_run_there_is_nothing_over_serial() {
        let summary = Summary::of(&[record("rayon", 1, 1.0)]).unwrap();
        assert!(summary.serial().is_none());
        assert_eq!(summary.speedup_over_serial("rayon"), None);
        assert_eq!(summary.overhead_ns("rayon"), None);
        assert_eq!(summary.speedup_over_one("rayon"), None);
    }

    #[test]
    fn over_layouts_ratios_are_taken_in_each_and_medians_of_them() {
        let layout = |number, serial: f64, times: [f64; 3]| {
            let runs = times.map(|time| record("lyocell", 1, time)).into_iter();
            let all = runs.chain([record("serial", 1, serial)]);
            all.map(move |record| RunRecord { layout: Some(number), ..record })
        };
        let records: Vec<RunRecord> = layout(0, 1.0, [2.0, 2.0, 9.0])
            .chain(layout(1, 2.0, [3.0, 3.0, 3.0]))
            .chain(layout(2, 1.0, [4.0, 1.0, 5.0]))
            .collect();
        let summary = Summary::of(&records).unwrap();
        assert_eq!(summary.layouts(), 3);
        let expected = Timing { median: 3.0, low: 2.0, high: 4.0 };
        assert_eq!(summary.time("lyocell", 1), Some(expected));
        let expected = Timing { median: 1e7, low: 1e7, high: 3e7 };
        assert_eq!(summary.overhead_ns("lyocell"), Some(expected));
    }
}
