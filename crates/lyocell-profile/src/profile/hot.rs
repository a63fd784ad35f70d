//! What a worker touches at forks.

use crate::costs::Costs;
use crate::heartbeat::Heart;
use crate::ledger::Ledger;
use crate::site::Sites;
use crate::words::Word;
use std::sync::OnceLock;

/// What the worker touches at forks.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Hot {
    pub(crate) ledger: Ledger,
    /// The time of the last reading.
    pub(super) last: Word,
    /// The work so far.
    pub(super) work: Word,
    /// What the probe itself has cost since the last readings, to be subtracted.
    pub(super) overhead: Word,
    /// What was not subtracted, because more had been than has passed.
    pub(super) left: Word,
    /// Whether the worker is in a task: 1, or looks for one or waits: 0.
    pub(super) is_working: Word,
    /// The longest strand in a fork of the current task or region.
    pub(super) longest: Word,
    /// The plain span of all outermost forks of the current task or region.
    pub(super) forked: Word,
    /// How long the worker had no processor in the current task or region, because it could not run.
    pub(super) blocked: Word,
    /// The same, because somebody else had it. This is no work.
    pub(super) crowded: Word,
    pub(super) readings: Word,
    /// The time that the program says it is.
    pub(super) declared: Word,
    pub(super) peak_depth: Word,
    pub(super) sites: Sites,
    /// Set once, when the worker becomes part of a pool.
    pub(super) costs: OnceLock<Costs>,
    /// The same, where the clock is sampled.
    pub(super) heart: OnceLock<&'static Heart>,
}

impl Hot {
    pub(super) fn new() -> Hot {
        Hot {
            ledger: Ledger::new(),
            last: Word::default(),
            work: Word::default(),
            overhead: Word::default(),
            left: Word::default(),
            is_working: Word::default(),
            longest: Word::default(),
            forked: Word::default(),
            blocked: Word::default(),
            crowded: Word::default(),
            readings: Word::default(),
            declared: Word::default(),
            peak_depth: Word::default(),
            sites: Sites::new(),
            costs: OnceLock::new(),
            heart: OnceLock::new(),
        }
    }

    /// Whether the worker is in a task.
    pub(crate) fn is_working(&self) -> bool {
        self.is_working.get() != 0
    }
}
