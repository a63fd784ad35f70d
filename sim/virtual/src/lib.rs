//! A machine that is simulated: processors, cache lines, threads, time. For programs whose words for these come from here.
//!
//! All threads of a program run one at a time, as coroutines on one thread of the real machine, in the order of their virtual clocks. So a run
//! is the same whenever it has the same seed, and time is what a [machine file](Machine) says that things take.
//!
//! | file | what |
//! |---|---|
//! | `world` | the clock, and whose turn it is |
//! | `calendar` | who is next |
//! | `life` | what a thread is made of: a coroutine, or a thread of the real machine that passes a baton |
//! | `threads` | threads, and the processors they run on |
//! | `machine` | how far processors are apart, and what things take |
//! | `lines` | whose each cache line is |
//! | `atomic`, `stores` | atomics; plain stores that reach others late |
//! | `sleep`, `barrier`, `signal`, `time`, `local`, `thread` | locks and parkers; the barrier in two halves; signals; the clock; thread-locals; threads |
//! | `fault` | what goes wrong by the seed |
//! | `trace` | what threads tell |
//! | `allocator` | memory that begins on lines |
//! | `run` | a run |
//!
//! What is not modelled: what instructions take that touch no shared word (a program declares its work), the reference counts of
//! `Arc`, prefetching but by [`prefetch_to_write`], bandwidth, the payload of tasks, frequencies, two threads of one core, and noise.

mod allocator;
mod atomic;
mod barrier;
mod calendar;
mod fault;
mod life;
mod lines;
mod local;
mod machine;
mod run;
pub mod signal;
mod sleep;
mod stores;
pub mod thread;
mod threads;
mod time;
mod trace;
mod world;

pub use allocator::{LineAllocator, new_memory, old_memory};
pub use atomic::{
    AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence, prefetch_to_write,
};
pub use barrier::{heavy_barrier, light_barrier};
pub use fault::Faults;
pub use life::Backend;
pub use local::{AccessError, LocalKey};
pub use machine::{Costs, Distance, Machine, MachineError, NAMES, Placement, Sourced};
pub use run::{Failure, Options, Report, run};
pub use sleep::{Mutex, MutexGuard, OnceLock, Parker, Unparker, spin_loop, yield_now};
pub use time::{Instant, clock_ns, now_ps, work};
pub use trace::{
    EVENTS, PHASES, Watched, begin_span, enter, extend_span, take_spans, tell, tell_most, tell_when,
};
pub use world::{Counts, Memory, counts};

/// The seed of the run, for sources of random numbers.
pub fn seed() -> u64 {
    world::with_world(|world| world.seed).unwrap_or(0)
}
