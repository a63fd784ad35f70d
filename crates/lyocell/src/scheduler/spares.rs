//! Spare workers: while a task blocks, one more worker works in its place; and a caller who finds the seat taken may be one.
//!
//! ```text
//!             a task begins to block, and too few spares are awake
//!   not started ─────> awake <────────────────────────────── resting
//!                        │   as many are awake as block           ^
//!                        '── more are awake than block, and this ─'
//!                            one has nothing of its own to do
//! ```
//! A spare is a worker as any, with a deque, a lane and a thread, which comes behind the others in the pool's numbers. While it rests it is
//! where the first worker is while nobody sits on the seat: it has no occupant, its deque and its lane are empty, nobody wakes it, and it
//! has no mail. The worker whose task blocks keeps what it has: first it shares what it kept to itself, so that all of it can be stolen.
//! It does not wait for the spare when its task goes on, and the spare not for it: the one runs its task to the end before it rests.
//!
//! # Invariants
//! - spares-1. While `n` workers block, `n` spares are awake or about to be, or as many as there may be (`most`, less those that are lent
//!   to callers) if that is fewer, or as the system starts. So as many workers as the pool has otherwise do not block.
//! - spares-2. A spare that rests is in the list `free`, or lent, or has been taken out by who needs it, who then hands it a token. It sleeps
//!   as long as it is in a list; it looks after it has entered, and so does whoever closes the pool. So none sleeps when it is needed, nor
//!   through the end of the pool (drain-2).
//! - spares-3. The thread of a spare is in the list `threads` before the task or the call that has made it start is over. So who has joined all
//!   threads that have tasks, and finds none in the list, has joined all.
//! - spares-4. A spare that is lent to a caller, one that rests or has not been started, is that caller (registry-1), and its thread, if
//!   it has one, sleeps on. Who gives it back leaves it to a task that blocks and has none (spares-1), or where it was. What is left in
//!   its lane then others run, as after a caller that leaves the seat.
//!
//! All of it is under one lock, which is taken where a task blocks anyway. What a spare looks at between two tasks are copies.
//!
//! Source: `blocking` of Go's scheduler hands the deque of a thread that blocks to another thread; here the deque stays, because slots
//! are in the frames that wait for them, and another thread comes with its own.

use super::{Registry, Worker};
use crate::deque::{Deque, PrivateTasks};
use crate::idle::Notifier;
use crate::probe::{Phase, Probe};
use lyocell_sync::thread::JoinHandle;
use lyocell_sync::{AtomicUsize, Mutex, Ordering, Parker, Unparker};
use std::io;
use std::sync::Arc;

/// The spare workers of a pool.
pub(crate) struct Spares {
    /// How many there are at the most.
    most: usize,
    state: Mutex<State>,
    /// How many more are awake than needed, as under the lock.
    surplus: AtomicUsize,
}

struct State {
    /// Workers whose tasks block.
    blocked: usize,
    /// Spares that are in neither list.
    awake: usize,
    /// Those that have not been started, and behind them those that rest.
    free: Vec<Spare>,
    /// Those that are callers.
    lent: Vec<Spare>,
    threads: Vec<JoinHandle<()>>,
}

/// The number of a spare, and what wakes its thread, if it has been started.
type Spare = (usize, Option<Unparker>);

/// Whether a spare is needed that has not been started: its number among the spares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum Needed {
    Start(usize),
    Nothing,
}

/// How a pool starts the thread of this one of its spares.
pub(crate) type StartSpare<D, P> =
    dyn Fn(Arc<Registry<D, P>>, usize) -> io::Result<JoinHandle<()>> + Send + Sync;

/// What a pool with spares does that others have no code for.
pub(crate) struct SpareWays<D: Deque, P: Probe> {
    start: Box<StartSpare<D, P>>,
    call: CallAsSpare<D, P>,
}

/// How a caller makes its call as a spare, if one is free; tells whether it has.
pub(crate) type CallAsSpare<D, P> = fn(&Registry<D, P>, &mut dyn FnMut(&Worker<D, P>)) -> bool;

impl<D: Deque, P: Probe> SpareWays<D, P> {
    pub(crate) fn new(start: Box<StartSpare<D, P>>, call: CallAsSpare<D, P>) -> Self {
        SpareWays { start, call }
    }
}

/// Why a rest is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rested {
    Needed,
    PoolIsOver,
}

