//! The probes of a pool that is being built are told whose they are.

use super::Registry;
use crate::deque::Deque;
use crate::probe::{AttachError, Probe};
use lyocell_sync::unmodelled::{AtomicUsize, Ordering};

/// How many pools there were: the number of the next one, for its probes.
static POOLS: AtomicUsize = AtomicUsize::new(0);

/// A probe that refuses, and the worker whose it is.
#[derive(Debug)]
pub(crate) struct NotAttached {
    pub(crate) worker: usize,
    pub(crate) source: AttachError,
}

impl<D: Deque, P: Probe> Registry<D, P> {
    /// Attaches the probe of each worker. No thread of the pool may have been started.
    pub(crate) fn attach_probes(&self) -> Result<(), NotAttached> {
        // Ordering: Relaxed; only the numbers count.
        let (pool, workers) = (POOLS.fetch_add(1, Ordering::Relaxed), self.workers.len());
        let mut all = self.workers.iter().enumerate();
        all.try_for_each(|(worker, at)| {
            let attached = at.owner.probe.attach(pool, worker, workers);
            attached.map_err(|source| NotAttached { worker, source })
        })
    }
}
