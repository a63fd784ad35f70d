//! The turns of a plan.

use std::time::{Duration, Instant};

use lyocell_engines::Sample;
use lyocell_engines::latency::{self, Figure, Measure, SUBJECTS};
use lyocell_workloads::{Failure, Fib, Instance};

use super::{Contender, Plan, Progress, RunRecord};

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

/// The Fibonacci number that wakes the workers of an engine before its turn: a tenth of a millisecond to one.
const WARM_UP: u64 = 24;

/// With several workers it is computed again until so much has passed. A new thread waited up to 3.8 ms behind its creator on a
/// processor of its own, so that a run that is shorter would be its creator's alone.
const AWAKE: Duration = Duration::from_millis(8);

/// Gives every contender a turn that does not count; then `take` makes a record of each of their turns, `reps` rounds.
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
    for contender in &*contenders {
        turn(instance, contender, progress)?;
    }
    let mut records = Vec::new();
    for rep in 1..=reps {
        for contender in &*contenders {
            let mut run = |instance: &mut Instance| turn(instance, contender, progress);
            records.push(take(instance, contender, rep, &mut run)?);
        }
    }
    Ok(records)
}

/// One run, for which the engine is started and woken, and after which it is gone. Only the run is timed.
fn turn(
    instance: &mut Instance,
    contender: &Contender,
    progress: &Progress,
) -> Result<Sample, Failure> {
    progress.announce(format!("{instance} on {contender}"));
    let mut session = contender.engine.start(contender.workers).map_err(Failure::Start)?;
    let mut run = |instance: &mut Instance| {
        session.run(instance).map_err(|wrong| {
            let (job, contender) = (instance.to_string(), contender.to_string());
            Failure::Wrong { job, contender, wrong }
        })
    };
    let begin = Instant::now();
    run(&mut Fib::new(WARM_UP).into())?;
    while contender.workers > 1 && begin.elapsed() < AWAKE {
        run(&mut Fib::new(WARM_UP).into())?;
    }
    let sample = run(instance)?;
    progress.advance();
    Ok(sample)
}

/// The figures of latency of every pool, one measure after the other.
///
/// # Errors
/// A pool cannot be started, or an answer is wrong.
pub(crate) fn take_figures(measures: &[&Measure], workers: usize) -> Result<Vec<Figure>, Failure> {
    latency::take(measures, workers, &Progress::new(measures.len() * SUBJECTS.len()))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use lyocell_engines::runtime::Observed;
    use lyocell_engines::{ENGINES, Engine, Programs, Session};
    use lyocell_workloads::{Everything, StartError, WrongAnswer, small_instances};

    use super::*;
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

    static LOG: Mutex<Vec<(&str, usize, Event)>> = Mutex::new(Vec::new());

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Event {
        Start,
        Run(Option<u64>),
        End,
    }

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
            let session = FakeSession { name: self.name, lies: self.lies, workers };
            session.log(Event::Start);
            Ok(Box::new(session))
        }
    }

    struct FakeSession {
        name: &'static str,
        lies: Lies,
        workers: usize,
    }

    impl FakeSession {
        fn log(&self, event: Event) {
            LOG.lock().unwrap().push((self.name, self.workers, event));
        }
    }

    impl Drop for FakeSession {
        fn drop(&mut self) {
            self.log(Event::End);
        }
    }

    impl Session for FakeSession {
        fn run(&mut self, instance: &mut Instance) -> Result<Sample, WrongAnswer> {
            self.log(Event::Run(instance.tasks()));
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
    fn contenders_take_turns_each_alone_after_one_that_does_not_count() {
        static A: Fake = Fake { name: "a", lies: Lies::Never };
        static B: Fake = Fake { name: "b", lies: Lies::Never };
        let mut plan = fib(&[&A, &B], &[1, 2]);
        let records = measure(&mut plan, 2, &Progress::new(0)).unwrap();
        let round = [("a", 1), ("a", 2), ("b", 1), ("b", 2)];
        let log = LOG.lock().unwrap().clone();
        let mut ours: Vec<_> = log.into_iter().filter(|(name, ..)| *name != "liar").collect();
        // However often an engine was warmed up.
        ours.dedup();
        let warm_up = Instance::from(Fib::new(WARM_UP)).tasks();
        let turn = |(name, workers)| {
            let events = [Event::Start, Event::Run(warm_up), Event::Run(Some(88)), Event::End];
            events.map(|event| (name, workers, event))
        };
        let turns: Vec<_> = [round, round, round].concat().into_iter().flat_map(turn).collect();
        assert_eq!(ours, turns);
        let measured: Vec<_> =
            records.iter().map(|record| (record.engine, record.workers)).collect();
        assert_eq!(measured, [round, round].concat());
        assert_eq!(records[3].rep, 1);
        assert_eq!(records[4].rep, 2);
        assert_eq!(records[0].tasks, Some(88));
    }

    #[test]
    fn a_wrong_answer_stops_the_measurement_and_says_whose_it_is() {
        static LIAR: Fake = Fake { name: "liar", lies: Lies::Always };
        let failure = measure(&mut fib(&[&LIAR], &[3]), 1, &Progress::new(0)).unwrap_err();
        assert_eq!(failure.to_string(), "fib:24 on liar x3: wrong answer: 54, expected 55");
    }

    #[test]
    fn every_engine_computes_every_workload_that_it_runs() {
        let engines: Vec<_> =
            ENGINES.iter().copied().filter(|engine| engine.absence().is_none()).collect();
        for instance in small_instances() {
            let name = instance.to_string();
            let mut plan = Plan::new(instance, lineup(&engines, &[1, 2, 3]));
            let records = measure(&mut plan, 1, &Progress::new(0)).unwrap();
            let answers: Vec<_> = records.iter().map(|record| &record.answer).collect();
            assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{name}: {answers:?}");
        }
    }
}
