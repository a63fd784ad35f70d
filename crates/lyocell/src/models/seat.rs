//! The seat: one holder at a time, each sees what the one before did, and no job is forgotten.

use super::{explore, race, role};
use crate::registry::seat::{Seat, Take};
use crate::sync::{AtomicUsize, Ordering, Parker, UnsafeCell, yield_now};
use std::sync::Arc;

/// A pool of one worker: the seat, what its holder owns, and a queue of jobs.
struct Room {
    seat: Seat,
    /// How often somebody has held the seat: a part of worker 0.
    held: UnsafeCell<u32>,
    jobs: AtomicUsize,
}

// SAFETY: this is what the models check.
unsafe impl Sync for Room {}
// SAFETY: as above.
unsafe impl Send for Room {}

impl Room {
    fn new(backup: Option<&Parker>) -> Arc<Room> {
        let seat = Seat::new(backup.map(|parker| parker.unparker().clone()));
        Arc::new(Room { seat, held: UnsafeCell::new(0), jobs: AtomicUsize::new(0) })
    }

    fn hold(&self) {
        // SAFETY: seat-1.
        self.held.with_mut(|held| unsafe { *held += 1 });
    }

    fn has_jobs(&self) -> bool {
        self.jobs.load(Ordering::Relaxed) > 0
    }

    /// A visit by a caller: as `Pool::run`.
    fn visit(&self) {
        self.hold();
        self.seat.leave();
        if self.seat.look(|| self.has_jobs()) {
            self.seat.wake_backup();
        }
    }

    /// The life of a backup thread that ends with the one job.
    fn serve_as_backup(&self, parker: &Parker) {
        loop {
            if self.seat.look(|| self.has_jobs()) && self.seat.take() == Take::Granted {
                self.hold();
                self.jobs.fetch_sub(1, Ordering::Relaxed);
                self.seat.leave();
                return;
            }
            parker.park();
        }
    }
}

#[test]
fn holders_take_turns() {
    explore(3, || {
        let room = Room::new(None);
        let callers = [0, 1].map(|_| {
            let room = Arc::clone(&room);
            role(move || {
                while room.seat.take() == Take::Occupied {
                    yield_now();
                }
                room.visit();
            })
        });
        race(callers, || ());
        // SAFETY: the callers are gone.
        room.held.with(|held| assert_eq!(unsafe { *held }, 2));
    });
}

/// A job comes while a caller sits: the backup thread runs it once the caller is up.
#[test]
fn backup_thread_runs_the_job_that_came_during_a_visit() {
    explore(3, || {
        let parker = Parker::default();
        let room = Room::new(Some(&parker));
        assert_eq!(room.seat.take(), Take::Granted);
        let (visited, supplied) = (Arc::clone(&room), Arc::clone(&room));
        let caller = role(move || visited.visit());
        let supplier = role(move || {
            supplied.jobs.fetch_add(1, Ordering::Relaxed);
            supplied.seat.wake_backup();
        });
        race([caller, supplier], || room.serve_as_backup(&parker));
        assert!(!room.has_jobs());
    });
}