impl Spares {
    pub(crate) fn new(most: usize) -> Spares {
        let free = (0..most).rev().map(|spare| (spare, None)).collect();
        let state = State { blocked: 0, awake: 0, free, lent: Vec::new(), threads: Vec::new() };
        Spares { most, state: Mutex::new(state), surplus: AtomicUsize::new(0) }
    }

    /// How many there may be.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// A task begins to block: has a spare awake in its place (spares-1).
    pub(crate) fn begin(&self) -> Needed {
        let mut state = self.state.lock();
        state.blocked += 1;
        let is_enough = state.awake >= state.blocked;
        let spare = if is_enough { None } else { state.free.pop() };
        state.awake += usize::from(spare.is_some());
        self.recount(&state);
        drop(state);
        spare.map_or(Needed::Nothing, have_work)
    }

    /// The spare that was needed could not be started.
    pub(crate) fn fail_to_start(&self, spare: usize) {
        let mut state = self.state.lock();
        state.free.insert(0, (spare, None));
        state.awake -= 1;
        self.recount(&state);
    }

    /// The task blocks no more.
    pub(crate) fn end(&self) {
        let mut state = self.state.lock();
        state.blocked -= 1;
        self.recount(&state);
    }

    /// One for a caller to be (spares-4), without a thread if there is such: the last, for the first is the next to be started.
    pub(crate) fn lend(&self) -> Option<usize> {
        if self.most == 0 {
            return None;
        }
        let mut state = self.state.lock();
        let lent = if state.free.is_empty() { return None } else { state.free.remove(0) };
        let spare = lent.0;
        state.lent.push(lent);
        Some(spare)
    }

    /// The caller is it no more: tells whether it is needed, and has not been started.
    pub(crate) fn take_back(&self, spare: usize) -> Needed {
        let mut state = self.state.lock();
        let Some(place) = state.lent.iter().position(|(lent, _)| *lent == spare) else {
            unreachable!("it is lent")
        };
        let spare = state.lent.swap_remove(place);
        if state.awake < state.blocked {
            state.awake += 1;
            drop(state);
            return have_work(spare);
        }
        match spare.1 {
            Some(_) => state.free.push(spare),
            None => state.free.insert(0, spare),
        }
        Needed::Nothing
    }

    /// Whether more are awake than needed. A hint.
    pub(crate) fn has_surplus(&self) -> bool {
        // Ordering: Relaxed; whoever acts on it takes the lock.
        self.surplus.load(Ordering::Relaxed) > 0
    }

    /// A spare that has nothing to do rests until it is needed, if more are awake than that, or until the pool is over.
    pub(crate) fn rest(&self, spare: usize, parker: &Parker, is_over: impl Fn() -> bool) -> Rested {
        {
            let mut state = self.state.lock();
            if state.awake > state.blocked {
                state.awake -= 1;
                state.free.push((spare, Some(parker.unparker().clone())));
                self.recount(&state);
            }
        }
        loop {
            if is_over() {
                return Rested::PoolIsOver;
            }
            if self.state.lock().is_awake(spare) {
                return Rested::Needed;
            }
            parker.park();
        }
    }

    /// Has all that rest look whether the pool is over.
    pub(crate) fn wake_all(&self) {
        if self.most > 0 {
            let state = self.state.lock();
            let threads =
                state.free.iter().chain(&state.lent).filter_map(|(_, thread)| thread.as_ref());
            threads.for_each(Unparker::unpark);
        }
    }

    /// Keeps the thread of a spare for who joins the pool's threads (spares-3).
    pub(crate) fn keep(&self, thread: JoinHandle<()>) {
        self.state.lock().threads.push(thread);
    }

    /// A thread that is yet to be joined.
    pub(crate) fn thread(&self) -> Option<JoinHandle<()>> {
        self.state.lock().threads.pop()
    }

    fn recount(&self, state: &State) {
        // Ordering: Relaxed; as in `has_surplus`. Written under the lock only.
        self.surplus.store(state.awake.saturating_sub(state.blocked), Ordering::Relaxed);
    }
}

/// Wakes a spare that rests, or tells that it has to be started.
fn have_work((spare, thread): Spare) -> Needed {
    match thread {
        Some(thread) => {
            // spares-2.
            thread.unpark();
            Needed::Nothing
        }
        None => Needed::Start(spare),
    }
}

