//! rayon, on a pool of its own.
//!
//! Its best fair form: `rayon_core::join` from within the pool, so that no call crosses threads while the clock runs;
//! children of one task halved until one is left, since its n-ary forms allocate for each task.

use lyocell_workloads::{self as workloads, Everything, Instance, On, StartError, WrongAnswer};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::programs::{TakeSample, sample};
use super::{Engine, Programs, STACK_BYTES, Sample, Session};

const NAME: &str = "rayon";

pub(super) struct Rayon;

impl Engine for Rayon {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "rayon's join; children of one task halved until one is left"
    }

    fn programs(&self) -> Programs {
        Programs::of::<Everything>()
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
        sample::<Everything, _>(instance, self)
    }
}

impl TakeSample<workloads::Rayon> for RayonSession {
    fn take<P: On<workloads::Rayon>>(&self, problem: &mut P) -> Result<Sample, WrongAnswer> {
        Sample::take(problem, &mut |problem| self.pool.install(|| problem.run(())))
    }
}
