//! Plain recursion on the calling thread: what T_S is measured with.

use super::{Engine, Parallelism, Sample, Session, StartError};
use crate::workload::{Instance, Problem, WrongAnswer, with_problem};

pub(super) struct Serial;

impl Engine for Serial {
    fn name(&self) -> &'static str {
        "serial"
    }

    fn summary(&self) -> &'static str {
        "plain recursion in Rust, no handle passed"
    }

    fn parallelism(&self) -> Parallelism {
        Parallelism::None
    }

    fn start(&self, _workers: usize) -> Result<Box<dyn Session>, StartError> {
        Ok(Box::new(SerialSession))
    }
}

struct SerialSession;

impl Session for SerialSession {
    fn run(&mut self, instance: &mut Instance) -> Result<Sample, WrongAnswer> {
        with_problem!(instance, problem => Sample::take(problem, |problem| problem.serial()))
    }
}
