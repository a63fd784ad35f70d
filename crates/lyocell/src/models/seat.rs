//! The seat: one holder at a time, each sees what the one before did, nobody waits beside a free seat, and no job is
//! forgotten.

use super::{explore, race, role};
use crate::scheduler::seat::{Leave, Seat, Take};
use lyocell_sync::{AtomicUsize, Ordering, Parker, RaceCell as UnsafeCell, yield_now};
use std::sync::Arc;

/// The seat of worker 0, what its holder owns, and a queue of jobs. A caller that waits is told by its parker.
struct Room {
    seat: Seat<usize>,
    callers: [Parker; 2],
    /// How often somebody has held the seat: a part of worker 0.
    held: UnsafeCell<usize>,
    jobs: AtomicUsize,
}

// SAFETY: this is what the models check.
unsafe impl Sync for Room {}
// SAFETY: as above.
unsafe impl Send for Room {}

impl Room {
    fn new(backup: Option<&Parker>) -> Arc<Room> {
        let seat = Seat::new(backup.map(|parker| parker.unparker().clone()));
        let callers = [Parker::default(), Parker::default()];
        Arc::new(Room { seat, callers, held: UnsafeCell::new(0), jobs: AtomicUsize::new(0) })
    }

    /// As worker 0.
    fn hold(&self) {
        // SAFETY: seat-1.
        self.held.with_mut(|held| unsafe { *held += 1 });
    }

    fn has_jobs(&self) -> bool {
        self.jobs.load(Ordering::Relaxed) > 0
    }

    fn leave(&self, needs_it: impl Fn(&usize) -> bool) {
        loop {
            match self.seat.leave(|| self.has_jobs(), &needs_it) {
                Leave::Left => return,
                Leave::To(caller) => return self.callers[caller].unparker().unpark(),
                Leave::HasMail => self.read_mail(),
            }
        }
    }