impl State {
    /// Whether this spare, which has a thread, neither rests nor is lent.
    fn is_awake(&self, spare: usize) -> bool {
        self.free.iter().chain(&self.lent).all(|(other, _)| *other != spare)
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Calls `body`, which blocks: waits for input or output, for a lock, for another thread. Meanwhile one more worker works in this one's
    /// place, if the pool has one to spare ([`Builder::spare_workers`](crate::Builder::spare_workers)); else it is a call.
    ///
    /// What this worker has forked and spawned so far others may take meanwhile, all of it. (With [`Receiver`](crate::Receiver) and
    /// [`Sender`](crate::Sender), whose tasks only their owner can give away, those of its open joins wait for the end of `body`.) `body` is
    /// given no handle: what it forks all the same, by [`join`](crate::join()) and its like, is run as ever.
    ///
    /// When `body` is over, this worker goes on at once; the other one ends the task it is in, and sleeps. In a [background
    /// task](crate::Pool::spawn_background) it does not count meanwhile as one of those that are in one
    /// ([`Builder::background_workers`](crate::Builder::background_workers)).
    ///
    /// # Panics
    /// Panics with the panic of `body`.
    ///
    /// # Cost
    /// Two times a lock; and a wake-up, or the start of a thread where as many have not been needed before. Nothing in a pool without spare
    /// workers.
    ///
    /// # Source
    /// `blocking` of Go's scheduler, and `block_in_place` of tokio.
    ///
    /// # Examples
    /// ```
    /// use std::sync::mpsc::channel;
    ///
    /// let pool = lyocell::Pool::builder().workers(1).spare_workers(1).build()?;
    /// let (send, receive) = channel();
    /// let received = pool.run(move |w| {
    ///     w.spawn_detached(move |_| send.send(42).unwrap());
    ///     // The one worker there is would wait for itself.
    ///     w.blocking(|| receive.recv())
    /// });
    /// assert_eq!(received, Ok(42));
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn blocking<R>(&self, body: impl FnOnce() -> R) -> R {
        let _blocked = self.begin_blocking();
        body()
    }

    fn begin_blocking(&self) -> Option<Blocked<'_, D, P>> {
        let registry = self.registry();
        if registry.spares.most == 0 || self.is_left_behind() || self.own.blocks.replace(true) {
            // after_fork-4: the lock may never be free.
            return None;
        }
        let room = self.lend_room();
        self.share_all();
        if let Needed::Start(spare) = registry.spares.begin() {
            registry.start_spare(spare);
        }
        if registry.has_jobs() || registry.has_tasks() {
            registry.idle.notify_of_call(Notifier::GoesOn);
        }
        Some(Blocked { worker: self, room })
    }

    /// Shares what this worker keeps to itself, as if it were asked as often as it takes.
    fn share_all(&self) {
        if matches!(D::PRIVATE_TASKS, PrivateTasks::None | PrivateTasks::Sent) {
            return;
        }
        // Each time at least half of it, but for a deque that is set to share one at a time: the rest is for who exposes.
        for _ in 0..usize::BITS {
            if self.owner.depth() == 0 || !self.owner.deque.withholds(self.owner.head.get()) {
                return;
            }
            self.answer();
        }
    }
}

/// That a worker's task blocks, until it is dropped.
struct Blocked<'a, D: Deque, P: Probe> {
    worker: &'a Worker<D, P>,
    /// Its room in the background, which it has lent.
    room: Option<usize>,
}

impl<D: Deque, P: Probe> Drop for Blocked<'_, D, P> {
    fn drop(&mut self) {
        self.worker.own.blocks.set(false);
        if !self.worker.is_left_behind() {
            self.worker.registry().spares.end();
            self.worker.take_room_back(self.room);
        }
    }
}

/// A spare worker that a caller is while its call lasts (spares-4).
struct Lent<'a, D: Deque, P: Probe> {
    registry: &'a Registry<D, P>,
    spare: usize,
}

impl<D: Deque, P: Probe> Lent<'_, D, P> {
    /// Works as this spare.
    fn occupy(self, body: &mut dyn FnMut(&Worker<D, P>)) {
        let worker = self.registry.worker_of_spare(self.spare);
        self.registry.workers[worker].owner.probe.enter(Phase::Application);
        self.registry.occupy(worker, body);
    }
}

impl<D: Deque, P: Probe> Drop for Lent<'_, D, P> {
    fn drop(&mut self) {
        let registry = self.registry;
        if registry.generation.is_past() {
            // after_fork-4: the lock may never be free.
            return;
        }
        registry.workers[registry.worker_of_spare(self.spare)].owner.probe.enter(Phase::Idle);
        if let Needed::Start(spare) = registry.spares.take_back(self.spare) {
            registry.start_spare(spare);
        }
        // seat-4: for what it has spawned.
        if registry.has_jobs() {
            registry.wake_backup();
        }
    }
}

