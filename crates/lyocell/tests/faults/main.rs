//! Faults: what must not hang, crash, leak or lie when things go wrong. Each test is a process of its own,
//! with a watchdog.
#![cfg(all(unix, not(miri)))]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/process.rs"]
mod process;
#[path = "../common/system.rs"]
mod system;

mod affinity;
mod callers;
mod capacity;
mod drops;
mod fork;
mod nesting;
mod panics;
mod resources;
mod signals;
mod stack;
mod thread_locals;