    /// As worker 0, whose mail are the jobs.
    fn read_mail(&self) {
        self.hold();
        // Ordering: Relaxed; whoever left it has locked the queue since.
        while self.jobs.load(Ordering::Relaxed) > 0 {
            self.jobs.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Leaves mail, and reads it if nobody sits.
    fn post(&self) {
        self.jobs.fetch_add(1, Ordering::Relaxed);
        if self.seat.take_for_mail() == Take::Granted {
            self.read_mail();
            self.leave(|_| true);
        }
    }

    /// A visit by a caller, as `Pool::run`: takes the seat, or sleeps until it is handed over.
    fn visit(&self, caller: usize) {
        if self.seat.take() == Take::Occupied && self.seat.take_or_wait(|| caller) == Take::Occupied
        {
            self.callers[caller].park();
        }
        self.hold();
        self.leave(|_| true);
    }

    /// A visit by somebody who does not queue up.
    fn insist(&self) {
        while self.seat.take() == Take::Occupied {
            yield_now();
        }
        self.hold();
        self.leave(|_| true);
    }

    /// The life of a backup thread that ends with the one job.
    fn serve_as_backup(&self, parker: &Parker) {
        let mut ran = false;
        while !ran {
            while self.seat.take_for_jobs(|| self.has_jobs()) == Take::Occupied {
                parker.park();
            }
            ran = self.has_jobs();
            if ran {
                self.jobs.fetch_sub(1, Ordering::Relaxed);
                self.hold();
            }
            self.leave(|_| true);
        }
    }

    fn assert_held(&self, times: usize) {
        // SAFETY: all are gone.
        self.held.with(|held| assert_eq!(unsafe { *held }, times));
        assert_eq!(self.seat.take(), Take::Granted, "it is free again");
    }
}

#[test]
fn holders_take_turns() {
    explore(3, || {
        let room = Room::new(None);
        let other = Arc::clone(&room);
        race([role(move || other.insist())], || room.insist());
        room.assert_held(2);
    });
}

#[test]
fn callers_wait_for_each_other() {
    explore(3, || {
        let room = Room::new(None);
        let other = Arc::clone(&room);
        race([role(move || other.visit(0))], || room.visit(1));
        room.assert_held(2);
    });
}

/// The one may be in the queue while the other comes and goes.
#[test]
fn two_callers_wait_for_a_third() {
    explore(2, || {
        let room = Room::new(None);
        let visitors = [0, 1].map(|caller| {
            let room = Arc::clone(&room);
            role(move || room.visit(caller))
        });
        race(visitors, || room.insist());
        room.assert_held(3);
    });
}

/// Somebody else makes the call of the one who waits: the seat goes to a newcomer, who sees what was done there.
#[test]
fn seat_that_nobody_needs_any_more_is_free() {
    explore(3, || {
        let room = Room::new(None);
        assert_eq!(room.seat.take(), Take::Granted);
        assert_eq!(room.seat.take_or_wait(|| 0), Take::Occupied);
        let newcomer = Arc::clone(&room);
        race([role(move || newcomer.insist())], || {
            room.hold();
            room.leave(|_| false);
        });
        room.assert_held(2);
    });
}

/// Mail comes before, while or after two sit, one of whom may wait for the other.
#[test]
fn mail_is_read_by_whoever_is_there() {
    explore(2, || {
        let room = Room::new(None);
        let visitors = [0, 1].map(|caller| {
            let room = Arc::clone(&room);
            role(move || room.visit(caller))
        });
        race(visitors, || room.post());
        assert!(!room.has_jobs(), "it is forgotten");
        assert_eq!(room.seat.take(), Take::Granted, "it is free again");
    });
}

/// The mail of two is read, by one of them or by each.
#[test]
fn mail_that_comes_while_mail_is_read_is_read_too() {
    explore(3, || {
        let room = Room::new(None);
        let other = Arc::clone(&room);
        race([role(move || other.post())], || room.post());
        assert!(!room.has_jobs(), "it is forgotten");
        assert_eq!(room.seat.take(), Take::Granted, "it is free again");
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
        let caller = role(move || {
            visited.hold();
            visited.leave(|_| true);
        });
        let supplier = role(move || {
            supplied.jobs.fetch_add(1, Ordering::Relaxed);
            supplied.seat.wake_backup();
        });
        race([caller, supplier], || room.serve_as_backup(&parker));
        assert!(!room.has_jobs());
        room.assert_held(2);
    });
}

/// The backup thread is in the queue for a job that the holder runs itself, and then a second comes.
#[test]
fn backup_thread_hears_of_a_job_after_one_that_it_missed() {
    explore(3, || {
        let parker = Parker::default();
        let room = Room::new(Some(&parker));
        assert_eq!(room.seat.take(), Take::Granted);
        room.jobs.fetch_add(1, Ordering::Relaxed);
        room.seat.wake_backup();
        let (visited, supplied) = (Arc::clone(&room), Arc::clone(&room));
        let caller = role(move || {
            visited.jobs.fetch_sub(1, Ordering::Relaxed);
            visited.hold();
            visited.leave(|_| true);
        });
        let supplier = role(move || {
            supplied.jobs.fetch_add(1, Ordering::Relaxed);
            supplied.seat.wake_backup();
        });
        race([caller, supplier], || room.serve_as_backup(&parker));
        assert!(!room.has_jobs());
        room.assert_held(2);
    });
}

/// A job that the holder leaves behind has woken nobody.
#[test]
fn backup_thread_runs_the_job_that_a_caller_left_behind() {
    explore(3, || {
        let parker = Parker::default();
        let room = Room::new(Some(&parker));
        let visited = Arc::clone(&room);
        let caller = role(move || {
            while visited.seat.take() == Take::Occupied {
                yield_now();
            }
            visited.jobs.fetch_add(1, Ordering::Relaxed);
            visited.hold();
            visited.leave(|_| true);
        });
        race([caller], || room.serve_as_backup(&parker));
        assert!(!room.has_jobs());
        room.assert_held(2);
    });
}
