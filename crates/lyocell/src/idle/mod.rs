//! Who sleeps, who searches, and who wakes whom.
//!
//! A worker without work *searches* a while, then *parks*. Three counts tell owners what to do with
//! work they could share:
//!
//! ```text
//!             finds nothing                      nothing came of the last wake-up
//!   searching ------------> parked    searching ------------------------------> drowsy
//!       ^                     |                                                   |
//!       '--- notify ----------'                         its time is over: parked -'
//! ```
//!
//! - *parked*: leaves a standing request at every worker, and is woken by the first that shares.
//! - *searching*: looks for work now; while one does, nobody else need be woken.
//! - *drowsy*: was woken and found nothing worth it. Sleeps for a moment that doubles each time, and
//!   meanwhile nobody is woken for shared tasks: so a stream of tiny joins on a sleeping pool runs
//!   at nearly the speed of one worker. Detached tasks and calls from outside still wake it.
//!
//! # Invariants
//! - idle-1. A worker's sleeper is `PARKED` or `BACKING_OFF` only between its own announcement and the one
//!   transition back to `AWAKE`, made by itself or, from `PARKED`, by the one waker that claims it.
//! - idle-2. The counts of parked and of drowsy are raised before the sleeper shows it, and lowered by whoever
//!   made the transition back: they never fall below zero. The count of searching may, for a moment: a
//!   sleeper that is claimed can have left its search before the waker has counted it. That costs a
//!   wake-up too many, where a count too high would lose one.
//! - idle-3. Whoever parks announces it, fences, and looks at every source of work once more; whoever
//!   makes work visible fences, and then looks at the counts. One of the two sees the other: no
//!   wake-up is lost. The same for a request that an owner forgets while somebody parks.
//! - idle-4. A waker that claims a sleeper counts it as searching, so a searcher is never missed.
//! - idle-5. Owners count on a searcher to find what they share, and forget requests while somebody is drowsy. So
//!   a worker stops searching in two ways only: it announces that it will sleep and finds nothing at its
//!   second look, or it leaves the search and, as the last one, wakes a sleeper to take its place.
//!
//! # Orderings
//! idle-3 is the Dekker pattern: relaxed accesses around `fence(SeqCst)` on both sides. Everything else
//! is a hint.
//!
//! Source: the searcher counts of Go's scheduler, and the standing request that takes the place of
//! polling. The moment of drowsiness is ours.
//!
//! May import: sync, outside.
//! Never enters: what work is and where it lies; whoever sleeps looks for it before.

use crate::outside::Generation;
use crate::outside::affinity::Steering;
use crate::sync::{AtomicU32, AtomicUsize, Ordering, Parker, Unparker, fence};
use crossbeam_utils::CachePadded;
use std::time::Duration;

/// The first moment of drowsiness. Untuned but for its end: about 1 ms after five doublings.
const FIRST_BACK_OFF: Duration = Duration::from_micros(32);
/// How often the moment doubles.
const BACK_OFF_DOUBLINGS: u32 = 5;

/// The sleepers of a pool and their counts.
pub(crate) struct Idle {
    counts: CachePadded<AtomicUsize>,
    /// How many wake-ups in a row came to nothing.
    fruitless_wakes: CachePadded<AtomicU32>,
    sleepers: Box<[CachePadded<Sleeper>]>,
    generation: Generation,
}

/// Where one worker sleeps.
struct Sleeper {
    status: AtomicU32,
    unparker: Unparker,
    steering: Steering,
}

const AWAKE: u32 = 0;
const PARKED: u32 = 1;
const BACKING_OFF: u32 = 2;

/// Whether there was somebody to wake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Woken {
    One,
    Nobody,
}

/// Whether a worker counts as searching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Searching {
    Counted,
    Uncounted,
}

/// Three counts in one word, the one that may be negative on top (idle-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IdleCounts(usize);

impl IdleCounts {
    const BITS: u32 = 10;
    const MASK: usize = (1 << Self::BITS) - 1;
    const PARKED: usize = 1;
    const BACKING_OFF: usize = 1 << Self::BITS;
    const SEARCHING: usize = 1 << (2 * Self::BITS);

