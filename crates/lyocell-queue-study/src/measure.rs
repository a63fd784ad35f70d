//! Who runs when: as for the engines, one warm-up of each runner, then repetitions in turn.
//!
//! With statistics, each repetition runs twice, without counting and with, each first in turn, so that what counting
//! costs is a ratio of neighbours in time.

use super::job::{Counting, Job, Sample};
use super::plan::{CasePlan, Runner};
use super::record::{CaseRecord, StatisticsRecord, record, statistics};
use lyocell_workloads::{Failure, Watcher};

/// What was measured of the study.
#[derive(Debug, Default)]
pub struct Study {
    /// The records of each case.
    pub groups: Vec<Vec<CaseRecord>>,
    /// Those that were counted, with their neighbours.
    pub statistics: Vec<StatisticsRecord>,
}

/// What [`measure`] found.
#[derive(Debug, Default)]
struct Measured {
    records: Vec<CaseRecord>,
    statistics: Vec<StatisticsRecord>,
}

/// Runs every plan, one after the other.
///
/// # Errors
/// A thread cannot be started, or an answer is wrong, be it a warm-up's.
pub fn measure_all(
    plans: Vec<CasePlan>,
    reps: usize,
    counting: Counting,
    progress: &dyn Watcher,
) -> Result<Study, Failure> {
    let mut study = Study::default();
    for mut plan in plans {
        let measured = measure(&mut plan, reps, counting, progress)?;
        study.groups.push(measured.records);
        study.statistics.extend(measured.statistics);
    }
    Ok(study)
}

/// Runs the plan's job on every runner, `reps` times and once before to warm up.
///
/// # Errors
/// A thread cannot be started, or an answer is wrong, be it a warm-up's.
fn measure(
    plan: &mut CasePlan,
    reps: usize,
    counting: Counting,
    progress: &dyn Watcher,
) -> Result<Measured, Failure> {
    let CasePlan { job, runners } = plan;
    for &runner in &*runners {
        turn(job, runner, Counting::Off, progress)?;
    }
    let mut measured = Measured::default();
    for rep in 1..=reps {
        for &runner in &*runners {
            match (counting, runner) {
                (Counting::On, Runner::Pool { queue, .. }) => {
                    let [uncounted, counted] = both(job, runner, rep, progress)?;
                    let uncounted = record(job, runner, rep, uncounted);
                    measured.statistics.push(statistics(&uncounted, queue, counted));
                    measured.records.push(uncounted);
                }
                (Counting::On, Runner::Serial) | (Counting::Off, _) => {
                    let sample = turn(job, runner, Counting::Off, progress)?;
                    measured.records.push(record(job, runner, rep, sample));
                }
            }
        }
    }
    Ok(measured)
}

/// A run without counting and one with, in an order that changes from repetition to repetition.
fn both(
    job: &mut Job,
    runner: Runner,
    rep: usize,
    progress: &dyn Watcher,
) -> Result<[Sample; 2], Failure> {
    let mut run = |counting| turn(job, runner, counting, progress);
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
    runner: Runner,
    counting: Counting,
    progress: &dyn Watcher,
) -> Result<Sample, Failure> {
    progress.announce(format!("{job} on {runner}"));
    let sample = match runner {
        Runner::Serial => job.serial()?,
        Runner::Pool { queue, threads } => job.run(queue, threads, counting)?,
    };
    progress.advance();
    Ok(sample)
}

#[cfg(test)]
mod tests {
    use super::super::cases::CASES;
    use super::super::plan::lineup;
    use super::super::queue::{Exact, Queue};
    use super::*;

    fn plan(case: usize, parameter: &str, queues: &[Queue], threads: &[usize]) -> CasePlan {
        let job = CASES[case].job(parameter).unwrap();
        CasePlan { runners: lineup(&job, queues, threads), job }
    }

    #[test]
    fn contenders_take_turns_and_the_refused_do_not_run() {
        let mut raw = plan(0, "50", &Queue::ALL, &[1, 2]);
        assert_eq!(raw.runners.len(), 1 + Queue::ALL.len() * 2);
        assert_eq!(plan(1, "50", &Queue::ALL, &[1, 2]).runners.len(), 1 + 7 * 2);
        assert_eq!(raw.turns(2, Counting::Off), 23 * 3);
        let measured = measure(&mut raw, 2, Counting::Off, &()).unwrap();
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
        let measured = measure(&mut raw, 3, Counting::On, &()).unwrap();
        assert_eq!(measured.statistics.len(), 6);
        let [abp, crossbeam] = &measured.statistics[..2] else { unreachable!() };
        assert_eq!((abp.pushes, abp.takes, abp.steals, abp.visits), (50, 50, 0, 50));
        assert!(abp.bytes.unwrap() > 0);
        assert_eq!((crossbeam.queue, crossbeam.bytes), ("crossbeam-deque", None));
    }
}
