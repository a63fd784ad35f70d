//! A thread that has as many workers active as the process has processors, which may become more and fewer: a quota is changed, or
//! the processors on which it may run.

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

impl<D: Deque, P: Probe> Registry<D, P> {
    /// Starts the thread, which looks at these intervals, until the pool is over.
    pub(super) fn start_watcher(self: &Arc<Self>, every: Duration) -> io::Result<JoinHandle<()>> {
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
