//! The original Lace, in C (see `lyocell_workloads::lace`).
//!
//! Its idle workers search for about a second before they back off, which would cost the engines that run
//! meanwhile. So it runs only during its own turn: started, woken with a small program, measured, stopped; neither
//! start nor stop is timed.

use lyocell_workloads::lace::{self, Running};
use lyocell_workloads::{Everything, Fib, Instance, On, WrongAnswer};

use super::lace_wait::with_lax_timers;
use super::programs::{TakeSample, sample};
use super::{Engine, Programs, Sample, Session, StartError};

const NAME: &str = "lace";

/// The Fibonacci number that wakes the workers: about a millisecond.
const WARM_UP: u64 = 24;

pub(super) struct Lace;

impl Engine for Lace {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        lace::BUILT.unwrap_or("the original Lace, in C")
    }

    fn absence(&self) -> Option<&'static str> {
        lace::BUILT.err()
    }

    fn programs(&self) -> Programs {
        Programs::of::<Everything>()
    }

    fn start(&self, workers: usize) -> Result<Box<dyn Session>, StartError> {
        match lace::BUILT {
            Ok(_) => Ok(Box::new(LaceSession { workers })),
            Err(reason) => Err(StartError { engine: NAME, workers, cause: reason.to_owned() }),
        }
    }
}

struct LaceSession {
    workers: usize,
}

impl Session for LaceSession {
    fn run(&mut self, instance: &mut Instance) -> Result<Sample, WrongAnswer> {
        let running =
            Running::start(self.workers).expect("the engine was started, so Lace is here");
        running.take(&mut Fib::new(WARM_UP))?;
        sample::<Everything, _>(instance, &running)
    }
}

impl TakeSample<lace::Lace> for Running {
    fn take<P: On<lace::Lace>>(&self, problem: &mut P) -> Result<Sample, WrongAnswer> {
        with_lax_timers(|| Sample::take(problem, &mut |problem| problem.run(self)))
    }
}