impl<D: Deque, P: Probe> Registry<D, P> {
    /// Has a caller that has found the seat taken make its call as a spare worker, in a pool with such; tells whether it has.
    #[cold]
    pub(crate) fn call_as_spare(&self, call: &mut dyn FnMut(&Worker<D, P>)) -> bool {
        self.spare_ways.get().is_some_and(|ways| (ways.call)(self, call))
    }

    /// Calls `body` as a spare worker, if one is free and this thread is no worker (current-1); tells whether it has.
    pub(crate) fn be_spare(&self, body: &mut dyn FnMut(&Worker<D, P>)) -> bool {
        let is_caller = self.seat_for_callers().is_some();
        let lent = if is_caller { self.spares.lend() } else { None };
        let lent = lent.map(|spare| Lent { registry: self, spare });
        let is_there = lent.is_some();
        lent.into_iter().for_each(|lent| lent.occupy(&mut *body));
        is_there
    }

    /// The number of the worker that this spare is: they come behind the others.
    pub(crate) fn worker_of_spare(&self, spare: usize) -> usize {
        self.workers.len() - self.spares.most + spare
    }

    fn start_spare(&self, spare: usize) {
        // registry-3.
        let registry = self.this.upgrade().expect("somebody uses the registry");
        match self.spare_ways.get().map(|ways| (ways.start)(registry, spare)) {
            Some(Ok(thread)) => self.spares.keep(thread),
            // spares-1: fewer, as far as the system goes.
            Some(Err(_)) | None => self.spares.fail_to_start(spare),
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn as_many_are_awake_as_block_and_no_more_than_there_may_be() {
        let spares = Spares::new(2);
        assert_eq!(spares.begin(), Needed::Start(0));
        assert_eq!(spares.begin(), Needed::Start(1));
        assert_eq!(spares.begin(), Needed::Nothing);
        assert!(!spares.has_surplus());
        spares.end();
        assert!(!spares.has_surplus(), "two block still");
        spares.end();
        spares.end();
        assert!(spares.has_surplus());
        let parker = Parker::default();
        assert_eq!(spares.rest(1, &parker, || true), Rested::PoolIsOver);
        assert!(spares.has_surplus(), "there is another");
        assert_eq!(spares.rest(0, &parker, || true), Rested::PoolIsOver);
        assert!(!spares.has_surplus());
        // Who rests is needed again, and handed a token.
        assert_eq!(spares.begin(), Needed::Nothing);
        assert_eq!(spares.rest(0, &parker, || false), Rested::Needed);
        parker.park();
        assert_eq!(spares.rest(0, &parker, || false), Rested::Needed, "it has not ended");
    }

    #[test]
    fn what_is_lent_is_nobody_elses_and_comes_back_to_who_needs_it() {
        let spares = Spares::new(2);
        assert_eq!(spares.lend(), Some(1));
        assert_eq!(spares.begin(), Needed::Start(0));
        assert_eq!(spares.lend(), None, "it works");
        assert_eq!(spares.begin(), Needed::Nothing, "it is lent");
        assert_eq!(spares.take_back(1), Needed::Start(1));
        spares.end();
        spares.end();
        // Both have threads, and rest.
        let parker = Parker::default();
        [0, 1].iter().for_each(|spare| _ = spares.rest(*spare, &parker, || true));
        assert_eq!([spares.lend(), spares.lend()], [Some(0), Some(1)]);
        assert!(!spares.state.lock().is_awake(1), "its thread sleeps on");
        assert_eq!(spares.take_back(0), Needed::Nothing);
        assert!(!spares.state.lock().is_awake(0), "it rests again");
        assert_eq!([spares.begin(), spares.begin()], [Needed::Nothing, Needed::Nothing]);
        assert_eq!(spares.take_back(1), Needed::Nothing);
        assert!(spares.state.lock().is_awake(1), "who blocks needs it");
        parker.park();
        assert_eq!(Spares::new(0).lend(), None);
    }

    #[test]
    fn one_that_could_not_be_started_is_tried_again() {
        let spares = Spares::new(1);
        assert_eq!(spares.begin(), Needed::Start(0));
        spares.fail_to_start(0);
        assert!(!spares.has_surplus());
        spares.end();
        assert_eq!(spares.begin(), Needed::Start(0));
    }
}
