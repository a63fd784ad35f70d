//! Who sleeps, who searches, and who wakes whom.
//!
//! A pool that has nothing to do must cost nothing, a worker that has something to share must get help at once, and
//! one that shares crumbs must not pay for it. The three pull in different directions; this page tells how they are
//! reconciled.
//!
//! # What was rejected
//! - *Sleepers that look now and then.* A pool that does nothing would not be quiet, and work would wait for the next
//!   look.
//! - *Waking a sleeper for each shared task.* A wake-up is a system call, and in a stream of tiny joins each of them
//!   finds its task gone.
//! - *Only chains of wake-ups*, each worker that was woken waking the next. That is what must be (idle-5), but of a pool of 64 the last
//!   was woken after some 64 wake-ups one after another. So one is woken for each task that can be stolen, as far as nobody is on the way
//!   to it, and who was woken and sees more wakes two.
//! - *Waking somebody, and letting it look.* Of 128 workers few have tasks when a burst begins, and a few looks at random find none: a
//!   search took 8 to 60 us after the wake-up. So the waker tells whose tasks it was about, and that one is looked at first.
//! - *As many searchers as there are workers at work, 16 at the most.* In the middle of a burst that is too few, and at its end too many: who
//!   comes for a task that is gone looks at all others. 128 leaves of 2 ms took 30 wake-ups over the ideal in the simulator, 20 without it.
//! - *Following who robbed the one that one was told of*, to what that thief has, and on to whom it was told of: the same within the spread.
//! - *Taking a promise back whoever has come since*: that one had found no promise, and woke one for the same task as the owner. The one too many
//!   took another's part of the sleepers, and bursts on 128 EPYC workers 12 to 17 wake-ups over the ideal where it is 10.
//! - *Leaving tasks to those who are on the way to them*: small regions on 128 workers took up to 1.9 times as long.
//! - *A look at all by whoever leaves the search as the last one*, with a task in hand: 36 us of 128 workers, and the last one to be woken for a
//!   burst is that one. So it looks only where somebody counts on it (idle-5).
//! - *Counting all who were woken as searching.* In the middle of a burst the line of the counts was fetched three times for each wake-up, and each
//!   took a microsecond, for all waited for that line: by an owner that looked whether tasks are wanted, by the same one as it woke somebody, and
//!   by that one as it left the search. Now who comes for the tasks of one owner is counted there only, and who was woken in a burst expects
//!   more sleepers, and looks at the counts when it finds none: one fetch.
//! - *Looking at the counts no more, until nobody is found asleep*, by an owner that saw sleepers once: with what each had seen on its
//!   sleeper's line small regions on 256 workers took two to four times as long. It expects them within one task, and looks at two.
//! - *Looking for a sleeper among 32 only*, and leaving the task to those that search: 19 to 74 wake-ups over the ideal for 13 to 21.
//! - *A tip*, a word by which an owner tells those that search where it has tasks if nobody sleeps: bursts took half a wake-up less, and
//!   fib of 27 on 128 workers 1.1 times as long.
//! - *Telling all, by a bit for each worker that has shared tasks.* Searchers and owners fetched that one line from each other: 128
//!   leaves of 20 us took 220 us in the simulator, 108 without it.
//! - *Asking once.* A request that is answered is forgotten, and an owner that next pushes a long task would not know
//!   that somebody sleeps. So requests of sleepers *stand*: the owner that answers one trips its own limits again.
//! - *A lock around it all.* The owner looks here on the slow path of push and pop; it shall not wait for anybody.
//!
//! # States
//! ```text
//!             finds nothing                      nothing came of the last wake-up
//!   searching ------------> parked    searching ------------------------------> backing off
//!       ^                     |           ^                                          |
//!       '------ claimed ------'           '------------ its moment is over ----------'
//! ```
//! - *Awake and uncounted*: runs tasks, or has searched for a few microseconds only.
//! - *On the way*: was woken for the tasks of an owner that counts who is (idle-8). It looks there first; if it finds nothing it searches.
//! - *Searching*: looks for work and is counted. While one does, nobody else need be woken: it will find what is
//!   shared, or see to it that another does, if it is told that somebody counts on it. Where more work, more are woken all the same, as each
//!   may have tasks for one.
//! - *Parked*: sleeps until it is woken, with a standing request at every other worker, unless somebody looks round in its stead (idle-7).
//! - *Parked for jobs*: has no stack to spare for other workers' tasks, so it is no use to them, and nobody wakes it for
//!   these. Detached tasks and calls from outside do: one may be what it waits for.
//! - *Backing off*: was woken, and nothing it found was worth that. Sleeps for a moment that doubles each time, up to
//!   a millisecond. Meanwhile nobody is woken for shared tasks and for what workers spawn, and requests are forgotten, so a stream
//!   of tiny joins or tasks on a sleeping pool runs at nearly the speed of one worker. Tasks and calls from outside still wake it.
//!   When its moment is over it looks round as a searcher, shortly, and exposes what an owner keeps from it. If owners
//!   answer it and it gets nothing all the same, it backs off again; if nobody does, it parks. (Where
//!   nobody can expose, owners keep something shared whoever is idle: worker-5.) Where nearly all have work, others may just
//!   have been faster: who is woken for nothing for the first time parks again there.
//!
//! # Words
//! | word | who does it, to whom |
//! |---|---|
//! | notify | who has left work, to the pool: somebody is woken if anybody has to be |
//! | wake | who notifies, to one that is parked: claims it first, and so makes it a searcher, or one that is on the way |
//! | rouse | who notifies, to one that sleeps: ends its sleep, and claims nothing |
//! | unpark | anybody, to one worker: if it sleeps it looks round, else it does so before it sleeps |
//!
//! # The steps of each side
//! Five fences, each named for who passes it; they are sequentially consistent, and so have one order.
//!
//! An owner that finds its limits tripped:
//! 0. if it expects sleepers, since it was woken in this burst or has just woken somebody, promises to wake one more: it counts that one as on the
//!    way, so that no thief that sees the task first wakes another for it ([`Idle::promise`]);
//! 1. resets the limits, so it forgets the request, and shares tasks;
//! 2. F_owner ([`Idle::tasks_wanted`]), which is its F_sharer, too; if `counts` has somebody parked and nobody who backs off, nor, where there are
//!    more workers than processors, who searches, it trips its limits again. If it has promised to wake somebody, it does so in any case
//!    ([`Idle::tasks_expected`]);
//! 3. by the same look at `counts` ([`Idle::notify`]): if nobody searches, or fewer are on the way to its tasks than there are of these, it claims
//!    one parked worker, counts it as on the way or as searching (idle-4), and unparks it. With a look of its own, behind a fence of its own, small regions on 128 workers
//!    took 1.2 to 2.2 times as long in the simulator: all wait for the one line of the counts. If it has promised it, it claims one of the next few
//!    in its part of the sleepers without a look. If all that can be stolen is left to others it takes its promise back, unless somebody has arrived since
//!    it looked; if none of these sleeps, it does so in any case, and looks at the counts after that.
//!
//! An owner that is interrupted does 1 and 2 in its signal handler, and leaves 3 to the ticker
//! ([`Idle::others_want_tasks`], [`Idle::notify_of_offer`]).
//!
//! A worker that has searched long enough:
//! 1. announces: in one step `counts` has it as parked and no more as searching, and its `status` says so;
//! 2. F_sleeper ([`Idle::announce_parked`]);
//! 3. trips the limits of all others, and passes the heavy barrier (idle-6);
//! 4. looks at every source of work once more, and at what others keep from it; if there is something, it retracts the
//!    announcement and searches on;
//! 5. parks.
//!
//! A thread that leaves a job for any worker:
//! 1. queues it;
//! 2. F_sharer ([`Idle::notify_of_call`]); if nobody searches, it wakes a parked worker, or else rouses one that backs off, or one
//!    that is parked for jobs;
//! 3. if it will sleep until the job is done, it rouses one more that is parked: most calls fork.
//!
//! A worker that leaves a job in its own lane does the same ([`Idle::notify_of_spawn`]), but rouses nobody who backs off: it comes
//! to the job itself if nobody else does, and who backs off was woken in vain a moment ago.
//!
//! A worker that was woken for an owner's tasks, and has looked there:
//! 1. says so ([`Idle::note_arrival`]);
//! 2. F_arrival; it looks at that owner once more (idle-8). If there are tasks, and it has taken one, it has these to leave to others; if it
//!    has taken none, it owes a look.
//!
//! A searcher that has found something leaves the search ([`Idle::leave_search`]), and so does who was on the way, if it has something to leave or
//! owes a look:
//! 1. it counts as searching no more, if it did. What it has to leave it leaves to those that are on the way, or wakes the next two for it. What it owes
//!    it leaves to those that still search, or to whom it has woken, if these count: by a bit in `counts`;
//! 2. if it was the last one, it takes that bit back, if it was set, and F_leaver;
//! 3. if tasks are wanted, it looks whether `forgotten` is up, whether jobs wait, and, if the bit was set or it owes a look, whether
//!    there are tasks anywhere; if so, it wakes the next;
//! 4. if they are not wanted, but jobs wait, it rouses one that is parked for them.
//!
//! # Invariants
//! - idle-1. A worker's sleeper is not awake (`AWAKE`, or above it) only between its own announcement and the one transition back, made by
//!   itself or, from `PARKED`, by the one waker that claims it. That one passes through `CLAIMED`, and there the worker
//!   waits for it.
//! - idle-2. The counts of those parked, parked for jobs and backing off are raised before the sleeper shows it, and lowered by
//!   whoever made the transition back. The count of searching is raised by the searcher, or by the waker that claims it
//!   before it lets it go (idle-1), and lowered by the searcher itself. So none ever falls below zero; and between a claim and
//!   the waker's count there is one parked too many, never one too few. (Who is on the way may run in between. One of each waker at the most: so
//!   there never seem to be more parked than workers.)
//! - idle-3. Whoever parks announces it, fences, and looks at every source of work once more; whoever
//!   makes work visible fences, and then looks at the counts. One of the two sees the other: no
//!   wake-up is lost. The same for a request that an owner forgets while somebody parks.
//! - idle-4. A waker that claims a sleeper counts it as searching, so a searcher is never missed; or as on the way to an owner's tasks, and then nobody
//!   else leaves anything to it (idle-8).
//! - idle-5. Who leaves tasks to those that search says so in the one word that tells of them: by a bit, in the step in which it sees that somebody
//!   does. So a worker stops searching in two ways only: it announces that it will sleep and finds nothing at its second look; or it
//!   leaves the search and, as the last one, wakes a sleeper to take its place if that bit is set, or it owes a look, and it sees more work.
//!   It takes the bit back before its fence, and looks after it, by the counts as they were in that step: who has seen the bit before that comes
//!   before the fence, too, and so does who had parked.
//! - idle-6. Whoever parks asks every owner, passes the heavy barrier ([`lyocell_sync::HeavyBarrier`]), and looks what
//!   each has; an owner that pushes stores the task or its head, passes the light one, and looks whether it is asked.
//!   So a push is seen, or finds the request. Where there is no such barrier, whoever parks looks once more after a time
//!   in which every store has become visible.
//! - idle-7. While somebody is parked, every owner is asked, or is about to look whether it should be, or `forgotten` is up: some
//!   are not. Owners forget requests for good only while somebody backs off, or searches where there are more workers than processors,
//!   and put `forgotten` up. It comes down
//!   when somebody parks, who is about to ask all the others, and itself if it keeps tasks and somebody else is parked.
//!   Whoever leaves the search as the last one while it is up wakes a sleeper, who asks.
//!
//! - idle-8. An owner may leave as many tasks as workers were woken for its tasks to these: each says that it has arrived, fences, and looks
//!   at that owner once more. So what was there when the owner still counted it is seen. What it sees it takes, leaves to others that are
//!   on the way, wakes the next for, or owes a look for; and so it does if it comes to nothing, because it had found something else before.
//!   Who was woken for something else owes a look in any case.
//!   A promise counts as one that is on the way, and its owner looks who else is in the step in which it takes it back, or after it: so all it relies on has yet
//!   to arrive, and does not find the promise there. (By a look before that step an owner could leave a task to one that had left it to the
//!   promise.) What is left to a promise its owner wakes somebody for, leaves to those that are on the way, or to those that search; or nobody is
//!   parked at its look at the counts, which comes after F_owner.
//!
//! That by these no wake-up is lost is shown in [`proof`].
//!
//! # Orderings
//! All accesses are relaxed, around these fences, but for one pair: with the end of a claim comes that the sleeper counts, and what the waker did to
//! the sleeper's processors, which the sleeper undoes before it runs anything. Who claims a sleeper is decided by the one word of its status; what
//! else two workers have to tell each other goes with the parker's token. Everything else is a hint.
//!
//! # Second looks
//! What looks the same again may have been away and come back. None of those here relies on its not having been:
//! - Of its own status a worker knows that nobody else announces (idle-1): what is still `PARKED` is the same announcement.
//! - A waker that sees `PARKED`, and claims by compare-and-swap, may claim a later sleep than it saw: it has made a searcher of a
//!   sleeper, and its own fence came before both. One that only unparks may end a later sleep: that worker looks round.
//! - An owner that takes its promise back may have missed that one has arrived and another was sent. It goes by how many are on the way in that
//!   step, and nobody else makes its tasks more than it has seen.
//! - An owner looks at the counts again after it has put `forgotten` up. A worker that backs off or searches then may be another than at
//!   its first look, or the same in another moment: whoever it is, its search is not over, and that is all that idle-7 uses.
//! - An owner that sees the bit of idle-5 set may see that of a search which is over: then its last one has yet to take it back, and looks after
//!   that.
//! - `forgotten` may come down and go up between two looks of a leaver: up is up, and somebody is woken; down, whoever took it down
//!   asks all.
//!
//! Source: the searcher counts and the second look of Go's scheduler (`proc.go`, "Worker thread parking/unparking"),
//! the announcement of rayon's. The standing request, which takes the place of polling, and the backing off are ours.
//!
//! May import: limits.
//! Never enters: what work is and where it lies; whoever sleeps looks for it before.

