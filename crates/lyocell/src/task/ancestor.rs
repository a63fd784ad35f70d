//! What a task or a job may descend from: a place in the lineage of a worker.

use std::num::NonZeroU32;

/// Something that a worker runs: an entry of its [lineage](crate::scheduler).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ancestor {
    worker: u32,
    // Plus one, so that each job has room for one or none in eight bytes.
    entry: NonZeroU32,
}

impl Ancestor {
    /// What a background task descends from: nothing that runs, and its class.
    pub(crate) const BACKGROUND: Ancestor = Ancestor { worker: u32::MAX, entry: NonZeroU32::MIN };

    pub(crate) fn new(worker: usize, entry: u32) -> Ancestor {
        Ancestor { worker: worker as u32, entry: NonZeroU32::MIN.saturating_add(entry) }
    }

    pub(crate) fn worker(self) -> usize {
        self.worker as usize
    }

    pub(crate) fn entry(self) -> u32 {
        self.entry.get() - 1
    }
}
