//! How a pool begins and how it ends.

use super::Pool;
use super::config::Config;
use super::error::BuildError;
use super::thread_builder::{ThreadBuilder, ThreadHooks};
use super::threads::Presence;
use crate::current;
use crate::deque::Deque;
use crate::probe::Probe;
use crate::scheduler::spares::SpareWays;
use crate::scheduler::{NotAttached, Parts, Registry};
use crate::wait::Latch;
use lyocell_sync::thread::{self, JoinHandle};
use std::io;
use std::sync::Arc;

/// What starts a thread of a pool, and may leave it to the pool to join it.
pub(super) type Start<'a> = dyn FnMut(ThreadBuilder) -> io::Result<Option<JoinHandle<()>>> + 'a;

impl<D: Deque, P: Probe> Pool<D, P> {
    /// Starts a pool, each of its threads by `start`. Where the first cannot be started because the system supports none, the pool is
    /// one without threads (alone-1). If another one fails, those before it end.
    pub(super) fn start(
        config: &Config,
        options: &D::Options,
        workers: usize,
        spares: Option<SpareWays<D, P>>,
        start: &mut Start<'_>,
    ) -> Result<Pool<D, P>, BuildError> {
        let alone = |config: &Config| {
            let parts = config.parts_alone::<D>()?;
            let start: &mut Start<'_> = &mut |_| unreachable!("it has no threads");
            Self::start_with(parts, config, options, None, start)
        };
        if workers == 1 && config.use_current_thread {
            return alone(config);
        }
        let mut started = false;
        let parts = config.parts::<D>(workers)?;
        let pool = Self::start_with(parts, config, options, spares, &mut |thread| {
            let thread = start(thread)?;
            started = true;
            Ok(thread)
        });
        match pool {
            Err(BuildError::Thread { source, .. })
                if !started && source.kind() == io::ErrorKind::Unsupported =>
            {
                alone(config)
            }
            pool => pool,
        }
    }

    fn start_with(
        parts: Parts,
        config: &Config,
        options: &D::Options,
        spares: Option<SpareWays<D, P>>,
        start: &mut Start<'_>,
    ) -> Result<Pool<D, P>, BuildError> {
        let (registry, backup) = Registry::new(parts, options);
        let attached = registry.attach_probes();
        attached.map_err(|NotAttached { worker, source }| BuildError::Attach { worker, source })?;
        let mut pool = Pool { registry, threads: Vec::new() };
        pool.keep(pool.registry.start_ticker()?);
        let hooks = ThreadHooks::of(config);
        // Each thread keeps the registry alive (registry-3). On an error those that have not been started are dropped here, so
        // that nobody waits for them, and then the pool, which joins the threads so far.
        let first = usize::from(pool.registry.seat.is_some() || config.use_current_thread);
        let own = config.use_current_thread.then(|| Presence::of(&pool.registry, 0));
        let first_spare = pool.registry.worker_of_spare(0);
        let presences: Vec<_> =
            (first..first_spare).map(|worker| Presence::of(&pool.registry, worker)).collect();
        (first_spare..pool.workers()).for_each(|worker| pool.registry.note_absent(worker));
        if let Some(ways) = spares {
            let _ = pool.registry.spare_ways.set(ways);
        }
        let steering = config.wake_steering();
        let mut start = |worker: usize, life: Box<dyn FnOnce() + Send>| {
            let thread = start(ThreadBuilder::new(config, steering, worker, life));
            thread.map_err(|source| BuildError::Thread { worker, source })
        };
        if let Some(parker) = backup {
            let (registry, hooks) = (Arc::clone(&pool.registry), hooks.clone());
            let life = move || {
                hooks.begin(0);
                registry.serve_as_backup(&parker);
                hooks.end(0);
            };
            pool.keep(start(0, Box::new(life))?);
        }
        for presence in presences {
            let (worker, hooks) = (presence.worker(), hooks.clone());
            let life = move || presence.serve(steering, &hooks);
            pool.keep(start(worker, Box::new(life))?);
        }
        if let Some(own) = own {
            if current::is_worker() {
                // `start` may have built another pool that took this thread.
                return Err(BuildError::CurrentThreadIsWorker);
            }
            pool.registry.occupy_for_good(own.worker());
            current::keep_until_the_end(Box::new(own));
        }
        Ok(pool)
    }
}

impl<D: Deque, P: Probe> Pool<D, P> {
    /// Keeps a thread, to be joined.
    #[inline(never)]
    pub(super) fn keep(&mut self, thread: Option<JoinHandle<()>>) {
        self.threads.extend(thread);
    }
}

impl<D: Deque, P: Probe> Drop for Pool<D, P> {
    fn drop(&mut self) {
        let registry = &self.registry;
        if registry.generation.is_past() {
            // The threads and callers are in another process: what they hold is not ours to free, nor are the lanes and lists
            // that one of them was about to change (after_fork-4).
            std::mem::forget(Arc::clone(registry));
            return std::mem::forget(std::mem::take(&mut self.threads));
        }
        registry.drain.close();
        registry.wake_everybody();
        if let Some(worker) = registry.current() {
            // One of the threads to join may be this one, or wait for the task that drops us.
            if registry.is_alone() && registry.seat.is_none() {
                // It is all the pool has, for good (alone-2).
                registry.run_what_waits(worker);
            }
            return;
        }
        let threads = std::mem::take(&mut self.threads);
        if threads.is_empty() {
            // It has none, or the program has started them.
            return;
        }
        let registry = Arc::clone(registry);
        let join = move || {
            let mut threads = threads.into_iter();
            join_all(&mut || threads.next());
            // spares-3: each that the others have made start.
            join_all(&mut || registry.spares.thread());
        };
        match current::is_worker() {
            true => beside(Box::new(join)),
            false => join(),
        }
    }
}

fn join_all(next: &mut dyn FnMut() -> Option<JoinHandle<()>>) {
    while let Some(thread) = next() {
        // A thread of ours catches what users' code throws; if it panicked, it is over as well.
        let _ = thread.join();
    }
}

/// Has a thread join the threads of a pool, and works in this thread's own pool meanwhile (current-1): what is
/// outstanding there may need it.
fn beside(join: Box<dyn FnOnce() + Send>) {
    current::waiting(|parker, wait| {
        let latch = Arc::new(Latch::new(parker));
        let joined = Arc::clone(&latch);
        let join_and_tell = move || {
            join();
            // SAFETY: this thread has its share of the latch.
            unsafe { Latch::set(Arc::as_ptr(&joined)) };
        };
        // Without a thread the pool's threads end by themselves.
        if let Ok(thread) = thread::start(thread::Builder::new(), Box::new(join_and_tell)) {
            wait(&*latch);
            // As in `join_all`.
            let _ = thread.join();
        }
    });
}
