//! What the threads of a pool do with their lives, and who sits on the seat.

use super::WakeSteering;
use super::thread_builder::ThreadHooks;
use crate::deque::Deque;
use crate::jobs::drain::Drain;
use crate::probe::{Phase, Probe};
use crate::scheduler::Worker;
use crate::scheduler::seat::{Seat, TURN, Take};
use crate::scheduler::{Registry, SleepingCaller};
use crate::wait::{Goal, Latch, Marked, RecentSteals};
use lyocell_sync::Parker;
use std::sync::Arc;

/// That the thread of a worker is there, or may yet come: it is where the thread's life is, and in its thread for good. When it
/// is dropped, run or not, nobody waits any more for the thread to read its mail (registry-6).
pub(super) struct Presence<D: Deque, P: Probe> {
    registry: Arc<Registry<D, P>>,
    worker: usize,
}

impl<D: Deque, P: Probe> Presence<D, P> {
    pub(super) fn of(registry: &Arc<Registry<D, P>>, worker: usize) -> Self {
        Presence { registry: Arc::clone(registry), worker }
    }

    /// The number of the worker.
    pub(super) fn worker(&self) -> usize {
        self.worker
    }

    /// The life of the thread.
    pub(super) fn serve(self, steering: WakeSteering, hooks: &ThreadHooks) {
        self.registry.serve(self.worker, steering, hooks);
    }
}

impl<D: Deque, P: Probe> Drop for Presence<D, P> {
    fn drop(&mut self) {
        // after_fork-4.
        if !self.registry.generation.is_past() {
            self.registry.note_absent(self.worker);
        }
    }
}

impl<D: Deque, P: Probe> Registry<D, P> {
    /// The life of a thread of the pool.
    fn serve(&self, worker: usize, steering: WakeSteering, hooks: &ThreadHooks) {
        match steering {
            WakeSteering::AwayFromWaker => self.idle.bind_thread(worker),
            WakeSteering::Off => {}
        }
        let over = Over(&self.drain);
        let recent = RecentSteals::default();
        self.occupy(worker, |worker| {
            hooks.begin(worker.index());
            worker.work_until_appraised(&over, &recent);
            hooks.end(worker.index());
            // What the hook has spawned.
            worker.work_until_appraised(&over, &recent);
            // What came in between, and what that spawns; nothing comes after (registry-6).
            worker.mail.close().into_iter().for_each(|job| job.run(worker));
            worker.work_until_appraised(&over, &recent);
        });
    }

    /// The life of the backup thread: takes the seat while jobs wait, a turn at a time (seat-5).
    pub(crate) fn serve_as_backup(&self, parker: &Parker) {
        let Some(seat) = &*self.seat else { return };
        while !self.drain.is_over() {
            match seat.take_for_jobs(|| self.has_jobs()) {
                Take::Granted => Seated { registry: self, seat }.occupy(|worker| {
                    let jobs = (0..TURN).map_while(|_| self.find_job(worker));
                    jobs.for_each(|job| job.run(worker));
                }),
                Take::Occupied => parker.park(),
            }
        }
    }

    /// Takes the free seat, unless this thread is a worker already (current-1).
    pub(crate) fn take_seat(&self) -> Option<Seated<'_, D, P>> {
        let seat = self.seat_for_callers()?;
        (seat.take() == Take::Granted).then(|| Seated { registry: self, seat })
    }
}

/// The seat, taken.
pub(crate) struct Seated<'a, D: Deque, P: Probe> {
    pub(super) registry: &'a Registry<D, P>,
    pub(super) seat: &'a Seat<SleepingCaller>,
}

impl<D: Deque, P: Probe> Seated<'_, D, P> {
    /// Works as worker 0; the seat is left when the body ends or unwinds.
    pub(crate) fn occupy<R>(self, body: impl FnOnce(&Worker<D, P>) -> R) -> R {
        self.registry.workers[0].owner.probe.enter(Phase::Application);
        self.registry.occupy(0, body)
    }
}

impl<D: Deque, P: Probe> Drop for Seated<'_, D, P> {
    fn drop(&mut self) {
        let registry = self.registry;
        // The probe is ours (worker-1) until we leave.
        registry.workers[0].owner.probe.enter(Phase::Idle);
        // A caller whose call somebody has begun does not need the seat.
        let claim = |caller: &SleepingCaller| registry.take_back(caller.call).is_some();
        // registry-4: the body has joined what it forked.
        if let Some(caller) = self.seat.leave(|| registry.has_jobs(), claim) {
            // SAFETY: nobody else has the call (lane-4), so the caller waits for this.
            unsafe { Latch::set(caller.latch.pointer()) };
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
