//! rayon, on a pool of its own.

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{Engine, STACK_BYTES, Sample, Session, StartError};
use crate::workload::{Instance, Problem, WrongAnswer, with_problem};

const NAME: &str = "rayon";

pub(super) struct Rayon;

impl Engine for Rayon {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "rayon's join; children of one task halved until one is left"
    }

    fn start(&self, workers: usize) -> Result<Box<dyn Session>, StartError> {
        let builder = ThreadPoolBuilder::new().num_threads(workers).stack_size(STACK_BYTES);
        let pool = builder.build().map_err(|error| StartError {
            engine: NAME,
            workers,
            cause: error.to_string(),
        })?;
        Ok(Box::new(RayonSession { pool }))
    }
}

struct RayonSession {
    pool: ThreadPool,
}

impl Session for RayonSession {
    fn run(&mut self, instance: &mut Instance) -> Result<Sample, WrongAnswer> {
        with_problem!(instance, problem => Sample::take(problem, |problem| {
            self.pool.install(|| problem.rayon())
        }))
    }
}
