//! The count of a scope: its frame ends after all tasks, with all they did visible, and does not sleep on.

use super::{explore, race, role};
use crate::fork_join::scope::Pending;
use crate::task::Unpark;
use crate::wait::{Goal, Subscribed};
use lyocell_sync::{Parker, RaceCell as UnsafeCell, Unparker};
use std::sync::Arc;

/// A scope with room for the results of two tasks.
struct Frame {
    pending: Pending,
    results: [UnsafeCell<u32>; 2],
}

// SAFETY: this is what the models check.
unsafe impl Sync for Frame {}
// SAFETY: as above.
unsafe impl Send for Frame {}

impl Frame {
    fn new() -> Arc<Frame> {
        let results = [UnsafeCell::new(0), UnsafeCell::new(0)];
        Arc::new(Frame { pending: Pending::new(), results })
    }

    fn task(&self, index: usize, owner: &Unparker) {
        // SAFETY: each task has its own result.
        self.results[index].with_mut(|result| unsafe { *result = 1 });
        if self.pending.finish() == Unpark::Owner {
            owner.unpark();
        }
    }

    /// The end of the frame, as `Worker::sleep_until`.
    fn wait(&self, parker: &Parker) {
        assert_eq!(self.pending.finish(), Unpark::Nobody);
        while self.pending.subscribe() == Subscribed::WillUnpark && !self.pending.reached() {
            parker.park();
        }
        for result in &self.results {
            // SAFETY: all tasks are over.
            result.with(|result| assert_eq!(unsafe { *result }, 1));
        }
    }
}

#[test]
fn frame_outlasts_two_tasks() {
    explore(3, || {
        let (frame, parker) = (Frame::new(), Parker::default());
        let tasks = [0, 1].map(|index| {
            frame.pending.add();
            let (frame, owner) = (Arc::clone(&frame), parker.unparker().clone());
            role(move || frame.task(index, &owner))
        });
        race(tasks, || frame.wait(&parker));
    });
}

/// One task spawns the other while the body ends.
#[test]
fn frame_outlasts_a_task_of_a_task() {
    explore(3, || {
        let (frame, parker) = (Frame::new(), Parker::default());
        frame.pending.add();
        let (inner, owner) = (Arc::clone(&frame), parker.unparker().clone());
        let outer = role(move || {
            inner.pending.add();
            let (innermost, inner_owner) = (Arc::clone(&inner), owner.clone());
            let spawned = loom::thread::spawn(move || innermost.task(1, &inner_owner));
            inner.task(0, &owner);
            spawned.join().unwrap();
        });
        race([outer], || frame.wait(&parker));
    });
}
