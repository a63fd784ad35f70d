//! The counts of coalesced tasks: the caller goes on after all parts, with all they did visible, and does not
//! sleep on.

use super::{explore, race, role};
use crate::fork_join::coalescing::Progress;
use crate::task::Unpark;
use crate::wait::{Goal, Subscribed};
use lyocell_sync::{Parker, RaceCell as UnsafeCell, Unparker};
use std::sync::Arc;

/// A call with room for what two parts do.
struct Call {
    progress: Arc<Progress>,
    results: [UnsafeCell<u32>; 2],
}

// SAFETY: this is what the models check.
unsafe impl Sync for Call {}
// SAFETY: as above.
unsafe impl Send for Call {}

impl Call {
    fn new() -> Arc<Call> {
        let results = [UnsafeCell::new(0), UnsafeCell::new(0)];
        let progress = Progress::new(3, 0);
        progress.send(0);
        Arc::new(Call { progress, results })
    }

    /// Writes the part's result, and is done with it.
    fn part(&self, part: usize, worker: usize, caller: &Unparker) {
        // SAFETY: each part has its own result.
        self.results[part].with_mut(|result| unsafe { *result = 1 });
        if self.progress.finish(worker) == Unpark::Owner {
            caller.unpark();
        }
    }

    /// The end of the call, as `Worker::sleep_until`.
    fn wait(&self, parker: &Parker) {
        let _ = self.progress.finish(0);
        while self.progress.subscribe() == Subscribed::WillUnpark && !self.progress.reached() {
            parker.park();
        }
        for result in &self.results {
            // SAFETY: all parts are done.
            result.with(|result| assert_eq!(unsafe { *result }, 1));
        }
    }
}

#[test]
fn call_outlasts_two_parts() {
    explore(3, || {
        let (call, parker) = (Call::new(), Parker::default());
        let parts = [0, 1].map(|part| {
            call.progress.send(0);
            let (call, caller) = (Arc::clone(&call), parker.unparker().clone());
            role(move || call.part(part, part + 1, &caller))
        });
        race(parts, || call.wait(&parker));
    });
}

/// A part sends another to a worker whose counts the reader looks at first.
#[test]
fn call_outlasts_a_part_of_a_part() {
    explore(3, || {
        let (call, parker) = (Call::new(), Parker::default());
        call.progress.send(0);
        let (outer, caller) = (Arc::clone(&call), parker.unparker().clone());
        let part = role(move || {
            outer.progress.send(2);
            let (inner, inner_caller) = (Arc::clone(&outer), caller.clone());
            let sent = loom::thread::spawn(move || inner.part(1, 1, &inner_caller));
            outer.part(0, 2, &caller);
            sent.join().unwrap();
        });
        race([part], || call.wait(&parker));
    });
}
