//! What an experiment measures, run by run, and medians of it.

use std::borrow::Cow;

use lyocell::probe::{Event, Phase};
use lyocell_workloads::{Instance, Stress};
use serde::{Deserialize, Serialize};

use super::report::cell;
use super::verdict::{Each, Measured};
use crate::measure::Contender;
use crate::stats::{Mean, Timing, distinct};
use lyocell_engines::SERIAL;
use lyocell_engines::Sample;
use lyocell_engines::runtime::Observed;
use lyocell_queue_study::{CASES, CaseRecord, StatisticsRecord};

use super::plan::watched_label;

/// One timed run. The fields are the columns of the CSV file, in this order: do not change them. From `steals` on,
/// what was not looked at in a run is empty. Further columns may come behind; files from before have fewer.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct ExperimentRecord {
    pub(super) experiment: Cow<'static, str>,
    pub(super) workload: Cow<'static, str>,
    pub(super) param: String,
    pub(crate) contender: String,
    pub(crate) workers: usize,
    /// From 1.
    pub(crate) rep: usize,
    pub(crate) seconds: f64,
    /// The processor's cycles in a nanosecond, measured right before the run.
    pub(crate) gigahertz: f64,
    /// Unless they differ from run to run.
    pub(crate) tasks: Option<u64>,
    pub(super) answer: String,
    /// From random victims.
    pub(super) steals: Option<usize>,
    /// Steals from the thief of a task that is waited for.
    pub(super) leaps: Option<usize>,
    pub(super) grows: Option<usize>,
    pub(super) shrinks: Option<usize>,
    /// The most tasks that were in one deque.
    pub(super) peak_depth: Option<usize>,
    /// That all workers together searched or slept, between their first task and their last.
    pub(super) waiting_seconds: Option<f64>,
    /// Visits beyond one a node of a case of the queues.
    pub(super) repeats: Option<u64>,
    /// An operation of a queue, as the three below.
    pub(super) push_ns: Option<f64>,
    pub(super) take_ns: Option<f64>,
    pub(super) steal_ns: Option<f64>,
    pub(super) failed_steal_ns: Option<f64>,
    /// Grows that come first after a stolen task was retired.
    pub(super) reshares: Option<usize>,
    /// What all workers together did, by the clock on the wall.
    pub(super) start_stop_seconds: Option<f64>,
    pub(super) application_seconds: Option<f64>,
    pub(super) leap_application_seconds: Option<f64>,
    pub(super) stealing_seconds: Option<f64>,
    pub(super) leaping_seconds: Option<f64>,
    pub(super) idle_seconds: Option<f64>,
    /// T_1 as the profile has it, and the span without a burden and with 2,000 cycles for each stolen branch.
    pub(super) work_seconds: Option<f64>,
    pub(super) span_seconds: Option<f64>,
    pub(super) span_2k_seconds: Option<f64>,
    /// Of a simulated run of a deque whose owners deal: the bound of the theorem on it.
    pub(super) bound_seconds: Option<f64>,
}

impl ExperimentRecord {
    /// Of a run of `instance` by `contender`.
    pub(super) fn of(
        instance: &Instance,
        contender: &Contender,
        sample: Sample,
    ) -> ExperimentRecord {
        let counts = sample.observed.total_counts();
        let count = |event| counts.map(|counts| counts.of(event));
        let times = sample.observed.total_times();
        let spent = |phase| times.map(|times| times.on(phase).as_secs_f64());
        let spans = sample.observed.spans;
        ExperimentRecord {
            workload: instance.workload().name.into(),
            param: instance.parameter(),
            contender: contender.label.clone(),
            workers: contender.workers,
            seconds: sample.time.as_secs_f64(),
            tasks: instance.tasks(),
            answer: sample.answer,
            steals: count(Event::Steal),
            leaps: count(Event::Leap),
            grows: count(Event::Grow),
            shrinks: count(Event::Shrink),
            peak_depth: counts.map(|counts| counts.peak_depth),
            waiting_seconds: waiting_seconds(&sample.observed),
            reshares: count(Event::Reshare),
            start_stop_seconds: spent(Phase::StartStop),
            application_seconds: spent(Phase::Application),
            leap_application_seconds: spent(Phase::LeapApplication),
            stealing_seconds: spent(Phase::Stealing),
            leaping_seconds: spent(Phase::Leaping),
            idle_seconds: spent(Phase::Idle),
            work_seconds: spans.map(|spans| spans.work_s),
            span_seconds: spans.map(|spans| spans.span_s),
            span_2k_seconds: spans.map(|spans| spans.span_2k_s),
            ..ExperimentRecord::default()
        }
    }

