//! Interrupts: a worker in the middle of a long task shares what it keeps from thieves.
//!
//! An owner answers thieves at its next push or pop. One that runs a long leaf does neither, and the tasks it
//! has not shared wait for it. With interrupts, a thread of the pool, the [ticker], looks round at every
//! tick, and where tasks are wanted and withheld it sends the owner's thread a signal. The handler does what
//! the owner would do at a push: it shares.
//!
//! ```text
//!   thief                    ticker                       owner
//!   trips the limits  ---->  asked, and tasks withheld?
//!   parks                    signal  ------------------>  handler: share; leave the request standing;
//!                            next tick: an offer?  <----  say whether there is an offer
//!   <----  wakes one sleeper
//! ```
//! The handler runs on the owner's thread, between two instructions of the owner. So it is no other thread:
//! it sees all that the owner has written so far, in order, and the owner does nothing until it returns.
//! What can go wrong is that it comes in the middle of something, or that the compiler has moved a
//! write. Hence:
//!
//! # Invariants
//! - H1. A task, and all that it refers to, is in memory before the head goes up over its slot
//!   ([`Head::raise`]).
//! - H2. The head is down on a slot before the pop looks at its limit, and before the slot is written again
//!   ([`Head::lower`]).
//! - H3. While the owner is in a slow path, the handler does nothing ([`Gate`]). Nothing is lost: a slow path
//!   answers anyway, and there is another tick. Every method of the owner's deque is a slow path but push and
//!   pop, and steal, which is about another deque and, of its own, about nothing that `share` looks at.
//! - H4. Outside the slow paths all slots from the first that is not stolen up to the head are tasks that wait
//!   to be run, with two exceptions. The slot past the last is none, though a push that has no room raises
//!   the head over it: the handler looks no further than the end. And a pop that will be slow has lowered
//!   the head to a slot that is shared or stolen: then the head is one below the first private slot, and a
//!   deque that answers interrupts shares nothing.
//! - H5. The handler only reads and writes atomics, the owner's cells, the clock, and a thread-local pointer
//!   without destructor that the thread has used before. It takes no lock, allocates nothing, calls no probe
//!   but its own counters, and wakes nobody: that is left to the ticker. It saves `errno`. (A sender's clock starts with the deque,
//!   so the handler finds it started; and it uses floating point, which the system saves.)
//! - H6. A thread is sent a signal only under the lock of its worker's *occupant*, and removes itself there
//!   before it ceases to be the occupant. So the thread exists.
//! - H7. An offer is kept in the *errand* until the ticker takes it, and the ticker does not sleep while an errand
//!   is under way.
//!
//! # Why a handler may come anywhere
//! Model checkers of threads do not help here; but there are few places. Let the head be at slot `s`:
//!
//! | the handler comes | it finds | and so |
//! |---|---|---|
//! | in a push, before the head goes up | head `s`; slot `s` half written | it shares below `s` only |
//! | after that, before the limit is read | head `s + 1`; slot `s` whole (H1) | it may share `s`; the push reads the new limit, or is slow for a request that is answered already |
//! | in a pop of `s`, before the head goes down | head `s + 1` | it may share `s`; then the pop limit is above `s`, and the pop, which reads it later (H2), is slow and settles with the thieves |
//! | after that | head `s` | it shares below `s` only; if the pop is fast, `s` was private and stays so |
//! | before a slow path | as at a fast one, or H4 | the slow path decides by what it reads itself, not by what made it slow |
//! | in a slow path | the gate closed | nothing (H3) |
//! | in a task, a search, a sleep | the owner between two operations | it shares as a push would |
//! | after the thread has left the worker | no entry in its `current` | nothing |
//!
//! A unit test does all this, with the handler called as a function (`steps`).
//!
//! To thieves it makes no difference who moves the split point, the owner or its handler: it is the same thread,
//! with the same orderings. The same for who answers a request or deals. A sleeper that relies on P3 meets in the handler the fence that it would meet in
//! the owner.
//!
//! # Thieves that must be awake
//! The private deques hand tasks to thieves that ask or wait at that moment, and a thief that sleeps does neither.
//! For a thief that searches, the tick comes in time, as it searches for two periods ([`Interrupts`]). For one
//! that sleeps, the first signal finds tasks and nobody to give them to; that is an offer, the ticker wakes the
//! thief, which asks, and the next signal delivers.
//!
//! [`Interrupts`]: crate::deque::Interrupts
//!
//! # An owner that sleeps
//! An owner that waits may be parked above tasks of its own, drowsy, or the only one that searches, and it cannot
//! steal from itself. So an interrupted owner asks whether *another* worker is parked, and the ticker wakes
//! another, whoever else searches or is drowsy: one a tick at most.
//!
//! # The ticker's sleep
//! The ticker ticks while a worker searches, or one is asked and withholds tasks, or an errand is under way; else it
//! sleeps, and a pool that does nothing, or has no thief, is left alone. Whoever makes the first true wakes it:
//! a worker that begins to search or parks, and an owner that leaves a request standing and has private tasks.
//! Both fence between that and their look at the ticker's state, the ticker between its state and its second
//! look round.
//!
//! Source: Acar, Charguéraud and Rainey 2013, section 4 ("Handling of large sequential tasks"): a thread that issues
//! interrupts, and a local lock without atomic operations. Signals that expose private tasks: Rito and Paulino
//! 2023 (LCWS). Departures:
//! - Signals go only to owners that are asked and withhold something, not to all at every tick.
//! - The gate is for the slow paths; push and pop need none, only their order (H1, H2).

