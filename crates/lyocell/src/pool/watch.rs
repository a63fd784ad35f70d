//! A thread that has as many workers active as the process has processors, which may become more and fewer: a quota is changed, or
//! the processors on which it may run.

use super::error::BuildError;
use crate::deque::Deque;
use crate::probe::Probe;
use crate::scheduler::Registry;
use lyocell_sync::Parker;
use lyocell_sync::thread::{self, JoinHandle, available_parallelism};
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// It reads a few small files.
const STACK_BYTES: usize = 128 << 10;
/// More often it need not look: a quota is for a tenth of a second at the usual, and is changed by people and by schedulers of clusters.
const SHORTEST: Duration = Duration::from_millis(1);

/// That a pool is watched, and how that begins: a program that does not ask for it has no code for it.
pub(super) struct Watch<D: Deque, P: Probe> {
    every: Duration,
    start: Start<D, P>,
}

type Start<D, P> = fn(&Arc<Registry<D, P>>, Duration) -> io::Result<JoinHandle<()>>;

impl<D: Deque, P: Probe> Clone for Watch<D, P> {
    fn clone(&self) -> Self {
        Watch { every: self.every, start: self.start }
    }
}

impl<D: Deque, P: Probe> Watch<D, P> {
    pub(super) fn every(every: Duration) -> Self {
        Watch { every, start: Registry::start_watcher }
    }

    /// The same for a pool of another kind.
    pub(super) fn of_kind<D2: Deque, P2: Probe>(self) -> Watch<D2, P2> {
        Watch::every(self.every)
    }

    /// Starts the thread, which looks until the pool is over.
    pub(super) fn start(
        &self,
        registry: &Arc<Registry<D, P>>,
    ) -> Result<JoinHandle<()>, BuildError> {
        (self.start)(registry, self.every).map_err(|source| BuildError::Watcher { source })
    }
}

impl<D: Deque, P: Probe> Registry<D, P> {
    fn start_watcher(self: &Arc<Self>, every: Duration) -> io::Result<JoinHandle<()>> {
        let (registry, parker) = (Arc::clone(self), Parker::default());
        self.active.note_watcher(parker.unparker().clone());
        let life = move || registry.watch(&parker, every.max(SHORTEST));
        let thread = thread::Builder::new().name(String::from("lyocell-watcher"));
        thread::start(thread.stack_size(STACK_BYTES), Box::new(life))
    }

    fn watch(&self, parker: &Parker, every: Duration) {
        let mut before = None;
        while !self.drain.is_over() {
            let now = available_parallelism().ok().map(usize::from);
            // What the program has set itself stays, as long as nothing changes.
            if let Some(processors) = now.filter(|_| now != before) {
                self.set_active(processors);
            }
            before = now.or(before);
            parker.park_timeout(every);
        }
    }
}
