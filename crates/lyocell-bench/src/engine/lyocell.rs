//! Lyocell. The session is generic over deque and probe, so that another deque is another entry of
//! the registry.

use lyocell::{Deque, NoProbe, Pool, Probe, Split};

use super::{Engine, Sample, Session, StartError};
use crate::workload::{Instance, Problem, WrongAnswer, with_problem};

const NAME: &str = "lyocell";

pub(super) struct Lyocell;

impl Engine for Lyocell {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "this project, on the split deque"
    }

    fn start(&self, workers: usize) -> Result<Box<dyn Session>, StartError> {
        let pool = Pool::<Split, NoProbe>::builder().workers(workers).build();
        let pool =
            pool.map_err(|error| StartError { engine: NAME, workers, cause: error.to_string() })?;
        Ok(Box::new(LyocellSession { pool }))
    }
}

struct LyocellSession<D: Deque, P: Probe> {
    pool: Pool<D, P>,
}

impl<D: Deque, P: Probe> Session for LyocellSession<D, P> {
    fn run(&mut self, instance: &mut Instance) -> Result<Sample, WrongAnswer> {
        with_problem!(instance, problem => Sample::take(problem, |problem| {
            self.pool.run(|worker| problem.lyocell(worker))
        }))
    }
}
