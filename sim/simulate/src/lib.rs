//! Programs on the runtime over virtual processors.
//!
//! | file | what |
//! |---|---|
//! | `programs` | what runs, and what its tasks cost |
//! | `pools` | the deques by name; one run on one of them |
//! | `watch` | the probe, which has no field: it changes no layout |
//! | `row` | what is told of a run, the bounds beside it, and how it is written |
//! | `check` | programs at random under faults, and what must hold |
//! | `machines` | the machine files that are shipped |

pub mod check;
pub mod machines;
pub mod pools;
pub mod programs;
pub mod row;
mod watch;

/// What shares a line depends on types alone.
#[global_allocator]
static LINES: lyocell_virtual::LineAllocator = lyocell_virtual::LineAllocator;
