//! The standard library, crossbeam's parker, and the operating system: what ships, and what other backends take from it.

mod cell;
mod memory;
mod mutex;
mod prefetch;

pub use cell::RaceCell;
pub use memory::{Memory, OutOfMemory, address_limit};
pub use mutex::{Mutex, MutexGuard};
pub use mutex::{Mutex as UnmodelledMutex, MutexGuard as UnmodelledMutexGuard};
pub use prefetch::prefetch_to_write;
pub use std::hint::spin_loop;
#[cfg(target_has_atomic = "64")]
pub use std::sync::atomic::AtomicU64;
pub use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, Ordering, fence};
pub use std::sync::{Arc, OnceLock};
pub use std::thread_local;

use std::sync::LazyLock;

// Threads wait for each other, where there are several.

#[cfg(not(target_family = "wasm"))]
pub use crossbeam_utils::sync::{Parker, Unparker};

#[cfg(target_family = "wasm")]
pub use super::absent::parker::{Parker, Unparker};

// The clock, and what waits by it. On the web there is none but what a program imports.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod clock {
    pub use std::thread::{sleep, yield_now};
    pub use std::time::Instant;
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use super::absent::clock;

pub use clock::{Instant, yield_now};

/// Threads. Where none can be started, `Builder::spawn` says so by its error.
pub(crate) mod thread {
    pub use super::clock::sleep;
    pub use std::thread::{Builder, JoinHandle, Result, available_parallelism, panicking};
}

// What the system has, as far as the library knows.

#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
pub(crate) mod affinity;
#[cfg(not(any(loom, miri)))]
pub(crate) mod barrier;
#[cfg(all(unix, not(miri)))]
pub(crate) mod fork;
#[cfg(all(target_os = "linux", not(miri)))]
pub(crate) mod signal;
#[cfg(all(target_os = "linux", not(miri)))]
pub(crate) mod stack;

#[cfg(not(all(any(target_os = "linux", target_os = "android"), not(miri))))]
pub(crate) use super::absent::affinity;
#[cfg(not(all(unix, not(miri))))]
pub(crate) use super::absent::fork;
#[cfg(not(all(target_os = "linux", not(miri))))]
pub(crate) use super::absent::signal;
#[cfg(not(all(target_os = "linux", not(miri))))]
pub(crate) use super::absent::stack;
#[cfg(all(miri, not(loom)))]
pub(crate) use super::fences as barrier;
#[cfg(not(any(loom, delays)))]
pub(crate) use super::shipped::{add_first, occupy_first, replace_first};

/// Nanoseconds by the monotonic clock, since a moment that is the same for all threads: for dates that are kept in a word.
pub fn clock_ns() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as u64
}

/// The seed of a run: always the same, so that what differs from run to run is the machine's part.
pub(crate) fn seed() -> u64 {
    0
}

/// The environment variable of this name.
pub fn variable(name: &str) -> Option<std::ffi::OsString> {
    std::env::var_os(name)
}
