//! The parts of a rank and its communicating thread: nothing is left behind, and nobody sleeps beside what there is.

use super::{explore, race};
use crate::parts::Parts;
use loom::thread;
use lyocell_sync::{Parker, RaceCell};
use std::sync::Arc;

/// The parts of a rank, and how many items each has worked on.
struct Room {
    parts: Parts,
    worked: [RaceCell<usize>; 2],
}

// SAFETY: this is what the models check.
unsafe impl Sync for Room {}
// SAFETY: as above.
unsafe impl Send for Room {}

/// What a part begins with.
const ITEMS: usize = 2;

impl Room {
    fn new(parker: &Parker) -> Arc<Room> {
        let worked = [const { 0 }; 2].map(RaceCell::new);
        Arc::new(Room { parts: Parts::new(parker), worked })
    }

    /// As a part: puts an item aside if it is wanted, works on the others, and is over.
    fn work_off(&self, part: usize) {
        let gives = self.parts.is_wanted() && self.parts.serves();
        if gives {
            self.parts.put_aside(vec![0]);
        }
        // SAFETY: parts-1; only this part writes here, and nobody reads before it is over.
        self.worked[part].with_mut(|worked| unsafe { *worked += ITEMS - usize::from(gives) });
        self.parts.end();
    }

    /// As the communicating thread, until there is nothing to do. Returns how many items were put aside.
    fn communicate(&self, parker: &Parker) -> usize {
        let mut items = 0;
        loop {
            while let Some(bag) = self.parts.take_aside() {
                items += bag.len();
            }
            if self.parts.have_nothing() {
                return items;
            }
            parker.park();
        }
    }

    /// As the communicating thread, which has found that there is nothing to do.
    fn worked(&self) -> usize {
        // SAFETY: parts-1; all parts are over.
        self.worked.iter().map(|worked| worked.with(|worked| unsafe { *worked })).sum()
    }
}

#[test]
fn every_item_is_worked_on_or_sent() {
    explore(3, || {
        let parker = Parker::default();
        let room = Room::new(&parker);
        room.parts.want(true);
        let parts = [0, 1].map(|part| {
            room.parts.begin();
            let room = Arc::clone(&room);
            Box::new(move || room.work_off(part)) as Box<dyn FnOnce() + Send>
        });
        race(parts, || {
            let sent = room.communicate(&parker);
            assert_eq!(sent + room.worked(), 2 * ITEMS);
            assert_eq!(sent, 1, "one request, one bag");
        });
    });
}

#[test]
fn what_is_wanted_late_is_put_aside_or_not_and_nothing_is_lost() {
    explore(3, || {
        let parker = Parker::default();
        let room = Room::new(&parker);
        room.parts.begin();
        let part = Arc::clone(&room);
        race([Box::new(move || part.work_off(0))], || {
            room.parts.want(true);
            let sent = room.communicate(&parker);
            assert_eq!(sent + room.worked(), ITEMS);
        });
    });
}

#[test]
fn a_part_that_spawns_another_is_not_the_last() {
    explore(3, || {
        let parker = Parker::default();
        let room = Room::new(&parker);
        room.parts.begin();
        let first = Arc::clone(&room);
        let part = move || {
            first.parts.begin();
            let second = Arc::clone(&first);
            let second = thread::spawn(move || second.work_off(1));
            first.work_off(0);
            second.join().unwrap();
        };
        race([Box::new(part)], || {
            let sent = room.communicate(&parker);
            assert_eq!(sent + room.worked(), 2 * ITEMS);
        });
    });
}

#[test]
fn a_part_that_fails_is_heard_of_before_there_is_nothing() {
    explore(3, || {
        let parker = Parker::default();
        let room = Room::new(&parker);
        room.parts.begin();
        let part = Arc::clone(&room);
        let fails = move || {
            part.parts.fail("why".to_owned());
            part.parts.end();
        };
        race([Box::new(fails)], || {
            while room.parts.failure().is_none() {
                assert!(!room.parts.have_nothing(), "a part has failed");
                parker.park();
            }
            assert_eq!(room.parts.failure().as_deref(), Some("why"));
        });
    });
}

#[test]
fn parts_that_are_stopped_are_waited_for() {
    explore(3, || {
        let parker = Parker::default();
        let room = Room::new(&parker);
        room.parts.begin();
        let part = Arc::clone(&room);
        race([Box::new(move || part.work_off(0))], || {
            room.parts.stop();
            while room.parts.is_any_running() {
                parker.park();
            }
            assert_eq!(room.worked(), ITEMS);
        });
    });
}
