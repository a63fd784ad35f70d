//! Threads: started, joined, counted.

pub use crate::backend::thread::{
    Builder, JoinHandle, Result, available_parallelism, panicking, sleep,
};
