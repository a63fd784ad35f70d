//! A machine that is simulated, with processors, cache lines and a clock of its own: the packages of `sim/`.

mod memory;
pub(crate) mod signal;

pub use super::native::*;

pub(crate) use super::absent::fork;
pub use lyocell_virtual::{
    AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Instant, Mutex,
    Mutex as UnmodelledMutex, MutexGuard, MutexGuard as UnmodelledMutexGuard, OnceLock, Ordering,
    Parker, Unparker, clock_ns, fence, prefetch_to_write, spin_loop, thread_local, yield_now,
};
pub use memory::Memory;

pub(crate) use lyocell_virtual::seed;

/// Threads.
pub(crate) mod thread {
    pub use lyocell_virtual::thread::{Builder, JoinHandle, Result, available_parallelism, sleep};
    /// Whether any virtual thread unwinds: they are coroutines of one, which counts for all. No program that is simulated asks.
    pub use std::thread::panicking;
}

/// Threads are on the machine's processors in the order in which they start, and stay there where nobody else wants those: so a
/// worker is on the processor of its number, and need not be kept there.
pub(crate) mod affinity {
    pub use crate::backend::absent::affinity::{Steering, keep_on, pin, processors, spawn_away};
    pub use lyocell_virtual::thread::nodes;
}

/// Where a stack is.
pub(crate) mod stack {
    pub(crate) use lyocell_virtual::thread::lowest_stack_address as lowest_address;
}

/// The halves: the light one takes no time, as it ships.
pub(crate) mod barrier {
    pub(crate) use lyocell_virtual::{heavy_barrier as issue, light_barrier as light};

    pub(crate) fn register() -> bool {
        true
    }
}

/// Nothing: what is simulated hangs on its seed alone.
pub fn variable(_name: &str) -> Option<std::ffi::OsString> {
    None
}
