//! A thread of a pool that is yet to be started.

use super::config::{Config, IndexHook, Pinning, WakeSteering};
use super::nodes::Nodes;
use crate::task::panic::{PanicHook, hand_panic};
use lyocell_sync::{affinity, stack, thread};
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A thread of a pool that is yet to be started: what [`Builder::build_with`](crate::Builder::build_with) hands to the
/// program, which calls [`ThreadBuilder::run`] on a thread of its making.
pub struct ThreadBuilder {
    index: usize,
    name: String,
    stack_bytes: usize,
    pinning: Pinning,
    /// Which worker is on which node, where that is known.
    nodes: Option<Arc<Nodes>>,
    steering: WakeSteering,
    life: Box<dyn FnOnce() + Send>,
}

impl ThreadBuilder {
    /// The thread of this worker. `life` is boxed, so that this is there once and not once for each kind of pool.
    pub(super) fn new(
        config: &Config,
        steering: WakeSteering,
        index: usize,
        life: Box<dyn FnOnce() + Send>,
    ) -> Self {
        let name = (config.name)(index);
        let name = name.split('\0').next().unwrap_or_default().to_owned();
        let (stack_bytes, pinning) = (config.stack_bytes, config.pinning);
        let nodes = config.nodes.clone();
        ThreadBuilder { index, name, stack_bytes, pinning, nodes, steering, life }
    }

    /// Returns the number of the worker that the thread is for, from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns the name that the builder of the pool gives the thread.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns how many bytes of stack the builder of the pool gives the thread.
    pub fn stack_size(&self) -> usize {
        self.stack_bytes
    }

    /// Serves the pool on the calling thread, until the pool is dropped and all its detached tasks are over.
    ///
    /// # Panics
    /// Panics if the calling thread is a worker already.
    pub fn run(self) {
        let ThreadBuilder { index, pinning, nodes, life, .. } = self;
        assert!(
            !crate::current::is_worker(),
            "the thread that should be worker {index} of a pool is a worker already: run it on a new thread"
        );
        if pinning == Pinning::Compact {
            affinity::pin(index);
        }
        if let Some(processors) = nodes.as_ref().and_then(|nodes| nodes.processors_of(index)) {
            affinity::keep_on(processors);
        }
        drop(nodes);
        life();
    }

    /// Starts a thread of the standard library, as the builder of the pool says.
    pub(super) fn start(self) -> io::Result<thread::JoinHandle<()>> {
        let stack_bytes = self.stack_bytes;
        let builder = thread::Builder::new().name(self.name.clone()).stack_size(stack_bytes);
        let steering = self.steering;
        let life = Box::new(move || {
            stack::begin(stack_bytes);
            self.run();
        });
        match steering {
            WakeSteering::AwayFromWaker => affinity::spawn_away(builder, life),
            WakeSteering::Off => thread::start(builder, life),
        }
    }
}

impl fmt::Debug for ThreadBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadBuilder")
            .field("index", &self.index)
            .field("name", &self.name)
            .field("stack_size", &self.stack_bytes)
            .finish_non_exhaustive()
    }
}

/// What a thread of a pool calls when it begins and when it ends.
#[derive(Clone)]
pub(super) struct ThreadHooks {
    on_start: Option<IndexHook>,
    on_exit: Option<IndexHook>,
    on_panic: Option<PanicHook>,
}

impl ThreadHooks {
    pub(super) fn of(config: &Config) -> ThreadHooks {
        let (on_start, on_exit) = (config.on_start.clone(), config.on_exit.clone());
        ThreadHooks { on_start, on_exit, on_panic: config.on_panic.clone() }
    }

    pub(super) fn begin(&self, worker: usize) {
        self.call(&self.on_start, worker);
    }

    pub(super) fn end(&self, worker: usize) {
        self.call(&self.on_exit, worker);
    }

    fn call(&self, hook: &Option<IndexHook>, worker: usize) {
        let Some(hook) = hook else { return };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| hook(worker))) {
            hand_panic(&self.on_panic, panic);
        }
    }
}
