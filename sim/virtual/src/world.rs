//! The world of one run: its clock, its lines, its threads. One at a time on a thread of the real machine.
//!
//! A virtual thread is a coroutine (`life`). It runs on until it comes, with its clock, after another one: then it gives way, and the one with
//! the smallest clock goes on (of equals, that with the smallest number). So accesses happen in the order of their virtual times,
//! but for one case: an access of a line that is this processor's alone may come before others by as much as the shortest
//! transfer takes (`ahead`). That is an order in which it could have happened, too, and most accesses are such.
//!
//! # Invariants
//! - world-1. All virtual threads of a world, and the world, are on one thread of the real machine, or pass a baton (life-1): one of them
//!   runs at a time. So cells are enough, and what is behind them is borrowed nowhere when a thread pauses.
//! - world-2. The world is there as long as `run` is, and all virtual threads end, or are never resumed, before it goes.
//! - world-3. The lines are borrowed only within `Lines`' own methods, called with `entered` set; an allocation that comes meanwhile leaves
//!   them alone.
//!
//! Nothing here hangs on an address but which words share a line.

use crate::calendar::END_OF_TIME;
use crate::fault::{Dice, Faults};
use crate::life::Backend;
use crate::lines::{Kind, Lines};
use crate::machine::Costs;
use crate::run::keep_stacks;
use crate::stores::Buffer;
use crate::threads::{Threads, Waits, Woken};
use corosensei::stack::DefaultStack;
use std::cell::{Cell, RefCell, UnsafeCell};

thread_local! {
    static WORLD: Cell<*const World> = const { Cell::new(std::ptr::null()) };
}

/// What memory the machine has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// All see all stores at once.
    #[default]
    Sequential,
    /// Plain stores reach others late, by the seed, and in their order (TSO).
    Tso,
}

/// What was counted of a whole run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Lines that passed from one processor to another, by distance.
    pub transfers: Vec<u64>,
    /// How often another thread's turn came.
    pub switches: u64,
    /// Accesses that were not simply the processor's own.
    pub accesses: u64,
    /// Sleeps.
    pub parks: u64,
    /// Sleepers that were woken.
    pub wakes: u64,
    /// Heavy barriers.
    pub barriers: u64,
    /// Signals that were sent.
    pub signals: u64,
    /// A digest of all of it: of who did what when.
    pub hash: u64,
}

pub(crate) struct World {
    clock: Cell<u64>,
    /// Until then the running thread's own lines are at hand without a look at others.
    horizon: Cell<u64>,
    /// Until then it comes before all others.
    turn_until: Cell<u64>,
    /// When its stores will all have left.
    stores_done: Cell<u64>,
    processor: Cell<usize>,
    thread: Cell<usize>,
    slice_end: Cell<u64>,
    /// How far an access of an own line may come early; `None` where every access is looked at, because of faults or store buffers.
    ahead: Option<u64>,
    pub(crate) limit: u64,
    entered: Cell<bool>,
    lines: UnsafeCell<Lines>,
    /// How many processors share a node of the memory.
    pub(crate) node_size: usize,
    pub(crate) costs: Costs,
    pub(crate) threads: RefCell<Threads>,
    pub(crate) dice: Dice,
    pub(crate) faults: Faults,
    /// Which threads came late to their last access, in their order.
    late: RefCell<Vec<bool>>,
    /// How often a thread was to be started.
    pub(crate) starts: Cell<u64>,
    pub(crate) memory: Memory,
    /// The stores of each thread that have not left, in the order of threads.
    pub(crate) buffers: RefCell<Vec<Buffer>>,
    pub(crate) counts: RefCell<Counts>,
    pub(crate) seed: u64,
    pub(crate) keep_trace: bool,
    pub(crate) keep_most: bool,
    pub(crate) backend: Backend,
    /// What a thread does that gets a signal.
    pub(crate) handler: Cell<Option<fn()>>,
    /// What the program has marked.
    pub(crate) spans: RefCell<Vec<(u64, u64)>>,
    /// Of threads that are over.
    pub(crate) spent_stacks: RefCell<Vec<DefaultStack>>,
}

impl Drop for World {
    fn drop(&mut self) {
        keep_stacks(self.spent_stacks.take());
    }
}

/// Calls `f` with the world, if this is the inside of one.
#[inline]
pub(crate) fn with_world<R>(f: impl FnOnce(&World) -> R) -> Option<R> {
    let world = WORLD.get();
    // SAFETY: world-1, world-2.
    unsafe { world.as_ref() }.map(f)
}

/// What a world is made with.
pub(crate) struct Setting {
    pub(crate) costs: Costs,
    pub(crate) threads: Threads,
    pub(crate) processors: usize,
    /// How many processors share a node of the memory.
    pub(crate) node_size: usize,
    pub(crate) faults: Faults,
    pub(crate) memory: Memory,
    pub(crate) seed: u64,
    pub(crate) limit: u64,
    pub(crate) keep_trace: bool,
    pub(crate) keep_most: bool,
    pub(crate) backend: Backend,
}

