//! Plain recursion on the calling thread: what T_S is measured with.
//!
//! Its best fair form: the recursion of the parallel programs without their joins; no handle is passed.

use lyocell_workloads::{self as workloads, Everything, Instance, On, StartError, WrongAnswer};

use super::programs::{TakeSample, sample};
use super::{Engine, Parallelism, Programs, SERIAL, Sample, Session};

pub(super) struct Serial;

impl Engine for Serial {
    fn name(&self) -> &'static str {
        SERIAL
    }

    fn summary(&self) -> &'static str {
        "plain recursion in Rust, no handle passed"
    }

    fn programs(&self) -> Programs {
        Programs::of::<Everything>()
    }

    fn parallelism(&self) -> Parallelism {
        Parallelism::None
    }

    fn start(&self, _workers: usize) -> Result<Box<dyn Session>, StartError> {
        Ok(Box::new(SerialSession))
    }
}

struct SerialSession;

/// One run.
pub(super) fn sample_once(instance: &mut Instance) -> Result<Sample, WrongAnswer> {
    SerialSession.run(instance)
}

impl Session for SerialSession {
    fn run(&mut self, instance: &mut Instance) -> Result<Sample, WrongAnswer> {
        sample::<Everything, _>(instance, self)
    }
}

impl TakeSample<workloads::Serial> for SerialSession {
    fn take<P: On<workloads::Serial>>(&self, problem: &mut P) -> Result<Sample, WrongAnswer> {
        Sample::take(problem, &mut |problem| problem.run(()))
    }
}
