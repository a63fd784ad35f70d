//! The errors of building a pool.

use crate::interrupt::InterruptError;
use crate::limits::MAX_WORKERS;
use crate::probe::AttachError;
use std::fmt;
use std::io;

/// Why a pool could not be built. Nothing of it is left behind.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The number of workers is zero or more than a pool can have.
    Workers {
        /// The number that was asked for.
        asked: usize,
    },
    /// The number of workers that may be in background tasks at a time is zero.
    BackgroundWorkers {
        /// The number that was asked for.
        asked: usize,
    },
    /// An environment variable is set, but not to what it may say.
    #[non_exhaustive]
    Environment {
        /// The name of the variable.
        variable: &'static str,
        /// The value of the variable.
        value: String,
        /// What it may say.
        expected: &'static str,
    },
    /// The capacity of the deques is zero or more than the deque can index.
    DequeCapacity {
        /// The number of tasks that was asked for.
        asked: usize,
        /// The greatest number of tasks that this kind of deque can hold.
        most: usize,
    },
    /// The memory for the deques could not be reserved.
    Memory {
        /// The number of workers, each of which needs a deque.
        workers: usize,
        /// The number of tasks that each deque should hold.
        deque_capacity: usize,
    },
    /// A thread could not be started.
    Thread {
        /// The number of the worker that the thread was for.
        worker: usize,
        /// The error of the system.
        source: io::Error,
    },
    /// The thread that watches how many processors there are ([`Builder::watch_processors`](crate::Builder::watch_processors)) could not
    /// be started.
    Watcher {
        /// The error of the system.
        source: io::Error,
    },
    /// A [probe](crate::probe::Probe::attach) cannot do its work.
    Attach {
        /// The number of the worker that the probe is for.
        worker: usize,
        /// What the probe says.
        source: AttachError,
    },
    /// The thread that should be a worker of the pool for good
    /// ([`Builder::use_current_thread`](crate::Builder::use_current_thread)) is a worker already.
    CurrentThreadIsWorker,
    /// There is a global pool already.
    GlobalPoolExists,
    /// There is a global pool already, with another deque or another probe than the one that was asked for.
    GlobalPoolOfAnotherType,
    /// What builds the global pool has asked for the global pool.
    GlobalPoolInTheMaking,
    /// The pool cannot have the interrupts that were asked for.
    Interrupt {
        /// The reason.
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
            BuildError::BackgroundWorkers { asked } => write!(
                f,
                "a pool cannot run its background tasks on {asked} workers at a time: ask for 1 or more"
            ),
            BuildError::Environment { variable, value, expected } => write!(
                f,
                "{variable} is {value:?}, which is not {expected}: set it to that, or unset it"
            ),
            BuildError::DequeCapacity { asked, most } => {
                write!(f, "a deque cannot hold {asked} tasks: ask for a capacity from 1 to {most}")
            }
            BuildError::Memory { workers, deque_capacity } => write!(
                f,
                "no memory for {workers} deques of {deque_capacity} tasks: \
                 ask for fewer workers (LYOCELL_WORKERS says how many where the program does not), \
                 for a smaller deque capacity, or for more addresses (ulimit -v)"
            ),
            BuildError::Thread { worker, source } => write!(
                f,
                "cannot start the thread of worker {worker}: {source}; \
                 ask for fewer workers or a smaller stack"
            ),
            BuildError::Watcher { source } => write!(
                f,
                "the thread that watches how many processors there are could not be started: {source}; \
                 build the pool without `watch_processors`, or end other threads"
            ),
            BuildError::Attach { worker, source } => {
                write!(f, "the probe of worker {worker} cannot do its work: {source}")
            }
            BuildError::CurrentThreadIsWorker => f.write_str(
                "the current thread cannot be a worker of this pool, for it is one already: \
                 build the pool on another thread",
            ),
            BuildError::GlobalPoolExists => f.write_str(
                "there is a global pool already: build it before anything uses it, and once",
            ),
            BuildError::GlobalPoolOfAnotherType => f.write_str(
                "the global pool has another deque or another probe: keep what `build_global` returns, \
                 or use functions without a handle, which run in it whatever its type",
            ),
            BuildError::GlobalPoolInTheMaking => f.write_str(
                "the global pool is asked for by what builds it, and would wait for itself: \
                 fork on another pool there, or after it is built",
            ),
            BuildError::Interrupt { source } => source.fmt(f),
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            BuildError::Thread { source, .. } | BuildError::Watcher { source } => Some(source),
            BuildError::Interrupt { source } => Some(source),
            BuildError::Attach { source, .. } => Some(&**source),
            _ => None,
        }
    }
}
