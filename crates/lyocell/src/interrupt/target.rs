//! What a worker is to the ticker, which signals its occupant, and to its own signal handler.

use super::gate::Gate;
use crate::deque::Stealable;
use crate::probe::{Counters, Event, Probe};
use lyocell_sync::signal::{Signal, Thread};
use lyocell_sync::unmodelled::{AtomicU32, Mutex, MutexGuard, Ordering};

/// What a worker is to the ticker and to its own handler.
pub(crate) struct Target {
    pub(crate) gate: Gate,
    pub(super) signal_state: AtomicU32,
    /// What the handler did; it alone writes them.
    pub(crate) done: Counters,
    /// The thread to signal (interrupt-6).
    occupant: Mutex<Option<Thread>>,
}

// What becomes of a signal: idle -> sent, by the ticker -> idle or offered, by the handler -> idle. A thread
// that enters or leaves the worker begins anew.
pub(super) const IDLE: u32 = 0;
pub(super) const SENT: u32 = 1;
/// There is something to steal, and somebody who wants it sleeps.
const OFFERED: u32 = 2;

impl Target {
    pub(crate) fn new() -> Target {
        Target {
            gate: Gate::new(),
            signal_state: AtomicU32::new(IDLE),
            done: Counters::default(),
            occupant: Mutex::new(None),
        }
    }

    /// The calling thread, which has become the worker's occupant, may be signalled until the guard is dropped.
    pub(crate) fn open(&self, signal: Signal) -> Open<'_> {
        self.set_occupant(Some(Thread::open(signal)));
        Open { target: self, signal }
    }

    fn set_occupant(&self, occupant: Option<Thread>) {
        let mut place = self.occupant();
        // Ordering: Relaxed; the ticker sends under the lock only.
        self.signal_state.store(IDLE, Ordering::Relaxed);
        *place = occupant;
    }

    fn occupant(&self) -> MutexGuard<'_, Option<Thread>> {
        self.occupant.lock()
    }

    /// Ticker: signals the occupant, unless there is none or it still has a signal to handle.
    pub(crate) fn send(&self, signal: Signal) {
        let occupant = self.occupant();
        let Some(thread) = &*occupant else { return };
        // Ordering: Relaxed; the signal, a system call, carries it to the handler. Others change it only from
        // sent, or under the lock.
        if self.signal_state.load(Ordering::Relaxed) == IDLE {
            self.signal_state.store(SENT, Ordering::Relaxed);
            // SAFETY: interrupt-6.
            if unsafe { thread.interrupt(signal) }.is_err() {
                self.signal_state.store(IDLE, Ordering::Relaxed);
            }
        }
    }

    /// In the signal handler, on the occupant's thread: answers a signal of the ticker. `share` runs unless the
    /// owner is in a slow path (interrupt-3), and tells whether sleepers can have something.
    pub(crate) fn handle(&self, share: impl FnOnce() -> Stealable) {
        // Ordering: Relaxed; the signal carries it. A signal that is not the ticker's, or comes too late, is ignored.
        if self.signal_state.load(Ordering::Relaxed) != SENT {
            return;
        }
        self.done.count(Event::Interrupt);
        let answer = if self.gate.is_closed() {
            IDLE
        } else {
            match share() {
                Stealable::Some => OFFERED,
                Stealable::None => IDLE,
            }
        };
        // Ordering: Release; meets the Acquire in `take_offer`.
        self.signal_state.store(answer, Ordering::Release);
    }

    /// Ticker: whether a signal has yet to be handled, or its offer to be taken.
    pub(crate) fn is_busy(&self) -> bool {
        // Ordering: Relaxed; a hint, and `take_offer` looks again.
        self.signal_state.load(Ordering::Relaxed) != IDLE
    }

    /// Ticker: whether the handler has made an offer since this was last asked.
    pub(crate) fn take_offer(&self) -> bool {
        // Ordering: Acquire; meets the Release in `handle`: what is offered is visible.
        self.signal_state
            .compare_exchange(OFFERED, IDLE, Ordering::Acquire, Ordering::Relaxed)
            .is_ok()
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
        self.target.set_occupant(None);
        thread.inspect(|thread| thread.close(self.signal));
    }
}
