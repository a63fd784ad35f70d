//! What of the study is measured: jobs, and who runs each.

use std::fmt;

use super::cases::{CASES, CaseEntry};
use super::job::{Counting, Job};
use super::queue::Queue;
use lyocell_workloads::{Refused, enumerate};

/// What the program without a queue is called.
const SERIAL: &str = "serial";

/// What runs a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Runner {
    /// The calling thread, without a queue.
    Serial,
    Pool {
        queue: Queue,
        threads: usize,
    },
}

impl Runner {
    /// As in the records.
    pub(super) fn name(self) -> &'static str {
        match self {
            Runner::Serial => SERIAL,
            Runner::Pool { queue, .. } => queue.name(),
        }
    }

    pub(super) fn threads(self) -> usize {
        match self {
            Runner::Serial => 1,
            Runner::Pool { threads, .. } => threads,
        }
    }
}

impl fmt::Display for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Runner::Serial => f.write_str(self.name()),
            Runner::Pool { threads, .. } => write!(f, "{} x{threads}", self.name()),
        }
    }
}

/// A job and who runs it.
pub struct CasePlan {
    pub(super) job: Job,
    pub(super) runners: Vec<Runner>,
}

impl fmt::Display for CasePlan {
    /// The job, and who runs it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.job)?;
        self.runners.iter().try_for_each(|runner| write!(f, " | {runner}"))
    }
}

impl CasePlan {
    /// How many runs a measurement makes of it, warm-ups included.
    pub fn turns(&self, reps: usize, counting: Counting) -> usize {
        let counted = match counting {
            Counting::Off => 0,
            Counting::On => reps * self.pools(),
        };
        self.runners.len() * (reps + 1) + counted
    }

    /// The job, as it is shown, and each queue that runs it with its number of threads.
    pub fn queues(&self) -> (String, Vec<(&'static str, usize)>) {
        let of = |runner: &Runner| match *runner {
            Runner::Serial => None,
            Runner::Pool { queue, threads } => Some((queue.name(), threads)),
        };
        (self.job.to_string(), self.runners.iter().filter_map(of).collect())
    }

    fn pools(&self) -> usize {
        self.runners.iter().filter(|runner| **runner != Runner::Serial).count()
    }
}

/// Everybody that does not refuse `job`: the serial program, and each queue with each number of threads.
pub(super) fn lineup(job: &Job, queues: &[Queue], threads: &[usize]) -> Vec<Runner> {
    let willing = queues.iter().filter(|&&queue| job.refusal(queue).is_none());
    let pools = willing
        .flat_map(|&queue| threads.iter().map(move |&threads| Runner::Pool { queue, threads }));
    std::iter::once(Runner::Serial).chain(pools).collect()
}

/// What of the study is to be measured.
#[derive(Clone, Debug)]
pub struct Request {
    /// Cases, with a parameter or without; every case with each of its default parameters if there are none.
    pub cases: Vec<String>,
    /// By name; all that the case can run on if there are none.
    pub queues: Vec<String>,
    /// In ascending order.
    pub threads: Vec<usize>,
}

impl Request {
    /// The queues, in the paper's order.
    ///
    /// # Errors
    /// There is no queue of some name.
    pub fn queues(&self) -> Result<Vec<Queue>, Refused> {
        for name in &self.queues {
            if Queue::ALL.iter().all(|queue| queue.name() != name) {
                let queues = enumerate(Queue::ALL.iter().map(|queue| queue.name()));
                return Err(Refused(format!("there is no queue `{name}`: there are {queues}")));
            }
        }
        let asked = |queue: &Queue| {
            self.queues.is_empty() || self.queues.iter().any(|name| name == queue.name())
        };
        Ok(Queue::ALL.into_iter().filter(asked).collect())
    }

    /// The jobs asked for and who runs each.
    ///
    /// # Errors
    /// There is no such case; a case and a queue that were both asked for by name do not go together.
    pub fn plans(&self) -> Result<Vec<CasePlan>, Refused> {
        let queues = self.queues()?;
        let jobs = match &self.cases[..] {
            [] => CASES.iter().map(|case| jobs(case.name)).collect::<Result<Vec<_>, _>>()?,
            words => words.iter().map(|word| jobs(word)).collect::<Result<Vec<_>, _>>()?,
        };
        let jobs: Vec<Job> = jobs.into_iter().flatten().collect();
        if !self.queues.is_empty() && !self.cases.is_empty() {
            for (job, queue) in jobs.iter().flat_map(|job| queues.iter().map(move |q| (job, *q))) {
                if let Some(reason) = job.refusal(queue) {
                    let (name, willing) = (queue.name(), willing(job));
                    return Err(Refused(format!(
                        "{job} does not run on {name}: {reason}; {willing}"
                    )));
                }
            }
        }
        let plan = |job: Job| CasePlan { runners: lineup(&job, &queues, &self.threads), job };
        // A case that none of the queues can run has only the serial program.
        Ok(jobs.into_iter().map(plan).filter(|plan| plan.runners.len() > 1).collect())
    }
}

fn willing(job: &Job) -> String {
    let willing = Queue::ALL.into_iter().filter(|&queue| job.refusal(queue).is_none());
    format!("use {}", enumerate(willing.map(Queue::name)))
}

/// The jobs that `CASE[:PARAM]` names.
fn jobs(word: &str) -> Result<Vec<Job>, Refused> {
    let (name, parameter) = match word.split_once(':') {
        Some((name, parameter)) => (name, Some(parameter)),
        None => (word, None),
    };
    let case = CASES.iter().find(|case| case.name == name).ok_or_else(|| {
        let names = enumerate(CASES.iter().map(|case| case.name));
        Refused(format!("there is no case `{name}`: there are {names}"))
    })?;
    let parameters = match &parameter {
        Some(parameter) => std::slice::from_ref(parameter),
        None => case.defaults,
    };
    parameters.iter().map(|parameter| job(case, parameter)).collect()
}

fn job(case: &CaseEntry, parameter: &str) -> Result<Job, Refused> {
    case.job(parameter).map_err(|reason| {
        let CaseEntry { name, parameters, .. } = case;
        Refused(format!("there is no {name}:{parameter} ({reason}): {name} takes {parameters}"))
    })
}
