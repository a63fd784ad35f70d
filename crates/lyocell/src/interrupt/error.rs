//! Why a pool cannot have interrupts.

use lyocell_sync::signal::Refused;
use std::fmt;
use std::io;

/// Why a pool cannot have [interrupts](crate::Builder::interrupt).
#[derive(Debug)]
#[non_exhaustive]
pub enum InterruptError {
    /// The period that was asked for is zero.
    Period,
    /// The deque does not answer interrupts.
    Deque {
        /// The name of the deque.
        deque: &'static str,
    },
    /// This system has no signals that the library knows how to use.
    Unavailable,
    /// The program uses the signal for something else.
    SignalTaken {
        /// The number of the signal.
        signal: i32,
    },
    /// The handler could not be installed, or the thread that interrupts could not be started.
    System {
        /// The error of the system.
        source: io::Error,
    },
}

impl From<Refused> for InterruptError {
    fn from(refused: Refused) -> InterruptError {
        match refused {
            Refused::InUse { signal } => InterruptError::SignalTaken { signal },
            Refused::System(source) => InterruptError::System { source },
            Refused::Unavailable => InterruptError::Unavailable,
        }
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
