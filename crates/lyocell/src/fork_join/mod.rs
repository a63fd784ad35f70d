//! Fork and join: every way in which a task begets tasks and waits for them.
//!
//! | file | what |
//! |---|---|
//! | `join` | two closures: spawn, call, sync |
//! | `range` | a few tasks of one frame, by index |
//! | `scope` | any number of tasks that borrow |
//! | `loops` | loops over ranges and slices, which split when asked |
//! | `coalescing` | bags of tiny items, halved when asked |
//!
//! May import: sync, outside, probe, task, deque, registry, wait, worker.
//! Never enters: who steals, when to sleep, how a pool came to be.
//!
//! This room is part of the circle that [`worker`](crate::worker) tells of: who joins waits, and who waits may run
//! several stolen tasks, as the frame of a loop that forks them.

pub(crate) mod coalescing;
mod join;
mod loops;
mod range;
pub(crate) mod scope;

pub use coalescing::Bag;
pub use loops::{IntoSource, Source};
pub(crate) use range::Spawns;
pub use scope::Scope;