    pub(crate) fn parked(self) -> usize {
        self.0 & Self::MASK
    }

    pub(crate) fn backing_off(self) -> usize {
        self.0 >> Self::BITS & Self::MASK
    }

    pub(crate) fn searching(self) -> isize {
        self.0 as isize >> (2 * Self::BITS)
    }

    /// Whether shared tasks should wake somebody: one sleeps, and no wake-up came to nothing lately.
    fn want_tasks(self) -> bool {
        self.parked() > 0 && self.backing_off() == 0
    }
}

impl Idle {
    /// For as many workers as there are parkers, all awake.
    pub(crate) fn new<'a>(parkers: impl Iterator<Item = &'a Parker>) -> Idle {
        let sleeper = |parker: &Parker| {
            CachePadded::new(Sleeper {
                status: AtomicU32::new(AWAKE),
                unparker: parker.unparker().clone(),
                steering: Steering::new(),
            })
        };
        Idle {
            counts: CachePadded::new(AtomicUsize::new(0)),
            fruitless_wakes: CachePadded::new(AtomicU32::new(0)),
            sleepers: parkers.map(sleeper).collect(),
            generation: Generation::now(),
        }
    }

    // Ordering of all reads and changes of the counts: Relaxed; the fences of idle-3 order what must
    // be ordered, and the one word's modification order does the rest.

    pub(crate) fn counts(&self) -> IdleCounts {
        IdleCounts(self.counts.load(Ordering::Relaxed))
    }

    fn add(&self, what: usize) {
        self.counts.fetch_add(what, Ordering::Relaxed);
    }

    fn subtract(&self, what: usize) -> IdleCounts {
        IdleCounts(self.counts.fetch_sub(what, Ordering::Relaxed))
    }

    /// An owner that has reset its limits asks: does anybody still wait for tasks? Then the request
    /// stands (idle-3).
    #[inline]
    pub(crate) fn tasks_wanted(&self) -> bool {
        fence(Ordering::SeqCst);
        self.counts().want_tasks()
    }

    /// As [`Idle::tasks_wanted`], for an owner that may be asleep itself, interrupted: does any other worker that
    /// sleeps wait for tasks? Nobody who is drowsy will ask in its stead, if that is the owner.
    pub(crate) fn others_want_tasks(&self, owner: usize) -> bool {
        fence(Ordering::SeqCst);
        // Ordering: Relaxed; this thread's own word. A waker may have just claimed it, or the count not be
        // lowered yet: then one too many is counted, never one too few (idle-2).
        let own = usize::from(self.sleepers[owner].status.load(Ordering::Relaxed) == PARKED);
        self.counts().parked() > own
    }

    /// What an interrupted owner has to offer wakes another worker, if one is parked. It does not matter whether
    /// somebody searches: that may be the owner, who cannot steal from itself.
    pub(crate) fn notify_of_offer(&self, owner: usize) {
        fence(Ordering::SeqCst);
        let _ = self.wake_one_of(|worker| worker != owner);
    }

    /// Tasks have been shared: wakes one worker, if one wants them and nobody searches yet.
    pub(crate) fn notify(&self) {
        fence(Ordering::SeqCst);
        let counts = self.counts();
        if counts.want_tasks() && counts.searching() <= 0 {
            self.wake_one();
        }
    }

    /// A detached task or a call from outside waits: wakes one worker if nobody searches, a drowsy
    /// one if it must be.
    pub(crate) fn notify_of_call(&self) {
        fence(Ordering::SeqCst);
        let counts = self.counts();
        let asleep = counts.parked() + counts.backing_off() > 0;
        if asleep && counts.searching() <= 0 && self.wake_one() == Woken::Nobody {
            self.rouse_one();
        }
    }

    /// None in the child of a fork: the sleepers are in the other process, and only there may they be
    /// steered and woken.
    fn sleepers_here(&self) -> &[CachePadded<Sleeper>] {
        if self.generation.is_past() { &[] } else { &self.sleepers }
    }

    /// Wakes one parked worker, if there is one.
    fn wake_one(&self) -> Woken {
        self.wake_one_of(|_| true)
    }

    fn wake_one_of(&self, may_be: impl Fn(usize) -> bool) -> Woken {
        let mut sleepers = self.sleepers_here().iter().enumerate();
        let claimed = sleepers.find(|(worker, sleeper)| {
            // idle-1: the one transition. Ordering: Relaxed; who makes it is decided by the one word, and the
            // unparker carries what else the two have to tell each other.
            may_be(*worker)
                && sleeper.status.load(Ordering::Relaxed) == PARKED
                && sleeper
                    .status
                    .compare_exchange(PARKED, AWAKE, Ordering::Relaxed, Ordering::Relaxed)
                    .is_ok()
        });
        match claimed {
            Some((_, sleeper)) => {
                self.add(IdleCounts::SEARCHING - IdleCounts::PARKED);
                sleeper.steering.steer_away();
                sleeper.unparker.unpark();
                Woken::One
            }
            None => Woken::Nobody,
        }
    }

    /// Ends the moment of one drowsy worker, if there is one. It is not claimed: as always at the end of
    /// the moment, it looks everywhere once more.
    fn rouse_one(&self) {
        // Ordering: Relaxed; by the caller's fence (idle-3).
        let drowsy =
            |sleeper: &&CachePadded<Sleeper>| sleeper.status.load(Ordering::Relaxed) == BACKING_OFF;
        if let Some(sleeper) = self.sleepers_here().iter().find(drowsy) {
            sleeper.unparker.unpark();
        }
    }

    /// Ends a worker's sleep for a reason of its own: what it waits for has happened.
    pub(crate) fn unpark(&self, worker: usize) {
        self.sleepers[worker].unparker.unpark();
    }

    /// Ends everybody's sleep: the pool closes.
    pub(crate) fn unpark_all(&self) {
        for sleeper in &self.sleepers {
            sleeper.unparker.unpark();
        }
    }

    pub(crate) fn enter_search(&self) {
        self.add(IdleCounts::SEARCHING);
    }

    /// A searcher stops, and if it was the last one the next takes its place (idle-5).
    pub(crate) fn leave_search(&self) {
        let before = self.subtract(IdleCounts::SEARCHING);
        if before.searching() <= 1 && before.want_tasks() {
            self.notify();
        }
    }

    /// Work was worth its wake-up.
    pub(crate) fn note_useful_wake(&self) {
        // Ordering: Relaxed, here and below; a hint.
        if self.fruitless_wakes.load(Ordering::Relaxed) != 0 {
            self.fruitless_wakes.store(0, Ordering::Relaxed);
        }
    }

    /// Announces that a searching worker will sleep; it then looks at every source of work once
    /// more (idle-3), and either [`Idle::retract`]s or sleeps.
    fn announce(&self, worker: usize, status: u32) {
        self.subtract(IdleCounts::SEARCHING - count_of(status));
        // Ordering: Relaxed; meets the claim in `wake_one` on the same word.
        self.sleepers[worker].status.store(status, Ordering::Relaxed);
        fence(Ordering::SeqCst);
    }

    pub(crate) fn announce_parked(&self, worker: usize) {
        self.announce(worker, PARKED);
    }

    pub(crate) fn announce_backing_off(&self, worker: usize) {
        self.announce(worker, BACKING_OFF);
    }

    /// Takes the announcement back. A waker may have been faster, and then it made the worker a
    /// searcher (idle-4).
    pub(crate) fn retract(&self, worker: usize) -> Searching {
        // Ordering: Relaxed; as in `wake_one`.
        match self.sleepers[worker].status.swap(AWAKE, Ordering::Relaxed) {
            AWAKE => Searching::Counted,
            status => {
                self.subtract(count_of(status));
                Searching::Uncounted
            }
        }
    }

    /// The calling thread is the one that sleeps for this worker, for life.
    pub(crate) fn bind_thread(&self, worker: usize) {
        self.sleepers[worker].steering.bind_thread();
    }

    /// Sleeps until somebody unparks this worker. May return for no reason.
    pub(crate) fn park(&self, worker: usize, parker: &Parker) -> Searching {
        parker.park();
        self.wake_up(worker)
    }

    /// Sleeps until somebody unparks this worker, or the moment is over.
    pub(crate) fn back_off(&self, worker: usize, parker: &Parker) -> Searching {
        let doublings = self.fruitless_wakes.load(Ordering::Relaxed).min(BACK_OFF_DOUBLINGS);
        self.fruitless_wakes.store(doublings + 1, Ordering::Relaxed);
        parker.park_timeout(FIRST_BACK_OFF * (1 << doublings));
        self.wake_up(worker)
    }

    fn wake_up(&self, worker: usize) -> Searching {
        self.sleepers[worker].steering.undo();
        self.retract(worker)
    }
}

