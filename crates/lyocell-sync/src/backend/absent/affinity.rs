//! No thread is pinned or steered.

use crate::thread::{Builder, JoinHandle, start};
use std::io;

/// How many processors this thread may use.
pub fn processors() -> usize {
    crate::thread::available_parallelism().map_or(usize::MAX, usize::from)
}

/// Does nothing here.
pub fn pin(_index: usize) {}

/// None are known.
pub fn nodes() -> Vec<Vec<usize>> {
    Vec::new()
}

/// Does nothing here.
pub fn keep_on(_processors: &[usize]) {}

/// Starts a thread.
pub fn spawn_away(builder: Builder, life: Box<dyn FnOnce() + Send>) -> io::Result<JoinHandle<()>> {
    start(builder, life)
}

/// How wakers steer one thread: not at all.
#[derive(Debug, Default)]
pub struct Steering;

impl Steering {
    /// For a thread that is not steered.
    pub fn new() -> Steering {
        Steering
    }

    /// Does nothing here.
    pub fn bind_thread(&self) {}

    /// Does nothing here.
    pub fn steer_away(&self) {}

    /// Does nothing here.
    pub fn undo(&self) {}
}
