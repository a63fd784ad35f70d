//! The original Lace, in C (see `lyocell_workloads::lace`).
//!
//! Its best fair form: in C throughout, where tasks are short, and compiled in the best of the ways that were measured, without its
//! backoff (results/README.md, "Lace at its best"); started for each turn, since its idle workers search without end, which would
//! cost whoever runs meanwhile; and waited for with lax timers.

use lyocell_workloads::lace::{self, Running};
use lyocell_workloads::{ForkJoin, Instance, On, StartError, WrongAnswer};

use super::lace_wait::with_lax_timers;
use super::programs::{TakeSample, sample};
use super::{Engine, Programs, Sample, Session};

const NAME: &str = "lace";

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
        Programs::of::<ForkJoin>()
    }

    fn start(&self, workers: usize) -> Result<Box<dyn Session>, StartError> {
        let absent = |reason: &str| StartError { engine: NAME, workers, cause: reason.to_owned() };
        let running = Running::start(workers);
        let running = running.map_err(|_| absent(lace::BUILT.unwrap_or_else(|reason| reason)))?;
        Ok(Box::new(running))
    }
}

impl Session for Running {
    fn run(&mut self, instance: &mut Instance) -> Result<Sample, WrongAnswer> {
        sample::<ForkJoin, _>(instance, self)
    }
}

impl TakeSample<lace::Lace> for Running {
    fn take<P: On<lace::Lace>>(&self, problem: &mut P) -> Result<Sample, WrongAnswer> {
        with_lax_timers(|| Sample::take(problem, &mut |problem| problem.run(self)))
    }
}
