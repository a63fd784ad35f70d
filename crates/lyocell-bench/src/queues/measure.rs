//! Who runs when: as for the engines, one warm-up of each contender, then repetitions in turn.
//!
//! With statistics, each repetition runs twice, without counting and with, each first in turn, so that what counting
//! costs is a ratio of neighbours in time.

use std::fmt;

use lyocell_queues::Footprint;
use serde::Serialize;

use super::job::{Counting, Job, Sample};
use super::queue::{Exact, Queue};
use crate::measure::{Failure, Progress};

/// What runs a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contender {
    /// The calling thread, without a queue.
    Serial,
    Pool {
        queue: Queue,
        threads: usize,
    },
}

impl Contender {
    /// As in the records.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Contender::Serial => "serial",
            Contender::Pool { queue, .. } => queue.name(),
        }
    }

    fn threads(self) -> usize {
        match self {
            Contender::Serial => 1,
            Contender::Pool { threads, .. } => threads,
        }
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contender::Serial => f.write_str(self.name()),
            Contender::Pool { threads, .. } => write!(f, "{} x{threads}", self.name()),
        }
    }
}

/// A job and who runs it.
pub(crate) struct Plan {
    pub(crate) job: Job,
    pub(crate) contenders: Vec<Contender>,
}

impl Plan {
    /// How many runs [`measure`] makes of it.
    pub(crate) fn turns(&self, reps: usize, counting: Counting) -> usize {
        let counted = match counting {
            Counting::Off => 0,
            Counting::On => reps * self.pools(),
        };
        self.contenders.len() * (reps + 1) + counted
    }

    fn pools(&self) -> usize {
        self.contenders.iter().filter(|contender| **contender != Contender::Serial).count()
    }
}

/// Everybody that does not refuse `job`: the serial program, and each queue with each number of threads.
pub(crate) fn lineup(job: &Job, queues: &[Queue], threads: &[usize]) -> Vec<Contender> {
    let willing = queues.iter().filter(|&&queue| job.refusal(queue).is_none());
    let pools = willing
        .flat_map(|&queue| threads.iter().map(move |&threads| Contender::Pool { queue, threads }));
    std::iter::once(Contender::Serial).chain(pools).collect()
}

/// One timed run without counting. The fields are the columns of the CSV report, in this order: do not change them.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Record {
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
}

/// What [`measure`] found.
#[derive(Debug, Default)]
pub(crate) struct Measured {
    pub(crate) records: Vec<Record>,
    pub(crate) statistics: Vec<StatisticsRecord>,
}

/// Runs the plan's job on every contender, `reps` times and once before to warm up.
///
/// # Errors
/// A thread cannot be started, or an answer is wrong, be it a warm-up's.
pub(crate) fn measure(
    plan: &mut Plan,
    reps: usize,
    counting: Counting,
    progress: &Progress,
) -> Result<Measured, Failure> {
    let Plan { job, contenders } = plan;
    for &contender in &*contenders {
        turn(job, contender, Counting::Off, progress)?;
    }
    let mut measured = Measured::default();
    for rep in 1..=reps {
        for &contender in &*contenders {
            match (counting, contender) {
                (Counting::On, Contender::Pool { queue, .. }) => {
                    let [uncounted, counted] = both(job, contender, rep, progress)?;
                    let uncounted = record(job, contender, rep, uncounted);
                    measured.statistics.push(statistics(&uncounted, queue, counted));
                    measured.records.push(uncounted);
                }
                (Counting::On, Contender::Serial) | (Counting::Off, _) => {
                    let sample = turn(job, contender, Counting::Off, progress)?;
                    measured.records.push(record(job, contender, rep, sample));
                }
            }
        }
    }
    Ok(measured)
}

/// A run without counting and one with, in an order that changes from repetition to repetition.
fn both(
    job: &mut Job,
    contender: Contender,
    rep: usize,
    progress: &Progress,
) -> Result<[Sample; 2], Failure> {
    let mut run = |counting| turn(job, contender, counting, progress);
    if rep % 2 == 0 {
        let counted = run(Counting::On)?;
        Ok([run(Counting::Off)?, counted])
    } else {
        Ok([run(Counting::Off)?, run(Counting::On)?])
    }
}

/// One run.
fn turn(
    job: &mut Job,
    contender: Contender,
    counting: Counting,
    progress: &Progress,
) -> Result<Sample, Failure> {
    progress.announce(format!("{job} on {contender}"));
    let sample = match contender {
        Contender::Serial => job.serial()?,
        Contender::Pool { queue, threads } => job.run(queue, threads, counting)?,
    };
    progress.advance();
    Ok(sample)
}

fn record(job: &Job, contender: Contender, rep: usize, sample: Sample) -> Record {
    Record {
        case: job.case,
        param: job.parameter.clone(),
        queue: contender.name(),
        threads: contender.threads(),
        rep,
        seconds: sample.time.as_secs_f64(),
        visits: sample.visits,
        duplicates: sample.duplicates,
        repeats: sample.repeats,
        answer: sample.answer,
    }
}

/// Of the run `counted`, and its neighbour without counting.
fn statistics(uncounted: &Record, queue: Queue, counted: Sample) -> StatisticsRecord {
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
    use super::super::cases::CASES;
    use super::*;

    fn plan(case: usize, parameter: &str, queues: &[Queue], threads: &[usize]) -> Plan {
        let job = CASES[case].job(parameter).unwrap();
        Plan { contenders: lineup(&job, queues, threads), job }
    }

    #[test]
    fn contenders_take_turns_and_the_refused_do_not_run() {
        let mut raw = plan(0, "50", &Queue::ALL, &[1, 2]);
        assert_eq!(raw.contenders.len(), 1 + Queue::ALL.len() * 2);
        assert_eq!(plan(1, "50", &Queue::ALL, &[1, 2]).contenders.len(), 1 + 7 * 2);
        assert_eq!(raw.turns(2, Counting::Off), 23 * 3);
        let measured = measure(&mut raw, 2, Counting::Off, &Progress::new(0)).unwrap();
        let turns: Vec<_> = measured.records.iter().map(|r| (r.queue, r.threads, r.rep)).collect();
        assert_eq!(turns.len(), 46);
        assert_eq!(turns[..3], [("serial", 1, 1), ("abp", 1, 1), ("abp", 2, 1)]);
        assert_eq!(turns[23], ("serial", 1, 2));
        assert!(measured.statistics.is_empty());
    }

    #[test]
    fn statistics_are_of_the_pools_only_and_peers_do_not_tell_their_memory() {
        let queues = [Queue::BASELINE, Queue::Exact(Exact::Crossbeam)];
        let mut raw = plan(0, "50", &queues, &[1]);
        assert_eq!(raw.turns(3, Counting::On), 3 * 4 + 2 * 3);
        let measured = measure(&mut raw, 3, Counting::On, &Progress::new(0)).unwrap();
        assert_eq!(measured.statistics.len(), 6);
        let [abp, crossbeam] = &measured.statistics[..2] else { unreachable!() };
        assert_eq!((abp.pushes, abp.takes, abp.steals, abp.visits), (50, 50, 0, 50));
        assert!(abp.bytes.unwrap() > 0);
        assert_eq!((crossbeam.queue, crossbeam.bytes), ("crossbeam-deque", None));
    }

    #[test]
    fn the_central_queue_is_counted_once() {
        let one = Footprint { bytes: 10, growths: 2, shrinks: 1 };
        let team = [one, one];
        assert_eq!(total(Queue::BASELINE, &team).bytes, 20);
        assert_eq!(total(Queue::Exact(Exact::CentralLocked), &team), one);
    }
}
