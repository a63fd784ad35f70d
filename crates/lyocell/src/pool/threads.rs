//! What the threads of a pool do with their lives.

use super::WakeSteering;
use super::thread_builder::ThreadHooks;
use crate::deque::Deque;
use crate::jobs::drain::Drain;
use crate::probe::Probe;
use crate::scheduler::seat::{TURN, Take};
use crate::scheduler::{Registry, Seated};
use crate::wait::{Goal, RecentSteals, Subscribed};
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
        // The thread is on its way.
        registry.workers[worker].note_hungry();
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
            self.registry.workers[self.worker].note_fed();
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
            {
                // What the hook forks descends from no call.
                let _stranger = self.crowds.stranger();
                hooks.begin(worker.index());
            }
            worker.work_until_appraised(&over, &recent);
            hooks.end(worker.index());
            // What the hook has spawned. What comes after is left out, as by a thread that is not there (registry-6).
            worker.work_until_appraised(&over, &recent);
        });
    }

    /// The life of the backup thread: takes the seat while jobs wait, a turn at a time (seat-5).
    pub(crate) fn serve_as_backup(&self, parker: &Parker) {
        let Some(seat) = &*self.seat else { return };
        while !self.drain.is_over() {
            match seat.take_for_jobs(|| self.seat_has_jobs()) {
                Take::Granted => Seated { registry: self, seat }.occupy(|worker| {
                    let jobs = (0..TURN).map_while(|_| self.find_job(worker));
                    jobs.for_each(|job| job.run(worker));
                }),
                Take::Occupied => parker.park(),
            }
        }
    }
}

/// The pool is closing, and nothing is outstanding: what a thread of the pool works for.
struct Over<'a>(&'a Drain);

impl Goal for Over<'_> {
    fn reached(&self) -> bool {
        self.0.is_over()
    }

    fn subscribe(&self) -> Subscribed {
        // Who closes wakes everybody.
        if self.reached() { Subscribed::Reached } else { Subscribed::WillUnpark }
    }
}
