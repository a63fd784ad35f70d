//! Pools without threads: where the system can start none, as on the web, or where a thread for good is all that a pool has.
//!
//! ```text
//!   a pool with threads                         one without
//!   | workers: callers on the seat, threads |   | worker 0: whoever calls, for as long as it calls |
//!   jobs: run by whoever comes to them          jobs: run by who has left them, or who sits meanwhile
//! ```
//! Whoever calls such a pool is its worker for as long as the call lasts, also a worker of another pool, which waits for nobody else that
//! way. What is spawned within a call is run where the call waits for something, and what is left then before it returns. What is
//! left to the pool by who is not in a call of it is run at once.
//!
//! So nothing here needs a second thread. But there may be some, which have come from elsewhere (web workers, say, or a program that
//! starts no threads for a pool and calls it from several): they take turns on the seat, as everywhere.
//!
//! # Invariants
//! - alone-1. A pool without threads has one worker. It is occupied by a caller on the seat, or by one thread for good.
//! - alone-2. What is left to a pool without threads, but with a seat, is run. Who leaves the seat has run all that waits there. Who
//!   leaves a job without being on the seat takes it afterwards, and runs what waits, or lets the job wait for the seat as mail does:
//!   then who gets up finds it, and runs it (seat-6). (Of a thread for good, what waits is run where it waits, and where it drops the
//!   pool. What an observer leaves is run by whoever sits next, or closes the pool.)
//! - alone-3. Nobody waits for a worker that it occupies itself. Who calls a pool whose worker it is further down its stack goes on as that
//!   worker, as within a call of it: so it is, for that frame waits for the call (worker-2).
//! - alone-4. A thread that is a worker of several pools, one within the other, runs what waits in any of them that is without threads
//!   before it sleeps. So it does not wait for what itself alone would run; but for what another thread leaves to such a pool
//!   meanwhile, which waits for the end of the call that is in it.
//!
//! Source: the fallback of rayon where threads are not supported, which leaves spawned tasks until something else waits.

use super::seat::Take;
use super::{Registry, Seated, Worker};
use crate::current;
use crate::deque::Deque;
use crate::probe::Probe;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Whether a pool has threads of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Threads {
    Some,
    None,
}

impl<D: Deque, P: Probe> Registry<D, P> {
    /// Whether the pool has no threads (alone-1).
    pub(crate) fn is_alone(&self) -> bool {
        self.settings.threads == Threads::None
    }

    /// The worker of this pool that the calling thread is further down its stack, below what it is now (alone-3).
    pub(crate) fn worker_below(&self) -> Option<&Worker<D, P>> {
        // SAFETY: this pool's worker is of this type.
        unsafe { current::worker_below(self.identity()) }
    }

    /// Calls `body` as this worker, and then all that waits in the pool, whatever came of it.
    #[cold]
    pub(crate) fn and_what_waits<R>(&self, worker: &Worker<D, P>, body: impl FnOnce() -> R) -> R {
        let outcome = catch_unwind(AssertUnwindSafe(body));
        self.run_what_waits(worker);
        outcome.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Runs, as this worker, all that waits in a pool that has no other, what is of the background last.
    pub(crate) fn run_what_waits(&self, worker: &Worker<D, P>) {
        worker.run_jobs(usize::MAX);
    }

    /// A job waits, or mail: runs it here, unless somebody is on the seat, who does so before getting up (alone-2).
    #[cold]
    pub(super) fn sit_down_for_jobs(&self) {
        let Some(seat) = &*self.seat else { return };
        if current::is_observed() {
            // In the middle of a push, a pop or a steal of some pool.
            return;
        }
        if seat.take_for_mail() == Take::Granted {
            Seated { registry: self, seat }.read_mail();
        }
    }
}
