//! Pools as they are built, entered, watched and left, through the public interface only.

#[path = "../common/mod.rs"]
mod common;
#[macro_use]
#[path = "../common/each_deque.rs"]
mod each_deque;

mod active;
mod alone;
mod background;
mod blocking;
mod builder;
mod counters;
mod observed;
#[cfg(not(miri))]
mod own_threads;
mod pool;
