//! When a team of workers is done: a census of who may still hold or make nodes.
//!
//! ```text
//!            own queue empty,                    while somebody works
//!            nothing to steal                    ────────────────────▶
//!  working ──────────────────▶ resting                                   searching
//!     ▲                                          ◀────────────────────       │
//!     │                                            nothing to steal          │
//!     └──────────────────────────── stole a node ────────────────────────────┘
//! ```
//! The census is one word: how many work and how many search. All start as working; the run is over
//! when the word is zero. A worker with nodes in its own queue never touches it.
//!
//! - termination-1. Only a working or searching worker pushes, takes, steals or holds a node.
//! - termination-2. A worker rests only with no node in hand and after its own queue (and what did not fit in it) said that
//!   it is empty, and pushes nothing between that and its coming back.
//! - termination-3. Resting workers come back only while somebody works. So nothing leads away from zero.
//! - termination-4. If a worker finds its queue empty because of a thief's claim and rests, the thief's coming back precedes this
//!   rest in the word's modification order.
//!
//! *Never too early.* At zero, every pushed node has been visited. Suppose node x was pushed by worker o
//! and not visited. By termination-1 and termination-2 o has rested since, and before that its queue said it is empty. The queue's promise
//! is that x came out at least once until then: to o itself, which visited it before it rested; or to a
//! thief h, which by termination-4 was counted before o rested. At zero h is no longer counted, so it has rested too, and
//! by termination-2 had visited x. Contradiction either way. A relaxed queue may hand out x again later, but to
//! a thief that is counted meanwhile.
//!
//! (Ending too early would lose no node, for whoever has one goes on until it has none; it would lose workers.)
//!
//! *Not too late.* When no node is left, every working worker makes a bounded number of attempts to steal and
//! rests. From then on nobody works, so nobody comes back (termination-3); those who search make their attempts
//! and rest. So the word becomes zero. A counter of pushed and visited nodes would also end a run, but costs each
//! node a shared write and counts wrongly when a relaxed queue hands a node out twice; a single count of
//! active workers lets two thieves with nothing to steal keep each other awake: hence two counts.
//!
//! Orderings: termination-4 must hold whatever orderings the queue uses, for queues promise nothing about an
//! *empty* answer. The thief's Release fence after coming back and the victim's Acquire fence before going to rest
//! meet through any atomic write of the claim that the victim read. Zero is read with Acquire and reached by
//! read-modify-writes with Release, so whoever sees zero sees everything that was done.
//!
//! Departure from the paper, which does not say how its workers stop: Herlihy and Shavit (The Art of
//! Multiprocessor Programming, section 17.6) count the active and look before they come back; ours works for
//! queues that cannot be looked into.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering, fence};

use crossbeam_utils::{Backoff, CachePadded};

/// How many workers work and how many search, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Headcount(u32);

impl Headcount {
    const SEARCHING: u32 = 1;
    const WORKING: u32 = 1 << 16;
    const OVER: Headcount = Headcount(0);

    fn all_working(workers: usize) -> Headcount {
        let workers = u16::try_from(workers).expect("at most 65,535 workers");
        Headcount(u32::from(workers) * Self::WORKING)
    }

    fn somebody_works(self) -> bool {
        self.0 >= Self::WORKING
    }

    /// With one more searching, if somebody works.
    fn one_back(self) -> Option<Headcount> {
        self.somebody_works().then_some(Headcount(self.0 + Self::SEARCHING))
    }
}

/// How a worker is counted while it is not resting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// It has had nodes since it last rested.
    Working,
    /// It came back and has found none yet.
    Searching,
}

/// What a resting worker is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// Somebody works: the worker is counted as searching again.
    Search,
    /// There will be no more nodes.
    Leave,
}

/// The census of one run.
#[derive(Debug)]
pub(super) struct Census {
    headcount: CachePadded<AtomicU32>,
    /// A worker panicked and will never rest.
    abandoned: AtomicBool,
}

impl Census {
    /// All `workers` work.
    pub(super) fn new(workers: usize) -> Census {
        Census {
            headcount: CachePadded::new(AtomicU32::new(Headcount::all_working(workers).0)),
            abandoned: AtomicBool::new(false),
        }
    }

