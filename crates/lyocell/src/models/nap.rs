//! The ticker's sleep: it does not sleep while a tick is needed.

use super::{explore, race, role};
use crate::interrupt::nap::{Nap, Next};
use lyocell_sync::{AtomicUsize, Ordering};
use std::sync::Arc;

const NEEDED: usize = 1;
const MET: usize = 2;

/// A ticker, and what two others need of it: one tick each.
struct Room {
    nap: Nap,
    needs: [AtomicUsize; 2],
}

impl Room {
    fn new() -> Arc<Room> {
        Arc::new(Room { nap: Nap::new(), needs: Default::default() })
    }

    /// The life of the ticker, until each need has been met once.
    fn tick(&self) {
        let meet = |need: &&AtomicUsize| {
            need.compare_exchange(NEEDED, MET, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        };
        let mut met = 0;
        loop {
            met += self.needs.iter().filter(meet).count();
            if met == self.needs.len() {
                return;
            }
            self.nap.sleep(|| self.look());
        }
    }

    fn look(&self) -> Next {
        let needed = self.needs.iter().any(|need| need.load(Ordering::Relaxed) == NEEDED);
        if needed { Next::Tick } else { Next::Sleep }
    }
}

#[test]
fn ticker_hears_of_every_need() {
    explore(3, || {
        let room = Room::new();
        let workers = [0, 1].map(|worker| {
            let room = Arc::clone(&room);
            role(move || {
                room.needs[worker].store(NEEDED, Ordering::Relaxed);
                room.nap.wake();
            })
        });
        race(workers, || room.tick());
    });
}
