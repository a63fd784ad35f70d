//! The interface of rayon-core 1.13, on the runtime of Lyocell.
//!
//! This package takes the place of rayon-core in a program that uses rayon, by a `[patch.crates-io]` entry; README.md
//! tells how. Then all of rayon, its parallel iterators included, runs on Lyocell. What a function does is written at
//! rayon's function of the same name; here stands what it becomes.
//!
//! | file | what |
//! |---|---|
//! | `join`, `scope`, `spawn`, `broadcast` | forking, on the pool of the current thread or the global one |
//! | `current` | about the current thread, and yielding |
//! | `thread_pool` | a pool of the user's |
//! | `builder` | everything that can be set about one; `spawning`: by whom its threads are started; `configuration`: the old name |
//! | `global` | the global pool, which is Lyocell's |
//! | `error` | why there is no pool |

/// The page for those who want the native handle: what it shows is tested.
#[cfg(doctest)]
#[doc = include_str!("../MIGRATING.md")]
struct Migrating;

#[macro_use]
mod private;

mod broadcast;
mod builder;
mod configuration;
mod current;
mod error;
mod global;
mod join;
mod panics;
mod primed;
mod scope;
mod spawn;
mod spawning;
mod thread_pool;

pub use broadcast::{broadcast, spawn_broadcast, BroadcastContext};
pub use builder::ThreadPoolBuilder;
#[allow(deprecated)]
pub use configuration::{initialize, Configuration};
pub use current::{
    current_num_threads, current_thread_has_pending_tasks, current_thread_index, max_num_threads,
    yield_local, yield_now,
};
pub use error::ThreadPoolBuildError;
pub use join::{join, join_context};
pub use lyocell::{FnContext, Yield};
pub use scope::{in_place_scope, in_place_scope_fifo, scope, scope_fifo, Scope, ScopeFifo};
pub use spawn::{spawn, spawn_fifo};
pub use spawning::ThreadBuilder;
pub use thread_pool::ThreadPool;
