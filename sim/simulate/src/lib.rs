//! Programs on the runtime over virtual processors.
//!
//! | file | what |
//! |---|---|
//! | `programs` | what runs, and what its tasks cost |
//! | `calls` | what runs to be checked: calls from outside, scopes, broadcasts, detached tasks, panics |
//! | `dfs` | a search of a graph, by coalesced tasks |
//! | `queens` | boards that are made one from the other |
//! | `pools` | the deques by name; one run on one of them |
//! | `queues` | the queues by themselves: a case of the queue study |
//! | `watch` | the probe, which has no field: it changes no layout |
//! | `row` | a run, and what is told of it |
//! | `bounds` | what theory says that it takes |
//! | `trace` | who did what when, as a file |
//! | `uts` | the published trees |
//! | `check` | programs at random under faults, and what must hold |
//! | `last_words` | what is told of a run that ends by a signal |
//! | `calibrate` | the machine that this runs on, measured |
//! | `machines` | the machine files that are shipped |

pub mod bounds;
#[cfg(target_os = "linux")]
pub mod calibrate;
mod calls;
pub mod check;
pub mod dfs;
pub mod last_words;
pub mod machines;
pub mod pools;
pub mod programs;
pub mod queens;
pub mod queues;
pub mod row;
pub mod trace;
pub mod uts;
mod watch;

/// What shares a line depends on types alone.
#[global_allocator]
static LINES: lyocell_virtual::LineAllocator = lyocell_virtual::LineAllocator;
