//! One heavy barrier for several who ask for it: what each of them relies on.
//!
//! Here the barrier is what the system makes of it: whoever issues one meets the owner between two of its steps, by a lock that the
//! owner holds in each. The owner passes no fence otherwise.

use super::{explore, race, role};
use loom::sync::Mutex;
use lyocell_sync::{AtomicUsize, Ordering, Rounds};
use std::sync::Arc;

#[derive(Default)]
struct Room {
    rounds: Rounds,
    /// Held by the owner in each step.
    step: Mutex<()>,
    /// What the owner stores, and what each asker does.
    owner: AtomicUsize,
    askers: [AtomicUsize; 2],
    /// Which asker has seen what the owner stored.
    seen: [AtomicUsize; 2],
}

impl Room {
    /// Stores, asks, and looks for what the owner stored.
    fn asks(&self, asker: usize) {
        self.askers[asker].store(1, Ordering::Relaxed);
        let issue = || {
            drop(self.step.lock().unwrap());
            true
        };
        assert_eq!(self.rounds.pass(issue, &|| false), Some(true));
        self.seen[asker].store(self.owner.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// The owner stores, and looks which askers have.
    fn stores_and_looks(&self) -> [bool; 2] {
        {
            let _step = self.step.lock().unwrap();
            self.owner.store(1, Ordering::Relaxed);
        }
        let _step = self.step.lock().unwrap();
        [0, 1].map(|asker| self.askers[asker].load(Ordering::Relaxed) == 1)
    }
}

#[test]
fn one_barrier_serves_all_who_asked_before_it() {
    explore(3, || {
        let room = Arc::new(Room::default());
        let askers = [0, 1].map(|asker| {
            let room = Arc::clone(&room);
            role(move || room.asks(asker))
        });
        let mut owner_saw = [false; 2];
        race(askers, || owner_saw = room.stores_and_looks());
        for (asker, owner_saw) in owner_saw.into_iter().enumerate() {
            let asker_saw = room.seen[asker].load(Ordering::Relaxed) == 1;
            assert!(
                owner_saw || asker_saw,
                "neither asker {asker} nor the owner has seen the other"
            );
        }
    });
}