mod head;
pub(crate) mod nap;
mod signal;
mod ticker;

use crate::deque::{Deque, Shared};
use crate::probe::{Counters, Event, Probe};
use crate::worker::Worker;
pub(crate) use head::Head;
use signal::{Signal, Thread};
// Not loom's, here and in the files beside, but for the nap: loom knows no signals, and a pool in a model has no ticker.
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering, compiler_fence};
use std::sync::{Mutex, MutexGuard, PoisonError};
pub(crate) use ticker::Ticker;

/// Closed while the owner is in a slow path: the paper's local lock (H3).
pub(crate) struct Gate(AtomicBool);

// Ordering: Relaxed, and the compiler's fences; owner and handler are one thread.
impl Gate {
    fn new() -> Gate {
        Gate(AtomicBool::new(false))
    }

    /// Runs a slow path, or a part of one, behind the closed gate. It must not unwind.
    pub(crate) fn closed<R>(&self, slow_path: impl FnOnce() -> R) -> R {
        let before = self.0.load(Ordering::Relaxed);
        self.0.store(true, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        let result = slow_path();
        compiler_fence(Ordering::SeqCst);
        self.0.store(before, Ordering::Relaxed);
        result
    }

    fn is_closed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a worker is to the ticker and to its own handler.
pub(crate) struct Target {
    pub(crate) gate: Gate,
    errand: AtomicU32,
    /// What the handler did; it alone writes them.
    pub(crate) done: Counters,
    /// The thread to signal (H6).
    occupant: Mutex<Option<Thread>>,
}

// What becomes of a signal: idle -> sent, by the ticker -> idle or offered, by the handler -> idle. A thread
// that enters or leaves the worker begins anew.
const IDLE: u32 = 0;
const SENT: u32 = 1;
/// There is something to steal, and somebody who wants it sleeps.
const OFFERED: u32 = 2;

impl Target {
    pub(crate) fn new() -> Target {
        Target {
            gate: Gate::new(),
            errand: AtomicU32::new(IDLE),
            done: Counters::default(),
            occupant: Mutex::new(None),
        }
    }

    /// The calling thread, which has become the worker's occupant, may be signalled until the guard is dropped.
    pub(crate) fn open(&self, signal: Signal) -> Open<'_> {
        self.settle(Some(Thread::open(signal)));
        Open { target: self, signal }
    }

    fn settle(&self, occupant: Option<Thread>) {
        let mut place = self.occupant();
        // Ordering: Relaxed; the ticker sends under the lock only.
        self.errand.store(IDLE, Ordering::Relaxed);
        *place = occupant;
    }

    fn occupant(&self) -> MutexGuard<'_, Option<Thread>> {
        self.occupant.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ticker: signals the occupant, unless there is none or it still has a signal to handle.
    fn send(&self, signal: Signal) {
        let occupant = self.occupant();
        let Some(thread) = &*occupant else { return };
        // Ordering: Relaxed; the signal, a system call, carries it to the handler. Others change it only from
        // sent, or under the lock.
        if self.errand.load(Ordering::Relaxed) == IDLE {
            self.errand.store(SENT, Ordering::Relaxed);
            if thread.interrupt(signal).is_err() {
                self.errand.store(IDLE, Ordering::Relaxed);
            }
        }
    }

    /// Ticker: whether a signal has yet to be handled, or its offer to be taken.
    fn is_busy(&self) -> bool {
        // Ordering: Relaxed; a hint, and `take_offer` looks again.
        self.errand.load(Ordering::Relaxed) != IDLE
    }

    /// Ticker: whether the handler has made an offer since this was last asked.
    fn take_offer(&self) -> bool {
        // Ordering: Acquire; meets the Release in `Worker::interrupted`: what is offered is visible.
        self.errand.compare_exchange(OFFERED, IDLE, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }
}

/// The occupant of a worker may be signalled.
pub(crate) struct Open<'a> {
    target: &'a Target,
    signal: Signal,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        let thread = self.target.occupant().take();
        self.target.settle(None);
        thread.inspect(|thread| thread.close(self.signal));
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// In the signal handler, on the thread that occupies this worker (H5).
    pub(crate) fn interrupted(&self) {
        let target = &self.interrupt;
        // Ordering: Relaxed; the signal carries it. A signal that is not the ticker's, or comes too late, is
        // none of ours.
        if target.errand.load(Ordering::Relaxed) != SENT {
            return;
        }
        target.done.count(Event::Interrupt);
        let answer = if target.gate.is_closed() || !self.deque.is_asked() {
            IDLE
        } else {
            match self.answer_interrupt() {
                Shared::Some => OFFERED,
                Shared::None => IDLE,
            }
        };
        // Ordering: Release; meets the Acquire in `take_offer`.
        target.errand.store(answer, Ordering::Release);
    }
}

#[cfg(all(test, not(loom)))]
mod steps;
#[cfg(all(test, not(any(loom, miri)), target_os = "linux"))]
mod tests;