    /// The calling worker, counted as `presence`, has a node.
    pub(super) fn found(&self, presence: Presence) {
        if presence == Presence::Searching {
            // Ordering: Relaxed; the worker is counted before and after (termination-1), and a read-modify-write
            // continues the others' release sequences.
            self.headcount.fetch_add(Headcount::WORKING - Headcount::SEARCHING, Ordering::Relaxed);
        }
    }

    /// The calling worker, counted as `presence`, has no node and its queue is empty.
    pub(super) fn rest(&self, presence: Presence) {
        let count = match presence {
            Presence::Working => Headcount::WORKING,
            Presence::Searching => Headcount::SEARCHING,
        };
        // Ordering: Acquire; meets the thieves' fence in `call`, through their claims (termination-4).
        fence(Ordering::Acquire);
        // Ordering: Release; meets the Acquire load of zero in `call`.
        self.headcount.fetch_sub(count, Ordering::Release);
    }

    /// Waits until a resting worker is to search again or to leave.
    ///
    /// `patience` is kept from call to call until something is found: it goes from spinning to yielding.
    pub(super) fn call(&self, patience: &Backoff) -> Call {
        loop {
            patience.snooze();
            // Ordering: Relaxed; only ends the waiting, the panic itself comes through the join.
            if self.abandoned.load(Ordering::Relaxed) {
                return Call::Leave;
            }
            // Ordering: Acquire; meets the Release in `rest` if it is zero.
            let mut seen = Headcount(self.headcount.load(Ordering::Acquire));
            while let Some(more) = seen.one_back() {
                // Ordering: Relaxed; the fence below is what orders it before the steals (termination-4).
                match self.headcount.compare_exchange_weak(
                    seen.0,
                    more.0,
                    Ordering::Relaxed,
                    Ordering::Acquire,
                ) {
                    Ok(_) => {
                        // Ordering: Release; meets the victims' fence in `rest`, through this thief's claims.
                        fence(Ordering::Release);
                        return Call::Search;
                    }
                    Err(now) => seen = Headcount(now),
                }
            }
            if seen == Headcount::OVER {
                return Call::Leave;
            }
        }
    }

    /// Ends the run for those who rest, if the calling worker panics before the guard goes.
    pub(super) fn guard(&self) -> Guard<'_> {
        Guard(self)
    }
}

/// See [`Census::guard`].
pub(super) struct Guard<'a>(&'a Census);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // Ordering: Relaxed; see the load in `call`.
            self.0.abandoned.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_do_not_run_into_each_other() {
        let all = Headcount::all_working(65_535);
        assert!(all.somebody_works());
        let searching = Headcount(65_535 * Headcount::SEARCHING);
        assert!(!searching.somebody_works());
        assert_eq!(searching.one_back(), None);
        assert_eq!(Headcount::OVER.one_back(), None);
        let one = Headcount::all_working(1);
        assert_eq!(one.one_back(), Some(Headcount(Headcount::WORKING + Headcount::SEARCHING)));
    }

    #[test]
    fn a_resting_worker_is_called_while_somebody_works_and_leaves_at_zero() {
        let census = Census::new(2);
        census.rest(Presence::Working);
        assert_eq!(census.call(&Backoff::new()), Call::Search);
        census.found(Presence::Searching);
        census.rest(Presence::Working);
        assert_eq!(census.call(&Backoff::new()), Call::Search);
        census.rest(Presence::Searching);
        census.rest(Presence::Working);
        assert_eq!(census.call(&Backoff::new()), Call::Leave);
    }

    #[test]
    fn who_searches_holds_the_run_open_but_calls_nobody() {
        let census = Census::new(2);
        census.rest(Presence::Working);
        assert_eq!(census.call(&Backoff::new()), Call::Search);
        // The searching worker steals the other's last node just before that one rests.
        census.rest(Presence::Working);
        std::thread::scope(|scope| {
            let resting = scope.spawn(|| census.call(&Backoff::new()));
            for _ in 0..1000 {
                assert!(!resting.is_finished());
                std::thread::yield_now();
            }
            census.found(Presence::Searching);
            assert_eq!(resting.join().unwrap(), Call::Search);
        });
    }

    #[test]
    fn a_panic_sends_home_who_rests() {
        let census = Census::new(2);
        census.rest(Presence::Working);
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let _guard = census.guard();
                panic!("on purpose");
            });
            assert!(worker.join().is_err());
        });
        assert_eq!(census.call(&Backoff::new()), Call::Leave);
    }
}