fn count_of(status: u32) -> usize {
    match status {
        PARKED => IdleCounts::PARKED,
        _ => IdleCounts::BACKING_OFF,
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn counts_do_not_run_into_each_other() {
        let full = IdleCounts::PARKED * 1023
            + IdleCounts::SEARCHING * 1023
            + IdleCounts::BACKING_OFF * 1023;
        let counts = IdleCounts(full - IdleCounts::SEARCHING);
        assert_eq!((counts.parked(), counts.searching(), counts.backing_off()), (1023, 1022, 1023));
        let short = IdleCounts(
            (IdleCounts::PARKED + IdleCounts::BACKING_OFF).wrapping_sub(IdleCounts::SEARCHING),
        );
        assert_eq!((short.parked(), short.searching(), short.backing_off()), (1, -1, 1));
    }

    #[test]
    fn one_sharer_wakes_one_sleeper_and_no_second_while_that_one_searches() {
        let parkers = [Parker::default(), Parker::default()];
        let idle = Idle::new(parkers.iter());
        for worker in 0..2 {
            idle.enter_search();
            idle.announce_parked(worker);
        }
        assert!(idle.tasks_wanted());
        idle.notify();
        idle.notify();
        let counts = idle.counts();
        assert_eq!((counts.parked(), counts.searching()), (1, 1));
        assert_eq!(idle.park(0, &parkers[0]), Searching::Counted);
        assert_eq!(idle.retract(1), Searching::Uncounted);
        idle.leave_search();
        assert_eq!(idle.counts(), IdleCounts(0));
    }

    #[test]
    fn an_offer_wakes_another_than_its_owner_whoever_searches_or_backs_off() {
        let parkers = [Parker::default(), Parker::default(), Parker::default()];
        let idle = Idle::new(parkers.iter());
        (0..3).for_each(|_| idle.enter_search());
        idle.announce_parked(0);
        assert!(!idle.others_want_tasks(0) && idle.others_want_tasks(1));
        idle.notify_of_offer(0);
        assert_eq!(idle.counts().parked(), 1);
        idle.announce_parked(1);
        idle.announce_backing_off(2);
        idle.enter_search();
        assert!(idle.others_want_tasks(0));
        idle.notify_of_offer(0);
        assert_eq!(idle.counts().parked(), 1);
        assert_eq!(idle.park(1, &parkers[1]), Searching::Counted);
        assert_eq!(idle.retract(0), Searching::Uncounted);
    }

    #[test]
    fn a_worker_that_backs_off_hears_calls_but_not_tasks() {
        let parkers = [Parker::default()];
        let idle = Idle::new(parkers.iter());
        idle.enter_search();
        idle.announce_backing_off(0);
        assert!(!idle.tasks_wanted());
        idle.notify();
        assert_eq!(idle.counts().backing_off(), 1);
        idle.notify_of_call();
        // The token is there, so this ends.
        parkers[0].park();
        assert_eq!(idle.retract(0), Searching::Uncounted);
        assert_eq!(idle.counts(), IdleCounts(0));
    }
}
