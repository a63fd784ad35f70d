//! How many workers are active: as many as the program says, or, by a thread that looks now and then, as the process has processors, which
//! may become more and fewer: a quota is changed, or the processors on which it may run.

use super::error::BuildError;
use super::{Builder, Pool};
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

impl<D: Deque, P: Probe> Pool<D, P> {
    /// Has the first `workers` workers of the pool active, the caller's seat included, and the others sit out, from the end of what they are
    /// in on; returns how many are active. At first all are.
    ///
    /// For a program that has fewer processors for a while, as by a quota or beside another program, or work for fewer. Who sits out
    /// sleeps: it runs no tasks and no calls, but takes part in a [broadcast](Pool::broadcast). At least one thread of the pool stays
    /// active, so that detached tasks are run: where a pool has a seat, two workers, if it has as many. [Spare](Builder::spare_workers)
    /// workers are not counted, and come when they are needed. [`Pool::workers`] is as before.
    ///
    /// May be called from any thread at any time; [`Builder::watch_processors`] calls it whenever the process has more or fewer
    /// processors.
    ///
    /// # Cost
    /// A wake-up for each worker that sits out, or does so no more. Joins cost what they did.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::with_workers(4)?;
    /// assert_eq!(pool.set_active(2), 2);
    /// assert_eq!(pool.run(|w| w.map_reduce(0..100, |x| x, || 0, |a, b| a + b)), 4950);
    /// // All of them again.
    /// assert_eq!((pool.set_active(usize::MAX), pool.active()), (4, 4));
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn set_active(&self, workers: usize) -> usize {
        match self.registry.generation.is_past() {
            // The child of a fork: the others are not there.
            true => self.active(),
            false => self.registry.set_active(workers),
        }
    }

    /// Returns how many workers are active, spare ones aside ([`Pool::set_active`]).
    pub fn active(&self) -> usize {
        self.registry.active.most()
    }
}

impl<D: Deque, P: Probe> Builder<D, P> {
    /// Has the pool look at these intervals how many processors the process may use, as its affinity and the quota of its cgroup say, and
    /// have as many workers active ([`Pool::set_active`](crate::Pool::set_active)), when that has changed; at the most as many as it has.
    /// By default nobody looks.
    ///
    /// So a pool that is built with as many workers as the machine has processors runs on as many as it is allowed at the moment.
    /// Every second, say: intervals below a millisecond are as one.
    ///
    /// # Errors
    /// [`Builder::build`] fails if the thread that looks cannot be started.
    ///
    /// # Cost
    /// A thread that sleeps, and reads some small files each time it wakes up: the pool is not quiet when it does nothing.
    ///
    /// # Source
    /// Go since 1.25 looks anew at its quota, at most once a second.
    ///
    /// # Examples
    /// ```
    /// use std::time::Duration;
    ///
    /// let pool = lyocell::Pool::builder().workers(4).watch_processors(Duration::from_secs(1)).build()?;
    /// assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    #[must_use]
    pub fn watch_processors(mut self, every: Duration) -> Self {
        self.watch = Some(Watch::every(every));
        self
    }
}

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

    /// Starts the thread, which looks until the pool closes: whoever drops the pool waits for it, and not for tasks that are
    /// outstanding.
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
        while !self.drain.is_closing() {
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
