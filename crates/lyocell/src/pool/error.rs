//! What can go wrong when a pool is built.

use crate::interrupt::InterruptError;
use crate::limits::MAX_WORKERS;
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

impl From<InterruptError> for BuildError {
    fn from(source: InterruptError) -> BuildError {
        BuildError::Interrupt { source }
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