impl World {
    pub(crate) fn new(setting: Setting) -> World {
        let careful = setting.memory == Memory::Tso || setting.faults.delay_one_in > 0;
        let ahead = setting.costs.transfer.iter().min().copied().unwrap_or(0);
        let transfers = vec![0; setting.costs.transfer.len()];
        World {
            clock: Cell::new(0),
            horizon: Cell::new(0),
            turn_until: Cell::new(0),
            stores_done: Cell::new(0),
            processor: Cell::new(0),
            thread: Cell::new(0),
            slice_end: Cell::new(u64::MAX),
            ahead: (!careful).then_some(ahead),
            limit: setting.limit.min(END_OF_TIME - 1),
            entered: Cell::new(false),
            lines: UnsafeCell::new(Lines::new(setting.processors)),
            node_size: setting.node_size,
            costs: setting.costs,
            threads: RefCell::new(setting.threads),
            dice: Dice::new(setting.seed),
            faults: setting.faults,
            late: RefCell::default(),
            starts: Cell::new(0),
            memory: setting.memory,
            buffers: RefCell::default(),
            counts: RefCell::new(Counts { transfers, ..Counts::default() }),
            seed: setting.seed,
            keep_trace: setting.keep_trace,
            keep_most: setting.keep_most,
            backend: setting.backend,
            handler: Cell::new(None),
            spans: RefCell::default(),
            spent_stacks: RefCell::default(),
        }
    }

    /// Makes it the world of this thread of the real machine, or takes it away again.
    pub(crate) fn install(world: Option<&World>) {
        let world = world.map_or(std::ptr::null(), |world| world as *const World);
        assert!(world.is_null() || WORLD.get().is_null(), "a world within a world");
        WORLD.set(world);
    }

    #[inline]
    pub(crate) fn now(&self) -> u64 {
        self.clock.get()
    }

    pub(crate) fn thread(&self) -> usize {
        self.thread.get()
    }

    /// The running thread is busy so long.
    #[inline]
    pub(crate) fn spend(&self, time: u64) {
        self.clock.set(self.clock.get() + time);
    }

    pub(crate) fn hash(&self, what: u64) {
        let counts = &mut *self.counts.borrow_mut();
        let mixed =
            counts.hash ^ self.clock.get().rotate_left(20) ^ (self.thread.get() as u64) << 4 ^ what;
        counts.hash = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    }

    /// An access of a word.
    #[inline]
    pub(crate) fn access(&self, address: usize, kind: Kind) {
        if kind != Kind::Rmw && self.clock.get() <= self.horizon.get() {
            // SAFETY: world-3: a read of the table by itself.
            let lines = unsafe { &*self.lines.get() };
            if lines.is_own(address, self.processor.get(), self.clock.get()) {
                self.spend(if kind == Kind::Store { self.costs.store } else { self.costs.hit });
                return;
            }
        }
        self.access_in_turn(address, kind);
    }

    #[inline(never)]
    fn access_in_turn(&self, address: usize, kind: Kind) {
        self.delay();
        self.turn();
        if kind == Kind::Rmw {
            self.wait_for_stores();
        }
        let now = self.clock.get();
        self.entered.set(true);
        // SAFETY: world-3.
        let lines = unsafe { &mut *self.lines.get() };
        let cost = lines.touch(address, kind, self.processor.get(), now, &self.costs);
        self.entered.set(false);
        match kind {
            Kind::Load => self.clock.set(cost.there + self.costs.hit),
            Kind::Rmw => self.clock.set(cost.there + self.costs.rmw),
            Kind::Prefetch => self.clock.set(now + self.costs.hit),
            Kind::Store => {
                self.stores_done.set(self.stores_done.get().max(cost.there));
                self.clock.set(now + self.costs.store);
            }
        }
        let counts = &mut *self.counts.borrow_mut();
        counts.accesses += 1;
        if let Some(level) = cost.level {
            counts.transfers[level] += 1;
        }
        let mixed = counts.hash
            ^ cost.there.rotate_left(20)
            ^ (self.thread.get() as u64) << 4
            ^ kind as u64;
        counts.hash = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    }

    /// Begins to fetch the line of a word.
    pub(crate) fn prefetch(&self, address: usize) {
        self.access(address, Kind::Prefetch);
    }

    /// Waits until all stores of this thread have left the processor.
    pub(crate) fn wait_for_stores(&self) {
        self.clock.set(self.clock.get().max(self.stores_done.get()));
    }

