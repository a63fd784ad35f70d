//! Turns: now and then a worker looks for the oldest job before anything else, so that none waits for ever.
//!
//! Whatever a worker prefers, a flood of it would starve the rest: its own newest jobs, which spawn others; stolen
//! tasks of a computation that never ends. So at every [`EVERY`]th look one of the sources of jobs is first, each in
//! its turn.
//!
//! # Invariants
//! - turns-1. Of any `JobSource::ALL.len() * EVERY` looks in a row, one is for the oldest job of
//!   each source before all else.
//!
//! Source: the schedulers of Go and tokio, which look at the shared queue at every 61st turn.

use std::cell::Cell;

/// How many looks there are from one turn of the jobs to the next. A prime, so that no pattern of tasks keeps step.
/// Untuned, as in Go.
pub(crate) const EVERY: u32 = 61;

/// Where jobs wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobSource {
    /// In the lane for calls and spawns from outside.
    Injector,
    /// In the worker's own lane.
    OwnLane,
    /// In the lane of another worker.
    OtherLanes,
}

impl JobSource {
    pub(crate) const ALL: [JobSource; 3] =
        [JobSource::Injector, JobSource::OwnLane, JobSource::OtherLanes];
}

/// How often a worker has looked for something to do.
#[derive(Default)]
pub(crate) struct Turns(Cell<u32>);

impl Turns {
    /// Counts a look, and tells whose oldest job comes first this time, if one does.
    pub(crate) fn next(&self) -> Option<JobSource> {
        let looks = self.0.get().wrapping_add(1);
        self.0.set(looks);
        let source = (looks / EVERY) as usize % JobSource::ALL.len();
        (looks % EVERY == 0).then(|| JobSource::ALL[source])
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn each_source_has_its_turn() {
        let turns = Turns::default();
        let round = JobSource::ALL.len() * EVERY as usize;
        for _ in 0..5 {
            let met: Vec<JobSource> = (0..round).filter_map(|_| turns.next()).collect();
            assert_eq!(met.len(), JobSource::ALL.len());
            assert!(JobSource::ALL.iter().all(|source| met.contains(source)), "{met:?}");
        }
    }
}
