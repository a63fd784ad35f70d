//! Cancellation: a token that stops the tasks below a frame.
//!
//! | file | what |
//! |---|---|
//! | `token` | [`Cancel`], which is set from anywhere, and the pools that it tells |
//! | `entries` | which token the tasks of a worker are under, for it and for its thieves |
//!
//! A task that is under a token which is set stops where it forks slowly, takes a task back slowly, begins at a thief, or comes
//! to the next part of a loop: it unwinds from there, as from a panic of its own, to the frame of
//! [`Worker::cancellable`](crate::Worker::cancellable). So everything is dropped on the way that a panic would drop. A fast
//! push or pop looks at nothing: who sets the token asks all workers of the pool for tasks, and who is asked is slow.
//!
//! Source: cancellation that unwinds with a payload of its own is that of salsa, and so of rust-analyzer.
//!
//! May import: nothing.
//! Never enters: a worker, a task, who forks.

mod entries;
mod token;

pub(crate) use entries::Tokens;
pub use token::{Cancel, Cancelled};
pub(crate) use token::{Listening, Stopped, Token};
