//! Threads: started, joined, counted.

pub use crate::backend::thread::{
    Builder, JoinHandle, Result, available_parallelism, panicking, sleep,
};

use std::io;

/// Starts a thread with this life. It is boxed, so that what starts a thread is compiled once: four kilobytes for each type of life.
pub fn start(builder: Builder, life: Box<dyn FnOnce() + Send>) -> io::Result<JoinHandle<()>> {
    builder.spawn(life)
}
