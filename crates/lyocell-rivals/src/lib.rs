//! Runtimes as engines of the benchmark, most of them in C and C++: a program each, which `lyocell run --engine NAME` starts for each
//! turn and ends after it, so that no two of them are ever in one process, and none is there while another is timed.
//!
//! ```text
//!   lyocell run ──> lyocell-rival-NAME WORKERS          one process a turn
//!                     <── ready
//!     fib:24     ──>                                    a workload a line; or `small`, for a small one of each
//!                     <── done NANOSECONDS ANSWER       or: wrong EXPECTED <tab> GOT
//! ```
//!
//! Inputs, checks and long leaves are those of `lyocell_workloads`, the same code as every other engine has; an engine
//! in C or C++ is a [`Kernels`](lyocell_workloads::rival::Kernels), written in `engines/` and built by `build.rs` where the machine has what it needs. Without
//! arguments a program tells what it is; where it could not be built it says why, with exit code 2.

#[cfg(feature = "forte")]
pub mod forte;
mod native;
mod program;

pub use native::start;
pub use program::{Outcome, Running, SMALL, Start, main};
