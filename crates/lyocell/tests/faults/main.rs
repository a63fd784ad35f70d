//! Faults: what must not hang, crash, leak or lie when things go wrong. Each test is a process of its own,
//! with a watchdog. Those that meet the deque run on one of each kind.
#![cfg(all(unix, not(miri)))]

#[path = "../common/mod.rs"]
mod common;
#[macro_use]
#[path = "../common/each_deque.rs"]
mod each_deque;
#[path = "../common/process.rs"]
mod process;
#[path = "../common/system.rs"]
mod system;

mod affinity;
mod background;
mod callers;
mod capacity;
mod drops;
mod fairness;
mod fork;
mod held;
mod hooks;
mod isolation;
mod left_behind;
mod nesting;
mod panics;
mod probes;
mod reported;
mod resources;
mod signals;
mod stack;
mod strangers;
mod thread_locals;

use lyocell::{Deque, Split};

/// So many rounds on the default deque, so many on each of the others.
fn rounds<D: Deque>(default: usize, others: usize) -> usize {
    if D::NAME == Split::NAME { default } else { others }
}
