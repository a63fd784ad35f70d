//! What the crate's words mean: chosen here, once.
//!
//! A backend has each of these names. One that has some of them otherwise takes the others from `native` and overrides: an item of
//! its own comes before one of a `use …::*`.
//!
//! | names | native | modelled | delayed | simulated |
//! |---|---|---|---|---|
//! | `Atomic…`, `fence` | `std` | loom | `std`, late | cost, by cache lines |
//! | `prefetch_to_write` | an instruction, where it is known | | | begins a transfer |
//! | `Arc` | `std` | loom | | |
//! | `spin_loop`, `yield_now` | `std` | loom | | cost, let others go ahead |
//! | `Mutex`, `MutexGuard` | `std`, passing poison | loom, `try_lock` waits | | virtual threads wait |
//! | `UnmodelledMutex`, `OnceLock` | `std` | | | virtual threads wait |
//! | `RaceCell`, `Memory` | bare; zeroed by the system | loom checks; built | | as native, and the machine is told |
//! | `Parker`, `Unparker` | crossbeam, or [`absent`] | over loom's lock | | virtual threads wait |
//! | `handshake`, `overwrite` | [`shipped`] | fences; a swap | | |
//! | `barrier`: `light`, `register`, `issue` | the system's call | two fences | | costs interrupts |
//! | `Instant`, `clock_ns`, `thread::sleep` | `std`, or [`absent`] | | | the machine's clock |
//! | `seed`, `variable` | `std` | | | the run's seed, nothing |
//! | `thread`, `thread_local!` | `std` | | | coroutines |
//! | `affinity`, `fork`, `signal`, `stack` | the system, or [`absent`] | | | [`absent`]; the machine's nodes and signals, the coroutine's stack |
//!
//! A further one is a module beside these and a line below.

// Which of it is taken depends on the system, and on the backend.
#[allow(dead_code, unreachable_pub)]
mod absent;
#[cfg(delays)]
mod delayed;
#[cfg(any(loom, miri))]
pub(crate) mod fences;
#[cfg(loom)]
mod modelled;
// Of which others take a part.
#[cfg_attr(any(loom, delays, simulated), allow(dead_code, unreachable_pub, unused_imports))]
mod native;
#[cfg(not(loom))]
mod shipped;
#[cfg(simulated)]
mod simulated;

#[cfg(delays)]
pub use delayed::*;
#[cfg(loom)]
pub use modelled::*;
#[cfg(not(any(loom, delays, simulated)))]
pub use native::*;
#[cfg(simulated)]
pub use simulated::*;
