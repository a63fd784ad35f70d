//! A case with its parameter, whatever its type: ready to run on a queue.

use std::fmt;
use std::time::{Duration, Instant};

use lyocell_queues::{Footprint, Plain};
use lyocell_workloads::WrongAnswer;

use super::node::{Case, Idempotent};
use super::pool::PoolRun;
use super::probe::{Counts, NoProbe, Probe};
use super::queue::{Exact, Queue, Relaxed, run_exact, run_relaxed};
use lyocell_workloads::Failure;
use lyocell_workloads::StartError;

/// Whether the queues' operations are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// They are not.
    Off,
    /// They are, and some of them timed.
    On,
}

/// One run.
#[derive(Debug)]
pub(crate) struct Sample {
    pub(crate) time: Duration,
    pub(crate) visits: u64,
    /// Visits beyond one a pushed node: the queue handed the node out again.
    pub(crate) duplicates: u64,
    /// Visits beyond one a node of the case: the duplicates, what they pushed again, and what the case itself
    /// pushed twice.
    pub(crate) repeats: u64,
    pub(crate) answer: String,
    /// With [`Counting::On`].
    pub(crate) counts: Option<Counts>,
    /// One a queue; `None` if the queues do not tell.
    pub(crate) footprints: Option<Vec<Footprint>>,
}

/// A case made ready.
pub struct Job {
    pub(crate) case: &'static str,
    pub(crate) parameter: String,
    kind: Kind,
}

/// What may run it.
enum Kind {
    Exact(Box<dyn ExactRuns>),
    Idempotent(Box<dyn IdempotentRuns>),
}

/// Any [`Case`].
trait ExactRuns {
    fn serial(&mut self) -> Result<Sample, WrongAnswer>;

    fn run(&mut self, queue: Exact, workers: usize, counting: Counting) -> Result<Sample, Trouble>;
}

/// Any [`Idempotent`] case.
trait IdempotentRuns: ExactRuns {
    fn run_relaxed(
        &mut self,
        queue: Relaxed,
        workers: usize,
        counting: Counting,
    ) -> Result<Sample, Trouble>;
}

/// Why there is no sample.
enum Trouble {
    Start(StartError),
    Wrong(WrongAnswer),
}

impl Job {
    /// For queues that hand out every node once.
    pub(super) fn exact(case: &'static str, parameter: &str, ready: impl Case + 'static) -> Job {
        let kind = Kind::Exact(Box::new(ready));
        Job { case, parameter: parameter.to_owned(), kind }
    }

    /// For all queues.
    pub(super) fn idempotent(
        case: &'static str,
        parameter: &str,
        ready: impl Idempotent<Node: Plain> + 'static,
    ) -> Job {
        let kind = Kind::Idempotent(Box::new(ready));
        Job { case, parameter: parameter.to_owned(), kind }
    }

    /// Why `queue` cannot run this, if it cannot.
    pub(crate) fn refusal(&self, queue: Queue) -> Option<String> {
        match (&self.kind, queue) {
            (Kind::Exact(_), Queue::Relaxed(_)) => Some(format!(
                "{} may hand out a node more than once, and the nodes of {} must be visited once",
                queue.name(),
                self.case
            )),
            (Kind::Exact(_), Queue::Exact(_)) | (Kind::Idempotent(_), _) => None,
        }
    }

    /// Runs it without any queue.
    ///
    /// # Errors
    /// The answer is wrong.
    pub(crate) fn serial(&mut self) -> Result<Sample, Failure> {
        let sample = match &mut self.kind {
            Kind::Exact(ready) => ready.serial(),
            Kind::Idempotent(ready) => ready.serial(),
        };
        sample.map_err(|wrong| self.failure("serial", Trouble::Wrong(wrong)))
    }

    /// Runs it once on a queue that it does not refuse.
    ///
    /// # Errors
    /// A thread cannot be started, or the answer is wrong.
    ///
    /// # Panics
    /// If the job refuses `queue`.
    pub(crate) fn run(
        &mut self,
        queue: Queue,
        workers: usize,
        counting: Counting,
    ) -> Result<Sample, Failure> {
        let sample = match (&mut self.kind, queue) {
            (Kind::Exact(ready), Queue::Exact(queue)) => ready.run(queue, workers, counting),
            (Kind::Idempotent(ready), Queue::Exact(queue)) => ready.run(queue, workers, counting),
            (Kind::Idempotent(ready), Queue::Relaxed(queue)) => {
                ready.run_relaxed(queue, workers, counting)
            }
            (Kind::Exact(_), Queue::Relaxed(_)) => unreachable!("{:?}", self.refusal(queue)),
        };
        sample.map_err(|trouble| self.failure(&format!("{} x{workers}", queue.name()), trouble))
    }

    fn failure(&self, contender: &str, trouble: Trouble) -> Failure {
        match trouble {
            Trouble::Start(error) => Failure::Start(error),
            Trouble::Wrong(wrong) => {
                Failure::Wrong { job: self.to_string(), contender: contender.to_owned(), wrong }
            }
        }
    }
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.case, self.parameter)
    }
}

impl<C: Case> ExactRuns for C {
    fn serial(&mut self) -> Result<Sample, WrongAnswer> {
        self.reset();
        let start = Instant::now();
        self.run_serially();
        let time = start.elapsed();
        let answer = self.judge()?;
        let visits = self.nodes();
        let (duplicates, repeats) = (0, 0);
        Ok(Sample { time, visits, duplicates, repeats, answer, counts: None, footprints: None })
    }

