//! The turns of a plan.

use std::fmt;

use lyocell_workloads::{Instance, WrongAnswer};

use super::{Contender, Plan, Progress, RunRecord};
use crate::engine::{Sample, Session, StartError};

/// Why a measurement stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    Start(StartError),
    Wrong { job: String, contender: String, wrong: WrongAnswer },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Start(error) => error.fmt(f),
            Failure::Wrong { job, contender, wrong } => write!(f, "{job} on {contender}: {wrong}"),
        }
    }
}

/// Runs `plan`, each contender `reps` times and once before to warm up.
///
/// # Errors
/// As for [`take_turns`].
pub(crate) fn measure(
    plan: &mut Plan,
    reps: usize,
    progress: &Progress,
) -> Result<Vec<RunRecord>, Failure> {
    take_turns(plan, reps, progress, |instance, contender, rep, run| {
        let sample = run(instance)?;
        Ok(RunRecord::of(instance, contender, rep, sample))
    })
}

/// Runs an instance once, as whoever's turn it is.
pub(crate) type Run<'a> = &'a mut dyn FnMut(&mut Instance) -> Result<Sample, Failure>;

/// Starts every contender and warms it up; then `take` makes a record of each of their turns, `reps` rounds.
///
/// # Errors
/// An engine cannot be started, or an answer is wrong, be it a warm-up's.
pub(crate) fn take_turns<R>(
    plan: &mut Plan,
    reps: usize,
    progress: &Progress,
    mut take: impl FnMut(&mut Instance, &Contender, usize, Run<'_>) -> Result<R, Failure>,
) -> Result<Vec<R>, Failure> {
    let Plan { instance, contenders } = plan;
    let mut sessions = Vec::new();
    for contender in &*contenders {
        let session = contender.engine.start(contender.workers).map_err(Failure::Start)?;
        sessions.push((contender, session));
    }
    for (contender, session) in &mut sessions {
        turn(instance, contender, &mut **session, progress)?;
    }
    let mut records = Vec::new();
    for rep in 1..=reps {
        for (contender, session) in &mut sessions {
            let mut run =
                |instance: &mut Instance| turn(instance, contender, &mut **session, progress);
            records.push(take(instance, contender, rep, &mut run)?);
        }
    }
    Ok(records)
}

/// One run.
fn turn(
    instance: &mut Instance,
    contender: &Contender,
    session: &mut dyn Session,
    progress: &Progress,
) -> Result<Sample, Failure> {
    progress.announce(format!("{instance} on {contender}"));
    let run = session.run(instance);
    let sample = run.map_err(|wrong| {
        let (job, contender) = (instance.to_string(), contender.to_string());
        Failure::Wrong { job, contender, wrong }
    })?;
    progress.advance();
    Ok(sample)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use lyocell_workloads::{Everything, Fib, Matmul, Queens, Stress, Uts};

    use super::*;
    use crate::engine::lyocell::Observed;
    use crate::engine::{ENGINES, Engine, Programs};
    use crate::measure::lineup;

    /// Notes who ran and answers `answer` truly or not.
    struct Fake {
        name: &'static str,
        lies: Lies,
    }

    #[derive(Clone, Copy)]
    enum Lies {
        Never,
        Always,
    }

    static LOG: Mutex<Vec<(&str, usize)>> = Mutex::new(Vec::new());

    impl Engine for Fake {
        fn name(&self) -> &'static str {
            self.name
        }

        fn summary(&self) -> &'static str {
            "for tests"
        }

        fn programs(&self) -> Programs {
            Programs::of::<Everything>()
        }

        fn start(&self, workers: usize) -> Result<Box<dyn Session>, StartError> {
            Ok(Box::new(FakeSession { name: self.name, lies: self.lies, workers }))
        }
    }

    struct FakeSession {
        name: &'static str,
        lies: Lies,
        workers: usize,
    }

    impl Session for FakeSession {
        fn run(&mut self, _instance: &mut Instance) -> Result<Sample, WrongAnswer> {
            LOG.lock().unwrap().push((self.name, self.workers));
            match self.lies {
                Lies::Never => Ok(Sample {
                    time: Default::default(),
                    answer: "55".to_owned(),
                    observed: Observed::default(),
                }),
                Lies::Always => {
                    Err(WrongAnswer { expected: "55".to_owned(), got: "54".to_owned() })
                }
            }
        }
    }

    fn fib(engines: &[&'static dyn Engine], workers: &[usize]) -> Plan {
        Plan::new(Fib::new(10).into(), lineup(engines, workers))
    }

    #[test]
    fn contenders_take_turns_after_one_warm_up_each() {
        static A: Fake = Fake { name: "a", lies: Lies::Never };
        static B: Fake = Fake { name: "b", lies: Lies::Never };
        let mut plan = fib(&[&A, &B], &[1, 2]);
        let records = measure(&mut plan, 2, &Progress::new(0)).unwrap();
        let round = [("a", 1), ("a", 2), ("b", 1), ("b", 2)];
        let log = LOG.lock().unwrap().clone();
        let ours: Vec<_> = log.into_iter().filter(|(name, _)| *name != "liar").collect();
        assert_eq!(ours, [round, round, round].concat());
        let measured: Vec<_> =
            records.iter().map(|record| (record.engine, record.workers)).collect();
        assert_eq!(measured, [round, round].concat());
        assert_eq!(records[3].rep, 1);
        assert_eq!(records[4].rep, 2);
        assert_eq!(records[0].tasks, 88);
    }

    #[test]
    fn a_wrong_answer_stops_the_measurement_and_says_whose_it_is() {
        static LIAR: Fake = Fake { name: "liar", lies: Lies::Always };
        let failure = measure(&mut fib(&[&LIAR], &[3]), 1, &Progress::new(0)).unwrap_err();
        assert_eq!(failure.to_string(), "fib:10 on liar x3: wrong answer: 54, expected 55");
    }

    #[test]
    fn every_engine_computes_every_workload_that_it_runs() {
        let engines: Vec<_> =
            ENGINES.iter().copied().filter(|engine| engine.absence().is_none()).collect();
        let instances: [Instance; 5] = [
            Fib::new(20).into(),
            Queens::new(8).into(),
            Uts::small().into(),
            Matmul::new(100).into(),
            Stress { height: 5, iterations: 20, trees: 7 }.into(),
        ];
        for instance in instances {
            let mut plan = Plan::new(instance, lineup(&engines, &[1, 2, 3]));
            let records = measure(&mut plan, 1, &Progress::new(0)).unwrap();
            let answers: Vec<_> = records.iter().map(|record| &record.answer).collect();
            assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:?}");
        }
    }
}