    /// The thread comes late, by the seed.
    fn delay(&self) {
        if self.faults.delay_one_in > 0 {
            let (me, mut late) = (self.thread.get(), self.late.borrow_mut());
            if late.len() <= me {
                late.resize(me + 1, false);
            }
            let delay = self.faults.delay(&self.dice, late[me]);
            late[me] = delay > 0;
            self.spend(delay);
        }
    }

    /// Lets those go on that come before this moment.
    #[inline]
    pub(crate) fn turn(&self) {
        if self.clock.get() > self.turn_until.get() || self.clock.get() >= self.slice_end.get() {
            self.give_way();
        }
    }

    /// As [`World::turn`], as far as own lines are ordered: for loops that touch nothing.
    #[inline]
    pub(crate) fn turn_about(&self) {
        if self.clock.get() > self.horizon.get() {
            self.turn();
        }
    }

    #[cold]
    fn give_way(&self) {
        let (me, now) = (self.thread.get(), self.clock.get());
        if self.handler.get().is_some() {
            let mut threads = self.threads.borrow_mut();
            threads.goes_on_at(me, now);
            let goes_back = threads.goes_back(me);
            drop(threads);
            if goes_back {
                return self.suspend();
            }
        }
        if now >= self.slice_end.get()
            && self.threads.borrow_mut().is_preempted(me, now, &self.costs)
        {
            return self.suspend();
        }
        if now > self.turn_until.get() {
            self.threads.borrow_mut().goes_on_at(me, now);
            self.suspend();
        } else {
            self.slice_end.set(self.threads.borrow().slice_end(me));
        }
    }

    /// Gives the processor to whoever waits for it.
    pub(crate) fn yield_processor(&self) {
        self.spend(self.costs.yielding);
        let yields =
            self.threads.borrow_mut().yields(self.thread.get(), self.clock.get(), &self.costs);
        match yields {
            true => self.suspend(),
            false => self.turn_about(),
        }
    }

    /// Sleeps until somebody wakes this thread, or that moment comes.
    pub(crate) fn block(&self, waits: Waits, until: Option<u64>) -> Woken {
        self.drain(self.thread.get());
        let (me, now) = (self.thread.get(), self.clock.get());
        self.threads.borrow_mut().blocks(me, now, waits, until, &self.costs);
        self.suspend();
        self.threads.borrow().woken(me)
    }

    /// Wakes a thread that sleeps; it runs from that moment on, or later.
    pub(crate) fn wake(&self, thread: usize, at: u64) {
        self.threads.borrow_mut().wakes(thread, at, Woken::Called, &self.costs);
        self.look_round();
    }

    /// Somebody else may come first now.
    pub(crate) fn look_round(&self) {
        let threads = self.threads.borrow();
        let until = threads.first_beside(self.thread.get()).min(self.limit);
        let signal = self.handler.get().and_then(|_| threads.signal(self.thread.get()));
        let until = signal.map_or(until, |at| until.min(at));
        self.slice_end.set(threads.slice_end(self.thread.get()));
        self.turn_until.set(until);
        self.horizon.set(self.ahead.map_or(0, |ahead| until + ahead));
    }

    /// This thread goes on now.
    pub(crate) fn enter(&self, thread: usize, at: u64) {
        self.thread.set(thread);
        self.clock.set(at);
        {
            let threads = self.threads.borrow();
            self.processor.set(threads.processor(thread));
            self.stores_done.set(threads.stores_done(thread));
        }
        self.look_round();
        if self.memory == Memory::Tso {
            self.drain_due(at);
        }
    }

    fn suspend(&self) {
        self.counts.borrow_mut().switches += 1;
        let pause = self.threads.borrow_mut().leaves(self.thread.get(), self.stores_done.get());
        // SAFETY: the running thread's (world-1).
        unsafe { pause.pause() };
        self.take_signal();
    }

    /// Calls the handler, if there is a signal for the running thread; then it goes on with what it was at.
    fn take_signal(&self) {
        let Some(handler) = self.handler.get() else { return };
        let me = self.thread.get();
        if !self.threads.borrow_mut().takes_signal(me, self.clock.get()) {
            return;
        }
        self.hash(4);
        self.spend(self.costs.signal_target);
        self.look_round();
        handler();
        let beyond = self.threads.borrow_mut().has_handled(me);
        self.spend(beyond);
        self.look_round();
        self.turn();
    }

    /// What lies there from now on is new.
    pub(crate) fn forget(&self, address: usize, bytes: usize) {
        if self.entered.get() || bytes == 0 {
            return;
        }
        self.entered.set(true);
        // SAFETY: world-3.
        unsafe { &mut *self.lines.get() }.forget(address, bytes);
        self.entered.set(false);
    }
}

/// What was counted of the run up to now.
pub fn counts() -> Counts {
    with_world(|world| world.counts.borrow().clone()).unwrap_or_default()
}
