//! Plain recursion in C, beside which the times of engines in C are to be seen.
//!
//! Its best fair form: the same recursion as in Rust, with the compiler and the flags of Lace.

use lyocell_workloads::lace::{self, Compiled, SerialC};
use lyocell_workloads::{Instance, On, ShortTasks, StartError, WrongAnswer};

use super::programs::{TakeSample, sample};
use super::{Engine, Parallelism, Programs, SERIAL_C, Sample, Session};

pub(super) struct InC;

impl Engine for InC {
    fn name(&self) -> &'static str {
        SERIAL_C
    }

    fn summary(&self) -> &'static str {
        "plain recursion in C, for programs with short tasks; compiled as Lace is"
    }

    fn absence(&self) -> Option<&'static str> {
        lace::BUILT.err()
    }

    fn programs(&self) -> Programs {
        Programs::of::<ShortTasks>()
    }

    fn parallelism(&self) -> Parallelism {
        Parallelism::None
    }

    fn start(&self, workers: usize) -> Result<Box<dyn Session>, StartError> {
        let absent =
            |reason: &str| StartError { engine: SERIAL_C, workers, cause: reason.to_owned() };
        let compiled = Compiled::here();
        let compiled = compiled.map_err(|_| absent(lace::BUILT.unwrap_or_else(|reason| reason)))?;
        Ok(Box::new(compiled))
    }
}

impl Session for Compiled {
    fn run(&mut self, instance: &mut Instance) -> Result<Sample, WrongAnswer> {
        sample::<ShortTasks, _>(instance, self)
    }
}

impl TakeSample<SerialC> for Compiled {
    fn take<P: On<SerialC>>(&self, problem: &mut P) -> Result<Sample, WrongAnswer> {
        Sample::take(problem, &mut |problem| problem.run(*self))
    }
}
