//! The ticker: the thread that interrupts owners, and wakes whom they cannot wake from a handler.

use super::Registry;
use crate::current;
use crate::deque::{Deque, Interrupts};
use crate::interrupt::nap::{Nap, Next};
use crate::interrupt::{InterruptError, Open, Signals};
use crate::probe::Probe;
use crate::scheduler::Worker;
use lyocell_sync::signal::{Signal, sharpen_timer};
use lyocell_sync::thread::{self, JoinHandle};
use std::sync::Arc;
use std::time::Duration;

/// The ticker of a pool, as its workers see it.
pub(crate) struct Ticker {
    signal: Signal,
    period: Duration,
    signals: Signals,
    nap: Nap,
}

/// It calls a few functions of the C library.
const STACK_BYTES: usize = 128 << 10;

impl Ticker {
    /// For workers with deques of this type, at this period.
    pub(crate) fn new<D: Deque>(
        period: Duration,
        signals: Signals,
    ) -> Result<Ticker, InterruptError> {
        if period.is_zero() {
            return Err(InterruptError::Period);
        }
        if D::INTERRUPTS == Interrupts::Refused {
            return Err(InterruptError::Deque { deque: D::NAME });
        }
        // SAFETY: interrupt-5.
        let signal = unsafe { Signal::install(current::interrupted) }?;
        Ok(Ticker { signal, period, signals, nap: Nap::new() })
    }

    /// Whatever it does: it should look whether the pool is over.
    pub(crate) fn rouse(&self) {
        self.nap.rouse();
    }

    /// The calling thread, which has become the occupant of the worker, may be signalled until the guard is dropped.
    pub(super) fn open<'a, D: Deque, P: Probe>(&self, worker: &'a Worker<D, P>) -> Open<'a> {
        worker.owner.interrupt.open(self.signal)
    }

    /// Signals the occupant of a worker.
    pub(crate) fn interrupt<D: Deque, P: Probe>(&self, worker: &Worker<D, P>) {
        worker.owner.interrupt.send(self.signal);
    }
}

impl<D: Deque, P: Probe> Registry<D, P> {
    /// A worker wants tasks, and has asked for them or is about to.
    pub(crate) fn wake_ticker(&self) {
        // In the child of a fork there is no such thread, and its parker is as it was left.
        if !self.generation.is_past() {
            self.ticker.as_ref().inspect(|ticker| ticker.nap.wake());
        }
    }

    /// Starts the ticker's thread, if the pool has one.
    pub(crate) fn start_ticker(self: &Arc<Self>) -> Result<Option<JoinHandle<()>>, InterruptError> {
        if self.ticker.is_none() {
            return Ok(None);
        }
        let registry = Arc::clone(self);
        let thread = thread::Builder::new().name(String::from("lyocell-ticker"));
        let life = Box::new(move || registry.tick_until_over());
        match thread::start(thread.stack_size(STACK_BYTES), life) {
            Ok(thread) => Ok(Some(thread)),
            Err(source) => Err(InterruptError::System { source }),
        }
    }

    fn tick_until_over(&self) {
        let Some(ticker) = &self.ticker else { return };
        sharpen_timer();
        while !self.drain.is_over() {
            match self.tick(ticker) {
                Next::Tick => ticker.nap.wait(ticker.period),
                Next::Sleep => ticker.nap.sleep(|| self.look_round()),
            }
        }
    }

    /// One tick: wakes sleepers for what handlers have offered, and interrupts whoever withholds tasks.
    fn tick(&self, ticker: &Ticker) -> Next {
        for worker in &self.workers[..] {
            if worker.owner.interrupt.take_offer() {
                self.idle.notify_of_offer(worker.index());
            }
            if ticker.signals == Signals::All || worker.withholds() {
                ticker.interrupt(worker);
            }
        }
        self.look_round()
    }

    /// Whether a tick may be needed before somebody wakes the ticker.
    fn look_round(&self) -> Next {
        // A worker is busy while a signal to it is under way, or its offer not taken (interrupt-7).
        let needed = self.ticker.as_ref().is_some_and(|ticker| ticker.signals == Signals::All)
            || self.idle.counts().searching() > 0
            || self
                .workers
                .iter()
                .any(|worker| worker.withholds() || worker.owner.interrupt.is_busy());
        if needed { Next::Tick } else { Next::Sleep }
    }
}
