//! Fine-grained fork-join parallelism.

#![warn(missing_docs)]

mod builder;
mod current;
pub mod deque;
mod error;
mod idle;
mod job;
mod join;
mod latch;
mod pin;
mod pool;
pub mod probe;
mod profit;
mod range;
mod slots;
mod stack;
mod steal;
mod sync;
mod task;
mod wait;
mod worker;

pub use builder::{Builder, Caller, Pinning};
pub use deque::{Deque, Split};
pub use error::BuildError;
pub use pool::Pool;
pub use probe::{NoProbe, Probe};
pub use worker::Worker;
