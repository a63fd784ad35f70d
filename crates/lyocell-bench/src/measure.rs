//! Who runs when: one warm-up of each contender, then repetitions in turn (a b c a b c …), so that a
//! machine that drifts drifts for all alike and ratios hold.

use std::fmt;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::engine::{Engine, Observed, Parallelism, Sample, Session, StartError};
use crate::workload::{Instance, WrongAnswer};

/// A workload with its parameter, ready to run.
pub(crate) struct Job {
    pub(crate) workload: &'static str,
    pub(crate) parameter: String,
    pub(crate) instance: Instance,
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.workload, self.parameter)
    }
}

/// An engine with a number of workers.
#[derive(Clone, Copy)]
pub(crate) struct Contender {
    pub(crate) engine: &'static dyn Engine,
    pub(crate) workers: usize,
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.engine.parallelism() {
            Parallelism::None => f.write_str(self.engine.name()),
            Parallelism::Workers => write!(f, "{} x{}", self.engine.name(), self.workers),
        }
    }
}

/// One timed run. The fields that are written are the columns of the CSV report, in this order: do not
/// change them.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Record {
    pub(crate) workload: &'static str,
    pub(crate) param: String,
    pub(crate) engine: &'static str,
    pub(crate) workers: usize,
    /// From 1.
    pub(crate) rep: usize,
    pub(crate) seconds: f64,
    pub(crate) tasks: u64,
    pub(crate) answer: String,
    #[serde(skip)]
    pub(crate) observed: Observed,
}

impl Record {
    /// The columns of the CSV report.
    pub(crate) const COLUMNS: [&str; 8] =
        ["workload", "param", "engine", "workers", "rep", "seconds", "tasks", "answer"];
}

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

/// The contenders that run `instance`: every engine that does not refuse it, with each number of
/// workers, or with one where it has none.
pub(crate) fn lineup(
    engines: &[&'static dyn Engine],
    workers: &[usize],
    instance: &Instance,
) -> Vec<Contender> {
    let runs = |engine: &&&'static dyn Engine| engine.refusal(instance).is_none();
    let contenders = |&engine: &&'static dyn Engine| {
        let counts = match engine.parallelism() {
            Parallelism::None => &[1],
            Parallelism::Workers => workers,
        };
        counts.iter().map(move |&workers| Contender { engine, workers })
    };
    engines.iter().filter(runs).flat_map(contenders).collect()
}

/// Who takes part in a measurement.
pub(crate) trait Entrant {
    fn engine(&self) -> &'static dyn Engine;

    fn workers(&self) -> usize;

    /// The name that messages have for it.
    fn name(&self) -> String;
}

impl Entrant for Contender {
    fn engine(&self) -> &'static dyn Engine {
        self.engine
    }

    fn workers(&self) -> usize {
        self.workers
    }

    fn name(&self) -> String {
        self.to_string()
    }
}

/// Runs `job` on every contender, `reps` times and once before to warm up.
///
/// # Errors
/// As for [`take_turns`].
pub(crate) fn measure(
    job: &mut Job,
    contenders: &[Contender],
    reps: usize,
    progress: &Progress,
) -> Result<Vec<Record>, Failure> {
    take_turns(job, contenders, reps, progress, |job, contender, rep, run| {
        let sample = run(job)?;
        Ok(Record {
            workload: job.workload,
            param: job.parameter.clone(),
            engine: contender.engine.name(),
            workers: contender.workers,
            rep,
            seconds: sample.time.as_secs_f64(),
            tasks: job.instance.tasks(),
            answer: sample.answer,
            observed: sample.observed,
        })
    })
}

/// Runs a job once, as whoever's turn it is.
pub(crate) type Run<'a> = &'a mut dyn FnMut(&mut Job) -> Result<Sample, Failure>;