    /// Of a run that there was not: every number is there, and as it may be.
    pub(super) fn imagined(instance: &Instance, contender: &Contender) -> ExperimentRecord {
        const COUNT: Option<usize> = Some(1_000);
        const SHARE: Option<f64> = Some(0.1);
        ExperimentRecord {
            workload: instance.workload().name.into(),
            param: instance.parameter(),
            contender: contender.label.clone(),
            workers: contender.workers,
            rep: 1,
            // A steal costs something, and a task that is not stolen.
            seconds: if contender.engine.name() == SERIAL {
                1.0
            } else {
                1.1 / contender.workers as f64
            },
            gigahertz: 1.0,
            tasks: Some(1_000),
            steals: COUNT,
            leaps: COUNT,
            grows: COUNT,
            shrinks: COUNT,
            peak_depth: COUNT,
            reshares: COUNT,
            waiting_seconds: SHARE,
            start_stop_seconds: SHARE,
            application_seconds: SHARE,
            leap_application_seconds: SHARE,
            stealing_seconds: SHARE,
            leaping_seconds: SHARE,
            idle_seconds: SHARE,
            work_seconds: Some(1.0),
            span_seconds: SHARE,
            span_2k_seconds: SHARE,
            ..ExperimentRecord::default()
        }
    }

    /// Of a run of a case on a queue.
    pub(super) fn of_case(record: &CaseRecord) -> ExperimentRecord {
        ExperimentRecord {
            workload: record.case.into(),
            param: record.param.clone(),
            contender: record.queue.to_owned(),
            workers: record.threads,
            rep: record.rep,
            seconds: record.seconds,
            tasks: Some(record.visits - record.repeats),
            answer: record.answer.clone(),
            repeats: Some(record.repeats),
            ..ExperimentRecord::default()
        }
    }

    /// The same of one that was counted.
    pub(super) fn of_counted_case(record: &StatisticsRecord) -> ExperimentRecord {
        ExperimentRecord {
            workload: record.case.into(),
            param: record.param.clone(),
            contender: watched_label(record.queue),
            workers: record.threads,
            rep: record.rep,
            seconds: record.counted_seconds,
            tasks: Some(record.counted_visits - record.repeats),
            answer: record.answer.clone(),
            steals: Some(record.steals as usize),
            peak_depth: Some(record.peak_length),
            repeats: Some(record.repeats),
            push_ns: record.push_ns,
            take_ns: record.take_ns,
            steal_ns: record.steal_ns,
            failed_steal_ns: record.failed_steal_ns,
            ..ExperimentRecord::default()
        }
    }

    /// Steals and leaps.
    pub(super) fn moved(&self) -> Option<usize> {
        Some(self.steals? + self.leaps?)
    }

    /// As an [`Instance`] shows itself.
    pub(crate) fn job(&self) -> String {
        format!("{}:{}", self.workload, self.param)
    }
}

fn waiting_seconds(observed: &Observed) -> Option<f64> {
    let times = observed.total_times()?;
    let waiting = [Phase::Stealing, Phase::Leaping, Phase::Idle];
    Some(waiting.into_iter().map(|phase| times.on(phase).as_secs_f64()).sum())
}

/// Whose runs of what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key<'a> {
    /// As an [`Instance`] shows itself: `fib:40`.
    pub(super) job: &'a str,
    pub(super) contender: &'a str,
    pub(super) workers: usize,
}

/// The runs of one round: everybody's with the same number.
pub(super) struct Round<'a> {
    results: &'a Results,
    rep: usize,
}

impl Round<'_> {
    /// The run of these.
    pub(super) fn run(&self, key: Key<'_>) -> Option<&ExperimentRecord> {
        self.results.0.iter().find(|record| record.rep == self.rep && key.is_of(record))
    }

    /// How long it took.
    pub(super) fn seconds(&self, key: Key<'_>) -> Option<f64> {
        Some(self.run(key)?.seconds)
    }

    /// How many times as long `dividend` took as `divisor`.
    pub(super) fn ratio(&self, dividend: Key<'_>, divisor: Key<'_>) -> Option<f64> {
        Some(self.seconds(dividend)? / self.seconds(divisor)?)
    }

    /// How long it took, in cycles of the clock as it was right before.
    pub(super) fn cycles(&self, key: Key<'_>) -> Option<f64> {
        let run = self.run(key)?;
        Some(run.seconds * run.gigahertz * 1e9)
    }
}

