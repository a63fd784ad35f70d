//! chili, with its default heartbeat. It offers binary joins only, so it runs the workloads that need
//! no more. Its workers keep the default stack: what these workloads need is shallow.

use std::num::NonZero;

use chili::{Config, ThreadPool};

use super::{Engine, Sample, Session, StartError};
use crate::workload::{BinaryProblem, Instance, WrongAnswer};

const NAME: &str = "chili";

pub(super) struct Chili;

impl Engine for Chili {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "chili's join, heartbeat scheduling; binary joins only"
    }

    fn refusal(&self, instance: &Instance) -> Option<&'static str> {
        match instance {
            Instance::Fib(_) | Instance::Matmul(_) | Instance::Stress(_) => None,
            Instance::Queens(_) | Instance::Uts(_) => Some("it offers binary joins only"),
        }
    }

    fn start(&self, workers: usize) -> Result<Box<dyn Session>, StartError> {
        let thread_count = NonZero::new(workers);
        let pool = ThreadPool::with_config(Config { thread_count, ..Config::default() });
        Ok(Box::new(ChiliSession { pool }))
    }
}

struct ChiliSession {
    pool: ThreadPool,
}

impl ChiliSession {
    fn sample<P: BinaryProblem>(&self, problem: &mut P) -> Result<Sample, WrongAnswer> {
        Sample::take(problem, |problem| problem.chili(&mut self.pool.scope()))
    }
}

impl Session for ChiliSession {
    fn run(&mut self, instance: &mut Instance) -> Result<Sample, WrongAnswer> {
        match instance {
            Instance::Fib(problem) => self.sample(problem),
            Instance::Matmul(problem) => self.sample(problem),
            Instance::Stress(problem) => self.sample(problem),
            Instance::Queens(_) | Instance::Uts(_) => {
                unreachable!("{NAME} refuses what is no binary join")
            }
        }
    }
}