/// Starts every contender and warms it up; then `take` makes a record of each of their turns, `reps` rounds.
///
/// # Errors
/// An engine cannot be started, or an answer is wrong, be it a warm-up's.
pub(crate) fn take_turns<C: Entrant, R>(
    job: &mut Job,
    contenders: &[C],
    reps: usize,
    progress: &Progress,
    mut take: impl FnMut(&mut Job, &C, usize, Run<'_>) -> Result<R, Failure>,
) -> Result<Vec<R>, Failure> {
    let mut sessions = Vec::new();
    for contender in contenders {
        let session = contender.engine().start(contender.workers()).map_err(Failure::Start)?;
        sessions.push((contender, session));
    }
    for (contender, session) in &mut sessions {
        turn(job, *contender, &mut **session, progress)?;
    }
    let mut records = Vec::new();
    for rep in 1..=reps {
        for (contender, session) in &mut sessions {
            let mut run = |job: &mut Job| turn(job, *contender, &mut **session, progress);
            records.push(take(job, contender, rep, &mut run)?);
        }
    }
    Ok(records)
}

/// One run.
fn turn(
    job: &mut Job,
    contender: &impl Entrant,
    session: &mut dyn Session,
    progress: &Progress,
) -> Result<Sample, Failure> {
    let contender = contender.name();
    progress.announce(format!("{job} on {contender}"));
    let run = session.run(&mut job.instance);
    let sample = run.map_err(|wrong| Failure::Wrong { job: job.to_string(), contender, wrong })?;
    progress.advance();
    Ok(sample)
}

/// A bar on the standard error, if that is a terminal. It is drawn between runs only: no thread of it
/// ticks while another is measured.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// For `turns` turns, warm-ups included.
    pub(crate) fn new(turns: usize) -> Progress {
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {msg}")
            .expect("the template is well-formed");
        Progress(ProgressBar::new(turns as u64).with_style(style))
    }

    /// Shows `what` comes next.
    pub(crate) fn announce(&self, what: String) {
        self.0.set_message(what);
        self.0.tick();
    }

    /// One turn is over.
    pub(crate) fn advance(&self) {
        self.0.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::engine::ENGINES;
    use crate::workload::{Uts, WORKLOADS};

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

    fn fib(parameter: &str) -> Job {
        let instance = WORKLOADS[0].instance(parameter).unwrap();
        Job { workload: "fib", parameter: parameter.to_owned(), instance }
    }

    #[test]
    fn contenders_take_turns_after_one_warm_up_each() {
        static A: Fake = Fake { name: "a", lies: Lies::Never };
        static B: Fake = Fake { name: "b", lies: Lies::Never };
        let mut job = fib("10");
        let contenders = lineup(&[&A, &B], &[1, 2], &job.instance);
        let records = measure(&mut job, &contenders, 2, &Progress::new(0)).unwrap();
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
        let mut job = fib("10");
        let contenders = lineup(&[&LIAR], &[3], &job.instance);
        let failure = measure(&mut job, &contenders, 1, &Progress::new(0)).unwrap_err();
        assert_eq!(failure.to_string(), "fib:10 on liar x3: wrong answer: 54, expected 55");
    }

    #[test]
    fn an_engine_without_workers_runs_once_and_a_refusing_one_not_at_all() {
        let queens = WORKLOADS[1].instance("4").unwrap();
        let lineup = lineup(&ENGINES[..4], &[1, 2], &queens);
        let names: Vec<String> = lineup.iter().map(Contender::to_string).collect();
        assert_eq!(names, ["serial", "lyocell x1", "lyocell x2", "rayon x1", "rayon x2"]);
    }

    #[test]
    fn every_engine_computes_every_workload() {
        let engines: Vec<_> =
            ENGINES.iter().copied().filter(|engine| engine.absence().is_none()).collect();
        for (workload, parameter) in [
            ("fib", "20"),
            ("queens", "8"),
            ("uts", "small"),
            ("matmul", "100"),
            ("stress", "5x20x7"),
        ] {
            let entry = WORKLOADS.iter().find(|entry| entry.name() == workload).unwrap();
            let instance = match workload {
                "uts" => Instance::Uts(Uts::small()),
                _ => entry.instance(parameter).unwrap(),
            };
            let mut job = Job { workload, parameter: parameter.to_owned(), instance };
            let contenders = lineup(&engines, &[1, 2, 3], &job.instance);
            let records = measure(&mut job, &contenders, 1, &Progress::new(0)).unwrap();
            let answers: Vec<_> = records.iter().map(|record| &record.answer).collect();
            assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:?}");
        }
    }
}
