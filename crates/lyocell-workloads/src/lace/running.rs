//! Lace, started and stopped.
//!
//! Lace is one per process. It ends the process when a deque overflows, and caps the stack of a worker at 64 MiB: the
//! sizes below suffice for every program there is.

use std::ffi::c_uint;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Absent;

/// Slots of a worker's deque. `uts:T3L` needs 5 for each of 17,844 levels and 2,000 for the root, and
/// more where a waiting worker steals on top; untouched slots cost address space only.
const DEQUE_SLOTS: usize = 1 << 20;

/// What Lace caps it to.
const WORKER_STACK_BYTES: usize = 64 << 20;

unsafe extern "C" {
    fn lace_start(workers: c_uint, deque_slots: usize, stack_bytes: usize);
    fn lace_stop();
}

static LACE: Mutex<()> = Mutex::new(());

/// That the programs in C are here.
#[derive(Clone, Copy, Debug)]
pub struct Compiled(());

impl Compiled {
    /// They are.
    ///
    /// # Errors
    /// They could not be built on this machine.
    pub fn here() -> Result<Compiled, Absent> {
        Ok(Compiled(()))
    }
}

/// Lace, as long as this lives.
#[derive(Debug)]
pub struct Running {
    /// lace-1.
    _only_one: MutexGuard<'static, ()>,
}

impl Running {
    /// Starts Lace, when nobody else has it any more.
    ///
    /// # Errors
    /// It could not be built on this machine.
    pub fn start(workers: usize) -> Result<Running, Absent> {
        let only_one = LACE.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: lace-1 by the lock; lace-2: workers of Lace run no code of this module.
        unsafe { lace_start(workers as c_uint, DEQUE_SLOTS, WORKER_STACK_BYTES) };
        Ok(Running { _only_one: only_one })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // SAFETY: lace-1: `start` started it; lace-2 as there.
        unsafe { lace_stop() };
    }
}