    fn run(&mut self, queue: Exact, workers: usize, counting: Counting) -> Result<Sample, Trouble> {
        self.reset();
        match counting {
            Counting::Off => {
                exactly_once(self, run_exact::<C, NoProbe>(queue, self, workers), |_| None)
            }
            Counting::On => exactly_once(self, run_exact::<C, Counts>(queue, self, workers), total),
        }
    }
}

impl<C: Idempotent<Node: Plain>> IdempotentRuns for C {
    fn run_relaxed(
        &mut self,
        queue: Relaxed,
        workers: usize,
        counting: Counting,
    ) -> Result<Sample, Trouble> {
        self.reset();
        match counting {
            Counting::Off => {
                at_least_once(self, run_relaxed::<C, NoProbe>(queue, self, workers), |_| None)
            }
            Counting::On => {
                at_least_once(self, run_relaxed::<C, Counts>(queue, self, workers), total)
            }
        }
    }
}

fn total(counts: Vec<Counts>) -> Option<Counts> {
    Some(Counts::sum(counts))
}

/// The sample of a run in which every pushed node must have come out exactly once.
fn exactly_once<C: Case, P: Probe>(
    case: &mut C,
    run: Result<PoolRun<P>, StartError>,
    counts: impl FnOnce(Vec<P>) -> Option<Counts>,
) -> Result<Sample, Trouble> {
    let run = run.map_err(Trouble::Start)?;
    if run.visits != run.pushes {
        return Err(Trouble::Wrong(WrongAnswer {
            expected: format!("{}, each pushed node once", visits_of(run.pushes)),
            got: visits_of(run.visits),
        }));
    }
    sample(case, run, counts)
}

/// The sample of a run in which every pushed node must have come out.
fn at_least_once<C: Case, P: Probe>(
    case: &mut C,
    run: Result<PoolRun<P>, StartError>,
    counts: impl FnOnce(Vec<P>) -> Option<Counts>,
) -> Result<Sample, Trouble> {
    let run = run.map_err(Trouble::Start)?;
    if run.visits < run.pushes {
        return Err(Trouble::Wrong(WrongAnswer {
            expected: format!("at least {}, each pushed node at least once", visits_of(run.pushes)),
            got: visits_of(run.visits),
        }));
    }
    sample(case, run, counts)
}

fn visits_of(nodes: u64) -> String {
    format!("{nodes} visits")
}

fn sample<C: Case, P>(
    case: &mut C,
    run: PoolRun<P>,
    counts: impl FnOnce(Vec<P>) -> Option<Counts>,
) -> Result<Sample, Trouble> {
    let answer = case.judge().map_err(Trouble::Wrong)?;
    Ok(Sample {
        time: run.time,
        visits: run.visits,
        duplicates: run.visits - run.pushes,
        repeats: run.visits.saturating_sub(case.nodes()),
        answer,
        counts: counts(run.probes),
        footprints: run.footprints,
    })
}

#[cfg(test)]
mod tests {
    use super::super::node::Node;
    use super::*;

    /// One node, and an answer that is never right.
    struct Liar;

    struct Only;

    impl Node for Only {
        type Case = Liar;

        fn visit(self, _: &Liar, _: &mut impl FnMut(Only)) {}
    }

    impl Case for Liar {
        type Node = Only;

        fn reset(&mut self) {}

        fn root(&self) -> Only {
            Only
        }

        fn run_serially(&self) {}

        fn nodes(&self) -> u64 {
            1
        }

        fn most_queued(&self) -> usize {
            1
        }

        fn judge(&mut self) -> Result<String, WrongAnswer> {
            Err(WrongAnswer { expected: "4".to_owned(), got: "5".to_owned() })
        }
    }

    #[test]
    fn a_wrong_answer_says_whose_it_is() {
        let mut job = Job::exact("sum", "2+2", Liar);
        let wrong = job.run(Queue::BASELINE, 2, Counting::Off).unwrap_err();
        assert_eq!(wrong.to_string(), "sum:2+2 on abp x2: wrong answer: 5, expected 4");
        let wrong = job.serial().unwrap_err();
        assert_eq!(wrong.to_string(), "sum:2+2 on serial: wrong answer: 5, expected 4");
    }

    #[test]
    fn a_node_lost_or_handed_out_against_the_promise_is_a_wrong_answer() {
        let run = |pushes, visits| {
            let time = Duration::ZERO;
            Ok(PoolRun { time, pushes, visits, probes: vec![NoProbe], footprints: None })
        };
        let message = |sample: Result<Sample, Trouble>| match sample {
            Err(Trouble::Wrong(wrong)) => wrong.to_string(),
            _ => panic!("not found out"),
        };
        let twice = message(exactly_once(&mut Liar, run(2, 3), |_| None));
        assert_eq!(twice, "wrong answer: 3 visits, expected 2 visits, each pushed node once");
        let lost = message(at_least_once(&mut Liar, run(2, 1), |_| None));
        assert!(lost.contains("1 visits, expected at least 2 visits"), "{lost}");
        let duplicated = message(at_least_once(&mut Liar, run(2, 3), |_| None));
        assert!(duplicated.contains("expected 4"), "judged by the case: {duplicated}");
    }
}
