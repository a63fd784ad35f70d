//! Who sits on the [seat](super::seat): as worker 0, until it gets up.
//!
//! Worker 0 has mail as every worker has: a call of a broadcast, that it alone is to make. Where it has no thread of its own, its
//! mail is read by whoever is on the seat, when it waits or gets up. If nobody is, a thread is started that sits down for it.
//!
//! # Invariants
//! - seated-1. The mail of worker 0 is read. Who leaves something there takes the seat afterwards, and reads, or lets the mail wait
//!   for the seat as a guest does: then who gets up finds it, reads, and gets up again. In a pool with a backup thread that one
//!   is woken, and takes its turn for the mail as for jobs. In a pool without threads jobs are read as mail is (alone-2).

use super::seat::{Leave, Seat, Take};
use super::{Registry, SleepingCaller, Threads, Worker};
use crate::current;
use crate::deque::Deque;
use crate::jobs::Job;
use crate::probe::{Phase, Probe};
use crate::wait::Latch;
use lyocell_sync::thread;

/// The seat, taken.
pub(crate) struct Seated<'a, D: Deque, P: Probe> {
    pub(crate) registry: &'a Registry<D, P>,
    pub(crate) seat: &'a Seat<SleepingCaller>,
}

impl<D: Deque, P: Probe> Seated<'_, D, P> {
    /// Works as worker 0; the seat is left when the body ends or unwinds.
    pub(crate) fn occupy(self, body: &mut dyn FnMut(&Worker<D, P>)) {
        let registry = self.registry;
        registry.workers[0].owner.probe.enter(Phase::Application);
        // Whom the last call found asleep says nothing now.
        registry.workers[0].own.expects_sleepers.set(false);
        registry.occupy(0, &mut |worker| match registry.settings.threads {
            Threads::Some => body(worker),
            Threads::None => registry.and_what_waits(worker, || body(worker)),
        });
    }

    /// Reads the mail.
    #[cold]
    pub(super) fn read_mail(&self) {
        self.registry.workers[0].owner.probe.enter(Phase::Application);
        self.registry.occupy(0, &mut |worker| match self.registry.settings.threads {
            Threads::Some => {
                while let Some(job) = worker.mail.pop_oldest() {
                    job.run(worker);
                }
            }
            Threads::None => self.registry.run_what_waits(worker),
        });
        self.registry.workers[0].owner.probe.enter(Phase::Idle);
    }
}

impl<D: Deque, P: Probe> Drop for Seated<'_, D, P> {
    fn drop(&mut self) {
        let registry = self.registry;
        // The probe is ours (worker-1) until we leave.
        registry.workers[0].owner.probe.enter(Phase::Idle);
        // A caller whose call somebody has begun does not need the seat.
        let claim = |caller: &SleepingCaller| registry.take_back(caller.call).is_some();
        loop {
            // registry-4: the body has joined what it forked.
            match self.seat.leave(|| registry.seat_has_jobs(), claim) {
                Leave::Left => break,
                // SAFETY: nobody else has the call (lane-4), so the caller waits for this.
                Leave::To(caller) => break unsafe { Latch::set(caller.latch.pointer()) },
                // seat-6, seated-1.
                Leave::HasMail => self.read_mail(),
            }
        }
    }
}

impl<D: Deque, P: Probe> Registry<D, P> {
    /// Takes the free seat, unless this thread is a worker already (current-1), or the pool has no threads (alone-3).
    pub(crate) fn take_seat(&self) -> Option<Seated<'_, D, P>> {
        let seat = match self.settings.threads {
            Threads::Some => self.seat_for_callers()?,
            Threads::None => {
                current::refuse_observer();
                self.seat.as_ref()?
            }
        };
        (seat.take() == Take::Granted).then(|| Seated { registry: self, seat })
    }

    /// Whether something waits for the backup thread.
    pub(crate) fn seat_has_jobs(&self) -> bool {
        self.has_jobs()
            || !self.workers[0].mail.is_empty()
            || self.background.waits() && self.background.has_room()
    }

    /// A job for the backup thread, which is on the seat. It waits for the injector where somebody is at it: who leaves a call there at
    /// that moment must not cost it its turn (seat-5).
    pub(crate) fn find_job_for_backup(&self, worker: &Worker<D, P>) -> Option<Job> {
        self.find_job(worker).or_else(|| self.injector.pop_oldest())
    }

    /// Sees to it that the mail of worker 0 is read, where its thread is whoever is on the seat (seated-1).
    #[cold]
    pub(super) fn have_mail_read(&self) {
        let Some(seat) = &*self.seat else { return };
        if self.is_alone() {
            self.sit_down_for_jobs();
        } else if seat.has_backup() {
            seat.wake_backup();
        } else if seat.take_for_mail() == Take::Granted {
            self.start_reader();
        }
    }

    /// Starts a thread that reads the mail and gets up from the seat, which has been taken for it.
    fn start_reader(&self) {
        // registry-3.
        let registry = self.this.upgrade().expect("somebody uses the registry");
        let read = move || {
            if let Some(seat) = &*registry.seat {
                Seated { registry: &registry, seat }.read_mail();
            }
        };
        let builder = thread::Builder::new().name("lyocell-0".to_owned());
        let started = thread::start(builder, Box::new(read));
        if started.is_err() {
            // registry-6: there is no thread to read it.
            let worker = &*self.workers[0];
            while let Some(job) = worker.mail.pop_oldest() {
                job.discard(worker);
            }
            if let Some(seat) = &*self.seat {
                drop(Seated { registry: self, seat });
            }
        }
    }
}
