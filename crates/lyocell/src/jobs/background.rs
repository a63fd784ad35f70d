//! Background work, as far as it knows no worker: the tasks that wait, how many are not over, and how many workers are in it.
//!
//! ```text
//!   spawn                        a worker that finds nothing else
//!     outstanding += 1             takes room: running += 1, if it is below `most`
//!     queue, fence                 takes the oldest
//!     room? wake who may take it   …
//!                                  gives its room up: running -= 1, fence, wake who may take what waits
//! ```
//!
//! # Invariants
//! - background-1. `outstanding` counts each background task from before it is queued until it is over. So whoever has something of one in
//!   hand finds it counted, and where nothing is counted nobody need ask of which class anything is.
//! - background-2. `running` counts the workers that are in background tasks, be it below others that they gave way to, unless their task
//!   blocks, in whose place a spare works. It is at most `most`, but for workers that wait for a background task, since what these wait for
//!   may be the very one that waits for room; and for those whose task blocks no more, which go on with it at once.
//! - background-3. No task waits beside room and a sleeper that may run it. Who queues one fences, then looks for room and sleepers; who
//!   gives room up fences, then looks whether one waits; who falls asleep announces it, fences (F_sleeper), then looks for both. Of any two
//!   the one whose fence comes second sees what the other has done, and is the one that acts.

use super::{Job, Lane};
use crossbeam_utils::CachePadded;
use lyocell_sync::{AtomicUsize, Ordering};

/// What a pool has in the background.
pub(crate) struct Background {
    counts: CachePadded<Counts>,
    lane: Lane,
    most: usize,
}

/// On one line: where there is nothing in the background, all read both.
struct Counts {
    outstanding: AtomicUsize,
    running: AtomicUsize,
}

/// Whether a worker may be one more than the pool allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    Within,
    /// It waits for a background task, or goes on with one that has blocked (background-2).
    Beyond,
}

// Ordering: Relaxed wherever nothing is said; around the fences of background-3, or by background-1 with what was won.
impl Background {
    /// For at most so many workers at a time.
    pub(crate) fn new(most: usize) -> Background {
        Background {
            counts: CachePadded::new(Counts {
                outstanding: AtomicUsize::new(0),
                running: AtomicUsize::new(0),
            }),
            lane: Lane::new(),
            most,
        }
    }

    /// Whether a background task is not over (background-1).
    #[inline]
    pub(crate) fn is_used(&self) -> bool {
        self.counts.outstanding.load(Ordering::Relaxed) > 0
    }

    /// A task is on its way.
    pub(crate) fn begin_task(&self) {
        self.counts.outstanding.fetch_add(1, Ordering::Relaxed);
    }

    /// A task is over, and all that it forked.
    pub(crate) fn end_task(&self) {
        self.counts.outstanding.fetch_sub(1, Ordering::Relaxed);
    }

    /// How many workers are in background tasks.
    #[inline]
    pub(crate) fn running(&self) -> usize {
        self.counts.running.load(Ordering::Relaxed)
    }

    /// Whether one more worker may be.
    pub(crate) fn has_room(&self) -> bool {
        self.running() < self.most
    }

    /// Whether more workers are than there may be (background-2).
    pub(crate) fn has_too_many(&self) -> bool {
        self.running() > self.most
    }

    /// Takes room for a worker, if there is some or need not be; tells whether it has.
    pub(crate) fn take_room(&self, room: Room) -> bool {
        let more = |running| (room == Room::Beyond || running < self.most).then_some(running + 1);
        self.counts.running.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
    }

    /// A worker is in background tasks no more. It has to fence, and look whether anything waits for the room (background-3).
    pub(crate) fn give_room(&self) {
        self.counts.running.fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether a task waits. What is left in the lane when none is outstanding is of tasks that are over.
    pub(crate) fn waits(&self) -> bool {
        self.is_used() && !self.lane.is_empty()
    }

    /// Queues a task, or a part of one that its finder may not run. The caller has to fence, and wake somebody (background-3).
    pub(crate) fn push(&self, job: Job) {
        self.lane.push(job);
    }

    /// Takes the oldest.
    pub(crate) fn pop_oldest(&self) -> Option<Job> {
        self.lane.pop_oldest()
    }

    /// Takes the oldest of which this is true.
    pub(crate) fn take_first(&self, is_wanted: &dyn Fn(&Job) -> bool) -> Option<Job> {
        self.lane.take_first(&is_wanted)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_so_many_but_who_waits_for_one() {
        let background = Background::new(2);
        assert!(background.take_room(Room::Within) && background.take_room(Room::Within));
        assert!(!background.has_room() && !background.take_room(Room::Within));
        assert!(background.take_room(Room::Beyond));
        assert_eq!((background.running(), background.has_too_many()), (3, true));
        background.give_room();
        assert!(!background.has_too_many() && !background.has_room());
        background.give_room();
        assert!(background.take_room(Room::Within) && !background.take_room(Room::Within));
    }

    #[test]
    fn it_is_used_until_the_last_is_over() {
        let background = Background::new(1);
        assert!(!background.is_used());
        background.begin_task();
        background.begin_task();
        background.end_task();
        assert!(background.is_used());
        background.end_task();
        assert!(!background.is_used() && !background.waits());
    }
}
