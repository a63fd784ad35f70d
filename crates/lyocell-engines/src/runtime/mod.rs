//! Lyocell, in any [`Setup`].
//!
//! | file | what |
//! |---|---|
//! | `deques.rs` | the one table of deques: what each is, where it is from, which options it takes, how a pool on it starts |
//! | `options.rs` | the one table of options |
//! | `setup.rs` | a deque with options: an engine |
//! | `start.rs` | starts a pool |
//! | `observed.rs` | what the probes saw of a run |
//! | `profiled.rs` | the runtime under the profile |

#[cfg(test)]
mod answers;
pub mod deques;
mod observed;
pub mod options;
mod profiled;
mod setup;
mod start;

pub(crate) use observed::Observer;
pub use observed::{Observed, Watch};
pub use options::{Choice, Value};
pub use profiled::PROFILED;
pub use setup::{Setup, UnsupportedOption};

use super::{Engine, Programs, RUNTIME, Session};
use lyocell_workloads::StartError;

/// The runtime in one setup.
pub(super) struct Lyocell {
    name: &'static str,
    setup: Setup,
}

/// The runtime as everybody gets it.
pub(super) static DEFAULT: Lyocell = Lyocell { name: RUNTIME, setup: Setup::DEFAULT };

impl Engine for Lyocell {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        "this project, on the split deque if no other is chosen"
    }

    fn absence(&self) -> Option<&'static str> {
        self.setup.deque.absence()
    }

    fn programs(&self) -> Programs {
        self.setup.deque.programs()
    }

    fn start(&self, workers: usize) -> Result<Box<dyn Session>, StartError> {
        let failure = |cause| StartError { engine: self.name, workers, cause };
        self.setup.deque.start(&self.setup, workers).map_err(failure)
    }
}
