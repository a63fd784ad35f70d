//! Threads, and the processors that they run on.
//!
//! ```text
//!              starts                 its slice is over, or it yields
//!   (nothing) ───────> runs ─────────────────────────────────> waits for a processor
//!                      │  ▲ └──────────── over                        │
//!           it sleeps  │  │ a processor is free                       │
//!                      ▼  └────────────────────────────────────────────┘
//!                    sleeps ── woken, or the moment has come: the same two ways
//! ```
//! Who is woken gets its former processor if that is idle, else the first that is, else it waits in the former one's queue. A
//! processor that comes to be idle takes the oldest of its queue, or of the longest queue there is.

use crate::calendar::{Calendar, MOST_THREADS};
use crate::life::{Baton, Life, Pause};
use crate::local::Locals;
use crate::machine::Costs;
use crate::trace::Watched;
use corosensei::Yielder;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Runs,
    Queued,
    Sleeps,
    Over,
}

/// What a thread sleeps for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waits {
    /// That it is unparked.
    Parker,
    /// That somebody gives this lock back.
    Lock,
    /// That this thread ends.
    Thread(usize),
    /// That time passes.
    Moment,
}

/// Why it sleeps no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Woken {
    Called,
    /// Its moment has come.
    InTime,
    /// For a signal.
    Signalled,
}

pub(crate) struct Thread {
    state: State,
    clock: u64,
    processor: usize,
    slice_end: u64,
    stores_done: u64,
    waits: Waits,
    woken: Woken,
    signal: Signal,
    pub(crate) life: Option<Life>,
    pub(crate) yielder: *const Yielder<(), ()>,
    pub(crate) baton: Option<Arc<Baton>>,
    /// The addresses of its stack.
    pub(crate) stack: Range<usize>,
    pub(crate) locals: Locals,
    joiners: Vec<usize>,
    pub(crate) watched: Watched,
}

/// What a thread has to do with signals.
#[derive(Clone, Copy, Debug, Default)]
struct Signal {
    /// Since when there is one that it has not taken.
    comes: Option<u64>,
    /// Whether it handles one.
    handles: bool,
    /// What it has worked beyond the moment of the signal.
    beyond: u64,
}

#[derive(Clone, Debug, Default)]
struct Processor {
    runs: Option<usize>,
    queue: VecDeque<usize>,
    free_since: u64,
}

pub(crate) struct Threads {
    calendar: Calendar,
    all: Vec<Thread>,
    processors: Vec<Processor>,
    /// In which order processors are taken.
    order: Vec<usize>,
    /// Threads that are not over.
    alive: usize,
    queued: usize,
}

impl Threads {
    /// On so many processors, taken in this order.
    pub(crate) fn new(order: Vec<usize>) -> Threads {
        let processors = vec![Processor::default(); order.len()];
        Threads {
            calendar: Calendar::new(),
            all: Vec::new(),
            processors,
            order,
            alive: 0,
            queued: 0,
        }
    }

    pub(crate) fn get(&self, thread: usize) -> &Thread {
        &self.all[thread]
    }

    pub(crate) fn get_mut(&mut self, thread: usize) -> &mut Thread {
        &mut self.all[thread]
    }

    pub(crate) fn processors(&self) -> usize {
        self.processors.len()
    }

    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn processor(&self, thread: usize) -> usize {
        self.all[thread].processor
    }

    pub(crate) fn stores_done(&self, thread: usize) -> u64 {
        self.all[thread].stores_done
    }

    pub(crate) fn woken(&self, thread: usize) -> Woken {
        self.all[thread].woken
    }

    pub(crate) fn is_over(&self, thread: usize) -> bool {
        self.all[thread].state == State::Over
    }

    /// Whether threads may have to wait for processors.
    pub(crate) fn is_crowded(&self) -> bool {
        self.alive > self.processors.len()
    }

    pub(crate) fn first_beside(&self, thread: usize) -> u64 {
        self.calendar.first_beside(thread)
    }

    /// When the thread has to make room, if somebody waits for its processor.
    pub(crate) fn slice_end(&self, thread: usize) -> u64 {
        let waits =
            self.queued > 0 && !self.processors[self.all[thread].processor].queue.is_empty();
        if waits { self.all[thread].slice_end } else { u64::MAX }
    }

    /// A thread begins at this moment, or when there is a processor for it. `None` if there have been too many.
    pub(crate) fn starts(
        &mut self,
        name: String,
        stack: Range<usize>,
        at: u64,
        costs: &Costs,
    ) -> Option<usize> {
        let number = self.all.len();
        if number == MOST_THREADS {
            return None;
        }
        let free =
            self.order.iter().copied().find(|processor| self.processors[*processor].runs.is_none());
        self.all.push(Thread {
            state: State::Queued,
            clock: at,
            processor: free.unwrap_or(self.order[number % self.order.len()]),
            slice_end: 0,
            stores_done: 0,
            waits: Waits::Moment,
            woken: Woken::Called,
            signal: Signal::default(),
            life: None,
            yielder: std::ptr::null(),
            baton: None,
            stack,
            locals: Locals::default(),
            joiners: Vec::new(),
            watched: Watched::new(name, at),
        });
        self.alive += 1;
        self.place(number, at, costs);
        Some(number)
    }