mod counts;
mod ground;
mod proof;
mod sleeper;
#[cfg(all(test, not(loom)))]
mod tests;
mod wake;

pub(crate) use counts::IdleCounts;

use crossbeam_utils::CachePadded;
use lyocell_sync::{AtomicBool, AtomicU32, AtomicUsize, Ordering, Parker, fence};
use sleeper::{BACKING_OFF, PARKED, PARKED_FOR_JOBS, Retracted, Sleeper};
use std::time::Duration;

/// The first moment of backing off: many times what it costs to wake up from it. Half of this makes a stream of empty joins cost 4 to 11 % of
/// other workers' processor time in the simulator, where it is 3 to 7; an eighth twice as much. Tasks that come meanwhile wait as long at the most.
const FIRST_BACK_OFF: Duration = Duration::from_micros(256);
/// How often the moment doubles: up to about 1 ms.
const BACK_OFF_DOUBLINGS: u32 = 2;

/// The sleepers of a pool and their counts.
pub(crate) struct Idle {
    counts: CachePadded<AtomicUsize>,
    /// How many are parked for jobs; hardly ever anybody.
    parked_for_jobs: AtomicUsize,
    /// Whether an owner has forgotten a request of somebody who is still parked (idle-7).
    forgotten: AtomicBool,
    /// How many wake-ups in a row came to nothing.
    fruitless_wakes: CachePadded<AtomicU32>,
    crowd: Crowd,
    sleepers: Box<[CachePadded<Sleeper>]>,
}

