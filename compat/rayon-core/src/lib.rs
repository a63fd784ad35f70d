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
//! | `builder` | everything that can be set about one; `registry`: by whom its threads are started; `configuration`: the old name |
//! | `isolated` | calls that run nothing else while they wait, where the user asks for it |
//! | `global` | the global pool, which is Lyocell's |
//! | `error` | why there is no pool |
//!
//! Each type stands in the module that it has in rayon-core, or here: that is in `type_name`, and so in logs.

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
mod isolated;
mod join;
mod panics;
mod primed;
mod registry;
mod scope;
mod spawn;
mod thread_pool;

pub use broadcast::{broadcast, spawn_broadcast, BroadcastContext};
#[allow(deprecated)]
pub use configuration::initialize;
pub use current::{
    current_num_threads, current_thread_has_pending_tasks, current_thread_index, max_num_threads,
    yield_local, yield_now,
};
pub use join::{join, join_context};
pub use registry::ThreadBuilder;
pub use scope::{in_place_scope, in_place_scope_fifo, scope, scope_fifo, Scope, ScopeFifo};
pub use spawn::{spawn, spawn_fifo};
pub use thread_pool::{ThreadPool, Yield};

use panics::PanicHandler;
use std::marker::PhantomData;

/// Why a pool could not be built.
#[derive(Debug)]
pub struct ThreadPoolBuildError {
    kind: error::ErrorKind,
}

/// Everything that can be set about a pool.
pub struct ThreadPoolBuilder<S = registry::DefaultSpawn> {
    /// 0 where the environment or the machine decides.
    num_threads: usize,
    use_current_thread: bool,
    panic_handler: Option<Box<PanicHandler>>,
    get_thread_name: Option<Box<dyn FnMut(usize) -> String>>,
    stack_size: Option<usize>,
    start_handler: Option<Box<ThreadHandler>>,
    exit_handler: Option<Box<ThreadHandler>>,
    spawn_handler: S,
    breadth_first: bool,
}

/// Called on each thread when it begins or ends, with its number.
type ThreadHandler = dyn Fn(usize) + Send + Sync;

/// The old name of [`ThreadPoolBuilder`].
#[deprecated(note = "Use `ThreadPoolBuilder`")]
#[derive(Default)]
pub struct Configuration {
    builder: ThreadPoolBuilder,
}

/// What a closure of [`join_context`] is told about how it was called.
#[derive(Debug)]
pub struct FnContext {
    migrated: bool,
    /// Neither `Send` nor `Sync`.
    _marker: PhantomData<*mut ()>,
}

impl FnContext {
    #[inline]
    fn of(context: lyocell::FnContext) -> FnContext {
        FnContext { migrated: context.migrated(), _marker: PhantomData }
    }

    /// Returns whether the closure runs on another thread than the one that called [`join_context`].
    #[inline]
    pub fn migrated(&self) -> bool {
        self.migrated
    }
}
