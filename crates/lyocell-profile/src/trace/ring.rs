//! The marks of a worker, in a ring of bounded size.

use crate::tally::Name;
use lyocell::probe::Phase;
use std::collections::VecDeque;

/// Something that happened on a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// From now on the worker does this.
    Enters(Phase),
    /// A task begins that was taken from this worker.
    Stolen {
        /// The number of its owner.
        victim: usize,
    },
    /// A call from outside begins.
    Call,
    /// A detached task begins.
    Detached,
    /// A task of a scope begins.
    Spawned,
    /// A region begins.
    Region(Name),
    /// The task or region that has begun last is over.
    End,
    /// The worker has slept and was woken.
    Woken,
}

/// So many marks are kept.
pub(super) const ROOM: usize = 32 << 10;

/// The last marks, with their times in ticks.
#[derive(Clone, Debug, Default)]
pub(super) struct Ring {
    pub(super) marks: VecDeque<(u64, Mark)>,
    pub(super) dropped: u64,
}

impl Ring {
    pub(super) fn push(&mut self, at: u64, mark: Mark) {
        if self.marks.len() == ROOM {
            self.marks.pop_front();
            self.dropped += 1;
        }
        self.marks.push_back((at, mark));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_are_dropped_and_counted() {
        let mut ring = Ring::default();
        for at in 0..ROOM as u64 + 5 {
            ring.push(at, Mark::End);
        }
        assert_eq!((ring.marks.len(), ring.dropped), (ROOM, 5));
        assert_eq!(ring.marks[0].0, 5);
    }
}
