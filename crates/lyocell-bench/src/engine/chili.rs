//! chili, with its default heartbeat. It offers binary joins only, so it runs the programs that need
//! no more. Its workers keep the default stack: what these programs need is shallow.

use std::num::NonZero;

use chili::{Config, ThreadPool};
use lyocell_workloads::{self as workloads, BinaryJoins, Instance, On, WrongAnswer};

use super::programs::{TakeSample, sample};
use super::{Engine, Programs, Sample, Session, StartError};

pub(super) struct Chili;

impl Engine for Chili {
    fn name(&self) -> &'static str {
        "chili"
    }

    fn summary(&self) -> &'static str {
        "chili's join, heartbeat scheduling; binary joins only"
    }

    fn programs(&self) -> Programs {
        Programs::of::<BinaryJoins>()
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

impl Session for ChiliSession {
    fn run(&mut self, instance: &mut Instance) -> Result<Sample, WrongAnswer> {
        sample::<BinaryJoins, _>(instance, self)
    }
}

impl TakeSample<workloads::Chili> for ChiliSession {
    fn take<P: On<workloads::Chili>>(&self, problem: &mut P) -> Result<Sample, WrongAnswer> {
        Sample::take(problem, &mut |problem| problem.run(&self.pool))
    }
}