    /// A thread that could run gets a processor, or waits for one.
    fn place(&mut self, thread: usize, at: u64, costs: &Costs) {
        let former = self.all[thread].processor;
        let is_free = |processor: &usize| self.processors[*processor].runs.is_none();
        let free =
            Some(former).filter(is_free).or_else(|| self.order.iter().copied().find(is_free));
        match free {
            Some(processor) => {
                let idle = at > self.processors[processor].free_since;
                self.run(thread, processor, at + if idle { costs.idle_exit } else { 0 }, costs);
            }
            None => {
                self.all[thread].state = State::Queued;
                self.all[thread].clock = at;
                self.calendar.set(thread, None);
                self.processors[former].queue.push_back(thread);
                self.queued += 1;
            }
        }
    }

    fn run(&mut self, thread: usize, processor: usize, at: u64, costs: &Costs) {
        let this = &mut self.all[thread];
        this.state = State::Runs;
        this.processor = processor;
        this.clock = this.clock.max(at);
        this.slice_end = this.clock + costs.slice;
        self.processors[processor].runs = Some(thread);
        self.calendar.set(thread, Some(this.clock));
    }

    /// The thread leaves its processor, which somebody else takes who waits.
    fn release(&mut self, thread: usize, now: u64, costs: &Costs) {
        let free = self.all[thread].processor;
        self.processors[free].runs = None;
        self.processors[free].free_since = now;
        if self.queued == 0 {
            return;
        }
        let longest = || {
            (0..self.processors.len())
                .max_by_key(|at| (self.processors[*at].queue.len(), usize::MAX - at))
        };
        let from = if self.processors[free].queue.is_empty() { longest() } else { Some(free) };
        if let Some(next) = from.and_then(|from| self.processors[from].queue.pop_front()) {
            self.queued -= 1;
            self.run(next, free, now + costs.yielding, costs);
        }
    }

    /// It runs on from this moment, when its turn comes.
    pub(crate) fn goes_on_at(&mut self, thread: usize, now: u64) {
        self.all[thread].clock = now;
        self.calendar.set(thread, Some(now));
    }

    /// Its slice is over: it waits behind those that wait for its processor, if there are any.
    pub(crate) fn is_preempted(&mut self, thread: usize, now: u64, costs: &Costs) -> bool {
        now >= self.slice_end(thread) && self.yields(thread, now, costs)
    }

    /// It makes room for those that wait for its processor, if there are any.
    pub(crate) fn yields(&mut self, thread: usize, now: u64, costs: &Costs) -> bool {
        let processor = self.all[thread].processor;
        if self.queued == 0 || self.processors[processor].queue.is_empty() {
            return false;
        }
        self.all[thread].state = State::Queued;
        self.all[thread].clock = now;
        self.calendar.set(thread, None);
        self.release(thread, now, costs);
        self.processors[processor].queue.push_back(thread);
        self.queued += 1;
        true
    }

    /// It sleeps.
    pub(crate) fn blocks(
        &mut self,
        thread: usize,
        now: u64,
        waits: Waits,
        until: Option<u64>,
        costs: &Costs,
    ) {
        let this = &mut self.all[thread];
        (this.state, this.clock, this.waits) = (State::Sleeps, now, waits);
        this.watched.sleeps_since = now;
        if let Waits::Thread(other) = waits {
            self.all[other].joiners.push(thread);
        }
        self.calendar.set(thread, until.map(|until| until.max(now)));
        self.release(thread, now, costs);
    }

    /// It is woken, if it sleeps.
    pub(crate) fn wakes(&mut self, thread: usize, at: u64, woken: Woken, costs: &Costs) {
        let this = &mut self.all[thread];
        if this.state != State::Sleeps {
            return;
        }
        this.clock = this.clock.max(at);
        this.woken = woken;
        this.watched.slept += this.clock - this.watched.sleeps_since;
        let at = this.clock;
        self.place(thread, at, costs);
    }

    /// It loses some time, where it runs.
    pub(crate) fn is_interrupted(&mut self, thread: usize, time: u64) {
        let this = &mut self.all[thread];
        this.clock += time;
        self.calendar.set(thread, Some(this.clock));
    }