impl Key<'_> {
    fn is_of(&self, record: &ExperimentRecord) -> bool {
        record.contender == self.contender
            && record.workers == self.workers
            && self.job.split_once(':') == Some((&record.workload, &record.param))
    }
}

/// The runs of an experiment.
pub(crate) struct Results(pub(crate) Vec<ExperimentRecord>);

impl Results {
    /// The jobs, in the order they were run.
    pub(super) fn jobs(&self) -> Vec<String> {
        distinct(self.0.iter().map(ExperimentRecord::job))
    }

    /// The numbers of workers of everybody but `contender`, in ascending order.
    pub(super) fn workers_beside(&self, contender: &str) -> Vec<usize> {
        let others = self.0.iter().filter(|record| record.contender != contender);
        let mut workers = distinct(others.map(|record| record.workers));
        workers.sort_unstable();
        workers
    }

    /// The numbers of workers beside one.
    pub(super) fn several(&self) -> Vec<usize> {
        self.workers_beside(SERIAL).into_iter().filter(|&count| count > 1).collect()
    }

    /// The most workers of anybody but the serial program.
    pub(super) fn most_workers(&self) -> usize {
        self.workers_beside(SERIAL).last().copied().unwrap_or(1)
    }

    /// Those of `names` that ran.
    pub(super) fn that_ran(
        &self,
        names: impl IntoIterator<Item = &'static str>,
    ) -> Vec<&'static str> {
        let ran = |name: &&'static str| self.0.iter().any(|record| record.contender == *name);
        names.into_iter().filter(ran).collect()
    }

    /// The tasks of `job`; 0 if they are not known.
    pub(super) fn tasks(&self, job: &str) -> u64 {
        self.0
            .iter()
            .find(|record| record.job() == job)
            .and_then(|record| record.tasks)
            .unwrap_or(0)
    }

    /// The times of these runs.
    pub(super) fn time(&self, key: Key<'_>) -> Option<Timing> {
        self.spread(key, |record| Some(record.seconds))
    }

    /// The median time of these runs.
    pub(super) fn seconds(&self, key: Key<'_>) -> Option<f64> {
        Some(self.time(key)?.median)
    }

    /// A leaf of a tree, in seconds.
    pub(super) fn leaf(&self, job: &str) -> Option<f64> {
        let leaves = leaves(stress(job)?);
        Some(self.seconds(Key { job, contender: SERIAL, workers: 1 })? / leaves)
    }

    /// The median of something of these runs.
    pub(super) fn median(
        &self,
        key: Key<'_>,
        value: impl Fn(&ExperimentRecord) -> Option<f64>,
    ) -> Option<f64> {
        self.spread(key, value).map(|timing| timing.median)
    }

    /// The median of something that is counted.
    pub(super) fn count(
        &self,
        key: Key<'_>,
        value: impl Fn(&ExperimentRecord) -> Option<usize>,
    ) -> Option<f64> {
        self.median(key, |record| value(record).map(|count| count as f64))
    }

    /// The mean time of these runs.
    pub(super) fn mean(&self, key: Key<'_>) -> Option<Mean> {
        Mean::of(&self.values(key, |record| Some(record.seconds)))
    }

    fn spread(
        &self,
        key: Key<'_>,
        value: impl Fn(&ExperimentRecord) -> Option<f64>,
    ) -> Option<Timing> {
        Timing::of(self.values(key, value))
    }

    fn values(&self, key: Key<'_>, value: impl Fn(&ExperimentRecord) -> Option<f64>) -> Vec<f64> {
        self.0.iter().filter(|record| key.is_of(record)).filter_map(value).collect()
    }

    /// Something that each round tells, such as the ratio of two times: what drifts, drifts for both.
    pub(super) fn each_round(&self, of: impl Fn(&Round<'_>) -> Option<f64>) -> Option<Measured> {
        Measured::of(self.rounds(of))
    }

    /// The same round by round.
    pub(super) fn rounds(&self, of: impl Fn(&Round<'_>) -> Option<f64>) -> Vec<f64> {
        let reps = distinct(self.0.iter().map(|record| record.rep));
        let of = |rep| of(&Round { results: self, rep }).filter(|value| value.is_finite());
        reps.into_iter().filter_map(of).collect()
    }

    /// Something that each round tells of each of these jobs, where it is told.
    pub(super) fn on_each<'j>(
        &self,
        jobs: impl IntoIterator<Item = &'j String>,
        of: impl Fn(&Round<'_>, &str) -> Option<f64>,
    ) -> Each {
        let each = |job: &String| Some((job.clone(), self.each_round(|round| of(round, job))?));
        jobs.into_iter().filter_map(each).collect()
    }

    /// The middle of what each round tells.
    pub(super) fn middle(&self, of: impl Fn(&Round<'_>) -> Option<f64>) -> Option<f64> {
        self.each_round(of).map(|measured| measured.value)
    }

    /// How many times as long `dividend` takes as `divisor`, round by round.
    pub(super) fn ratio(&self, dividend: Key<'_>, divisor: Key<'_>) -> Option<Measured> {
        self.each_round(|round| round.ratio(dividend, divisor))
    }

    /// The processor's clock, for a note.
    pub(super) fn clock(&self) -> String {
        cell(self.gigahertz(), |clock| {
            format!("{:.2} GHz +-{:.0}%", clock.median, clock.spread() * 100.0)
        })
    }

    /// The processor's clock, over all runs.
    pub(super) fn gigahertz(&self) -> Option<Timing> {
        Timing::of(self.0.iter().map(|record| record.gigahertz).collect())
    }
}

/// How many leaves all trees have.
pub(super) fn leaves(stress: Stress) -> f64 {
    (stress.trees << stress.height) as f64
}

/// Whether there is the workload, or the case of queues, that `job` names. A case is made ready, which takes a while.
pub(super) fn is_job(job: &str) -> bool {
    let case = || {
        let (name, parameter) = job.split_once(':')?;
        CASES.iter().find(|case| case.name == name)?.job(parameter).ok()
    };
    job.parse::<Instance>().is_ok() || case().is_some()
}

/// The trees of `job`, if it is of stress.
pub(super) fn stress(job: &str) -> Option<Stress> {
    match job.parse() {
        Ok(Instance::Stress(stress)) => Some(stress),
        _ => None,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A run of `job`, such as `fib:40`.
    pub(in crate::experiment) fn run(
        job: &'static str,
        contender: &str,
        workers: usize,
        seconds: f64,
    ) -> ExperimentRecord {
        let (workload, param) = job.split_once(':').unwrap();
        ExperimentRecord {
            workload: workload.into(),
            param: param.to_owned(),
            contender: contender.to_owned(),
            workers,
            seconds,
            gigahertz: 2.0,
            tasks: Some(1_000_000),
            ..ExperimentRecord::default()
        }
    }

    /// Rounds enough to decide anything, one as the other but for its number.
    pub(in crate::experiment) fn often(runs: Vec<ExperimentRecord>) -> Results {
        let round = |rep| runs.clone().into_iter().map(move |run| ExperimentRecord { rep, ..run });
        Results((1..=ENOUGH).flat_map(round).collect())
    }

    const ENOUGH: usize = 16;

    #[test]
    fn a_ratio_is_of_the_runs_of_one_round() {
        let round = |rep, serial, split| {
            [run("fib:9", "serial", 1, serial), run("fib:9", "split", 2, split)]
                .map(|run| ExperimentRecord { rep, ..run })
        };
        // The machine is half as fast in the second round.
        let results = Results([round(1, 1.0, 0.5), round(2, 2.0, 1.0)].concat());
        let key = |contender, workers| Key { job: "fib:9", contender, workers };
        let ratio = results.ratio(key("serial", 1), key("split", 2)).unwrap();
        assert_eq!(ratio, Measured::of(vec![2.0; 2]).unwrap());
        assert_eq!(results.ratio(key("serial", 1), key("split", 3)), None);
        let cycles = results.each_round(|round| round.cycles(key("serial", 1))).unwrap();
        assert_eq!(cycles.value, 3e9);
    }

    #[test]
    fn medians_are_of_the_runs_that_are_asked_for() {
        let seconds = [3.0, 1.0, 2.0];
        let mut runs: Vec<ExperimentRecord> =
            seconds.map(|time| run("fib:9", "split", 2, time)).to_vec();
        runs.push(run("fib:9", "split", 1, 9.0));
        runs.push(run("fib:9", "serial", 1, 8.0));
        let results = Results(runs);
        let key = |contender, workers| Key { job: "fib:9", contender, workers };
        assert_eq!(results.time(key("split", 2)).unwrap().median, 2.0);
        assert_eq!(results.time(key("split", 1)).unwrap().median, 9.0);
        assert!(results.time(key("direct", 2)).is_none());
        assert!(results.count(key("split", 2), |record| record.steals).is_none());
        assert_eq!(results.workers_beside("serial"), [1, 2]);
        assert_eq!(results.jobs(), ["fib:9"]);
        assert_eq!(results.gigahertz().unwrap().median, 2.0);
    }
}
