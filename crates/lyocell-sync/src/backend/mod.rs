//! What the crate's words mean: chosen here, once.
//!
//! A backend has each of these names. One that has some of them otherwise takes the others from `native` and overrides: an item of
//! its own comes before one of a `use …::*`.
//!
//! | names | native | modelled | delayed |
//! |---|---|---|---|
//! | `Atomic…`, `fence`, `Arc` | `std` | loom | `std`, late |
//! | `spin_loop`, `yield_now` | `std` | loom | |
//! | `Mutex`, `MutexGuard` | `std`, passing poison | loom, `try_lock` waits | |
//! | `UnmodelledMutex`, `OnceLock` | `std` | | |
//! | `RaceCell`, `Memory` | bare; zeroed by the system | loom checks; built | |
//! | `Parker`, `Unparker` | crossbeam | over loom's lock | |
//! | `handshake`, `overwrite` | [`shipped`] | fences; a swap | |
//! | `barrier`: `light`, `register`, `issue` | the system's call | two fences | |
//! | `Instant`, `clock_ns`, `seed`, `variable` | `std` | | |
//! | `thread`, `thread_local!` | `std` | | |
//! | `affinity`, `fork`, `signal`, `stack` | the system, or [`absent`] | | |
//!
//! A further one, as a machine whose processors and time are simulated, is a module beside these and a line below. It overrides
//! what can block or wait (`Mutex`, `UnmodelledMutex`, `OnceLock`, `Parker`, `yield_now`, `thread`), what tells time or chance
//! (`Instant`, `clock_ns`, `seed`, `variable`), what a thread has of its own (`thread_local!`, `stack`), the atomics if accesses
//! are to cost something, and the barrier; it takes [`absent`] for the system, [`shipped`] for the handshake, and the rest of
//! `native`.

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
#[cfg_attr(any(loom, delays), allow(dead_code, unreachable_pub, unused_imports))]
mod native;
#[cfg(not(loom))]
mod shipped;

#[cfg(delays)]
pub use delayed::*;
#[cfg(loom)]
pub use modelled::*;
#[cfg(not(any(loom, delays)))]
pub use native::*;
