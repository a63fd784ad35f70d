//! The seam of Lyocell: what its threads share, and what comes from outside.
//!
//! `lyocell` and `lyocell-queues` take all of this from here and nothing of it from `std::sync`, `std::thread`, `std::time` or
//! `libc`; `.ci/structure` holds them to it. So what these words mean is chosen at one place, the private module `backend`:
//!
//! | backend | chosen by | what it is for |
//! |---|---|---|
//! | `native` | default | `std`, crossbeam's parker and the operating system: costs nothing, and is what ships |
//! | `modelled` | `--cfg loom` | loom's primitives, so that models explore the very code that ships |
//! | `delayed` | `--cfg delays` | atomics whose accesses come late now and then, for programs at random |
//! | `simulated` | `--cfg simulated` | a machine with processors, cache lines and time of its own, the same in each run of a seed |
//!
//! What threads share:
//!
//! | what | where |
//! |---|---|
//! | atomics, fences, [`Arc`], [`spin_loop`], [`yield_now`] | the root |
//! | atomics and locks in which a model has nothing to find | [`unmodelled`] |
//! | a lock that passes poison, a value that is made once | [`Mutex`], [`OnceLock`] |
//! | cells that loom checks for races; memory that is not touched before it is used | [`RaceCell`], [`Memory`] |
//! | a token to sleep by | [`Parker`], [`Unparker`] |
//! | the fence in two unequal halves, and the dear one for many at once | [`HeavyBarrier`], [`light`], [`Rounds`] |
//! | fetching a line for a store to come | [`prefetch_to_write`] |
//! | a store and a load of two threads, at least one of which sees the other's | [`Handshake`] |
//! | a plain store of which loom must be told | [`Overwrite`] |
//!
//! What comes from outside:
//!
//! | what | where |
//! |---|---|
//! | the clock | [`Instant`], [`clock_ns`] |
//! | threads and what they have of their own | [`thread`], [`thread_local!`] |
//! | random numbers, and the seed of a run | [`Random`], [`Seed`] |
//! | which processors a thread may use | [`affinity`] |
//! | the signal that interrupts a thread | [`signal`] |
//! | where the stack of the calling thread is | [`stack`] |
//! | how many forks this process comes after | [`Generation`] |
//! | what the environment says | [`variable`] |
//!
//! Never enters: a worker, a pool, a decision. What is here could serve another library. It is public for Lyocell's own crates, and
//! its interface changes with them.

pub mod affinity;
mod backend;
mod barrier;
mod fork;
mod handshake;
mod overwrite;
mod random;
mod rounds;
pub mod signal;
pub mod stack;
pub mod thread;
pub mod unmodelled;

#[cfg(any(loom, target_has_atomic = "64"))]
pub use backend::AtomicU64;
/// For models alone.
#[cfg(loom)]
pub use backend::forget_limits;
pub use backend::{
    Arc, AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, Instant, Memory, Mutex, MutexGuard,
    OnceLock, Ordering, OutOfMemory, Parker, RaceCell, Unparker, address_limit, clock_ns, fence,
    prefetch_to_write, spin_loop, thread_local, variable, yield_now,
};
pub use barrier::{HeavyBarrier, Issued, light};
pub use fork::Generation;
pub use handshake::{AtomicWord, Handshake, Word, add_first, occupy_first, replace_first};
pub use overwrite::Overwrite;
pub use random::{Random, Seed};
pub use rounds::Rounds;