    /// A signal is there for it.
    pub(crate) fn is_signalled(&mut self, thread: usize, at: u64, costs: &Costs) {
        let this = &mut self.all[thread];
        this.signal.comes = this.signal.comes.or(Some(at));
        match (this.state, this.waits) {
            (State::Runs, _) => _ = self.goes_back(thread),
            (State::Sleeps, Waits::Parker) if !this.signal.handles => {
                self.wakes(thread, at + costs.wake, Woken::Signalled, costs);
            }
            _ => {}
        }
    }

    /// The moment of the signal that the thread is to handle next, if there is one.
    pub(crate) fn signal(&self, thread: usize) -> Option<u64> {
        let signal = self.all[thread].signal;
        signal.comes.filter(|_| !signal.handles)
    }

    /// A thread that runs, and has worked beyond the moment of its signal, is where it was then; tells whether that is so.
    pub(crate) fn goes_back(&mut self, thread: usize) -> bool {
        let Some(at) = self.signal(thread).filter(|at| *at < self.all[thread].clock) else {
            return false;
        };
        let this = &mut self.all[thread];
        this.signal.beyond += this.clock - at;
        this.clock = at;
        self.calendar.set(thread, Some(at));
        true
    }

    /// It takes its signal, if that is there by now.
    pub(crate) fn takes_signal(&mut self, thread: usize, now: u64) -> bool {
        let takes = self.signal(thread).is_some_and(|at| at <= now);
        if takes {
            self.all[thread].signal =
                Signal { comes: None, handles: true, ..self.all[thread].signal };
        }
        takes
    }

    /// It has handled its signal: what it has still to work.
    pub(crate) fn has_handled(&mut self, thread: usize) -> u64 {
        let signal = &mut self.all[thread].signal;
        signal.handles = false;
        std::mem::take(&mut signal.beyond)
    }

    /// How long all but this one have been awake together, up to now.
    pub(crate) fn awake_beside(&self, thread: usize, now: u64) -> u64 {
        let awake = |(_, other): (usize, &Thread)| {
            let until = match other.state {
                State::Runs | State::Queued => now,
                State::Sleeps => other.watched.sleeps_since,
                State::Over => other.watched.lived.1,
            };
            until.saturating_sub(other.watched.lived.0 + other.watched.slept)
        };
        self.all.iter().enumerate().filter(|(other, _)| *other != thread).map(awake).sum()
    }

    /// The threads that run, but for this one.
    pub(crate) fn running_beside(&self, thread: usize) -> Vec<usize> {
        let runs = self.processors.iter().filter_map(|processor| processor.runs);
        runs.filter(|other| *other != thread).collect()
    }

    /// The thread which is about to pause: what it pauses by.
    pub(crate) fn leaves(&mut self, thread: usize, stores_done: u64) -> Pause {
        let this = &mut self.all[thread];
        this.stores_done = stores_done;
        Pause { yielder: this.yielder, baton: this.baton.clone() }
    }

    /// Its last step is done.
    pub(crate) fn ends(&mut self, thread: usize, now: u64, costs: &Costs) {
        self.all[thread].state = State::Over;
        self.all[thread].clock = now;
        self.all[thread].watched.ends(now);
        self.alive -= 1;
        self.calendar.set(thread, None);
        self.release(thread, now, costs);
        for joiner in std::mem::take(&mut self.all[thread].joiners) {
            self.wakes(joiner, now + costs.wake, Woken::Called, costs);
        }
    }

    /// Who goes on next, and when; those whose moment has come are woken by the way. `None` if nobody can.
    pub(crate) fn next(&mut self, costs: &Costs) -> Option<(u64, usize)> {
        loop {
            let (at, thread) = self.calendar.first()?;
            if self.all[thread].state != State::Sleeps {
                return Some((at, thread));
            }
            self.wakes(thread, at + costs.wake, Woken::InTime, costs);
        }
    }

    /// Those that are not over, and what each waits for.
    pub(crate) fn waiting(&self) -> Vec<String> {
        let alive = self.all.iter().enumerate().filter(|(_, thread)| thread.state != State::Over);
        let tell = |(number, thread): (usize, &Thread)| {
            let waits = match (thread.state, thread.waits) {
                (State::Queued, _) => "waits for a processor".to_owned(),
                (State::Sleeps, Waits::Parker) => "sleeps until it is unparked".to_owned(),
                (State::Sleeps, Waits::Lock) => "waits for a lock".to_owned(),
                (State::Sleeps, Waits::Moment) => "sleeps for a time".to_owned(),
                (State::Sleeps, Waits::Thread(other)) => {
                    format!(
                        "waits for the end of thread {other} ({})",
                        self.all[other].watched.name
                    )
                }
                (State::Runs | State::Over, _) => "runs".to_owned(),
            };
            format!(
                "thread {number} ({}) {waits} since {:.3} us, {}",
                thread.watched.name,
                thread.clock as f64 / 1e6,
                thread.watched.phase_in_words()
            )
        };
        alive.map(tell).collect()
    }
}
