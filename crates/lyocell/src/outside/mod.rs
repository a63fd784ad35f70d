//! The outside: all that the runtime gets from the operating system, but for the memory that threads share
//! ([`sync`](crate::sync)).
//!
//! Clocks, threads, thread-locals, random numbers, processors, stack bounds, forks and signals come from here. So a
//! build in which time is simulated has these two rooms to replace, and no other.
//!
//! | file | what |
//! |---|---|
//! | [`affinity`] | which processors a thread may use |
//! | [`fork`] | how many forks this process comes after |
//! | [`random`] | random numbers |
//! | [`signal`] | the signal that interrupts a thread |
//! | [`stack`] | where the stack of the calling thread is |
//!
//! May import: sync.
//! Never enters: a worker, a pool, a decision. What is here could serve another library.

pub(crate) mod affinity;
mod fork;
mod random;
pub(crate) mod signal;
pub(crate) mod stack;

pub use fork::Generation;
pub(crate) use random::Random;
pub(crate) use std::thread;
pub(crate) use std::thread_local;
pub(crate) use std::time::Instant;
