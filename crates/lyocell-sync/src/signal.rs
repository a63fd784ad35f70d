//! The signal: which it is, its handler, and sending it to a thread.
//!
//! It is the real-time signal `SIGRTMIN + 7`, whose handler is installed when the first pool with interrupts is
//! built, and stays: a signal that is still on its way when the last pool is gone must find it. If the signal has
//! a handler already, or is ignored, it is left alone, and the pool is not built.
//!
//! The handler runs on the alternate stack of the thread if it has one, and system calls that can be restarted
//! are.

pub use crate::backend::signal::{Signal, Thread, sharpen_timer};

use std::io;

/// Why the signal cannot be had.
#[derive(Debug)]
pub enum Refused {
    /// The program handles or ignores it.
    InUse {
        /// The number of the signal.
        signal: i32,
    },
    /// The system did not install the handler.
    System(io::Error),
    /// This system has no such signal, or not in a way that the library knows.
    Unavailable,
}
