//! Fork and join: every way in which a task begets tasks and waits for them.
//!
//! | file | what |
//! |---|---|
//! | `join` | two closures: spawn, call, sync |
//! | `cancellable` | calls that a token stops |
//! | `fallible` | branches that may fail |
//! | `several` | three and four closures |
//! | `context` | two closures that are told whether they were stolen |
//! | `range` | a few tasks of one frame, by index |
//! | `scope` | any number of tasks that borrow |
//! | `broadcast` | a call on each worker |
//! | `loops` | loops, which split when asked, on a worker of a known type or of whatever type |
//! | `early` | loops that may end early: find, any, those of what may fail |
//! | `named` | loops with names of their own: map, sum, max and so on |
//! | `sort` | sorting slices |
//! | `deterministic` | loops whose result does not depend on who splits |
//! | `source` | what a loop runs over: `integers` in a range, `chunks` of a slice, two or three by `zip`, vectors `owned`, `strides` over others |
//! | `coalescing` | bags of tiny items, halved when asked |
//!
//! May import: cancel, probe, task, deque, wait, owner, jobs, current, scheduler.
//! Never enters: who steals, when to sleep, how a pool came to be.

mod broadcast;
mod cancellable;
mod chunks;
pub(crate) mod coalescing;
mod context;
pub(crate) mod deterministic;
pub(crate) mod early;
mod fallible;
mod integers;
mod join;
pub(crate) mod loops;
pub(crate) mod named;
mod owned;
mod range;
pub(crate) mod scope;
mod several;
pub(crate) mod sort;
mod source;
mod strides;
mod zip;

pub(crate) use broadcast::OnWorker;
pub use chunks::{chunks, chunks_mut};
pub use coalescing::Bag;
pub use context::FnContext;
pub use fallible::{Fallible, TryScope};
pub use integers::Integer;
pub use owned::Owned;
pub use scope::Scope;
pub use source::{IntoSource, Source};
pub use strides::{rev, step_by, windows};
pub use zip::{Numbered, Zip, Zip3};
