//! The interface of crossbeam-deque, and the queues of `lyocell-queues` inside: for programs that are to be tried on them by one
//! line in their `Cargo.toml`.
//!
//! ```toml
//! [patch.crates-io]
//! crossbeam-deque = { path = "../lyocell/compat/crossbeam-deque" }
//! ```
//! It has shapes only: `.ci/crossbeam` runs the tests on it that crossbeam-deque publishes. Two things differ. Items must be
//! [`Send`] for a queue to be made at all, and not only for it to be moved. And a batch that is stolen from a queue into itself is
//! moved, oldest first, from its one end to the other; crossbeam-deque leaves it where it is.
//!
//! A worker is one type here, as it is there, so each operation asks whether it is last in, first out. Programs that are written
//! for `lyocell-queues` do not pay for that.

mod injector;
mod steal;
mod stealer;
mod worker;

pub use injector::Injector;
pub use steal::Steal;
pub use stealer::Stealer;
pub use worker::Worker;
