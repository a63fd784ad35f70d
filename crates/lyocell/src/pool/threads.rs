//! What the threads of a pool do with their lives, and who sits on the seat.

use super::WakeSteering;
use crate::deque::Deque;
use crate::probe::{Phase, Probe};
use crate::registry::Registry;
use crate::registry::drain::Drain;
use crate::registry::seat::{Seat, Take};
use crate::sync::Parker;
use crate::wait::{Goal, Marked, RecentSteals};
use crate::worker::{Worker, current};

impl<D: Deque, P: Probe> Registry<D, P> {
    /// The life of a thread of the pool.
    pub(super) fn serve(&self, worker: usize, steering: WakeSteering) {
        match steering {
            WakeSteering::AwayFromWaker => self.idle.bind_thread(worker),
            WakeSteering::Off => {}
        }
        let over = Over(&self.drain);
        let recent = RecentSteals::default();
        self.occupy(worker, |worker| worker.work_until_appraised(&over, &recent));
    }

    /// The life of the backup thread: takes the free seat while jobs wait.
    pub(crate) fn serve_as_backup(&self, parker: &Parker) {
        while !self.drain.is_over() {
            match self.take_seat_for_jobs() {
                Some(seated) => seated.occupy(|worker| {
                    while let Some(job) = self.find_job(worker) {
                        job.run(worker);
                    }
                }),
                None => parker.park(),
            }
        }
    }

    /// Takes the free seat, unless this thread is a worker already (current-1).
    pub(crate) fn take_seat(&self) -> Option<Seated<'_, D, P>> {
        if current::is_worker() {
            return None;
        }
        let seat = self.seat.as_ref()?;
        (seat.take() == Take::Granted).then(|| Seated { registry: self, seat })
    }

    /// Takes the seat if a job waits and it is free.
    fn take_seat_for_jobs(&self) -> Option<Seated<'_, D, P>> {
        let seat = self.seat.as_ref()?;
        seat.look(|| self.has_jobs()).then(|| self.take_seat()).flatten()
    }
}

/// The seat, taken.
pub(crate) struct Seated<'a, D: Deque, P: Probe> {
    registry: &'a Registry<D, P>,
    seat: &'a Seat,
}

impl<D: Deque, P: Probe> Seated<'_, D, P> {
    /// Works as worker 0; the seat is left when the body ends or unwinds.
    pub(crate) fn occupy<R>(self, body: impl FnOnce(&Worker<D, P>) -> R) -> R {
        self.registry.workers[0].probe.enter(Phase::Application);
        self.registry.occupy(0, body)
    }
}

impl<D: Deque, P: Probe> Drop for Seated<'_, D, P> {
    fn drop(&mut self) {
        // The lane and the probe are ours (worker-1) until we leave.
        self.registry.workers[0].probe.enter(Phase::Idle);
        let may_wait = !self.registry.workers[0].lane.is_empty() || self.seat.has_backup();
        // registry-4: the body has joined what it forked.
        self.seat.leave();
        // Whoever is left to run jobs may have found the seat taken (seat-3).
        if may_wait && self.seat.look(|| self.registry.has_jobs()) {
            self.registry.announce_job();
        }
    }
}

/// The pool is closing, and nothing is outstanding: what a thread of the pool works for.
struct Over<'a>(&'a Drain);

impl Goal for Over<'_> {
    fn reached(&self) -> bool {
        self.0.is_over()
    }

    fn mark(&self) -> Marked {
        // Who closes wakes everybody.
        if self.reached() { Marked::Reached } else { Marked::WillUnpark }
    }
}
