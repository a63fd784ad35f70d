//! The original Lace, in C, as the crate `lace-native` brings it (see `build.rs`).
//!
//! Its programs are C too (`csrc/`), compiled with -O3 by the machine's C compiler: `fib` without any
//! Rust, the others with the same Rust function for the work of a leaf as every other engine calls.
//! Lace's Rust bindings are not used, since their trampolines cost more than a task.
//!
//! Lace is one per process and its idle workers search for about a second before they back off, which
//! would cost the engines that run meanwhile. So it runs only during its own turn: started, woken with
//! a small workload, measured, stopped; neither start nor stop is timed.
//!
//! Lace ends the process when a deque overflows, and caps the stack of a worker at 64 MiB: the sizes
//! below suffice for every workload there is.
//!
//! Invariants:
//! - L1. Lace runs exactly while a [`Running`] lives; there is at most one, and [`Problem::lace`] is
//!   called by nobody else.
//! - L2. `lace_start` and `lace_stop` are called from threads that are no workers of Lace.
//! - L3. A call into `csrc/` returns when all its tasks are done; its arguments live until then.

use std::ffi::c_uint;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::lace_wait::with_lax_timers;
use super::{Engine, Sample, Session, StartError};
use crate::workload::{Instance, Problem, WORKLOADS, WrongAnswer, with_problem};

/// Slots of a worker's deque. `uts:T3L` needs 5 for each of 17,844 levels and 2,000 for the root, and
/// more where a waiting worker steals on top; untouched slots cost address space only.
const DEQUE_SLOTS: usize = 1 << 20;

/// What Lace caps it to.
const WORKER_STACK_BYTES: usize = 64 << 20;

/// The workload that wakes the workers: about a millisecond.
const WARM_UP: (&str, &str) = ("fib", "24");

unsafe extern "C" {
    fn lace_start(workers: c_uint, deque_slots: usize, stack_bytes: usize);
    fn lace_stop();
}

pub(super) struct Lace;

impl Engine for Lace {
    fn name(&self) -> &'static str {
        "lace"
    }

    fn summary(&self) -> &'static str {
        env!("LYOCELL_LACE")
    }

    fn start(&self, workers: usize) -> Result<Box<dyn Session>, StartError> {
        Ok(Box::new(LaceSession { workers }))
    }
}

struct LaceSession {
    workers: usize,
}

impl Session for LaceSession {
    fn run(&mut self, instance: &mut Instance) -> Result<Sample, WrongAnswer> {
        let running = Running::start(self.workers);
        running.warm_up()?;
        with_problem!(instance, problem => running.sample(problem))
    }
}

/// Lace, running.
struct Running {
    /// L1.
    _only_one: MutexGuard<'static, ()>,
}

static LACE: Mutex<()> = Mutex::new(());

impl Running {
    fn start(workers: usize) -> Running {
        let only_one = LACE.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: L1 by the lock; L2: workers of Lace run no code of this module.
        unsafe { lace_start(workers as c_uint, DEQUE_SLOTS, WORKER_STACK_BYTES) };
        Running { _only_one: only_one }
    }

    fn sample<P: Problem>(&self, problem: &mut P) -> Result<Sample, WrongAnswer> {
        with_lax_timers(|| Sample::take(problem, |problem| problem.lace()))
    }

    fn warm_up(&self) -> Result<Sample, WrongAnswer> {
        let (name, parameter) = WARM_UP;
        let workload = WORKLOADS.iter().find(|workload| workload.name() == name);
        let workload = workload.expect("the warm-up is a workload");
        let mut instance = workload.instance(parameter).expect("the warm-up has this parameter");
        with_problem!(&mut instance, problem => self.sample(problem))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // SAFETY: L1: started by `Running::start`; L2 as there.
        unsafe { lace_stop() };
    }
}
