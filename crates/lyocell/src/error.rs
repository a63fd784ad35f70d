//! What can go wrong when a pool is built.

use crate::idle::MAX_WORKERS;
use std::fmt;
use std::io;

/// Why a pool could not be built. Nothing of it is left behind.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The number of workers is zero or more than a pool can have.
    Workers {
        /// The number asked for.
        asked: usize,
    },
    /// `LYOCELL_WORKERS` is set and is no number of workers.
    Environment {
        /// Its value.
        value: String,
    },
    /// The capacity of the deques is zero or more than the deque can index.
    DequeCapacity {
        /// The number of tasks asked for.
        asked: usize,
        /// The most this kind of deque can hold.
        most: usize,
    },
    /// The memory for the deques could not be reserved.
    Memory {
        /// How many workers need a deque.
        workers: usize,
        /// The number of tasks each should hold.
        deque_capacity: usize,
    },
    /// A thread could not be started.
    Thread {
        /// The worker it was for.
        worker: usize,
        /// What the system said.
        source: io::Error,
    },
    /// Interrupts were asked for and cannot be had.
    Interrupt {
        /// Why.
        source: InterruptError,
    },
}

/// Why a pool cannot have [interrupts](crate::Builder::interrupt).
#[derive(Debug)]
#[non_exhaustive]
pub enum InterruptError {
    /// The period is zero.
    Period,
    /// The deque does not answer interrupts.
    Deque {
        /// Its name.
        deque: &'static str,
    },
    /// This system has no signals, or not in a way that the library knows.
    Unavailable,
    /// The program uses the signal for something else.
    SignalTaken {
        /// Its number.
        signal: i32,
    },
    /// The handler could not be installed, or the thread that interrupts could not be started.
    System {
        /// What the system said.
        source: io::Error,
    },
}

impl From<InterruptError> for BuildError {
    fn from(source: InterruptError) -> BuildError {
        BuildError::Interrupt { source }
    }
}

impl fmt::Display for InterruptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InterruptError::Period => {
                write!(f, "workers cannot be interrupted at a period of 0: 200 us to 2 ms is usual")
            }
            InterruptError::Deque { deque } => write!(
                f,
                "workers with the deque {deque} cannot be interrupted: \
                 choose another deque, or leave interrupts out"
            ),
            InterruptError::Unavailable => {
                write!(f, "interrupts are not available here, only on Linux: leave them out")
            }
            InterruptError::SignalTaken { signal } => write!(
                f,
                "cannot interrupt workers with signal {signal}, which this program handles or ignores: \
                 give it up there, or leave interrupts out"
            ),
            InterruptError::System { source } => {
                write!(f, "the system does not let workers be interrupted: {source}")
            }
        }
    }
}

impl std::error::Error for InterruptError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            InterruptError::System { source } => Some(source),
            _ => None,
        }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Workers { asked } => {
                write!(f, "a pool cannot have {asked} workers: ask for 1 to {MAX_WORKERS}")
            }
            BuildError::Environment { value } => write!(
                f,
                "LYOCELL_WORKERS is {value:?}, which is no number from 1 to {MAX_WORKERS}: \
                 set it to the number of workers, or unset it"
            ),
            BuildError::DequeCapacity { asked, most } => {
                write!(f, "a deque cannot hold {asked} tasks: ask for a capacity from 1 to {most}")
            }
            BuildError::Memory { workers, deque_capacity } => write!(
                f,
                "no memory for {workers} deques of {deque_capacity} tasks: \
                 ask for fewer workers or a smaller deque capacity"
            ),
            BuildError::Thread { worker, source } => write!(
                f,
                "cannot start the thread of worker {worker}: {source}; \
                 ask for fewer workers or a smaller stack"
            ),
            BuildError::Interrupt { source } => source.fmt(f),
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            BuildError::Thread { source, .. } => Some(source),
            BuildError::Interrupt { source } => Some(source),
            _ => None,
        }
    }
}
