//! chili, with its default heartbeat.
//!
//! Its best fair form: a scope opened once, before the clock starts; children of one task halved until one is left,
//! as for rayon; and its pool gone when others run, since the heartbeat of an open scope would cost them.
//!
//! It takes the stacks of its workers from [`STACK_VARIABLE`] only.
//!
//! - chili-1. The environment is changed before there is a second thread, and never again.

use std::env;
use std::num::NonZero;

use chili::{Config, ThreadPool};
use lyocell_workloads::{self as workloads, ForkJoin, Instance, On, StartError, WrongAnswer};

use super::programs::{TakeSample, sample};
use super::{Engine, Programs, STACK_BYTES, Sample, Session};

/// Where the standard library looks for the stack of threads that say nothing about it.
const STACK_VARIABLE: &str = "RUST_MIN_STACK";

/// Gives the workers as much stack as others have, unless the user has chosen: `uts:T3` is 1,572 levels deep.
///
/// # Safety
/// No other thread is there yet.
pub unsafe fn deepen_stacks() {
    if env::var_os(STACK_VARIABLE).is_none() {
        // SAFETY: the caller's promise, chili-1: nobody reads the environment meanwhile.
        unsafe { env::set_var(STACK_VARIABLE, STACK_BYTES.to_string()) };
    }
}

pub(super) struct Chili;

impl Engine for Chili {
    fn name(&self) -> &'static str {
        "chili"
    }

    fn summary(&self) -> &'static str {
        "chili's join, heartbeat scheduling; children of one task halved until one is left"
    }

    fn programs(&self) -> Programs {
        Programs::of::<ForkJoin>()
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
        sample::<ForkJoin, _>(instance, self)
    }
}

impl TakeSample<workloads::Chili> for ChiliSession {
    fn take<P: On<workloads::Chili>>(&self, problem: &mut P) -> Result<Sample, WrongAnswer> {
        let mut scope = self.pool.scope();
        let mut once = Some(&mut scope);
        Sample::take(problem, &mut |problem| {
            problem.run(once.take().expect("a sample is of one run"))
        })
    }
}