/// What a thread that wakes a worker does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notifier {
    /// It goes on working, so the woken thread needs another processor.
    GoesOn,
    /// It sleeps until what it has left is done, so its own processor will be free at once.
    Sleeps,
}

/// That sleepers want tasks, as an owner saw it that had shared some.
#[derive(Clone, Copy)]
pub(crate) enum Wanted {
    Seen(IdleCounts),
    /// It has not looked, for they wanted tasks a moment ago.
    Expected,
}

/// What a worker has for thieves.
#[derive(Clone, Copy)]
pub(crate) struct Offer {
    pub(crate) owner: usize,
    /// How many tasks can be stolen, if its deque tells that.
    pub(crate) tasks: Option<usize>,
}

/// A worker that leaves the search.
#[derive(Clone, Copy)]
pub(crate) struct Leaver {
    pub(crate) counted: Searching,
    /// What the owner of the task that it has found has for others.
    pub(crate) beside: Option<Offer>,
    /// Whether it was woken, and has not found what for: so its waker may still count on it.
    pub(crate) owes_a_look: bool,
}

/// Whether a pool has more workers than there are processors for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crowd {
    Some,
    None,
}

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
    /// It does not, but was woken for the tasks of an owner that counts it as on the way.
    OnTheWay,
}

impl Idle {
    /// For as many workers as there are parkers, all awake.
    pub(crate) fn new<'a>(parkers: impl Iterator<Item = &'a Parker>, crowd: Crowd) -> Idle {
        let sleeper = |parker| CachePadded::new(Sleeper::new(parker));
        Idle {
            counts: CachePadded::new(AtomicUsize::new(0)),
            parked_for_jobs: AtomicUsize::new(0),
            forgotten: AtomicBool::new(false),
            fruitless_wakes: CachePadded::new(AtomicU32::new(0)),
            crowd,
            sleepers: parkers.map(sleeper).collect(),
        }
    }

    // Ordering of all reads and changes of the counts: Relaxed; the fences of idle-3 order what must
    // be ordered, and the one word's modification order does the rest.

    #[inline]
    pub(crate) fn counts(&self) -> IdleCounts {
        IdleCounts(self.counts.load(Ordering::Relaxed))
    }

    /// One place for all, so that a program has the panic of a wrong number once.
    #[inline(never)]
    fn sleeper(&self, worker: usize) -> &Sleeper {
        &self.sleepers[worker]
    }

    fn add(&self, what: usize) -> IdleCounts {
        IdleCounts(self.counts.fetch_add(what, Ordering::Relaxed))
    }

    fn subtract(&self, what: usize) -> IdleCounts {
        IdleCounts(self.counts.fetch_sub(what, Ordering::Relaxed))
    }

    /// An owner is about to share tasks, and has reason to expect sleepers: it counts whom it will wake for these as on the way before
    /// a thief can see them. [`Idle::notify`] or [`Idle::take_back`] has to follow.
    pub(crate) fn promise(&self, owner: usize) {
        self.sleeper(owner).note_sent();
    }

    /// The owner has nothing to wake anybody for after all.
    pub(crate) fn take_back(&self, owner: usize) {
        self.sleeper(owner).note_arrival();
    }

    /// An owner that has reset its limits asks: does anybody still wait for tasks? Then the request
    /// stands (idle-3). If not, it may forget it.
    #[inline]
    pub(crate) fn tasks_wanted(&self) -> Option<Wanted> {
        // F_owner.
        fence(Ordering::SeqCst);
        let counts = self.counts();
        if counts.parked() == 0 {
            return None;
        }
        if !self.somebody_looks(counts) {
            return Some(Wanted::Seen(counts));
        }
        // Ordering: Relaxed, before F_owner; meets F_leaver (idle-7).
        self.forgotten.store(true, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        let counts = self.counts();
        (counts.parked() > 0 && !self.somebody_looks(counts)).then_some(Wanted::Seen(counts))
    }

    /// As [`Idle::tasks_wanted`], by an owner that has promised to wake somebody, and does not look: the request stands in any case.
    pub(crate) fn tasks_expected(&self) -> Wanted {
        // F_owner.
        fence(Ordering::SeqCst);
        Wanted::Expected
    }

    /// Whether requests may be forgotten, since somebody will look round in the stead of those who are parked: who backs off, at the
    /// end of its moment; and where there are more workers than processors, who searches, and may wait for a processor with it for
    /// longer than a program takes, all the while that an owner would answer at each push and pop.
    fn somebody_looks(&self, counts: IdleCounts) -> bool {
        counts.backing_off() > 0 || self.crowd == Crowd::Some && counts.searching() > 0
    }

    /// A worker is about to announce that it parks, and to ask all who may have tasks (idle-7).
    pub(crate) fn remember_requests(&self) {
        // Ordering: Relaxed; before F_sleeper, and that is before the requests.
        self.forgotten.store(false, Ordering::Relaxed);
    }

    /// Whether this worker, the caller, is still announced as parked.
    pub(crate) fn is_parked(&self, worker: usize) -> bool {
        // A waker that claims it unparks it after, and then it looks again.
        self.sleeper(worker).has(PARKED)
    }

    /// As [`Idle::tasks_wanted`], for an owner that may be asleep itself, interrupted: does any other worker that
    /// sleeps wait for tasks? If the one that backs off is the owner itself, nobody will ask in its stead.
    pub(crate) fn others_want_tasks(&self, owner: usize) -> bool {
        // F_owner.
        fence(Ordering::SeqCst);
        // This thread's own word. A waker may have just claimed it, or the count not be
        // lowered yet: then one too many is counted, never one too few (idle-2).
        let own = usize::from(self.sleeper(owner).has(PARKED));
        self.counts().parked() > own
    }

    pub(crate) fn enter_search(&self) {
        let _ = self.add(IdleCounts::SEARCHING);
    }

    /// A worker that was woken has found tasks that were worth it.
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
        self.sleeper(worker).announce(status);
        // F_sleeper.
        fence(Ordering::SeqCst);
    }

    pub(crate) fn announce_parked(&self, worker: usize) {
        self.announce(worker, PARKED);
    }

    pub(crate) fn announce_backing_off(&self, worker: usize) {
        self.announce(worker, BACKING_OFF);
    }

    /// Announces that a worker which does not search will sleep until a job waits; it then looks for jobs once more
    /// (idle-3), and either [`Idle::retract`]s or parks.
    pub(crate) fn announce_parked_for_jobs(&self, worker: usize) {
        // Ordering: Relaxed; by the fence.
        self.parked_for_jobs.fetch_add(1, Ordering::Relaxed);
        self.sleeper(worker).announce(PARKED_FOR_JOBS);
        // F_sleeper.
        fence(Ordering::SeqCst);
    }

    /// Takes the announcement back. A waker may have been faster, and then it made the worker a
    /// searcher (idle-4).
    pub(crate) fn retract(&self, worker: usize) -> Searching {
        let retracted = self.sleeper(worker).retract();
        match retracted {
            Retracted::From(PARKED_FOR_JOBS) => {
                self.parked_for_jobs.fetch_sub(1, Ordering::Relaxed);
            }
            Retracted::From(status) => {
                self.subtract(count_of(status));
            }
            Retracted::Claimed(_) => {}
        }
        Searching::from(&retracted)
    }

    /// Where this worker, the caller, was told that there are tasks, if it was woken for some. It is on the way there until it says that
    /// it has looked.
    pub(crate) fn tasks_at(&self, worker: usize) -> Option<usize> {
        self.sleeper(worker).tasks_at()
    }

    /// A worker that was told of this one's tasks has looked there, and looks once more after this (idle-8).
    pub(crate) fn note_arrival(&self, at: usize) {
        self.sleeper(at).note_arrival();
        // F_arrival.
        fence(Ordering::SeqCst);
    }

    /// A hint that somebody is about to say that it has arrived at this worker, or that this one promises to wake somebody.
    pub(crate) fn prefetch_on_the_way(&self, worker: usize) {
        self.sleeper(worker).prefetch_on_the_way();
    }

    /// The calling thread is the one that sleeps for this worker, for life.
    pub(crate) fn bind_thread(&self, worker: usize) {
        self.sleeper(worker).bind_thread();
    }

    /// Sleeps until somebody unparks this worker. May return for no reason.
    pub(crate) fn park(&self, worker: usize, parker: &Parker) -> Searching {
        parker.park();
        self.retract(worker)
    }

    /// As [`Idle::park`], for so long at the most.
    pub(crate) fn park_for(&self, time: Duration, worker: usize, parker: &Parker) -> Searching {
        parker.park_timeout(time);
        self.retract(worker)
    }

    /// Sleeps until somebody unparks this worker, or the moment is over.
    pub(crate) fn back_off(&self, worker: usize, parker: &Parker) -> Searching {
        let fruitless = self.fruitless_wakes.load(Ordering::Relaxed).min(BACK_OFF_DOUBLINGS);
        self.fruitless_wakes.store(fruitless + 1, Ordering::Relaxed);
        self.park_for(moment(fruitless), worker, parker)
    }
}

/// How long a worker sleeps that looks again by itself, after so many such sleeps that came to nothing.
pub(crate) fn moment(fruitless: u32) -> Duration {
    FIRST_BACK_OFF * (1 << fruitless.min(BACK_OFF_DOUBLINGS))
}

fn count_of(status: u32) -> usize {
    match status {
        PARKED => IdleCounts::PARKED,
        _ => IdleCounts::BACKING_OFF,
    }
}
