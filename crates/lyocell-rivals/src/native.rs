//! An engine in C or C++: a table of functions.
//!
//! - native-1. `kernels` is a table as `engines/kernels.h` has it, and its functions do what [`Kernels`] says of each.

use lyocell_workloads::rival::{Kernels, Rival, Started};
use lyocell_workloads::{Instance, OfRivals, On, OwnOfRivals, Reach, Roster, Visitor};

use crate::program::{Outcome, Running, STACK_BYTES, timed};

/// Makes the program of an engine: the `cfg` that it was built, and its description.
#[macro_export]
macro_rules! rival {
    ($built:meta, $about:expr) => {
        #[cfg($built)]
        const START: Option<$crate::Start> = Some(|workers| {
            unsafe extern "C" {
                static lyocell_rival: lyocell_workloads::rival::Kernels;
            }
            // SAFETY: native-1 holds of the table that is linked, which is a constant; this thread is no worker of it.
            unsafe { $crate::start(&lyocell_rival, workers) }
        });

        #[cfg(not($built))]
        const START: Option<$crate::Start> = None;

        fn main() -> std::process::ExitCode {
            $crate::main(START, $about)
        }
    };
}

/// Starts the engine of `kernels`.
///
/// # Errors
/// Its threads cannot be had.
///
/// # Safety
/// native-1, and this thread is no worker of the engine.
pub unsafe fn start(kernels: &Kernels, workers: usize) -> Result<Box<dyn Running>, String> {
    // SAFETY: native-1, the caller's promise.
    let started = unsafe { Started::start(*kernels, workers, STACK_BYTES) };
    let started = started.map_err(|_| "its threads cannot be had".to_owned())?;
    Ok(Box::new(Native(started)))
}

struct Native(Started);

impl Running for Native {
    fn holds(&self, instance: &Instance) -> bool {
        if self.0.has_join() { OfRivals::holds(instance) } else { OwnOfRivals::holds(instance) }
    }

    fn run(&self, instance: &mut Instance) -> Option<Outcome> {
        if !self.holds(instance) {
            return None;
        }
        OfRivals::visit(instance, Timed(&self.0))
    }
}

struct Timed<'a>(&'a Started);

impl Visitor<Rival> for Timed<'_> {
    type Output = Outcome;

    fn visit<P: On<Rival>>(self, problem: &mut P) -> Outcome {
        timed(problem, |problem| problem.run(self.0))
    }
}
