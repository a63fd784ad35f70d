//! Turns: now and then a worker looks for the oldest job before anything else, so that none waits for ever.
//!
//! Whatever a worker prefers, a flood of it would starve the rest: its own newest jobs, which spawn others; stolen
//! tasks of a computation that never ends. So at every [`EVERY`]th look one of the sources of jobs is first, each in
//! its turn.
//!
//! # Invariants
//! - turns-1. Of any `SOURCES * EVERY` looks in a row, one is for the oldest call or task from outside, one for the oldest
//!   job of the worker's own, and one for the oldest of another worker, before all else. These others take turns, so each
//!   lane is looked at first in as many such rounds as there are workers.
//! - turns-2. A worker that never runs out of jobs of its own looks for others' tasks all the same: first, at one of so many looks
//!   ([`TASKS_EVERY`]). So a join whose `b` nobody else can take does not wait for the end of a flood of jobs.
//! - turns-3. A worker that may begin background work, which else it does when nothing else waits, does so first at one of so many looks
//!   ([`BACKGROUND_EVERY`]), whatever the order of its own is. So a background task does not wait for the end of a flood, either.
//!
//! Source: the schedulers of Go and tokio, which look at the shared queue at every 61st turn.

use std::cell::Cell;

/// How many looks there are from one turn of the jobs to the next. A prime, so that no pattern of tasks keeps step.
/// Untuned, as in Go.
pub(crate) const EVERY: u32 = 61;

/// How many looks there are from one turn of others' tasks to the next. Seldom, as it asks their owners. Untuned.
const TASKS_EVERY: u32 = 16 * EVERY;

/// How many looks there are from one turn of background work to the next: a turn may be long, and is to take little from the others.
/// Untuned.
const BACKGROUND_EVERY: u32 = 16 * EVERY;

/// How many kinds of [`JobSource`] there are.
const SOURCES: u32 = 3;

/// In which order a worker takes up the tasks that were spawned on it.
///
/// It is chosen with [`Builder::spawn_order`](crate::Builder::spawn_order). Whatever the order is, other workers take the
/// oldest first. And whatever it is, a worker that waits where little of its stack is left takes its newest: in another order each
/// task might wait for its own on top of the one before, without an end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpawnOrder {
    /// Newest first, but now and then the oldest has its turn, so that none waits for ever.
    #[default]
    Fair,
    /// Newest first, always, as in rayon. Tasks that go on spawning others may starve older ones and calls from outside.
    NewestFirst,
    /// Oldest first, always. Calls from outside may starve.
    OldestFirst,
}

/// Where jobs wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobSource {
    /// In the lane for calls and spawns from outside.
    Injector,
    /// In the worker's own lane.
    OwnLane,
    /// In the lane of another worker: the one so many places after the next.
    OtherLane(usize),
}

/// How often a worker has looked for something to do.
#[derive(Default)]
pub(crate) struct Turns {
    looks: Cell<u32>,
    /// Those since background work had its turn, while there was some.
    without_background: Cell<u32>,
}

impl Turns {
    /// Counts a look, and tells whose oldest job comes first this time, if one does.
    #[inline]
    pub(crate) fn next(&self) -> Option<JobSource> {
        let looks = self.looks.get().wrapping_add(1);
        self.looks.set(looks);
        if looks % EVERY != 0 {
            return None;
        }
        let turn = looks / EVERY;
        Some(match turn % SOURCES {
            0 => JobSource::Injector,
            1 => JobSource::OwnLane,
            _ => JobSource::OtherLane((turn / SOURCES) as usize),
        })
    }

    /// Whether others' tasks come first at this look (turns-2), which is to be counted as any other.
    pub(crate) fn are_tasks_next(&self) -> bool {
        self.looks.get() % TASKS_EVERY == EVERY / 2
    }

    /// Counts a look of a worker that may begin background work.
    pub(crate) fn count_for_background(&self) {
        self.without_background.set(self.without_background.get().saturating_add(1));
    }

    /// Whether background work comes first at the next look (turns-3).
    pub(crate) fn is_background_next(&self) -> bool {
        self.without_background.get() + 1 >= BACKGROUND_EVERY
    }

    /// Background work has had its turn.
    pub(crate) fn note_background(&self) {
        self.without_background.set(0);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn each_source_has_its_turn() {
        let turns = Turns::default();
        let round =
            || -> Vec<JobSource> { (0..SOURCES * EVERY).filter_map(|_| turns.next()).collect() };
        for other in 0..5 {
            let met = round();
            assert_eq!(met.len(), SOURCES as usize);
            let expected = [JobSource::Injector, JobSource::OwnLane, JobSource::OtherLane(other)];
            assert!(expected.iter().all(|source| met.contains(source)), "{met:?}");
        }
    }

    #[test]
    fn background_work_has_its_turn_and_is_counted_anew() {
        let turns = Turns::default();
        for _ in 0..3 {
            let before = (0..).take_while(|_| {
                let waits = !turns.is_background_next();
                turns.count_for_background();
                waits
            });
            assert_eq!(before.count(), BACKGROUND_EVERY as usize - 1);
            turns.note_background();
        }
    }
}
