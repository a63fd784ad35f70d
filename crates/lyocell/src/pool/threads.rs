//! What the threads of a pool do with their lives.

use super::WakeSteering;
use super::thread_builder::ThreadHooks;
use crate::deque::Deque;
use crate::jobs::drain::Drain;
use crate::probe::{Phase, Probe};
use crate::scheduler::active::{UntilDismissed, UntilRecalled};
use crate::scheduler::seat::{TURN, Take};
use crate::scheduler::spares::Rested;
use crate::scheduler::{Registry, Seated, Worker};
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
    #[inline(never)]
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
        let recent = RecentSteals::default();
        self.occupy(worker, &mut |worker| {
            {
                // What the hook forks descends from no call.
                let _stranger = self.stranger();
                hooks.begin(worker.index());
            }
            while !self.drain.is_over() {
                worker.work_until_appraised(&UntilDismissed(worker), &recent);
                worker.sleep_until(&UntilRecalled(worker), Phase::Idle);
            }
            hooks.end(worker.index());
            // What the hook has spawned. What comes after is left out, as by a thread that is not there (registry-6).
            worker.work_until_appraised(&Over(&self.drain), &recent);
        });
    }

    /// The life of the backup thread: takes the seat while jobs wait, a turn at a time (seat-5).
    pub(crate) fn serve_as_backup(&self, parker: &Parker) {
        let Some(seat) = &*self.seat else { return };
        while !self.drain.is_over() {
            match seat.take_for_jobs(|| self.seat_has_jobs()) {
                Take::Granted => {
                    let seated = Seated { registry: self, seat };
                    seated.occupy(&mut |worker| worker.run_jobs(TURN as usize));
                }
                Take::Occupied => parker.park(),
            }
        }
    }
}

impl<D: Deque, P: Probe> Registry<D, P> {
    /// The life of the thread of a spare worker, which is its worker while it is needed.
    pub(super) fn serve_as_spare(&self, spare: usize, steering: WakeSteering, hooks: &ThreadHooks) {
        let index = self.worker_of_spare(spare);
        match steering {
            WakeSteering::AwayFromWaker => self.idle.bind_thread(index),
            WakeSteering::Off => {}
        }
        let (parker, recent) = (Parker::default(), RecentSteals::default());
        self.occupy(index, &mut |worker| {
            let _stranger = self.stranger();
            hooks.begin(worker.index());
        });
        loop {
            self.occupy(index, &mut |worker| {
                worker.work_until_appraised(&Unneeded(worker), &recent)
            });
            match self.spares.rest(spare, &parker, || self.drain.is_over()) {
                Rested::Needed => {}
                Rested::PoolIsOver => break,
            }
        }
        self.occupy(index, &mut |worker| {
            hooks.end(worker.index());
            worker.work_until_appraised(&Over(&self.drain), &recent);
        });
    }
}

/// A spare worker has nothing of its own to do, and is not needed, or its pool is over: what its thread works for.
struct Unneeded<'a, D: Deque, P: Probe>(&'a Worker<D, P>);

impl<D: Deque, P: Probe> Goal for Unneeded<'_, D, P> {
    fn reached(&self) -> bool {
        let Unneeded(worker) = self;
        let registry = worker.registry();
        registry.drain.is_over() || registry.spares.has_surplus() && worker.lane.is_empty()
    }

    fn subscribe(&self) -> Subscribed {
        // Who closes wakes everybody; and one that is parked may stay so until it is woken for tasks, needed or not.
        if self.reached() { Subscribed::Reached } else { Subscribed::WillUnpark }
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
