//! Lyocell for C and C++.
//!
//! The interface is that of the headers in `include/`: `lyocell.h` and `lace.h`. They have the fast paths of spawn and sync
//! inline, and call this library for the rest. `lyocell.hpp` is made of `lyocell.h`.
//!
//! | file | what |
//! |---|---|
//! | `layout` | the numbers by which header and library agree |
//! | `error` | error codes, and the message of the last one |
//! | `pool` | pools: options, calls, the end |
//! | `fork` | the rest of a spawn and of a sync |
//! | `loops` | loops and scopes |
//! | `detached` | detached tasks, and handles to them |
//! | `frame` | all workers at once |
//! | `promise` | what a program in C promises, which the `SAFETY:` comments cite |
//! | `lace` | what `lace.h` has beyond that: the one pool of a program for Lace |
//!
//! # Unwinding
//! A task in a slot must not unwind: its function is called by the conventions of C, and the process ends. What is called with an argument
//! (a call from outside, the body of a loop or of a scope) may be left by a Rust panic, if it is compiled with the same standard library as this; it
//! goes on as the panic of a closure would. A C++ exception must not leave any of them: where Rust would catch it, the process ends.
//! `lyocell.hpp` keeps exceptions in its own frames and throws them again at the sync, so none comes here; a Rust panic goes
//! through these frames where a function is called in place, and ends the process where a thief would have to keep it.

// What is exported is documented in the headers.
#![allow(clippy::missing_safety_doc)]

pub mod detached;
pub mod error;
pub mod fork;
pub mod frame;
pub mod lace;
pub mod layout;
pub mod loops;
pub mod pool;
pub mod promise;

use promise::{Argument, Task};
