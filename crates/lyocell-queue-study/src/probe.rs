//! What is counted of the queues' operations, or not: the statistics the authors of the study
//! missed (section 7.2).
//!
//! A worker has a probe of its own and the probe's type is a parameter, so a run that counts nothing has no
//! code for it, and what counting costs is the difference of two runs of one binary. Whoever counts reads the clock around
//! a share of the operations too.

use super::operations::{Attempt, Operation, OperationTimes};

/// Is told what a worker does with queues.
pub(crate) trait Probe: Default + Send {
    /// Does something with a queue; which operation it was, its outcome tells.
    fn during<R>(
        &mut self,
        attempt: Attempt,
        operation: impl FnOnce() -> R,
        which: impl FnOnce(&R) -> Option<Operation>,
    ) -> R;
    /// Its queue has one more node; `len` says how many it has now.
    fn pushed(&mut self, len: impl FnOnce() -> usize);
    /// Its queue was full and the node went to the worker's private stack.
    fn overflowed(&mut self);
    /// It took a node from its own queue.
    fn took(&mut self);
    /// It stole a node.
    fn stole(&mut self);
    /// Its attempt to steal found nothing.
    fn found_empty(&mut self);
    /// Its attempt to steal met somebody else's.
    fn found_busy(&mut self);
}

/// Counts nothing.
#[derive(Debug, Default)]
pub(crate) struct NoProbe;

impl Probe for NoProbe {
    #[inline(always)]
    fn during<R>(
        &mut self,
        _: Attempt,
        operation: impl FnOnce() -> R,
        _: impl FnOnce(&R) -> Option<Operation>,
    ) -> R {
        operation()
    }

    #[inline(always)]
    fn pushed(&mut self, _: impl FnOnce() -> usize) {}
    #[inline(always)]
    fn overflowed(&mut self) {}
    #[inline(always)]
    fn took(&mut self) {}
    #[inline(always)]
    fn stole(&mut self) {}
    #[inline(always)]
    fn found_empty(&mut self) {}
    #[inline(always)]
    fn found_busy(&mut self) {}
}

/// Counts everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Nodes that went into the own queue.
    pub(crate) pushes: u64,
    /// Nodes that did not, because it was full.
    pub(crate) overflows: u64,
    /// Nodes that came out for the owner.
    pub(crate) takes: u64,
    /// Nodes that came out for thieves.
    pub(crate) steals: u64,
    /// Attempts to steal that found nothing.
    pub(crate) empty: u64,
    /// Attempts to steal that met somebody else's.
    pub(crate) busy: u64,
    /// The most nodes the own queue had after a push.
    pub(crate) peak_length: usize,
    /// How long some of them took.
    pub(crate) times: OperationTimes,
}

impl Counts {
    /// What a whole team counted; the longest of its queues.
    pub(crate) fn sum(team: impl IntoIterator<Item = Counts>) -> Counts {
        team.into_iter().fold(Counts::default(), |sum, one| Counts {
            pushes: sum.pushes + one.pushes,
            overflows: sum.overflows + one.overflows,
            takes: sum.takes + one.takes,
            steals: sum.steals + one.steals,
            empty: sum.empty + one.empty,
            busy: sum.busy + one.busy,
            peak_length: sum.peak_length.max(one.peak_length),
            times: sum.times.with(one.times),
        })
    }
}

impl Probe for Counts {
    #[inline]
    fn during<R>(
        &mut self,
        attempt: Attempt,
        operation: impl FnOnce() -> R,
        which: impl FnOnce(&R) -> Option<Operation>,
    ) -> R {
        self.times.during(attempt, operation, which)
    }

    fn pushed(&mut self, len: impl FnOnce() -> usize) {
        self.pushes += 1;
        self.peak_length = self.peak_length.max(len());
    }

    fn overflowed(&mut self) {
        self.overflows += 1;
    }

    fn took(&mut self) {
        self.takes += 1;
    }

    fn stole(&mut self) {
        self.steals += 1;
    }

    fn found_empty(&mut self) {
        self.empty += 1;
    }

    fn found_busy(&mut self) {
        self.busy += 1;
    }
}
